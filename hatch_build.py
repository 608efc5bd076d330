"""Makes what the wheel depends on from the pinned requirements, so that each version is written down once.

`requirements.txt` pins what chattest is tested with. A wheel must share its environment with other packages, so each
pin becomes a range: from the tested minor version up to the next major one.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<major>\d+)(?:\.(?P<minor>\d+))?[^\s;]*\s*(?P<marker>;.*)?$")
CALENDAR = 2000
"""Versions that begin with a year say nothing about what breaks, so they get no upper bound."""


def ranged(pin: str, ranges: dict[str, str]) -> str:
    """The requirement of the wheel for one pin: `pydantic==2.14.3` gives `pydantic>=2.14,<3`.

    ranges: name -> range, where the rule does not suit. Raises `ValueError` for a line that is no pin.
    """
    match = PIN.match(pin)
    if match is None:
        raise ValueError(f"{pin!r} is not name==version")
    name, major, minor = match["name"], int(match["major"]), match["minor"] or "0"
    upper = "" if major >= CALENDAR else f",<{major + 1}"
    return f"{name}{ranges.get(name, f'>={major}.{minor}{upper}')}{match['marker'] or ''}"


def pins(path: Path) -> list[str]:
    """The pins of a requirements file, and of the files that it names with `-r`."""
    found: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found += pins(path.parent / text.removeprefix("-r ").strip())
        elif text:
            found.append(text)
    return found


class RequirementsHook(MetadataHookInterface):
    """Fills `dependencies` from requirements.txt, and each extra in pyproject.toml from requirements-EXTRA.txt."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with the `[project]` table."""
        root, ranges = Path(self.root), self.config["ranges"]
        metadata["dependencies"] = [ranged(pin, ranges) for pin in pins(root / "requirements.txt")]
        metadata["optional-dependencies"] = {
            name: [ranged(pin, ranges) for pin in pins(root / f"requirements-{name}.txt")]
            for name in self.config["extras"]
        }
