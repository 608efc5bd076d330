"""The judges on a cluster of four nodes on this machine; processes and nodes are lost while they judge."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.errors import ModelError
from chattest.judging.verdicts import analyze
from chattest.models import ray_judges
from chattest.models.judges import Judges
from chattest.models.protocols import TOXICITY_LABELS
from chattest.models.ray_judges import RayJudges
from chattest.records.result import Result
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from tests.support.held_judges import BROKEN, DEADLY, HELD, NOTES, HeldJudges
from tests.support.paths import ROOT
from tests.support.small_runs import Silent

ray = pytest.importorskip("ray", reason="Ray is not installed (pip install '.[ray]')")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # Ray's own, of files that it leaves open
]

PART = 5
NODE = {"object_store_memory": 80_000_000, "num_cpus": 1}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the judges note that they were asked; the nodes of the cluster inherit its name."""
    path = tmp_path_factory.mktemp("notes") / "asked"
    os.environ[NOTES] = str(path)
    yield path
    del os.environ[NOTES]


@pytest.fixture(scope="module")
def cluster(notes: Path) -> Iterator[Any]:
    """The head, which stays; tests add nodes, and remove them."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, connect=True, head_node_args={**NODE, "include_dashboard": False})
    yield made
    ray.shutdown()
    made.shutdown()


@contextmanager
def nodes(cluster: Any, number: int) -> Iterator[list[Any]]:
    """So many nodes beside the head, as long as the test takes."""
    added = [cluster.add_node(**NODE) for _ in range(number)]
    cluster.wait_for_nodes()
    yield added
    for node in added:
        if node in cluster.list_all_nodes():
            cluster.remove_node(node)


@pytest.fixture
def held_judges(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_judges, "PART", PART)
    monkeypatch.setattr(ray_judges, "Judges", HeldJudges)
    notes.write_text("")


def asked(notes: Path) -> list[tuple[int, int, str]]:
    """Process, node (its raylet's process) and first text of every part that was begun."""
    lines = [line.split(" ", 2) for line in notes.read_text().splitlines()]
    return [(int(process), int(node), text) for process, node, text in lines]


def judged_while(notes: Path, number: int, *steps: tuple[Callable[[], bool], Callable[[], Any]]) -> Any:
    """What the judges say of so many texts. They are held until each step was taken, once its condition was met."""
    held = notes.with_name(HELD)
    held.touch()
    with ThreadPoolExecutor(max_workers=1) as pool:
        answer = pool.submit(RayJudges().toxicity.labels, texts(number))
        try:
            for is_time, step in steps:
                end = time.monotonic() + 120
                while not is_time():
                    assert time.monotonic() < end, "what was waited for did not happen"
                    time.sleep(0.02)
                step()
        finally:
            held.unlink()
        return answer.result()


def texts(number: int) -> list[str]:
    return [f"text {index} " + "x" * (index % 17) for index in range(number)]


def expected(number: int) -> list[dict[str, float]]:
    return [dict.fromkeys(TOXICITY_LABELS, len(text) / 1000) for text in texts(number)]


def raylet(node: Any) -> int:
    """The process that stands for a node."""
    pid: int = node.all_processes["raylet"][0].process.pid
    return pid


def lose_node(cluster: Any, node: Any, notes: Path) -> None:
    """Loses a node as a power cut would, with the processes that judge there."""
    lost = [process for process, parent, _ in asked(notes) if parent == raylet(node)]
    cluster.remove_node(node, allow_graceful=False)
    for process in lost:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def on_nodes(notes: Path) -> set[int]:
    return {node for _, node, _ in asked(notes)}


def test_one_process_and_three_give_the_same_scores_and_verdicts_as_none(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_judges, "PART", 8)
    settings = Settings(max_runs=3, conversation_length=12, seed=5, is_analyze_conversation=False)
    conversations = load_all(run(prepare(settings, ROOT), tmp_path, Silent(), Event()).folder)

    def judged(judges: Judges) -> list[Result]:
        return analyze(conversations, Settings(), judges)

    near, one = judged(Judges()), judged(RayJudges())
    with nodes(cluster, 2):
        three = judged(RayJudges())
    assert len(near) > 100
    for far in (one, three):
        assert [result.verdict for result in far] == [result.verdict for result in near]
        assert [result.score.value for result in far] == [
            None if result.score.value is None else pytest.approx(result.score.value, abs=1e-4) for result in near
        ]


def test_two_processes_are_killed_while_they_judge_and_nothing_is_lost(
    cluster: Any, notes: Path, held_judges: None
) -> None:
    killed: list[int] = []

    def alive() -> list[int]:
        return [process for process, _, _ in asked(notes) if process not in killed]

    def kill() -> None:
        killed.append(alive()[0])
        os.kill(killed[-1], signal.SIGKILL)

    with nodes(cluster, 1):
        number = 6 * PART + 2
        assert judged_while(notes, number, *[(lambda: bool(alive()), kill)] * 2) == expected(number)
    assert len(killed) == 2
    begun = Counter(text for _, _, text in asked(notes))
    assert len(begun) == 7
    assert sum(begun.values()) == 9  # each loss cost one part, which was scored again


def test_two_of_four_nodes_are_lost_while_they_judge_and_nothing_is_lost(
    cluster: Any, notes: Path, held_judges: None
) -> None:
    number = 10 * PART + 2
    with nodes(cluster, 3) as added:
        lose = [(lambda: len(on_nodes(notes)) == 4, partial(lose_node, cluster, node, notes)) for node in added[:2]]
        assert judged_while(notes, number, *lose) == expected(number)
        begun = Counter(text for _, _, text in asked(notes))
        assert len(begun) == 11
        assert sum(begun.values()) == 13
        assert RayJudges().toxicity.labels(texts(3)) == expected(3)  # two nodes go on


def test_a_node_that_joins_while_the_others_judge_gets_its_share(cluster: Any, notes: Path, held_judges: None) -> None:
    number = 6 * PART
    added: list[Any] = []
    join = (lambda: len(on_nodes(notes)) == 1, lambda: added.append(cluster.add_node(**NODE)))
    both = (lambda: len(on_nodes(notes)) == 2, lambda: None)
    assert judged_while(notes, number, join, both) == expected(number)
    assert raylet(added[0]) in on_nodes(notes)
    assert len(asked(notes)) == 6
    cluster.remove_node(added[0])


def test_a_model_that_cannot_be_loaded_there_is_told_here_and_another_can_be_asked(
    cluster: Any, notes: Path, held_judges: None
) -> None:
    judges = RayJudges({"toxicity": BROKEN})
    with pytest.raises(ModelError, match="no such weights"):
        judges.toxicity.labels(texts(PART * 3))
    assert judges.similarity.similarity(["a"], ["a"]) == [1.0]
    assert judges.similarity.similarity([], []) == []


def test_a_model_whose_process_ends_every_time_is_told(
    cluster: Any, notes: Path, held_judges: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_judges, "LOSSES", 1)
    with pytest.raises(ModelError, match="the toxicity judge was lost on the cluster 2 times"):
        RayJudges({"toxicity": DEADLY}).toxicity.labels(texts(PART))
    assert len(asked(notes)) == 2
