"""The commands, as a person or a CI job gives them: what is printed, the exit code, and what is on disk afterwards."""

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from chattest.cli import commands
from chattest.records.conversation import Conversation
from chattest.storage.conversations import load_all
from tests.support.process import Running, ended, nobody_reads, turns_on_disk, until
from tests.support.project import SLOW, cells, make_project
from tests.support.stand_ins import ROOT, StandIns

Call = Callable[..., tuple[int, str, str]]

TALK = ["--set", 'chatters=["asker", "keeper"]', "--set", "max_runs=2", "--set", "conversation_length=8"]
ONLY_TALK = [*TALK, "--set", "is_analyze_conversation=false"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose runs do not fail because the stand-ins judge too badly for a bot to be better than an echo."""
    made = make_project(tmp_path / "project")
    with (made / "config.py").open("a") as config:
        config.write("check_floor = False\n")
    return made


@pytest.fixture
def call(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """`call("plan")`: a command in this process, its exit code and what it printed; models are stand-ins."""
    monkeypatch.chdir(project)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))

    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["main.py", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            commands.main(project)
        printed = capfd.readouterr()
        code = ended.value.code
        return int(code or 0) if not isinstance(code, str) else 1, printed.out, printed.err

    return called


def files(folder: Path) -> list[str]:
    """What a command may have left: everything but the project itself."""
    own = {"chatters", "testsets", "chattest", "main.py", "config.py"}
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] not in own and path.name != ".lock"
    )


def test_a_run_prints_its_summary_and_tells_where_everything_is(call: Call, project: Path) -> None:
    code, out, _ = call(*TALK)
    assert code == 0
    assert "2 conversations of 8 rounds: asker talks to keeper" in out
    assert "ML-I2" in out
    assert "Workbook:      reports/first-run/report.xlsx" in out
    assert "Conversations: reports/first-run/conversations" in out
    assert "All runs:      python main.py view" in out
    for place in ("report.xlsx", "results.jsonl", "summary.xlsx", "conversations/run-002.json"):
        assert f"reports/first-run/{place}" in files(project)


@pytest.mark.slow
def test_judge_judges_again_without_talking_and_gives_the_same(call: Call, project: Path) -> None:
    call(*TALK)
    first = project / "reports" / "first-run"
    before = (first / "results.jsonl").read_bytes()
    (project / "chatters" / "keeper.py").unlink()
    code, out, err = call(*TALK, "judge", "reports/first-run")
    assert (code, err) == (0, "")
    assert "Conversations: reports/first-run" in out
    second = project / "reports" / "first-run-2"
    assert (second / "results.jsonl").read_bytes() == before == (first / "results.jsonl").read_bytes()
    for name in ("report.xlsx", "summary.xlsx"):
        assert named_alike(cells(second / name)) == named_alike(cells(first / name))
    assert call(*TALK, "judge", "first-run-2")[0] == 0  # which has no conversations of its own
    assert (project / "reports" / "first-run-3" / "results.jsonl").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("judged", ["first-run", "reports/first-run/conversations"])
def test_judge_keeps_the_plan_and_the_bot_of_the_run_and_takes_the_judging_of_now(
    call: Call, project: Path, judged: str
) -> None:
    call(*TALK, "--set", "seed=7", "--set", "paired=false")
    (project / "config.py").write_text("seed = 8\nmax_runs = 9\nthreshold_stuttering = 0.5\ncheck_floor = False\n")
    code, _, err = call("judge", judged)
    assert (code, err) == (0, "")
    before, after = (
        json.loads((project / "reports" / name / "run.json").read_text())["settings"]
        for name in ("first-run", "first-run-2")
    )
    assert (after["seed"], after["max_runs"], after["conversation_length"]) == (7, 2, 8)
    assert after["chatters"] == ["asker", "keeper"]
    judging = {
        "is_load_conversation",
        "load_conv_folder",
        "threshold_stuttering",
        "gates",
    }  # config.py has no gates now
    assert {name for name in before if before[name] != after[name]} == judging


@pytest.mark.slow
@pytest.mark.parametrize(
    ("judged", "more", "expected"),
    [
        ("reports/keyword", [], "keyword-2"),
        ("keyword", [], "keyword-2"),
        ("reports/keyword/conversations", [], "keyword-2"),
        ("elsewhere/talks", [], "talks"),
        ("keyword", ["--set", "save_analysis_name=again"], "again"),
    ],
)
def test_judge_names_its_run_after_what_it_judges(
    call: Call, project: Path, judged: str, more: list[str], expected: str
) -> None:
    call(*ONLY_TALK, "--set", "save_analysis_name=keyword")
    shutil.copytree(project / "reports" / "keyword" / "conversations", project / "elsewhere" / "talks")
    code, out, err = call(*TALK, *more, "judge", judged)
    assert (code, err) == (0, "")
    assert f"Workbook:      reports/{expected}/report.xlsx" in out


@pytest.mark.slow
def test_checks_are_counted_and_found_by_their_names(call: Call, project: Path) -> None:
    asked = [*TALK, "check", "mft.greeting"]
    for expected in ("check-1", "check-2"):
        assert f"Answers:       reports/{expected}/answers.jsonl" in call(*asked)[1]
    assert "Workbook:      reports/check-3/report.xlsx" in call(*TALK, "judge", "check-1")[1]
    assert "reports/mine/answers.jsonl" in call("--set", "save_analysis_name=mine", *asked)[1]
    code, out, _ = call("compare", "check-1", "reports/check-2")
    assert code == 0
    assert "Workbook: reports/comparison-check-1-check-2.xlsx" in out
    code, _, err = call("compare", "check-1", "check-9")
    assert code == 2
    assert "check-9/run.json: cannot be read" in err


def named_alike(sheets: dict[str, dict[str, object]]) -> str:
    """The run's name, which differs, aside."""
    return json.dumps(sheets, default=str).replace("first-run-2", "first-run")


def test_plan_shows_every_probe_and_neither_talks_nor_writes(call: Call, project: Path) -> None:
    code, out, _ = call(*TALK, "--set", "conversation_length=9", "plan")
    assert code == 0
    assert "Run 2: 9 rounds" in out
    assert "Questions planned over all runs:" in out
    assert files(project) == []
    short = call(*TALK, "--set", "conversation_length=3", "plan")
    assert "Note: ML-U3 can never be planted" in short[1]


def test_a_run_tells_beforehand_what_cannot_be_planted(call: Call) -> None:
    code, _, err = call(*ONLY_TALK, "--set", "conversation_length=4")
    assert code == 0
    for code_of_case in ("ML-U3", "ML-U4", "ML-U5", "ML-U6"):
        assert f"Note: {code_of_case} can never be planted: it needs conversations of 5 rounds" in err


@pytest.mark.parametrize(
    ("what", "named"),
    [
        ("chatters", "keeper: Answers with what it was told."),
        ("cases", "ML-I13"),
        ("perturbations", "word_order"),
        ("scorers", "repeated_question"),
        ("models", "reader"),
        ("testsets", "cat-name"),
        ("testsets", "questions  knowledge"),
        ("settings", "threshold_sem_sim_tests"),
    ],
)
def test_list_names_what_there_is(call: Call, what: str, named: str, project: Path) -> None:
    code, out, _ = call("list", what)
    assert code == 0
    assert named in out
    assert files(project) == []


def test_list_alone_names_everything(call: Call) -> None:
    out = call("list")[1]
    for heading in ("CHATTERS", "CASES", "PERTURBATIONS", "SCORERS", "MODELS", "TESTSETS", "SETTINGS"):
        assert heading in out


@pytest.mark.slow
def test_perturb_shows_what_each_perturbation_makes_of_a_text(call: Call) -> None:
    code, out, _ = call("perturb", "What is the name of my cat?")
    assert code == 0
    assert "word_order" in out
    assert call("perturb", "What is the name of my cat?")[1] == out
    code, one, _ = call("perturb", "What is the name of my cat?", "--only", "typo")
    assert code == 0
    assert "typo" in one
    assert "word_order" not in one


@pytest.mark.parametrize(
    ("arguments", "config", "told"),
    [
        (["--set", "max_run=2"], "", ["--set max_run=2", 'Did you mean "max_runs"?']),
        ([], "max_runs = 0\nseeed = 2\n", ["config.py:1: max_runs", "config.py:2", 'Did you mean "seed"?']),
        ([], "seed = (\n", ["config.py:1", "is not Python"]),
        (["--set", 'chatters=["alcie", "keeper"]'], "", ['no chatter "alcie"', "chatters[0]"]),
        (["--set", 'chatters=["asker", "no.such.module:Bot"]'], "", ["chatters[1]", "No module named"]),
        (["--set", "perturbation.ML-U3=typpo"], "", ['no perturbation "typpo"', 'Did you mean "typo"?']),
        ([], 'seed = 1\nchatters = ["asker", "kepper"]', ['config.py:2: chatters[1]: there is no chatter "kepper"']),
        ([], "testsets = ['cat-nmae']", ['config.py:1: testsets: there is no test set "cat-nmae"']),
        (
            [],
            'checks = ["mft"]\nperturbation = {"ML-U3": "typpo"}',
            ['config.py:2: perturbation["ML-U3"]: there is no'],
        ),
        (
            ["--set", "perturbation.ML-U3=typpo"],
            'perturbation = {"ML-U4": "typpo"}',
            ['--set perturbation.ML-U3=typpo: perturbation["ML-U3"]', 'config.py:1: perturbation["ML-U4"]'],
        ),
        (["check", "invarance"], "", ["continue:\nchecks: there is no family of checks", 'Did you mean "invariance"?']),
        (["--set", "models.reader=/no/such/folder"], "", ["/no/such/folder"]),
        (["--config", "missing.py"], "", ["missing.py: cannot be read"]),
        (["list", "chaters"], "", ['Did you mean "chatters"?']),
        (["judge", "nowhere"], "", ["nowhere", "no saved conversations"]),
        (["--set", "models.reader=/no/such/folder", "judge", "nowhere"], "", ["/no/such/folder"]),
        (["perturb", "text", "--only", "typpo"], "", ['Did you mean "typo"?']),
        (["plan", "--bogus"], "", ["--bogus"]),
        (["bogus"], "", ["bogus"]),
    ],
)
def test_bad_input_is_exit_code_2_and_nothing_is_written(
    call: Call, project: Path, arguments: list[str], config: str, told: list[str]
) -> None:
    (project / "config.py").write_text(config)
    code, _, err = call(*arguments)
    assert code == 2
    for words in told:
        assert words in err
    assert "Traceback" not in err
    assert files(project) == []


def test_a_bad_test_set_is_exit_code_2_and_nothing_is_written(call: Call, project: Path) -> None:
    (project / "testsets").unlink()
    (project / "testsets" / "qa").mkdir(parents=True)
    (project / "testsets" / "qa" / "cat.toml").write_text("about = 'pets'\nanswr = 'x'\n")
    code, _, err = call(*TALK)
    assert code == 2
    assert "cat.toml:2: answr" in err
    assert 'Did you mean "answer"?' in err
    assert files(project) == []


def test_an_unfinished_run_with_other_settings_is_exit_code_2_and_left_alone(call: Call, project: Path) -> None:
    call(*ONLY_TALK)
    state = project / "reports" / "first-run" / "run.json"
    state.write_text(state.read_text().replace("finished", "talking"))
    before = {name: (project / name).read_bytes() for name in files(project)}
    code, _, err = call(*ONLY_TALK, "--set", "seed=2")
    assert code == 2
    assert "unfinished run in this folder had other settings: seed" in err
    assert {name: (project / name).read_bytes() for name in files(project)} == before
    assert call(*ONLY_TALK)[0] == 0
    call(*ONLY_TALK, "--set", "seed=2")
    assert (project / "reports" / "first-run-2" / "run.json").exists()
    assert not (project / "reports" / "first-run-3").exists()


OWN = """
about = "cafe"
answer = "Lunaria"
extract_with = "What is the name of the café?"
information = ["My café is called Lunaria.", "I run a café named Lunaria.", "The café I run is the Lunaria."]
questions = ["What is my café called?", "What is the name of my café?", "Which name does my café have?"]
"""
FACTS = ["p={ML-U3 = 0.4, ML-I4 = 0.4}", 'testsets=["cafe-*"]']


def test_only_the_users_own_facts_are_planted(call: Call, project: Path) -> None:
    (project / "testsets").unlink()
    shutil.copytree(ROOT / "testsets", project / "testsets")
    (project / "testsets" / "qa" / "cafe-name.toml").write_text(OWN, encoding="utf-8")
    code, out, err = call(*TALK, *[part for one in FACTS for part in ("--set", one)], "plan")
    assert code == 0, err
    planted = {line.split()[2] for line in out.splitlines() if line[:3].strip().isdigit() and " ML-" in line[:9]}
    assert planted == {"cafe-name"}
    code, _, err = call(*TALK, "--set", FACTS[1], "plan")
    assert code == 2
    assert 'ML-I13 has no test set to draw from: testsets = ["cafe-*"] selects none of testsets/co' in err
    misspelt = ["--set", 'testsets=["caffe-name"]', "--set", 'checks=["accuracy"]']
    code, _, err = call(*TALK, "--set", FACTS[0], *misspelt, "plan")
    assert code == 2
    assert err.count('there is no test set "caffe-name"') == 1
    assert 'Did you mean "cafe-name"?' in err


def test_bad_settings_and_bad_test_sets_are_told_together(call: Call, project: Path) -> None:
    (project / "testsets").unlink()
    (project / "testsets" / "qa").mkdir(parents=True)
    (project / "testsets" / "qa" / "cat.toml").write_text("about = 'pets'\nanswr = 'x'\n")
    code, _, err = call("--set", "max_run=2", "plan")
    assert code == 2
    assert "--set max_run=2" in err
    assert "cat.toml:2: answr" in err


def test_a_plan_without_questions_is_shown(call: Call) -> None:
    code, out, _ = call(*TALK, "--set", "conversation_length=2", "plan")
    assert code == 0
    assert "Run 2: 2 rounds, 2 free, 0 probes" in out
    assert out.splitlines()[-1].startswith("Note: ")


def test_repeats_tells_how_often_a_bot_changes_its_mind(call: Call, project: Path) -> None:
    call(*TALK, "--set", "same_plan=true")
    assert call("repeats", "first-run") == call("repeats", "reports/first-run")
    code, out, _ = call("repeats", "reports/first-run")
    assert code == 0
    assert out.split()[:4] == ["check", "questions", "pass^1", "pass^2"]
    assert "Flakiness: the probability" in out
    code, _, err = call("repeats", "reports/none")
    assert code == 2
    assert "reports/none" in err


def test_a_fault_of_chattest_is_exit_code_3_with_its_traceback(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(prepared: object, detail: str) -> list[str]:
        raise RuntimeError("\x1b[31mred")

    monkeypatch.setattr("chattest.runner.plan_lines.describe_plan", failing)
    code, out, err = call(*TALK, "plan")
    assert (code, out) == (3, "")
    assert "RuntimeError: \\x1b[31mred" in err
    assert "This is a bug in chattest. What was said is kept" in err
    assert files(project) == []


def test_a_disk_that_refuses_is_exit_code_2_and_tells_how_to_go_on(call: Call, project: Path) -> None:
    (project / "reports").write_text("a file, no folder")
    code, _, err = call(*ONLY_TALK)
    assert code == 2
    assert "chattest cannot continue:" in err
    assert "fix the cause and run the same command again to resume" in err


@pytest.mark.parametrize("before", [True, False])
def test_quiet_and_verbose_stand_before_a_command_or_after_it(call: Call, before: bool) -> None:
    def planned(loud: str) -> list[str]:
        code, out, err = call(
            *TALK, "--set", "init_conv_randomly=true", *([loud, "plan"] if before else ["plan", loud])
        )
        assert (code, err) == (0, "")
        return out.splitlines()

    quiet = planned("--quiet")
    assert re.fullmatch(r"Planned: 2 conversations with \d+ questions of \d+ cases\.", quiet[0])
    assert all(line.startswith("Note: ") for line in quiet[1:])
    openings = [line.split()[1] for line in planned("--verbose") if line.startswith("  opening")]
    assert openings == ["driver", "subject"] * 2


def test_generate_can_be_quiet(call: Call, project: Path) -> None:
    assert call("generate", "accuracy", "--out", "tests.jsonl", "--quiet") == (0, "", "")
    assert (project / "tests.jsonl").exists()


@pytest.mark.parametrize(
    "options", [["--quiet", "--verbose", "plan"], ["--quiet", "plan", "--verbose"], ["plan", "--quiet", "--verbose"]]
)
def test_quiet_and_verbose_exclude_each_other(call: Call, options: list[str]) -> None:
    code, _, err = call(*options)
    assert code == 2
    assert "the two options exclude each other" in err


def test_a_missed_blocking_gate_is_exit_code_1(call: Call) -> None:
    gate = 'gates=[{pattern = "ML-U6", min_pass_rate = 0.5}]'
    assert call(*TALK, "--set", 'p={"ML-I4" = 0.3}', "--set", gate)[0] == 1


BROKEN = """
from chattest import Chatter


class Broken(Chatter):
    def get_response(self, conv_array):
        if len(conv_array) >= {rounds}:
            raise RuntimeError("no text at $.reply")
        return "Hey"
"""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["quiet", "normal", "verbose"])
@pytest.mark.parametrize("rounds", [0, 5])
def test_a_bot_that_fails_in_every_conversation_is_exit_code_1_and_told(
    call: Call, project: Path, mode: str, rounds: int
) -> None:
    (project / "chatters" / "broken.py").write_text(BROKEN.format(rounds=rounds))
    code, out, _ = call(*TALK, "--set", 'chatters=["asker", "broken"]', "--set", f'console="{mode}"')
    assert code == 1
    told = "The bot (broken) failed in 2 of 2 conversations, first: RuntimeError: no text at $.reply"
    assert out.splitlines().count(told) == 1
    for name in ("report.md", "report.html", "junit.xml"):
        left = (project / "reports" / "first-run" / name).read_text("utf-8")
        assert "failed in 2 of 2 conversations" in left, name


def test_a_bot_that_answers_no_single_question_is_exit_code_1_and_told(call: Call, project: Path) -> None:
    (project / "chatters" / "broken.py").write_text(BROKEN.format(rounds=0))
    code, out, _ = call("--set", 'chatters=["asker", "broken"]', "check", "mft.greeting", "representation.gender")
    assert code == 1
    assert "single questions, first: RuntimeError: no text at $.reply" in out


@pytest.mark.slow
def test_a_bot_that_fails_once_or_is_not_judged_is_no_exit_code_1(call: Call, project: Path) -> None:
    once = BROKEN.format(rounds=2).replace(">= 2", ">= 5 and 'run' in self.name_of")
    once += "\n    def start(self, conversation_id, seed, plan):\n"
    once += "        self.name_of = 'run' if conversation_id.endswith('1') else ''\n"
    (project / "chatters" / "once.py").write_text(once)
    code, out, _ = call(*TALK, "--set", 'chatters=["asker", "once"]', "--set", "check_floor=false")
    assert code == 0
    assert "The bot (once) failed in 1 of 2 conversations, first: " in out
    off = 'is_analyze={"ML-I2" = false, "ML-I3" = false, "ML-P1" = false, "ML-A6" = false, "ML-A7" = false}'
    assert call(*TALK, "--set", off, "--set", "p={}")[0] == 1, "nothing was counted"
    assert call(*ONLY_TALK)[0] == 0, "nothing was to be judged"


@pytest.mark.slow
@pytest.mark.parametrize("command", [[], ["list", "settings"], ["plan"], ["perturb", "How are you?"], ["--help"]])
def test_a_reader_that_goes_away_costs_neither_the_report_nor_a_traceback(project: Path, command: list[str]) -> None:
    plain = ["--set", "p={}", "--set", "paired=true"]  # nothing that a model would judge, and lines enough
    plain += ["--set", 'is_analyze={"ML-I2" = false, "ML-I3" = false, "ML-P1" = false, "ML-A7" = false}']
    arguments = [sys.executable, "main.py", *TALK, *plain, *command]
    done = subprocess.Popen(arguments, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.stdout is not None
    done.stdout.close()  # as `| head` does, at the latest before the last line
    _, err = done.communicate(timeout=300)
    assert (done.returncode, err) == (0, "")
    verbose = Running(project, [*TALK, *plain, "--verbose", *command], first=nobody_reads, module="")
    assert ended(verbose) == (0, "")
    if not command:
        for name in ("first-run", "first-run-2"):
            assert (project / "reports" / name / "report.xlsx").exists()


def test_a_settings_file_can_be_named(call: Call, project: Path) -> None:
    (project / "other.py").write_text("max_runs = 1\nchatters = ['asker', 'keeper']\nis_analyze_conversation = False\n")
    assert call("--config", "other.py", "--set", "conversation_length=3")[0] == 0
    assert len(load_all(project / "reports" / "first-run")) == 1


def process(project: Path, *arguments: str) -> Running:
    """`python main.py` as its own process, from where its imports end."""
    return Running(project, arguments, {"PYTHONPATH": ""}, module="")


@pytest.mark.slow
def test_checking_and_planning_load_no_heavy_module() -> None:
    """Neither does anything else that a command needs before the first model."""
    code = (
        "import sys; from pathlib import Path; import chattest.cli.commands as cli;"
        "sys.argv = ['main.py', *sys.argv[1:]];\n"
        "try: cli.main(Path.cwd())\n"
        "except SystemExit as ended: assert not ended.code, ended.code\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'aiml', 'detoxify'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    for arguments in (["plan"], ["list"], ["--help"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], cwd=ROOT, text=True, capture_output=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "HEAVY []", arguments


SLOWLY = ["--set", 'chatters=["asker", "slow"]', "--set", "max_runs=3", "--set", "conversation_length=12"]
SLOWLY += ["--set", "is_analyze_conversation=false"]


def unhurried(conversations: list[Conversation]) -> list[Conversation]:
    return [replace(one, turns=tuple(replace(turn, seconds=0) for turn in one.turns)) for one in conversations]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> list[Conversation]:
    """What a run gives that nobody kills."""
    project = make_project(tmp_path_factory.mktemp("unbroken") / "project", slow=SLOW)
    running = process(project, *SLOWLY)
    code, printed = ended(running)
    assert code == 0, printed
    return unhurried(load_all(project / "reports" / "first-run"))


def reached(project: Path, turns: int) -> bool:
    return turns_on_disk(project) >= turns


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_killed_again_and_again_loses_nothing(tmp_path: Path, unbroken: list[Conversation], workers: int) -> None:
    project = make_project(tmp_path / "project", slow=SLOW)
    several = [*SLOWLY, "--set", f"workers={workers}"]
    for turns in (5, 33, 60):
        running = process(project, *several)
        until(partial(reached, project, turns), running)
        running.kill()
        running.wait()
        before = turns_on_disk(project)
        assert before >= turns
        kept = project / "reports" / "first-run" / "conversations"
        if any(kept.glob("run-*.json")):
            assert all(talk in unbroken for talk in unhurried(load_all(kept))), "nothing half under a final name"
    running = process(project, *several)
    code, printed = ended(running)
    assert code == 0, printed
    assert files(project) == [
        *(f"reports/first-run/conversations/run-{run:03d}.json" for run in (1, 2, 3)),
        "reports/first-run/run.json",
        "reports/first-run/run.log",
    ]
    assert unhurried(load_all(project / "reports" / "first-run")) == unbroken


@pytest.mark.slow
def test_ctrl_c_once_ends_after_the_round_and_twice_at_once(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", slow=SLOW)
    running = process(project, *SLOWLY)
    until(lambda: turns_on_disk(project) >= 5, running)
    running.send_signal(signal.SIGINT)
    code, printed = ended(running)
    assert code == 0
    assert "Stopping after the current round" in printed
    (talk,) = load_all(project / "reports" / "first-run")
    assert len(talk.turns) % 2 == 0
    assert 6 <= len(talk.turns) < 24

    hanging = SLOW.replace("0.03", "3 if len(conv_array) > 6 else 0")
    project = make_project(tmp_path / "second", slow=hanging)
    running = process(project, *SLOWLY)
    until(lambda: turns_on_disk(project) >= 7, running)
    running.send_signal(signal.SIGINT)
    until(lambda: "Stopping after the current round" in running.printed(), running)
    running.send_signal(signal.SIGINT)
    code, printed = ended(running)
    assert code == 130
    assert "Run the same command again to resume" in printed
    assert "Traceback" not in printed


@pytest.mark.slow
def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", slow=SLOW.replace("0.03", "0.2"))
    first = process(project, *SLOWLY)
    until(lambda: turns_on_disk(project) >= 1, first)
    second = process(project, *SLOWLY)
    code, printed = ended(second)
    first.kill()
    first.wait()
    assert code == 2
    assert "in use by another run" in printed


@pytest.mark.slow
def test_the_projects_own_main_shows_its_plan() -> None:
    done = subprocess.run([sys.executable, "main.py", "plan"], cwd=ROOT, text=True, capture_output=True, check=True)
    assert "Run 5: 40 rounds" in done.stdout
