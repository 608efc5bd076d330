"""Deals work to threads: conversations, single questions and texts to judge alike."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

Task = TypeVar("Task")


def share_out(
    tasks: Sequence[Task],
    worker: Callable[[], AbstractContextManager[Callable[[Task], None]]],
    workers: int,
    stop: Event,
    name: str,
) -> None:
    """Does all tasks, in order of their beginning, and waits for the last.

    worker: makes what does the tasks of one thread, one after another. workers: how many threads; one or less does the
    tasks in the calling thread, where a person has the terminal and Ctrl-C arrives. stop: once set, no further task is
    begun. name: of the threads. The first exception of a task or a worker keeps further tasks from beginning, and is
    raised when those that were begun are over.
    """
    waiting: SimpleQueue[Task] = SimpleQueue()
    for task in tasks:
        waiting.put(task)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with worker() as do:
                while not stop.is_set() and not failures:
                    try:
                        task = waiting.get_nowait()
                    except Empty:
                        return
                    do(task)
        except BaseException as error:
            failures.append(error)

    if workers <= 1:
        work()
    else:
        # Not a ThreadPoolExecutor: its threads would keep the process from ending at the second Ctrl-C.
        threads = [Thread(target=work, name=f"{name}-{number}", daemon=True) for number in range(workers)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:  # Ctrl-C
            failures.append(error)
            stop.set()  # or the conversations that are under way would go on to their end
            raise
    if failures:
        raise failures[0]
