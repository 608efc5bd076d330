"""Work dealt to threads: order, the calling thread, the stop, and the first failure."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Event

import pytest

from chattest.chatter.workers import share_out


@pytest.mark.parametrize("workers", [0, 1, 4])
def test_every_task_is_done_once(workers: int) -> None:
    done: list[int] = []
    share_out(range(50), lambda: nullcontext(done.append), workers, Event(), "test")
    assert sorted(done) == list(range(50))
    assert workers > 1 or done == list(range(50))


@pytest.mark.parametrize(("workers", "name"), [(1, "MainThread"), (3, "test-")])
def test_one_worker_is_the_calling_thread(workers: int, name: str) -> None:
    names: set[str] = set()
    share_out(
        range(9), lambda: nullcontext(lambda _: names.add(threading.current_thread().name)), workers, Event(), "test"
    )
    assert all(seen.startswith(name) for seen in names)


def test_nothing_begins_after_the_stop() -> None:
    stop, done = Event(), []

    def do(task: int) -> None:
        done.append(task)
        stop.set()

    share_out(range(9), lambda: nullcontext(do), 1, stop, "test")
    assert done == [0]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_failure_ends_the_work_and_is_raised_when_the_others_are_over(workers: int) -> None:
    over: list[int] = []
    failed = Event()

    def do(task: int) -> None:
        if task == 0:
            failed.set()
            raise OSError("the disk is full")
        failed.wait(60)
        time.sleep(1.0)  # until the failure is noted, however busy the machine is
        over.append(task)

    with pytest.raises(OSError, match="the disk is full"):
        share_out(range(99), lambda: nullcontext(do), workers, Event(), "test")
    assert len(over) <= workers


@pytest.mark.parametrize("workers", [1, 3])
def test_each_worker_is_made_once_and_taken_down_also_after_a_failure(workers: int) -> None:
    events: list[str] = []

    @contextmanager
    def worker() -> Iterator[Callable[[int], None]]:
        events.append("up")

        def do(task: int) -> None:
            if task > 3:
                raise ValueError("four")

        try:
            yield do
        finally:
            events.append("down")

    with pytest.raises(ValueError, match="four"):
        share_out(range(99), worker, workers, Event(), "test")
    assert events.count("up") == events.count("down") == workers


def test_ctrl_c_in_the_waiting_thread_lets_nothing_further_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    release = Event()

    def do(task: int) -> None:
        begun.append(task)
        release.wait(60)

    def interrupted(self: threading.Thread, timeout: float | None = None) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        share_out(range(9), lambda: nullcontext(do), 2, Event(), "test")
    release.set()
    for thread in threading.enumerate():
        if thread.name.startswith("test-"):
            thread.join(60)
    assert len(begun) <= 2
