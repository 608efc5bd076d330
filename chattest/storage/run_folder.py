"""The folder of a run: finding it, locking it, and noting how far the run has come."""

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
        """path: the run's folder; `claim` finds the right one. known: what run.json held when it was found."""
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
        # Between the look and the lock another process may have had the folder; its settings may be others.
        if self._state() != self._known:
            self._lock.release()
            raise StoreError(f"{self.path} was in use by another run of the same name until just now; start once more")
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
        """Notes how far the run has come: `talking`, `judging`, `stopped` (and judged so far) or `finished`."""
        content = {"state": state, "settings": settings}
        write_whole(self.path / "run.json", json.dumps(content, indent=1, ensure_ascii=False).encode())


def claim(folder: Path, name: str, settings: dict[str, Any], counted: bool = False) -> RunFolder:
    """The folder the run belongs in.

    folder: the `reports` folder. settings: those that must be the same for an unfinished run to be gone on with. A name
    not yet used is taken; an unfinished run with the same settings is gone on with; after a finished one comes
    `<name>-2`, `<name>-3`, ..., as it does after an unfinished one when saved conversations are judged. counted: the
    first one is `<name>-1` already. Raises `InputError` for an unfinished run with other settings.
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
        # Judging saved conversations again has nothing to go on with in a run that is still being held.
        if finished or (settings.get("is_load_conversation") and not before.get("is_load_conversation")):
            continue
        if before == settings:
            return RunFolder(path, content)
        names = set(before) | set(settings)
        changed = sorted(key for key in names if before.get(key) != settings.get(key))
        what = f"the run there is unfinished and had other settings: {', '.join(changed)}"
        remedy = "Set them back to go on with it, delete the folder, or set save_analysis_name to another name."
        raise InputError([Problem(str(path), what, remedy)])
    raise AssertionError("unreachable: the candidates never end")


def _candidates(folder: Path, name: str, counted: bool) -> Iterator[Path]:
    yield folder / (f"{name}-1" if counted else name)
    number = 2
    while True:
        yield folder / f"{name}-{number}"
        number += 1
