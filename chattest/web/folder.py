"""What a page reads from the folder of one run, which may be half-written or gone at any moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError, Problem
from chattest.files.links import read_plain
from chattest.web.project import NotThereError, Place

if TYPE_CHECKING:
    from chattest.records.conversation import Conversation
    from chattest.records.report import Report
    from chattest.settings.declaration import Settings

STATES = {
    "talking": "it still talks, or was interrupted",
    "judging": "it is being judged, or was interrupted",
    "stopped": "stopped before its end, and judged as far as it got",
    "finished": "finished",
}
"""The states of a run, in words."""


def state_of(folder: Path) -> tuple[str, dict[str, Any]]:
    """The state of a run and the settings it was started with, as plain values. Raises `InputError`."""
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


def judged_with(folder: Path) -> Settings | None:
    """The settings of a run; `None` if this version of chattest does not know them."""
    from pydantic import ValidationError

    from chattest.settings.trust import as_recorded

    try:
        return as_recorded(folder, state_of(folder)[1])
    except ValidationError:
        return None


def record_of(folder: Path) -> Report:
    """The report of a run without its rows and conversations; an empty one if it has none yet. Raises `InputError`."""
    from chattest.storage.reports import FILE, read_record

    return read_record(folder, (), ()) if (folder / FILE).exists() else empty_record(folder)


def empty_record(folder: Path) -> Report:
    """A report of a run that says nothing but who talks. Raises `InputError`."""
    from chattest.records.report import Report

    settings = state_of(folder)[1]
    driver, subject = (*settings.get("chatters", ()), "?", "?")[:2]
    seed = settings.get("seed")
    return Report(
        name=folder.name, chatters=(str(driver), str(subject)), seed=seed if isinstance(seed, int) else 0, checks=(),
        results=(), conversations=(), tallies={}, run_tallies={}, testset_tallies={}, curves={}, recall=(),
    )  # fmt: skip


def talked_in(place: Place, folder: Path) -> Path:
    """Where the conversations lie that a run holds or judged; the folder need not exist. Raises `InputError`."""
    from chattest.storage.source import judged_run, source, talked_in

    settings = state_of(folder)[1]
    if settings.get("is_load_conversation"):
        return source(judged_run(folder, settings, place.root))
    return talked_in(folder, settings, place.root)


def conversations_of(place: Place, folder: Path) -> tuple[Conversation, ...]:
    """The finished conversations of a run; none if they are not saved. Raises `InputError`."""
    from chattest.storage.conversations import load_all

    talked = talked_in(place, folder)
    return tuple(load_all(talked)) if talked.is_dir() and any(talked.glob("run-*.json")) else ()


def conversation_of(place: Place, folder: Path, number: int, variant: str = "") -> Conversation:
    """One conversation of a run, as far as it is saved. variant: the kind of a reference run, or empty.

    Raises `NotThereError` and `InputError`.
    """
    from chattest.storage.conversations import load, load_all

    talked = talked_in(place, folder)
    path = talked / variant / f"run-{number:03d}.json"
    if path.is_file():
        return load(path)
    if talked.is_dir() and not variant and not any(talked.glob("run-*.json")):
        try:  # texts of the reference implementation are numbered as they are read
            found = [one for one in load_all(talked) if one.run == number]
        except InputError:
            found = []
        if found:
            return found[0]
    what = "is not there, not saved, or not finished"
    remedy = f"While the run talks, watch it live: /runs/{folder.name}/live"
    raise NotThereError([Problem(str(path), what, remedy)])


def variants_of(place: Place, folder: Path, number: int) -> list[str]:
    """The kinds of reference runs that hold a conversation of this number, such as `clean`. Raises `InputError`."""
    from chattest.records.conversation import ReferenceRun

    talked = talked_in(place, folder)
    return [kind.value for kind in ReferenceRun if (talked / kind.value / f"run-{number:03d}.json").is_file()]
