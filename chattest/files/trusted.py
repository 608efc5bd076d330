"""The run folders that the user trusts by name, and the places that belong to the project.

Any other name in a run folder may come from a stranger; see `chattest.settings.trust`.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

_TRUSTED: dict[Path, bytes] = {}
"""Folder -> hash of the settings that the user saw: a folder that replaces it is not trusted."""
_PLACES: set[Path] = set()
"""Folders that the project's settings name."""


def trust(folder: Path, settings: Mapping[str, Any]) -> None:
    """Trust what a run's folder names, as long as its settings stay the same."""
    _TRUSTED[folder.resolve()] = _hash(settings)


def is_trusted(folder: Path, settings: Mapping[str, Any]) -> bool:
    """Return True if the user trusts a folder with these settings."""
    return _TRUSTED.get(folder.resolve()) == _hash(settings)


def add_place(folder: Path) -> None:
    """Allow conversations of runs in a folder that the project's settings name."""
    _PLACES.add(folder.resolve())


def forget() -> None:
    """Trust no folder any more."""
    _TRUSTED.clear()
    _PLACES.clear()


def is_allowed_place(folder: Path, place: Path, root: Path) -> bool:
    """Return True if a run's folder may name a place: one in the project, in its folder of runs, or in its settings.

    Args:
        folder: that of the run.
        place: the place.
        root: the project's folder.
    """
    allowed = {root.resolve(), folder.resolve().parent, *_PLACES}
    return any(place.resolve().is_relative_to(each) for each in allowed)


def _hash(settings: Mapping[str, Any]) -> bytes:
    return sha256(json.dumps(settings, sort_keys=True, default=str).encode("utf-8", "backslashreplace")).digest()
