"""Where things lie, whatever the current folder is."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The project's folder."""

CHATTERS = ROOT / "chatters"
"""The chatters that ship."""

TESTSETS = ROOT / "testsets"
"""The test sets that ship."""

DATA = ROOT / "tests" / "data"
"""What the tests read."""
