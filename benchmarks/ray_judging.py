"""Judging on a Ray cluster of one, two and four nodes on this machine, each with one processor: how it scales.

The same conversations are judged on each cluster, after others that load the models, in processes of their own. Two
figures are told. Wall time counts on a machine with a free core for every node. Processor time counts on any machine:
the driver's own, and then that of the fullest worker, where the parts, with the processor time measured for each, go
one by one to the worker that is free first.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.judging import hold
from benchmarks.measuring import apart, seconds, tell
from chattest.models.ray_judges import _scores as scored

NODES = (1, 2, 4)
NOTES = "CHATTEST_BENCHMARK_NOTES"
"""The environment variable with the file in which each part leaves its processor time."""


def noted(*arguments: Any) -> Any:
    """Scores a part, as a worker does, and notes its processor time."""
    began = process_time()
    scores = scored(*arguments)
    with Path(os.environ[NOTES]).open("a") as file:
        file.write(f"{process_time() - began}\n")
    return scores


def fullest(parts: Sequence[float], workers: int) -> float:
    """Processor time of the fullest worker, where each part goes to the one that is free first."""
    full = [0.0] * workers
    for part in parts:
        full[full.index(min(full))] += part
    return max(full)


def side(nodes: str, folder: str) -> None:
    """A cluster of so many nodes in this process."""
    import ray
    from ray.cluster_utils import Cluster

    from benchmarks import ray_judging
    from chattest.judging.verdicts import analyze
    from chattest.models import ray_judges
    from chattest.settings.declaration import Settings
    from chattest.storage.conversations import load_all

    loading, measured = (load_all(Path(folder) / name) for name in ("loading", "measured"))
    notes = Path(folder) / f"notes-{nodes}"
    os.environ[NOTES] = str(notes)
    ray_judges._scores = ray_judging.noted  # type: ignore[assignment]
    node = {"object_store_memory": 80_000_000, "num_cpus": 1}
    cluster = Cluster(initialize_head=True, connect=True, head_node_args={**node, "include_dashboard": False})
    for _ in range(int(nodes) - 1):
        cluster.add_node(**node)
    cluster.wait_for_nodes()
    judges = ray_judges.RayJudges()
    part, ray_judges.PART = ray_judges.PART, 4
    analyze(loading, Settings(), judges)  # every node loads every model
    ray_judges.PART = part
    notes.write_text("")
    before = process_time()
    took = seconds(lambda: analyze(measured, Settings(), judges))
    driver = process_time() - before
    ray.shutdown()
    cluster.shutdown()
    parts = [float(line) for line in notes.read_text().split()]
    processor = driver + fullest(parts, int(nodes))
    print(json.dumps({"seconds": took, "driver": driver, "parts": sum(parts), "processor": processor}))


def main(runs: int = 24, rounds: int = 3) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for name, number, seed in (("loading", 4, 4), ("measured", runs, 3)):
            hold(Path(scratch) / name, 50, number, seed).rename(Path(scratch) / name / "conversations")
        sides = []
        for _ in range(rounds):  # alternately, so that all see the same state of the machine
            sides.append({nodes: apart("ray_judging", "side", str(nodes), scratch) for nodes in NODES})
            for nodes, figures in sides[-1].items():
                times = ", ".join(f"{name} {value:.2f} s" for name, value in figures.items())
                print(f"{nodes} nodes: {times}; load {os.getloadavg()[0]:.1f}", flush=True)
    for what, name in (("wall time", "seconds"), ("processor time", "processor")):
        for nodes in NODES[1:]:
            ratio = median(side[1][name] / side[nodes][name] for side in sides)
            least = 0.95 * nodes
            about = f"judging on Ray, {nodes} nodes beside one, {what}"
            tell(about, ratio, "times", f"at least {least:.1f}", ratio >= least, sides=sides)


if __name__ == "__main__":
    if sys.argv[1:2] == ["side"]:
        side(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
