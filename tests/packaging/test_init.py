"""`chattest init` and the console command, in folders that hold no project."""

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from chattest import __main__, __version__
from chattest.chatter.loader import find_chatter
from chattest.cli.init import init_project
from chattest.datasets.testsets import read_testsets
from chattest.errors import InputError
from chattest.settings.file import read_settings
from tests.support.stand_ins import ROOT, StandIns

FILES = {
    "config.py",
    "requirements.txt",
    "chatters/my_bot.py",
    "testsets/qa/bakery-name.toml",
    "tests/test_my_bot.py",
    ".github/workflows/chattest.yml",
    "README.md",
    ".gitignore",
}
SHORT = ["--set", "max_runs=1", "--set", "conversation_length=8"]
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """`call("plan")`: the console command in the current folder, `tmp_path` at first; models are stand-ins."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))

    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["chattest", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            __main__.main()
        printed = capfd.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return called


def written(folder: Path) -> set[str]:
    """The files of a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_init_writes_a_project_and_tells_what_to_do_next(call: Call, tmp_path: Path) -> None:
    code, out, err = call("init", "demo")
    assert (code, err) == (0, "")
    assert written(tmp_path / "demo") == FILES
    assert len(out.splitlines()) == 4
    assert "cd demo && chattest " in out
    assert "pip install" not in out


def test_a_checkout_is_told_to_be_installed(tmp_path: Path) -> None:
    assert f"pip install {ROOT} && cd " in init_project(tmp_path / "demo", "python main.py")[1]


def test_the_settings_are_the_shipped_ones_with_the_projects_bot(tmp_path: Path) -> None:
    init_project(tmp_path)
    shipped, own = read_settings(ROOT / "config.py"), read_settings(tmp_path / "config.py")
    assert own == shipped.model_copy(update={"chatters": ("companion", "my_bot"), "fail_under": 0.6})
    comments = [line for line in (ROOT / "config.py").read_text().splitlines() if line.startswith("#")]
    assert len([line for line in (tmp_path / "config.py").read_text().splitlines() if line[:1] == "#"]) == len(comments)


def test_nothing_names_what_only_a_checkout_has(tmp_path: Path) -> None:
    init_project(tmp_path)
    for name in FILES:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "main.py" not in text, name
        assert "requirements-" not in text, name


def test_every_part_of_a_project_can_be_read(tmp_path: Path) -> None:
    init_project(tmp_path)
    bot = find_chatter("my_bot", tmp_path / "chatters")()
    told = ["Hi.", "Hello.", "My bakery is called Crumb and Co.", "I see.", "What is my bakery called?"]
    assert bot.get_response(told) == told[2]
    assert bot.get_response(["Hi."]) == "Hello."
    sets = read_testsets(tmp_path / "testsets")
    assert [testset.name for testset in sets["qa"]] == ["bakery-name"]
    assert len(ast.parse((tmp_path / "tests" / "test_my_bot.py").read_text()).body) == 6
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "chattest.yml").read_text())
    steps = workflow["jobs"]["bot"]["steps"]
    assert [step["run"].split()[0] for step in steps if "run" in step] == ["python", "chattest", "python", "cat"]
    assert steps[-1]["with"]["path"] == "reports/ci/"
    assert (tmp_path / "requirements.txt").read_text().splitlines()[1:] == [f"chattest=={__version__}", "pytest"]


def test_init_overwrites_nothing(call: Call, tmp_path: Path) -> None:
    (tmp_path / "demo" / "chatters").mkdir(parents=True)
    for name in ("config.py", "chatters/my_bot.py"):
        (tmp_path / "demo" / name).write_text("mine")
    code, _, err = call("init", "demo")
    assert code == 2
    assert err.count("already exists") == 2
    assert "demo/config.py: already exists" in err
    assert "demo/chatters/my_bot.py: already exists" in err
    assert written(tmp_path / "demo") == {"config.py", "chatters/my_bot.py"}
    assert (tmp_path / "demo" / "config.py").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        init_project(tmp_path / "file")


def test_a_new_project_runs(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("init", "demo")
    monkeypatch.chdir(tmp_path / "demo")
    code, out, err = call(*SHORT)
    assert (code, err) == (0, "")
    assert "companion talks to my_bot" in out
    assert written(tmp_path / "demo") >= FILES | {"reports/first-run/report.xlsx", "reports/first-run/report.html"}


def test_an_empty_folder_is_a_project_too(call: Call, tmp_path: Path) -> None:
    code, out, err = call(*SHORT, "plan")
    assert code == 0
    assert "Run 1: 8 rounds" in out
    assert err == f"There is no {tmp_path / 'config.py'}; the default settings are used.\n"
    assert call("--quiet", *SHORT, "plan")[2] == ""
    assert written(tmp_path) == set()
    code, _, err = call("--config", "nowhere.py", "plan")
    assert code == 2
    assert "nowhere.py: cannot be read" in err


def test_messages_name_the_command_that_was_given(call: Call) -> None:
    code, out, _ = call("list", "settings")
    assert code == 0
    assert "`chattest list testsets`" in out
    assert "main.py" not in out
    assert "main.py" not in call("--help")[1]


def test_the_projects_own_modules_can_be_imported(call: Call, tmp_path: Path) -> None:
    (tmp_path / "own_bots.py").write_text("def echo(history):\n    return history[-1]\n")
    code, out, err = call(*SHORT, "--set", 'chatters=["eliza", "own_bots:echo"]', "plan")
    assert code == 0, err
    sys.modules.pop("own_bots")
    assert "Run 1" in out
