"""Which test sets the setting `testsets` takes: by name (`cat-name`), by folder and name (`co/*`), or by pattern."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from chattest.errors import InputError, Problem, nearest
from chattest.files.shipped import testset_folder

FOLDERS = ("qa", "co", "ia", "iq", "questions", "pairs")
"""The folders of `testsets/` that the setting chooses from; the other folders hold checks, which `checks` chooses."""


def takes(only: Sequence[str], folder: str, name: str) -> bool:
    """Whether the test set of that name and folder is among those wanted. only: the setting; empty: all are."""
    return not only or any(fnmatchcase(name, pattern) or fnmatchcase(f"{folder}/{name}", pattern) for pattern in only)


def refuse_unknown(testsets: Path, only: Iterable[str]) -> None:
    """Raises `InputError` with every entry of the setting that fits no test set of the folder."""
    folders = [testset_folder(testsets, kind) for kind in FOLDERS]
    known = [(folder.name, path.stem) for folder in folders for path in sorted(folder.glob("*.toml"))]
    names = [name for _, name in known]
    problems = []
    for pattern in only:
        if not any(takes([pattern], folder, name) for folder, name in known):
            folder, slash, name = pattern.rpartition("/")
            near = nearest(name, [stem for parent, stem in known if not slash or parent == folder] or names)
            problems.append(Problem("testsets", f'there is no test set "{pattern}"', near))
    if problems:
        raise InputError(problems)


def nothing_left(who: str, only: Sequence[str], folder: str, otherwise: str) -> Problem:
    """What to tell where the setting left a case or a check nothing. otherwise: what else can be done."""
    taken = ", ".join(f'"{pattern}"' for pattern in only)
    what = f"{who} has nothing to draw from: testsets = [{taken}] takes none of testsets/{folder}"
    return Problem("testsets", what, f'Add one of them to the setting testsets ("{folder}/*" is all), or {otherwise}.')
