"""Bots that change the process's folder: what the user named by a relative path is still where the user meant it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import chattest
from chattest.files.home import home, keep_home, shorten_path
from chattest.testing.bot import BotUnderTest
from tests.support.process import NAME, left, project, run
from tests.support.stand_ins import StandIns
from tests.support.tiny_models import causal

PHASES = ("import", "load", "start", "reply", "close")

WANDERER = '''
import os
import tempfile
from pathlib import Path

from chattest import Chatter

PHASE = "{phase}"


def wander(phase):
    if phase == PHASE:
        os.chdir(tempfile.mkdtemp())


wander("import")


class Wanderer(Chatter):
    """Goes to another folder."""

    @classmethod
    def load(cls, options):
        wander("load")

    def start(self, conversation_id, seed, plan):
        wander("start")

    def get_response(self, conv_array):
        wander("reply")
        return f"You say: {{conv_array[-1]}}"

    def close(self):
        wander("close")
'''

STAYING = WANDERER.format(phase="never")


def wandering(folder: Path, phase: str, **config: object) -> Path:
    return project(folder, config={"chatters": ["asker", "wanderer"], **config}, wanderer=WANDERER.format(phase=phase))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run leaves whose bot stays where it is."""
    folder = wandering(tmp_path_factory.mktemp("whole") / "project", "never")
    code, printed = run(folder)
    assert code == 0, printed
    return left(folder)


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_a_bot_that_goes_elsewhere_takes_nothing_along(tmp_path: Path, phase: str, whole: dict[str, bytes]) -> None:
    """The report, its log and its workbook are in the project, and are told by the same names."""
    folder = wandering(tmp_path / "project", phase)
    code, printed = run(folder)
    assert code == 0, printed
    assert left(folder) == whole
    assert f"Workbook:      reports/{NAME}/report.xlsx" in printed
    assert f"Conversations: reports/{NAME}/conversations" in printed
    code, printed = run(folder, "judge", f"reports/{NAME}")
    assert code == 0, printed
    assert f"Conversations: reports/{NAME}/conversations" in printed
    assert (folder / "reports" / f"{NAME}-2" / "results.jsonl").read_bytes() == whole["results.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["import", "load", "reply"])
def test_every_path_of_the_settings_is_the_users(tmp_path: Path, phase: str) -> None:
    """Folders of conversations, files of questions, and the bot under test's model."""
    folder = wandering(
        tmp_path / "project",
        phase,
        chatters=["wanderer", "huggingface"],
        save_conv_folder="talks",
        chatter_options={"huggingface": {"model": "models/tiny", "max_new_tokens": 4}},
        checks=["mft.names"],
        check_questions=1,
    )
    causal(folder / "models" / "tiny")
    code, printed = run(folder)
    assert code == 1, printed
    assert sorted(path.name for path in (folder / "talks" / NAME).glob("*.json")) == [
        f"run-{number:03d}.json" for number in (1, 2, 3)
    ]
    assert f"Conversations: talks/{NAME}" in printed
    code, printed = run(folder, "judge", f"reports/{NAME}")
    assert code == 1, printed
    first, second = ((folder / "reports" / name / "results.jsonl").read_bytes() for name in (NAME, f"{NAME}-2"))
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["import", "load", "reply"])
def test_a_judge_that_goes_elsewhere_takes_nothing_along(tmp_path: Path, phase: str) -> None:
    folder = wandering(tmp_path / "project", phase, chatters=["asker", "keeper"])
    assert run(folder)[0] == 0
    code, printed = run(folder, "--set", 'models.match="chat:wanderer"', "judge", f"reports/{NAME}")
    assert code == 1, printed
    assert (folder / "reports" / f"{NAME}-2" / "report.xlsx").is_file()


