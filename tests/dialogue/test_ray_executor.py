"""`executor = "ray"` on a real cluster of three nodes on this machine, two of which are lost while they talk."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.dialogue import ray_executor
from chattest.errors import ChatterError, InputError
from chattest.records.conversation import Conversation, Turn
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.conversations import load_all
from tests.support.project import cells, make_project
from tests.support.small_runs import SMALL, Silent, unhurried
from tests.support.stand_ins import StandIns

ray = pytest.importorskip("ray", reason="Ray is not installed (pip install '.[ray]')")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # Ray's own, of files that it leaves open
]

SLOW = '''
import os
import time
from pathlib import Path

from chattest import Chatter


class Slow(Chatter):
    """Notes each of its conversations, and its process and node; begins the third and later ones when it is let go."""

    def start(self, conversation_id, seed, plan):
        self.pause = 0.15 if conversation_id in ("run-002", "run-003") else 0.0
        here = Path(__file__).parent
        with (here / "begun").open("a") as file:
            file.write(f"{conversation_id} {os.getpid()} {os.getppid()}\\n")
        while conversation_id > "run-002" and (here / "held").exists():
            time.sleep(0.05)

    def get_response(self, conv_array):
        time.sleep(self.pause)
        return f"I heard {len(conv_array)} things, the last one was: {conv_array[-1]}"
'''
BROKEN = '''
from chattest import Chatter


class Broken(Chatter):
    """Cannot be loaded."""

    @classmethod
    def load(cls, options):
        raise OSError("no such weights")

    def get_response(self, conv_array):
        return "Hey"
'''


TOGETHER = '''
from pathlib import Path

from chattest import Chatter


class Together(Chatter):
    """Answers in batches, and notes how many it was asked at once."""

    @classmethod
    def get_responses(cls, shared, conv_arrays):
        with (Path(__file__).parent / "asked").open("a") as file:
            file.write(f"{len(conv_arrays)}\\n")
        return [texts[-1].upper() for texts in conv_arrays]

    def get_response(self, conv_array):
        return self.get_responses(None, [conv_array])[0]
'''


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """The head, which stays, and two nodes that may be lost."""
    from ray.cluster_utils import Cluster

    memory = {"object_store_memory": 80_000_000, "num_cpus": 1}
    made = Cluster(initialize_head=True, connect=True, head_node_args={**memory, "include_dashboard": False})
    made.others = [made.add_node(**memory) for _ in range(2)]
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project", slow=SLOW, broken=BROKEN)


def go(project: Path, reports: Path, watcher: Silent, **more: Any) -> Any:
    settings = Settings.model_validate({**SMALL, "max_runs": 8, "workers": 4, **more})
    return run(prepare(settings, project), reports, watcher, Event())


def begun(project: Path) -> list[list[str]]:
    """Name, process and node (its raylet's process) of every conversation that the slow bot began."""
    return [line.split() for line in (project / "chatters" / "begun").read_text().splitlines()]


def becomes(true: Callable[[], bool], seconds: float = 120) -> bool:
    """Return True once something is true, and False if it does not become true in time."""
    limit = time.monotonic() + seconds
    while not true():
        if time.monotonic() > limit:
            return False
        time.sleep(0.2)
    return True


def test_two_nodes_are_lost_one_after_the_other_and_nothing_is_lost_or_done_twice(
    cluster: Any, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())
    monkeypatch.setattr("chattest.models.ray_judges.Judges", StandIns)

    held = project / "chatters" / "held"
    held.touch()
    nodes = {str(node.all_processes["raylet"][0].process.pid): node for node in cluster.others}

    class Killer(Silent):
        """When each of the first two conversations is over, loses a node that holds another one."""

        def __init__(self) -> None:
            super().__init__()
            self.told: Counter[int] = Counter()

        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            if nodes and conversation.run not in self.told:
                while not (there := [(node, process) for process, node in under_way() if node in nodes]):
                    time.sleep(0.05)
                node, process = there[0]
                cluster.remove_node(nodes.pop(node), allow_graceful=False)
                with suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
                if not nodes:
                    held.unlink()
            self.told[conversation.run] += 1

    def under_way() -> list[tuple[str, str]]:
        """Process and node of the conversations that are held."""
        return [(process, node) for name, process, node in begun(project) if name > "run-002"]

    killer = Killer()
    chatters = ["asker", "slow"]
    far = go(project, tmp_path / "far", killer, executor="ray", chatters=chatters)
    times = Counter(name for name, _, _ in begun(project))
    assert len(times) == 8
    assert sum(times.values()) == 10  # each node had one, which was held again
    assert becomes(lambda: len([node for node in ray.nodes() if node["Alive"]]) == 1)  # a lost node is missed later
    near = go(project, tmp_path / "near", Silent(), chatters=chatters)
    assert killer.told == dict.fromkeys(range(1, 9), 28)
    assert list(killer.told) == sorted(killer.told)  # told of in the order of runs
    assert unhurried(load_all(far.folder)) == unhurried(load_all(near.folder))
    assert not list(far.folder.rglob("*.turns"))
    ours, theirs = (cells(outcome.folder / "report.xlsx") for outcome in (far, near))
    assert ours.keys() == theirs.keys()
    for sheet in (name for name in ours if name.startswith("run-")):
        assert _timeless(ours[sheet]) == _timeless(theirs[sheet])
    assert far.report.tallies == near.report.tallies
    assert far.report.models.keys() == near.report.models.keys()


def _timeless(sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet without its columns of seconds."""
    timed = {place.rstrip("0123456789") for place, value in sheet.items() if "econds" in str(value)}
    return {place: value for place, value in sheet.items() if place.rstrip("0123456789") not in timed}


def test_a_run_that_stops_when_it_knows_enough_stops_where_a_local_one_does(
    cluster: Any, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())
    monkeypatch.setattr("chattest.models.ray_judges.Judges", StandIns)
    more: dict[str, Any] = {"max_runs": 30, "p": {}, "conversation_length": 4, "stop_when": {"ML-A6": 0.2}}
    far, near = Silent(), Silent()
    folders = [
        go(project, tmp_path / name, watcher, executor=name, **more).folder
        for name, watcher in (("ray", far), ("local", near))
    ]
    assert far.looks == near.looks
    assert far.looks[-1].startswith("stopped after 10 of 30 conversations")
    assert unhurried(load_all(folders[0])) == unhurried(load_all(folders[1]))


def test_a_stop_gives_up_what_is_not_over_and_what_is_over_is_not_held_again(
    cluster: Any, project: Path, tmp_path: Path
) -> None:
    more: dict[str, Any] = {"executor": "ray", "chatters": ["asker", "slow"], "is_analyze_conversation": False}
    more |= {"max_runs": 3, "conversation_length": 4, "workers": 2}
    settings = Settings.model_validate({**SMALL, **more})
    stop = Event()

    class Stopping(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            stop.set()

    stopped = run(prepare(settings, project), tmp_path / "stopped", Stopping(), stop)
    assert [one.run for one in load_all(stopped.folder)] == [1]

    folder = go(project, tmp_path / "reports", Silent(), **more).folder
    whole = load_all(folder)
    (folder / "conversations" / "run-002.json").unlink()
    state = folder / "run.json"
    state.write_text(state.read_text().replace("finished", "talking"))
    (project / "chatters" / "begun").unlink()
    assert go(project, tmp_path / "reports", Silent(), **more).folder == folder
    assert [name for name, _, _ in begun(project)] == ["run-002"]
    assert unhurried(load_all(folder)) == unhurried(whole)


def test_single_questions_come_in_batches_as_in_a_local_run(cluster: Any, project: Path, tmp_path: Path) -> None:
    (project / "chatters" / "together.py").write_text(TOGETHER)
    more: dict[str, Any] = {"chatters": ["asker", "together"], "checks": ["mft.arithmetic"], "check_questions": 40}
    more |= {"max_runs": 1, "conversation_length": 2, "is_analyze_conversation": False}
    answers, sizes = [], []
    for executor in ("ray", "local"):
        folder = go(project, tmp_path / executor, Silent(), executor=executor, **more).folder
        answers.append([(question, answer.text) for question, answer in read_answers(folder / FILE).items()])
        sizes.append((project / "chatters" / "asked").read_text().split())
        (project / "chatters" / "asked").unlink()
    assert answers[0] == answers[1]
    assert [size for size in sizes[0] if size != "1"] == [size for size in sizes[1] if size != "1"]
    assert max(map(int, sizes[0])) > 10


def test_a_bot_that_cannot_be_loaded_there_is_told_here(cluster: Any, project: Path, tmp_path: Path) -> None:
    with pytest.raises(ChatterError, match="broken cannot be loaded: OSError: no such weights"):
        go(project, tmp_path / "reports", Silent(), executor="ray", chatters=["asker", "broken"])


def test_a_cluster_that_is_not_there_is_told(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "main.py", "--set", 'chatters=["asker", "keeper"]', "--set", "executor=ray"],
        cwd=project,
        env=os.environ | {"RAY_ADDRESS": "ray://127.0.0.1:1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert "the Ray cluster cannot be reached" in done.stderr


def test_what_cannot_go_on_a_cluster_is_refused_at_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "chatters" / "person.py").write_text(
        "from chattest import Chatter\n\n\nclass Person(Chatter):\n    interactive = True\n\n"
        "    def get_response(self, conv_array):\n        return input()\n"
    )
    with pytest.raises(InputError, match='"person" is a person'):
        prepare(Settings(executor="ray", chatters=("person", "keeper")), project)
    monkeypatch.setattr(ray_executor, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install '\.\[ray\]'"):
        prepare(Settings(executor="ray", chatters=("asker", "keeper")), project)
