"""Read the folder of one run, which may be half-written or deleted at any moment."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError, Problem
from chattest.files.links import read_plain
from chattest.web.project import NotThereError, Project

if TYPE_CHECKING:
    from chattest.records.conversation import Conversation
    from chattest.records.report import Report
    from chattest.settings.declaration import Settings
    from chattest.storage.inventory import Checked

KEPT = 32
"""Most runs whose comparison with their inventory is kept."""
_LOCK = Lock()
_KNOWN: OrderedDict[tuple[Path, tuple[tuple[str, int, int], ...]], Checked] = OrderedDict()
STATES = {
    "talking": "in progress, or interrupted",
    "judging": "being judged, or interrupted",
    "stopped": "stopped early, and judged up to there",
    "finished": "finished",
}
"""State of a run -> the state in words."""


def read_run_state(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the state of a run and the settings it was started with, as plain values.

    Raises:
        NotThereError: run.json is not there.
        InputError: run.json does not describe a run.
    """
    path = folder / "run.json"
    try:
        content = json.loads(read_plain(path))
        return str(content["state"]), dict(content["settings"])
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise NotThereError([Problem(str(path), what, "All runs are on the first page.")]) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        remedy = "Restore it from a copy, or delete the folder."
        raise InputError([Problem(str(path), f"does not describe a run: {error}", remedy)]) from error


def read_run_settings(folder: Path) -> Settings | None:
    """Return the settings of a run; `None` if this version of chattest does not know them."""
    from pydantic import ValidationError

    from chattest.settings.trust import read_recorded_settings

    try:
        return read_recorded_settings(folder, read_run_state(folder)[1])
    except ValidationError:
        return None


def read_run_report(folder: Path) -> Report:
    """Return the report of a run without rows and conversations; an empty one if there is none. Raises `InputError`."""
    from chattest.storage.reports import FILE, read_record

    return read_record(folder, (), ()) if (folder / FILE).exists() else make_empty_report(folder)


def make_empty_report(folder: Path) -> Report:
    """Return a report that states only who talks. Raises `InputError`."""
    from chattest.records.report import Report

    settings = read_run_state(folder)[1]
    driver, subject = (*settings.get("chatters", ()), "?", "?")[:2]
    seed = settings.get("seed")
    return Report(
        name=folder.name, chatters=(str(driver), str(subject)), seed=seed if isinstance(seed, int) else 0, checks=(),
        results=(), conversations=(), tallies={}, run_tallies={}, testset_tallies={}, curves={}, recall=(),
    )  # fmt: skip


def find_conversations(project: Project, folder: Path) -> Path:
    """Return the folder of the conversations that a run held or judged. It need not exist. Raises `InputError`."""
    from chattest.storage.source import find_conversations, find_judged_run, find_own_folder

    settings = read_run_state(folder)[1]
    if settings.get("is_load_conversation"):
        return find_conversations(find_judged_run(folder, settings, project.root))
    return find_own_folder(folder, settings, project.root)


def read_conversations(project: Project, folder: Path) -> tuple[Conversation, ...]:
    """Return the finished conversations of a run; none if they are not saved. Raises `InputError`."""
    from chattest.storage.conversations import load_all

    talked = find_conversations(project, folder)
    return tuple(load_all(talked)) if talked.is_dir() and any(talked.glob("run-*.json")) else ()


def read_conversation(project: Project, folder: Path, number: int, variant: str = "") -> Conversation:
    """Return one conversation of a run.

    Args:
        project: the project of the run.
        folder: the run's folder.
        number: the number of the conversation.
        variant: kind of a reference run, such as `clean`; empty for the conversation under test.

    Raises:
        NotThereError: it is not there, not saved or not finished.
        InputError: it cannot be read.
    """
    from chattest.storage.conversations import load, load_all

    talked = find_conversations(project, folder)
    path = talked / variant / f"run-{number:03d}.json"
    if path.is_file():
        return load(path)
    if talked.is_dir() and not variant and not any(talked.glob("run-*.json")):
        try:  # texts of the reference implementation are numbered as they are read
            fitting = [each for each in load_all(talked) if each.run == number]
        except InputError:
            fitting = []
        if fitting:
            return fitting[0]
    what = "is not there, not saved, or not finished"
    remedy = f"While the run talks, watch it live: /runs/{folder.name}/live"
    raise NotThereError([Problem(str(path), what, remedy)])


def list_variants(project: Project, folder: Path, number: int) -> list[str]:
    """Return the kinds of reference runs (such as `clean`) that hold a conversation of this number.

    Raises `InputError`.
    """
    from chattest.records.conversation import ReferenceRun

    talked = find_conversations(project, folder)
    return [kind.value for kind in ReferenceRun if (talked / kind.value / f"run-{number:03d}.json").is_file()]


def compare_with_inventory(project: Project, folder: Path) -> Checked:
    """Return which files of a finished run are missing, differ or exist twice, and why some could not be compared.

    The comparison is made again only when a file has changed.
    """
    from chattest.storage.inventory import ENDED, Checked, compare_inventory
    from chattest.storage.source import find_kept_folder

    try:
        state, settings = read_run_state(folder)
    except InputError:  # the page shows the error
        return Checked()
    if state not in ENDED:
        return Checked()
    talked = find_kept_folder(folder, settings, project.root)
    key = folder.resolve(), _make_stamps(folder, talked)
    with _LOCK:
        if key in _KNOWN:
            return _KNOWN[key]
    checked = compare_inventory(folder, talked)
    with _LOCK:
        _KNOWN[key] = checked
        while len(_KNOWN) > KEPT:
            _KNOWN.popitem(last=False)
    return checked


def _make_stamps(folder: Path, talked: Path | None) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of each file that is compared."""
    paths = [*folder.glob("*.json*"), *(talked.rglob("run-*.json") if talked is not None and talked.is_dir() else ())]
    stamps = []
    for path in sorted(paths):
        try:
            status = os.stat(path)
        except OSError:  # it is being replaced
            continue
        stamps.append((str(path), status.st_size, status.st_mtime_ns))
    return tuple(stamps)
