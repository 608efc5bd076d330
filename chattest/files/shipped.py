"""Find the shipped chatters and test sets, in a checkout and in an installed package.

A wheel holds them in `chattest/shipped/`; in a checkout they are the folders `chatters/` and `testsets/` next to the
package. A project may bring its own: its files come first, and the shipped ones fill the gaps.
"""

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parents[1]


def find_shipped_file(name: str) -> Path:
    """Return the path of a shipped file or folder, such as `config.py`, wherever chattest is installed."""
    installed = _PACKAGE / "shipped" / name
    return installed if installed.exists() else _PACKAGE.parent / name


def find_shipped_folder(kind: Literal["chatters", "testsets"]) -> Path:
    """Return the folder of the shipped chatters or test sets, wherever chattest is installed."""
    return find_shipped_file(kind)


def testset_folder(testsets: Path, kind: str) -> Path:
    """Return the folder that test sets of one kind are read from.

    It is the project's folder of that kind, even an empty one, and the shipped one if there is none. The two are never
    mixed, so that a project alone decides what a kind holds.

    Args:
        testsets: the project's `testsets/` folder, which need not exist.
        kind: a folder in it, such as `qa` or `groups`.
    """
    own = testsets / kind
    return own if own.is_dir() else find_shipped_folder("testsets") / kind
