"""The exceptions of chattest.

    ChattestError              base of all; its text is written for the user
    ├── InputError             invalid settings, test sets, names or saved files
    ├── ChatterError           a chatter could not be loaded, or failed after all retries
    ├── ModelError             a judge's model could not be loaded or run
    └── StoreError             a file could not be written or read: disk full, read-only, in use by another run

On the command line each of them ends chattest with exit code 2. An `InputError` lists `Problem` records; a
`ProblemCollector` gathers them, so that all are reported together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of the user's input."""

    where: str
    """Where it is: `config.py:12`, `testsets/qa/cat-name.toml`, `--set seed=x`."""
    what: str
    """What is wrong, in a sentence."""
    remedy: str = ""
    """What to do, or which values are allowed; may be empty."""

    def __str__(self) -> str:
        remedy = f"\n    {self.remedy}" if self.remedy else ""
        return f"{self.where}: {self.what}{remedy}"


class ChattestError(Exception):
    """Base class of all exceptions that chattest raises on purpose."""


class InputError(ChattestError):
    """The user's input is invalid; `problems` lists every reason (at least one)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class ProblemCollector:
    """Collects the problems of several checks, so that the user sees all of them at once."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._problems = list(problems)

    def __bool__(self) -> bool:
        """Return True if any problem was collected."""
        return bool(self._problems)

    def add(self, problems: Iterable[Problem]) -> None:
        """Add problems."""
        self._problems.extend(problems)

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Add the problems of an `InputError` that ends the `with` block; other exceptions propagate."""
        try:
            yield
        except InputError as error:
            self.add(error.problems)

    def raise_any(self) -> None:
        """Raise an `InputError` with every problem, without repetitions; do nothing if there is none."""
        if self._problems:
            raise InputError(dict.fromkeys(self._problems))


class ChatterError(ChattestError):
    """A chatter could not be loaded, or failed after all retries."""


class ModelError(ChattestError):
    """A judge's model could not be loaded or run."""


class StoreError(ChattestError):
    """A file could not be written or read."""


def add_locations(problems: Iterable[Problem], locations: Mapping[str, str]) -> InputError:
    """Return an `InputError` with the place where each setting was given: `config.py:48: chatters[1]`.

    Args:
        problems: those that name no setting stay as they are.
        locations: setting, or `setting.key` -> where it was given.
    """
    completed = []
    for problem in problems:
        setting = re.match(r"\A(\w++)(?:\[\"([^\"]+)\"\]|(?=[.\[]|\Z))", problem.where)
        location = setting and (locations.get(f"{setting[1]}.{setting[2]}") or locations.get(setting[1]))
        completed.append(replace(problem, where=f"{location}: {problem.where}") if location else problem)
    return InputError(completed)


def suggest(name: str, known: Iterable[str]) -> str:
    """Return `Did you mean "alice"?` if a known name is close, else the known names, or the command that lists them."""
    names = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f'Did you mean "{folded[close[0]]}"?'
    if len(names) > 30:
        return "`python main.py list` shows all names."
    return f"Known: {', '.join(names)}." if names else "There are none."
