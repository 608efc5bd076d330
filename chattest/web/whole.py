"""Whether a run is whole, for the banner on its pages; compared again only when one of its files has changed."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from chattest.errors import InputError
from chattest.web.folder import state_of
from chattest.web.project import Place

if TYPE_CHECKING:
    from chattest.storage.inventory import Checked

KEPT = 32
"""Runs of which it is remembered."""
_LOCK = Lock()
_KNOWN: OrderedDict[tuple[Path, tuple[tuple[str, int, int], ...]], Checked] = OrderedDict()


def what_lacks(place: Place, folder: Path) -> Checked:
    """Return what lacks, differs or is double in a run that ended, and why something could not be compared."""
    from chattest.storage.inventory import ENDED, Checked, compare
    from chattest.storage.source import kept_folder

    try:
        state, settings = state_of(folder)
    except InputError:  # the page tells
        return Checked()
    if state not in ENDED:
        return Checked()
    talked = kept_folder(folder, settings, place.root)
    key = folder.resolve(), _stamps(folder, talked)
    with _LOCK:
        if key in _KNOWN:
            return _KNOWN[key]
    found = compare(folder, talked)
    with _LOCK:
        _KNOWN[key] = found
        while len(_KNOWN) > KEPT:
            _KNOWN.popitem(last=False)
    return found


def _stamps(folder: Path, talked: Path | None) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of the files that are compared."""
    paths = [*folder.glob("*.json*"), *(talked.rglob("run-*.json") if talked is not None and talked.is_dir() else ())]
    stamps = []
    for path in sorted(paths):
        try:
            known = os.stat(path)
        except OSError:  # it is being replaced
            continue
        stamps.append((str(path), known.st_size, known.st_mtime_ns))
    return tuple(stamps)
