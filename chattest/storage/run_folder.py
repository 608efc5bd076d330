"""The folder of a run: its name, its lock and the state of the run."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any
from uuid import uuid4

from chattest.errors import InputError, Problem, StoreError
from chattest.files.atomic import write_whole
from chattest.files.links import read_plain, refuse_links
from chattest.files.locks import hold_lock

BRIEFLY = 0.3
"""Seconds that a run waits for its folder; a program that checks whether it is in use holds it for an instant."""
LOCK = ".lock"
_LOOKING = Lock()


@dataclass(frozen=True, slots=True)
class Planned:
    """The work of a run that begins to talk."""

    conversations: int = 0
    """Number of conversations, reference runs included."""
    waiting: int = 0
    """Number of conversations that are not finished yet."""
    questions: int = 0
    """Number of single questions, answered ones included."""


class RunFolder:
    """The folder of one run, locked while it is used (a context manager)."""

    def __init__(self, path: Path, known: bytes | None = None) -> None:
        """Prepare the lock.

        Args:
            path: the run's folder, chosen by `open_run_folder`.
            known: the content of run.json when it was chosen.
        """
        from filelock import FileLock

        self.path = path
        self._known = known
        self._id = ""
        self._lock = FileLock(path / LOCK, timeout=BRIEFLY)

    def __enter__(self) -> "RunFolder":
        from filelock import Timeout

        try:
            self.path.mkdir(parents=True, exist_ok=True)
            refuse_links(self.path)
            self._lock.acquire()
        except Timeout:
            what = f"{self.path} is in use by another run of the same name"
            raise StoreError(f"{what}; wait for it, or set save_analysis_name to another") from None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror or error}") from error
        # Another process may have used the folder with other settings before we locked it.
        if self._read_state() != self._known:
            self._lock.release()
            drop_if_empty(self.path)
            raise StoreError(f"{self.path} was in use by another run of the same name until just now; start again")
        return self

    def _read_state(self) -> bytes | None:
        try:
            return read_plain(self.path / "run.json")
        except OSError:
            return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def mark(
        self,
        state: str,
        settings: dict[str, Any],
        planned: Planned | None = None,
        holds: Mapping[str, Any] | None = None,
    ) -> None:
        """Save the state of the run: `talking`, `judging`, `stopped` (judged as far as it got) or `finished`.

        The first mark of a new run gives it its id.

        Args:
            state: the state.
            settings: the settings that must match to resume the run.
            planned: the work of a run that talks, for those who watch.
            holds: the inventory of a run that ended, as `inventory.take` counted it.

        Raises:
            StoreError: another run has taken the folder meanwhile.
        """
        before = read_state(self.path)
        saved = before.get("id")
        if isinstance(saved, str) and saved and saved != self._id:
            if self._id:
                what = f"{self.path} was replaced by another run of the same name while this one was going on"
                raise StoreError(f"{what}; nothing more is written. Set save_analysis_name to another name")
            self._id = saved
        self._id = self._id or (_derive_id(before) if before else uuid4().hex)
        content = {"state": state, "settings": settings, "id": self._id}
        if planned is not None:
            content["planned"] = asdict(planned)
        if holds is not None:
            content["holds"] = dict(holds)
        write_state(self.path, content)


def write_state(folder: Path, content: Mapping[str, Any]) -> None:
    """Write run.json with a checksum of its content, which shows damage.

    Raises:
        StoreError: it cannot be written.
    """
    summed = {**content, "sum": checksum(content)}
    text = json.dumps(summed, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace")
    write_whole(folder / "run.json", text)


def checksum(content: Mapping[str, Any]) -> str:
    """Return the checksum of run.json: of all other values, in any order."""
    rest = {name: value for name, value in content.items() if name != "sum"}
    try:
        return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
    except RecursionError:  # nested as no chattest writes it
        return ""


def read_run_id(path: Path) -> str:
    """Return the id of a run, which differs from that of any other run; empty if the folder holds no run.

    A run that an older chattest began has no id; it is derived from its settings, so that it differs from every newer
    run.
    """
    content = read_state(path)
    run_id = content.get("id")
    return run_id if isinstance(run_id, str) and run_id else _derive_id(content) if content else ""


def _derive_id(content: Mapping[str, Any]) -> str:
    """Return the id of a run that was begun without one, from the content of its run.json."""
    return hashlib.sha256(json.dumps(content.get("settings"), sort_keys=True).encode()).hexdigest()[:32]


def drop_if_empty(path: Path) -> None:
    """Delete a folder with nothing but lock files, such as one that was made while its run was moved away."""
    with suppress(OSError):
        inside = list(path.iterdir())
        if all(entry.name.endswith(".lock") and entry.name.startswith(".") for entry in inside):
            for entry in inside:
                entry.unlink()
            path.rmdir()


@contextmanager
def hold_run_lock(path: Path, patience: float = BRIEFLY) -> Iterator[None]:
    """Hold the lock of a run's folder.

    Raises:
        StoreError: a run uses it for longer than `patience` seconds.
    """
    try:
        with hold_lock(path / LOCK, patience):
            yield
    except TimeoutError:
        raise StoreError(f"{path} is in use by a run; wait for its end, or stop it") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be used: {error.strerror or error}") from error


def is_in_use(path: Path) -> bool:
    """Return True if a run holds the folder's lock now, in any process; `False` if that cannot be found out."""
    if not (path / LOCK).exists():
        return False
    try:
        with _LOOKING, hold_run_lock(path, 0):  # two threads that look at once must not take each other for a run
            return False
    except StoreError as error:
        return "is in use" in str(error)