@pytest.mark.slow
def test_an_error_names_the_file_as_the_user_would(tmp_path: Path) -> None:
    folder = wandering(tmp_path / "project", "import")
    (folder / "reports" / NAME / "report.xlsx").mkdir(parents=True)
    (folder / "reports" / NAME / "report.xlsx" / "open").touch()
    code, printed = run(folder)
    assert code == 2, printed
    assert f"\nreports/{NAME}/report.xlsx cannot be written" in printed


@pytest.mark.parametrize("phase", ["load", "start", "reply"])
def test_the_library_saves_where_the_caller_is(tmp_path: Path, phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    space: dict[str, type[chattest.Chatter]] = {}
    exec(WANDERER.format(phase=phase), space)
    (tmp_path / "mine").mkdir()
    (tmp_path / "later").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    for name in ("out", "again"):
        report = chattest.run(space["Wanderer"], cases=["ML-I4"], conversations=1, rounds=4)
        assert Path.cwd() != tmp_path / "mine"
        report.save(name)
        assert (tmp_path / "mine" / name / "results.jsonl").is_file()
        assert chattest.load_report(name).results == report.results
    os.chdir(tmp_path / "later")  # now it is the caller who goes elsewhere
    report.save("out")
    assert (tmp_path / "later" / "out" / "results.jsonl").is_file()


def test_home_is_where_the_user_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    monkeypatch.chdir(mine)
    with keep_home() as outer, keep_home() as inner:
        os.chdir(theirs)
        assert outer == inner == home() == mine
        assert [shorten_path(path) for path in (mine / "a" / "b", theirs, mine)] == [Path("a/b"), theirs, mine]
    assert home() == mine
    with keep_home() as again:
        assert again == mine
    os.chdir(tmp_path)
    assert home() == tmp_path
    os.chdir(theirs)
    assert home() == theirs


@pytest.mark.parametrize("phase", ["import", "load", "reply"])
def test_the_fixture_of_pytest_stays_in_its_project(
    tmp_path: Path, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wandering(tmp_path / "project", phase)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    bot = BotUnderTest(Path("project"), {"chatters": ("asker", "wanderer"), "score_cache": False})
    assert bot.ask("Who are you?").text == "You say: Who are you?"
    assert Path.cwd() != tmp_path
    report = bot.require("ML-I4", 0.0, conversations=1, rounds=6, density=1.0)
    report.save("out")
    assert (tmp_path / "out" / "results.jsonl").is_file()


@contextmanager
def viewed(folder: Path) -> Iterator[httpx.Client]:
    """`view` as a process of its own, and a visitor of it."""
    command = [sys.executable, "-u", "main.py", "view", "--port", "0", "--no-open"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout is not None
            address = next(line for line in serving.stdout if "http://" in line).split()[-1]
            host = address.partition("/?")[0].rstrip("/")
            with httpx.Client(base_url=host, headers={"origin": host}, follow_redirects=True, timeout=240) as visitor:
                visitor.get(address)
                yield visitor
        finally:
            serving.terminate()


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["import", "reply"])
def test_the_app_still_shows_the_runs(tmp_path: Path, phase: str) -> None:
    folder = wandering(tmp_path / "project", phase, max_runs=1)
    assert run(folder)[0] == 0
    with viewed(folder) as visitor:
        assert f"/runs/{NAME}" in visitor.get("/").text
        talk = visitor.post("/chat", data={"bot": "wanderer", "seat": "user", "options": "", "seed": ""})
        assert talk.status_code == 200
        visitor.get(f"{talk.url.path}/events")  # until it is the person's turn
        said = visitor.post(f"{talk.url.path}/say", data={"text": "Hello, bot."})
        assert said.status_code == 200
        visitor.get(f"{talk.url.path}/events")
        assert "You say: Hello, bot." in visitor.get(talk.url.path).text
        first = visitor.get("/").text
        assert f"/runs/{NAME}" in first
        assert 'in <span dir="auto">reports</span>' in first
        visitor.post(f"{talk.url.path}/save")
    assert (folder / "reports" / "chat-1" / "run.json").is_file()
