"""The folder of a run: its name, its lock and the state of the run."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from chattest.errors import InputError, Problem, StoreError
from chattest.files.atomic import write_whole


class RunFolder:
    """The folder of one run, locked while it is used (a context manager)."""

    def __init__(self, path: Path, known: bytes | None = None) -> None:
        """path: the run's folder, chosen by `claim`. known: the content of run.json when it was chosen."""
        from filelock import FileLock

        self.path = path
        self._known = known
        self._lock = FileLock(path / ".lock", timeout=0)

    def __enter__(self) -> "RunFolder":
        from filelock import Timeout

        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            what = f"{self.path} is in use by another run of the same name"
            raise StoreError(f"{what}; wait for it, or set save_analysis_name to another") from None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror or error}") from error
        # Another process may have used the folder with other settings before we locked it.
        if self._state() != self._known:
            self._lock.release()
            raise StoreError(f"{self.path} was in use by another run of the same name until just now; start again")
        return self

    def _state(self) -> bytes | None:
        try:
            return (self.path / "run.json").read_bytes()
        except OSError:
            return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def mark(self, state: str, settings: dict[str, Any]) -> None:
        """Saves the state of the run: `talking`, `judging`, `stopped` (judged as far as it got) or `finished`."""
        content = {"state": state, "settings": settings}
        write_whole(self.path / "run.json", json.dumps(content, indent=1, ensure_ascii=False).encode())


def claim(folder: Path, name: str, settings: dict[str, Any], counted: bool = False) -> RunFolder:
    """Chooses the folder of a run.

    A new name is used as it is, and an unfinished run with the same settings is resumed. If the run of that name is
    finished, the next name is tried: `<name>-2`, `<name>-3`, ...; also if it is unfinished and this run judges saved
    conversations. Raises `InputError` for an unfinished run with other settings.

    folder: the `reports` folder. settings: the settings that must match before an interrupted run is resumed. counted:
    whether the first name is `<name>-1`.
    """
    for path in _candidates(folder, name, counted):
        state = path / "run.json"
        if not state.exists():
            return RunFolder(path)
        try:
            content = state.read_bytes()
            known = json.loads(content)
            finished, before = known["state"] == "finished", known["settings"]
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


def _candidates(folder: Path, name: str, counted: bool) -> Iterator[Path]:
    yield folder / (f"{name}-1" if counted else name)
    number = 2
    while True:
        yield folder / f"{name}-{number}"
        number += 1
