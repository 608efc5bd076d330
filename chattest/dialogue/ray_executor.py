"""Hold conversations on a Ray cluster: `executor = "ray"`. Ray is imported only then.

A conversation, or a group of sessions, is a task; a chatter is loaded once in every worker process. A conversation
without a file is planned where it is held, and comes back as the content of its file. Results are taken in the order of
runs. The driver's machine is the only one that writes; it writes several files at once, because each write waits for
the disk. If a machine is lost, its tasks run again from their beginning (or from where they were when the run began),
so a conversation is on disk once or, after too many losses, not at all. The judges are in `chattest.models.ray_judges`.

The cluster is the one that `RAY_ADDRESS` names, else one is started on this machine for the time of the run. The
project's folder must have the same path on all machines.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.loop import Callbacks
from chattest.dialogue.participants import find_participants
from chattest.dialogue.pool import make_limits
from chattest.dialogue.sessions import Group, are_alone, group_sessions, hold_stages
from chattest.errors import ChatterError, ChattestError, Problem
from chattest.files.atomic import write_whole
from chattest.files.home import keep_home
from chattest.models.ray_judges import LOSSES
from chattest.records.conversation import Conversation, Turn
from chattest.records.lazy import list_runs
from chattest.settings.declaration import Settings
from chattest.storage.control import Between, do_nothing
from chattest.storage.conversations import from_json, to_json
from chattest.storage.journal import Journal

LOOK = 0.2
"""Seconds between two checks whether the run should stop."""
WRITERS = 8
"""Files that are written at once."""

_Sessions = list[tuple[Conversation, Conversation]]
"""The sessions of a group: with the turns that were saved before, and with all."""


def find_problems(participants: tuple[ChatterSpec, ChatterSpec]) -> list[Problem]:
    """Report why these two cannot talk on a cluster."""
    if find_spec("ray") is None:
        remedy = "Install it with `pip install '.[ray]'` in a clone of chattest, or set executor = \"local\"."
        return [Problem("executor", "Ray is not installed", remedy)]
    people = [member.name for member in participants if member.cls.interactive]
    return [
        Problem("executor", f'"{name}" is a person, and sits at one machine', 'Set it to "local".') for name in people
    ]


@contextmanager
def connect() -> Iterator[None]:
    """Connect to the cluster, if that has not been done."""
    import ray

    if ray.is_initialized():
        yield
        return
    try:
        ray.init(log_to_driver=False, include_dashboard=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ChatterError(f"the Ray cluster cannot be reached: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


def hold_all(
    specs: Sequence[Conversation],
    participants: tuple[ChatterSpec, ChatterSpec],
    settings: Settings,
    folder: Path,
    stop: Event,
    spoken: Callable[[Conversation, Turn], None],
    between: Between = do_nothing,
) -> None:
    """Hold conversations as `pool.hold_all` does, but on the cluster: `workers` at once over all machines.

    Args:
        specs: a conversation for every run, without turns.
        participants: driver and subject.
        settings: those of the run.
        folder: that of the conversations.
        stop: once set, conversations that are not over are given up; the next run holds them.
        spoken: is called with all turns of a conversation when it is over.
        between: is called before conversations are started, and may wait; running ones continue meanwhile.

    Raises:
        ChatterError: a chatter cannot be loaded, or a conversation was lost too often.
    """
    import ray

    # A slow bot leaves the processor idle, so several conversations may share one.
    share = max(0.001, min(1.0, round(ray.cluster_resources().get("CPU", 1.0) / settings.workers, 3)))
    names = (participants[0].name, participants[1].name)
    given = str(participants[0].folder), settings.model_copy(update={"chatters": names}).model_dump_json()
    away: deque[tuple[Group | None, Any]] = deque()
    waiting = _start_tasks(specs, folder, given, share)

    with ThreadPoolExecutor(WRITERS) as writers:
        files = _Files(folder, spoken, writers)
        try:
            while not stop.is_set():
                between()
                if stop.is_set():
                    break
                while len(away) < settings.workers and (task := next(waiting, None)) is not None:
                    away.append(task)
                if not away:
                    break
                group, answer = away[0]
                contents = _fetch(answer, 0 if files.written else LOOK)
                if contents is None:
                    files.tell(0)  # there is time to wait for the disk
                    continue
                away.popleft()
                files.write(group, contents)
            files.tell(0)
        finally:
            _give_up(away)


def _start_tasks(
    specs: Sequence[Conversation], folder: Path, given: tuple[str, str], share: float
) -> Iterator[tuple[Group | None, Any]]:
    """Start the task of each group that is not over, one at each step; a conversation without a file has no group."""
    import ray

    new, begun = (ray.remote(num_cpus=share, max_retries=LOSSES)(work) for work in (_hold_new, _hold))
    planned = ray.put(specs)
    alone, runs = are_alone(specs), list_runs(specs)
    for index, sessions in enumerate(group_sessions(specs)):
        if alone and not _is_begun(folder, runs[index]):
            yield None, new.remote(*given, [planned], index)
            continue
        group = Group(folder, sessions)
        if len(group.over) < len(group.journals):
            yield group, begun.remote(*given, group.load_sessions())


class _Files:
    """The files that are being written, in the order of the runs; turns are reported when they are on the disk."""

    def __init__(self, folder: Path, spoken: Callable[[Conversation, Turn], None], writers: ThreadPoolExecutor) -> None:
        self._folder, self._spoken, self._writers = folder, spoken, writers
        self.written: deque[tuple[Future[None], _Sessions]] = deque()

    def write(self, group: Group | None, contents: Sequence[tuple[bytes, int]]) -> None:
        """Begin to write the sessions of a group; wait if many are being written."""
        sessions = [_read(*content) for content in contents]
        self.written.append((self._writers.submit(_write, self._folder, group, contents, sessions), sessions))
        self.tell(2 * WRITERS)

    def tell(self, left: int) -> None:
        """Report what is on the disk, and wait until no more than `left` files are being written."""
        while len(self.written) > left or (self.written and self.written[0][0].done()):
            saved, sessions = self.written.popleft()
            saved.result()
            for before, conversation in sessions:
                for turn in conversation.turns[len(before.turns) :]:
                    self._spoken(before, turn)


def _give_up(away: Iterable[tuple[Group | None, Any]]) -> None:
    import ray

    for group, answer in away:
        if group is not None:
            group.close()
        with suppress(Exception):  # it may be over, or its machine lost
            ray.cancel(answer)


def _is_begun(folder: Path, run: int) -> bool:
    return any((folder / f"run-{run:03d}{end}").exists() for end in (".json", ".turns"))


def _fetch(answer: Any, patience: float) -> list[tuple[bytes, int]] | None:
    """Return what a machine has held; `None` if it is not over in so many seconds."""
    import ray

    try:
        contents: list[tuple[bytes, int]] | str = ray.get(answer, timeout=patience)
    except ray.exceptions.GetTimeoutError:
        return None
    except ray.exceptions.RayError as error:
        first = str(error).strip().splitlines()[0]
        raise ChatterError(f"a conversation was lost on the cluster {LOSSES + 1} times: {first}") from error
    if isinstance(contents, str):
        raise ChatterError(contents)
    return contents


def _read(content: bytes, before: int) -> tuple[Conversation, Conversation]:
    conversation = from_json(content)
    return replace(conversation, turns=conversation.turns[:before]), conversation


def _write(folder: Path, group: Group | None, contents: Sequence[tuple[bytes, int]], sessions: _Sessions) -> None:
    for (content, _), (_, conversation) in zip(contents, sessions, strict=True):
        if group is None:
            write_whole(Journal(folder, conversation).final, content)
        else:
            group.finish(conversation)


def _hold_new(folder: str, given: str, planned: Sequence[Any], index: int) -> list[tuple[bytes, int]] | str:
    """Hold a conversation without any turns, as `_hold` does.

    Args:
        folder: the `chatters/` folder.
        given: the settings as JSON.
        planned: a reference to all conversations.
        index: which one to hold.
    """
    try:
        return _hold(folder, given, [_fetch_specs(planned[0])[index]])
    except ChattestError as error:
        return str(error)


def _hold(folder: str, given: str, begun: Sequence[Conversation]) -> list[tuple[bytes, int]] | str:
    """Hold a group of sessions from beginning to end, on a machine of the cluster.

    Returns:
        The content of each session's file, and how many of its turns are older; a text if it could not be held.
    """
    try:
        settings, participants = _load(folder, given)
        talks = hold_stages(begun, participants, make_limits(settings), lambda spec: Callbacks())
        return [(to_json(conversation), len(before.turns)) for before, conversation in zip(begun, talks, strict=True)]
    except ChattestError as error:
        return str(error)


@cache
def _fetch_specs(planned: Any) -> Sequence[Conversation]:
    import ray

    specs: Sequence[Conversation] = ray.get(planned)
    return specs


@cache
def _load(folder: str, given: str) -> tuple[Settings, tuple[ChatterSpec, ChatterSpec]]:
    settings = Settings.model_validate_json(given)
    with keep_home():
        participants = find_participants(settings, Path(folder))
        for member in participants:
            member.load()
    return settings, participants
