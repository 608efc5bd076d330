"""Holds conversations and judges them on a Ray cluster: `executor = "ray"`. Ray is imported here alone, and only then.

A conversation, or a group of sessions, is a task; a chatter is loaded once in every worker process. Results come back
in the order of runs, and the driver's machine is the only one that writes. A task whose machine is lost is run again
from its beginning (or from where it was when the run began), so a conversation is on disk once or, after too many
losses, not at all. A judge is an actor that holds one model, on a GPU where the cluster has one, and is started anew
when it is lost.

The cluster is the one that `RAY_ADDRESS` names, else one is started on this machine for the time of the run. The
project's folder must lie at the same path on all machines.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.loop import Callbacks
from chattest.dialogue.participants import find_participants
from chattest.dialogue.pool import limits
from chattest.dialogue.sessions import Group, grouped, held
from chattest.errors import ChatterError, ChattestError, Problem
from chattest.models.ray_judges import LOSSES
from chattest.records.conversation import Conversation, Turn
from chattest.settings.declaration import Settings
from chattest.storage.control import Between, nothing

LOOK = 0.2
"""Seconds between two looks at whether the run was told to stop."""


def unusable(participants: tuple[ChatterSpec, ChatterSpec]) -> list[Problem]:
    """Why these two cannot talk on a cluster."""
    if find_spec("ray") is None:
        remedy = 'Install it with `pip install -r requirements-ray.txt`, or set executor = "local".'
        return [Problem("executor", "Ray is not installed", remedy)]
    people = [member.name for member in participants if member.cls.interactive]
    return [
        Problem("executor", f'"{name}" is a person, and sits at one machine', 'Set it to "local".') for name in people
    ]


@contextmanager
def cluster() -> Iterator[None]:
    """Connects to the cluster, where that has not been done."""
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
    between: Between = nothing,
) -> None:
    """As `pool.hold_all`, on the cluster: `workers` conversations at once over all machines.

    stop: once set, conversations that are not over are given up; the next run holds them. spoken: called with all turns
    of a conversation when it is over. between: called before conversations are dealt out, and may wait; those under way
    go on meanwhile. Raises `ChatterError` when a chatter cannot be loaded, or a conversation was lost too often.
    """
    import ray

    # A slow bot leaves the processor idle, so several conversations may share one.
    share = max(0.001, min(1.0, round(ray.cluster_resources().get("CPU", 1.0) / settings.workers, 3)))
    task = ray.remote(num_cpus=share, max_retries=LOSSES)(_held)
    names = (participants[0].name, participants[1].name)
    given = settings.model_copy(update={"chatters": names}).model_dump_json()
    pending: deque[tuple[Group, list[Conversation], Any]] = deque()
    waiting = iter(grouped(specs))
    try:
        while not stop.is_set():
            between()
            if stop.is_set():
                return
            while len(pending) < settings.workers and (sessions := next(waiting, None)) is not None:
                group = Group(folder, sessions)
                if len(group.over) == len(group.journals):
                    continue
                begun = group.begun()
                pending.append((group, begun, task.remote(str(participants[0].folder), given, begun)))
            if not pending:
                return
            group, begun, answer = pending[0]
            if not ray.wait([answer], timeout=LOOK)[0]:
                continue
            for before, conversation in zip(begun, _fetched(answer), strict=True):
                group.finish(conversation)
                for turn in conversation.turns[len(before.turns) :]:
                    spoken(conversation, turn)
            pending.popleft()
    finally:
        for group, _, answer in pending:
            group.close()
            with suppress(Exception):  # it may be over, or its machine lost
                ray.cancel(answer)


def _fetched(answer: Any) -> list[Conversation]:
    import ray

    try:
        group: list[Conversation] | str = ray.get(answer)
    except ray.exceptions.RayError as error:
        first = str(error).strip().splitlines()[0]
        raise ChatterError(f"a conversation was lost on the cluster {LOSSES + 1} times: {first}") from error
    if isinstance(group, str):
        raise ChatterError(group)
    return group


def _held(folder: str, given: str, begun: Sequence[Conversation]) -> list[Conversation] | str:
    """A group of sessions from beginning to end, on a machine of the cluster; a text says why it could not be held."""
    try:
        settings, participants = _loaded(folder, given)
        return list(held(begun, participants, limits(settings), lambda spec: Callbacks()))
    except ChattestError as error:
        return str(error)


@cache
def _loaded(folder: str, given: str) -> tuple[Settings, tuple[ChatterSpec, ChatterSpec]]:
    settings = Settings.model_validate_json(given)
    participants = find_participants(settings, Path(folder))
    for member in participants:
        member.load()
    return settings, participants
