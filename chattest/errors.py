"""What can go wrong, as one tree.

    ChattestError              anything chattest refuses or fails at; its text is meant for the user
    ├── InputError             settings, test sets, names or saved files that cannot be used (exit code 2)
    ├── ChatterError           a chatter could not be loaded, or failed for good while talking
    ├── ModelError             a judge's model could not be loaded or run
    └── StoreError             the disk refused: full, read-only, in use by another run

`Problem` is one finding of an `InputError`; a `ProblemCollector` gathers them, so that all are reported together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with what the user gave."""

    where: str
    """Place: `config.py:12`, `testsets/qa/cat-name.toml`, `--set seed=x`."""
    what: str
    """What is wrong, in a sentence."""
    remedy: str = ""
    """What is allowed, or what to do."""

    def __str__(self) -> str:
        remedy = f"\n    {self.remedy}" if self.remedy else ""
        return f"{self.where}: {self.what}{remedy}"


class ChattestError(Exception):
    """Base of everything chattest raises on purpose."""


class InputError(ChattestError):
    """What the user gave cannot be used; `problems` lists every reason found (at least one)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class ProblemCollector:
    """Collects the problems of several checks, so that the user is told all of them at once."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._problems = list(problems)

    def __bool__(self) -> bool:
        """Whether there is any problem."""
        return bool(self._problems)

    def add(self, problems: Iterable[Problem]) -> None:
        """Adds problems."""
        self._problems.extend(problems)

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Adds the problems of an `InputError` raised in the block, which ends there; other errors pass."""
        try:
            yield
        except InputError as error:
            self.add(error.problems)

    def raise_any(self) -> None:
        """Raises an `InputError` with every problem, each told once; does nothing where there is none."""
        if self._problems:
            raise InputError(dict.fromkeys(self._problems))


class ChatterError(ChattestError):
    """A chatter could not be loaded, or failed for good while talking."""


class ModelError(ChattestError):
    """A judge's model could not be loaded or run."""


class StoreError(ChattestError):
    """The disk refused what had to be written or read."""


def placed(problems: Iterable[Problem], places: Mapping[str, str]) -> InputError:
    """The problems, those told with a setting's name with its place before it: `config.py:48: chatters[1]`.

    places: setting, or `setting.key`, -> where it was given.
    """
    found = []
    for problem in problems:
        setting = re.match(r"\A(\w++)(?:\[\"([^\"]+)\"\]|(?=[.\[]|\Z))", problem.where)
        place = setting and (places.get(f"{setting[1]}.{setting[2]}") or places.get(setting[1]))
        found.append(replace(problem, where=f"{place}: {problem.where}") if place else problem)
    return InputError(found)


def nearest(name: str, known: Iterable[str]) -> str:
    """`Did you mean "alice"?` for the closest of the known names, else the list of them where it is short."""
    names = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f'Did you mean "{folded[close[0]]}"?'
    if len(names) > 30:
        return "`python main.py list` names them all."
    return f"Known: {', '.join(names)}." if names else "None is known."