def read_run_state(path: Path) -> str:
    """Return the state of a run's folder (see `RunFolder.mark`); empty if it has none."""
    state = read_state(path).get("state")
    return state if isinstance(state, str) else ""


def read_run_plan(path: Path) -> Planned | None:
    """Return the work of a run when it began to talk; `None` if its folder does not have it."""
    planned = read_state(path).get("planned")
    try:
        return Planned(**{name: int(value) for name, value in planned.items()}) if isinstance(planned, dict) else None
    except (TypeError, ValueError):
        return None


def read_run_settings(path: Path) -> dict[str, Any]:
    """Return the settings that a run was started with, as plain values; empty if its folder does not have them."""
    settings = read_state(path).get("settings")
    return settings if isinstance(settings, dict) else {}


def read_state(path: Path) -> dict[str, Any]:
    """Return the content of run.json; empty if it cannot be read."""
    try:
        content = json.loads(read_plain(path / "run.json"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def open_run_folder(folder: Path, name: str, settings: dict[str, Any], counted: bool = False) -> RunFolder:
    """Choose the folder of a run.

    A new name is used as it is, and an unfinished run with the same settings is resumed. If the run of that name is
    finished, the next name is tried: `<name>-2`, `<name>-3`, ...; also if it is unfinished and this run judges saved
    conversations.

    Args:
        folder: the `reports` folder.
        name: the name.
        settings: the settings that must match before an interrupted run is resumed.
        counted: whether the first name is `<name>-1`.

    Raises:
        InputError: an unfinished run of this name has other settings.
    """
    for path in _list_candidates(folder, name, counted):
        state = path / "run.json"
        if not state.exists():
            return RunFolder(path)
        try:
            content = read_plain(state)
            saved = json.loads(content)
            finished, before = saved["state"] == "finished", saved["settings"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            remedy = "Delete the folder, or set save_analysis_name to another name."
            raise InputError([Problem(str(state), f"cannot be read: {error}", remedy)]) from error
        # A run that only judges saved conversations cannot resume a run that still talks.
        if finished or (settings.get("is_load_conversation") and not before.get("is_load_conversation")):
            continue
        if before == settings:
            return RunFolder(path, content)
        names = set(before) | set(settings)
        changed = sorted(key for key in names if before.get(key) != settings.get(key))
        what = f"the unfinished run in this folder had other settings: {', '.join(changed)}"
        remedy = "Set them back to resume it, delete the folder, or set save_analysis_name to another name."
        raise InputError([Problem(str(path), what, remedy)])
    raise AssertionError("unreachable: the candidates never end")


def _list_candidates(folder: Path, name: str, counted: bool) -> Iterator[Path]:
    yield folder / (f"{name}-1" if counted else name)
    number = 2
    while True:
        yield folder / f"{name}-{number}"
        number += 1
