"""The setting `testsets`: selects test sets by name (`cat-name`), by folder and name (`co/*`) or by pattern."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from chattest.datasets.stories import SESSION_KINDS, STORIES
from chattest.errors import InputError, Problem, suggest
from chattest.files.shipped import testset_folder

FOLDERS = ("qa", "co", "ia", "iq", *STORIES, *SESSION_KINDS, "questions", "pairs")
"""The folders of `testsets/` that the setting selects from; the setting `checks` selects from the other folders."""


def selects(only: Sequence[str], folder: str, name: str) -> bool:
    """Return True if the setting selects the test set with that folder and name.

    Args:
        only: The setting; empty selects all.
        folder: The folder of the test set.
        name: Its name.
    """
    return not only or any(fnmatchcase(name, pattern) or fnmatchcase(f"{folder}/{name}", pattern) for pattern in only)


def refuse_unknown(testsets: Path, only: Iterable[str]) -> None:
    """Raise `InputError` with every entry of the setting that matches no test set."""
    folders = [testset_folder(testsets, kind) for kind in FOLDERS]
    known = [(folder.name, path.stem) for folder in folders for path in sorted(folder.glob("*.toml"))]
    names = [name for _, name in known]
    problems = []
    for pattern in only:
        if not any(selects([pattern], folder, name) for folder, name in known):
            folder, slash, name = pattern.rpartition("/")
            near = suggest(name, [stem for parent, stem in known if not slash or parent == folder] or names)
            problems.append(Problem("testsets", f'there is no test set "{pattern}"', near))
    if problems:
        raise InputError(problems)


def explain_empty_selection(who: str, only: Sequence[str], folder: str, otherwise: str) -> Problem:
    """Return the problem of a case or check for which the setting selects no test set.

    Args:
        who: The case or check.
        only: The setting.
        folder: The folder that it draws from.
        otherwise: Another remedy.
    """
    patterns = ", ".join(f'"{pattern}"' for pattern in only)
    what = f"{who} has no test set to draw from: testsets = [{patterns}] selects none of testsets/{folder}"
    remedy = f'Add one of them to the setting testsets ("{folder}/*" selects all), or {otherwise}.'
    return Problem("testsets", what, remedy)
