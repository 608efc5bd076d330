"""Share out work over threads: conversations, single questions and texts to judge alike."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from itertools import islice
from threading import Event, Lock, Thread
from typing import TypeVar

Task = TypeVar("Task")


def share_out(
    tasks: Iterable[Task],
    worker: Callable[[], AbstractContextManager[Callable[[Task], None]]],
    workers: int,
    stop: Event,
    name: str,
) -> None:
    """Do all tasks in order and wait for the last.

    The first exception of a task or a worker keeps further tasks from beginning, and is raised when the running ones
    are over.

    Args:
        tasks: each is asked for when a thread is free for it, by one thread at a time, so that none needs to exist
            before.
        worker: makes the function that does the tasks of one thread, one after another.
        workers: number of threads; one or less does the tasks in the calling thread, where a person has the terminal
            and Ctrl-C arrives.
        stop: once set, no further task begins.
        name: of the threads.
    """
    waiting = iter(tasks)
    asking = Lock()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with worker() as do:
                while not stop.is_set() and not failures:
                    with asking:
                        taken = list(islice(waiting, 1))
                    if not taken:
                        return
                    do(taken[0])
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
