"""What can go wrong, as one tree.

    ChattestError              anything chattest refuses or fails at; its text is meant for the user
    ├── InputError             settings, test sets, names or saved files that cannot be used (exit code 2)
    ├── ChatterError           a chatter could not be loaded, or failed for good while talking
    ├── ModelError             a judge's model could not be loaded or run
    └── StoreError             the disk refused: full, read-only, in use by another run

`Problem` is one finding of an `InputError`: all problems are collected and reported together.
"""

import re
from collections.abc import Iterable, Mapping
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
