"""How many conversations of 50 rounds a second the driver of a Ray cluster can plan out, take back and write.

Simulated: the machines of the cluster answer at once with a conversation that is over, so all that is measured is the
driver. `python -m benchmarks.ray_driver` puts a stand-in in Ray's place, which pickles the answers; with `ray` as
its argument, a real cluster of one node on this machine carries the same, and Ray's own work is in the figure.
"""

import pickle
import sys
import tempfile
from pathlib import Path
from threading import Event
from time import process_time, thread_time
from types import SimpleNamespace
from typing import Any

from benchmarks.measuring import ROOT, Silent, seconds, tell
from chattest.dialogue import ray_executor

NUMBER = b'"run": 1,'
HELD: list[tuple[bytes, int]] = []
"""The conversation that stands for all, once it was held."""


def over(folder: str, given: str, planned: Any, at: int) -> list[tuple[bytes, int]]:
    """In place of `_held_new`: the first conversation of all, with another number."""
    if not HELD:
        HELD.append(first(folder, given))
    content, before = HELD[0]
    return [(content.replace(NUMBER, b'"run": %d,' % (at + 1), 1), before)]


def first(folder: str, given: str) -> tuple[bytes, int]:
    """The first conversation, held in this process."""
    from chattest.runner.prepare import prepare
    from chattest.settings.declaration import Settings

    specs = prepare(Settings.model_validate_json(given), ROOT).specs  # type: ignore[attr-defined]
    (held,) = ray_executor._hold(folder, given, [specs[0]])
    assert isinstance(held, tuple)
    return held


def stand_in() -> Any:
    """What the executor needs of Ray."""
    lost = type("RayError", (Exception,), {})
    exceptions = SimpleNamespace(RayError=lost, GetTimeoutError=type("GetTimeoutError", (lost,), {}))

    def remote(**options: Any) -> Any:
        def task(work: Any) -> Any:
            return SimpleNamespace(remote=lambda *given: pickle.dumps(work(*given)))

        return task

    return SimpleNamespace(
        __spec__="a stand-in",
        cluster_resources=lambda: {"CPU": 8.0},
        is_initialized=lambda: True,
        put=lambda specs: specs,
        remote=remote,
        get=lambda answer, timeout: pickle.loads(answer),
        cancel=lambda answer: None,
        exceptions=exceptions,
    )


def main(conversations: int = 1000, real: bool = False) -> None:
    from benchmarks import ray_driver
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run
    from chattest.settings.declaration import Settings

    if real:
        import ray

        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    else:
        sys.modules["ray"] = stand_in()
    ray_executor._hold_new = ray_driver.over  # type: ignore[assignment]
    settings = Settings(
        chatters=("predefined", "predefined"), max_runs=conversations, conversation_length=50, workers=64,
        executor="ray", is_analyze_conversation=False,
    )  # fmt: skip

    few, many = (prepare(settings.model_copy(update={"max_runs": number}), ROOT) for number in (20, conversations))

    def hold(prepared: Any) -> None:
        with tempfile.TemporaryDirectory() as reports:
            run(prepared, Path(reports), Silent(), Event())  # type: ignore[arg-type]

    hold(few)  # imports, and the one conversation that is held
    process, thread = process_time(), thread_time()
    took = seconds(lambda: hold(many))
    process, thread = process_time() - process, thread_time() - thread
    each = {name: 1000 * value / conversations for name, value in (("processor", process), ("thread", thread))}
    print(f"a conversation: {each['processor']:.2f} ms of processor time, {each['thread']:.2f} ms in the main thread")
    print(f"{conversations / took:.0f} a second by the clock", flush=True)
    rate = 1000 / each["thread"]
    what = (
        f"conversations that a driver's main thread can take a second, {'with' if real else 'without'} Ray's own work"
    )
    tell(what, rate, "a second", "at least 1,000", rate >= 1000, **each)


if __name__ == "__main__":
    main(*map(int, sys.argv[2:] if sys.argv[1:2] == ["ray"] else sys.argv[1:]), real=sys.argv[1:2] == ["ray"])
