"""The library: what a user's three lines do."""

import asyncio
import doctest
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import chattest
from chattest import api
from chattest.chatter.base import Chatter
from chattest.errors import ChatterError, InputError, StoreError
from chattest.models.protocols import TOXICITY_LABELS
from chattest.runner.prepare import prepare
from chattest.runner.progress import Silent
from chattest.runner.run import run as run_prepared
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from tests.support.counted import recount
from tests.support.stand_ins import ROOT, StandIns

SHORT: dict[str, Any] = {"cases": ["ML-I4", "ML-I5", "ML-P1"], "conversations": 2, "rounds": 8, "seed": 3}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is no project, with judges that load nothing; what is not saved must not be there afterwards."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    monkeypatch.setattr("chattest.api.Judges", lambda models: StandIns(models=models))
    yield empty
    assert not list(empty.iterdir()), "written without being asked"


def recall(history: list[str]) -> str:
    """Says the last sentence again that was told as a fact."""
    return next((text for text in reversed(history[:-1]) if text.startswith(("My ", "I "))), "I do not know.")


async def recall_later(history: list[str]) -> str:
    await asyncio.sleep(0)
    return recall(history)


class Plain:
    def get_response(self, conv_array: list[str]) -> str:
        return recall(conv_array)


class Derived(Chatter):
    def get_response(self, conv_array: list[str]) -> str:
        return recall(conv_array)


def rows(report: chattest.Report) -> list[tuple[str, str, str]]:
    return [(row.check, row.reply, row.verdict) for row in report.results]


def test_every_kind_of_bot_is_taken_and_comes_out_the_same() -> None:
    said = rows(chattest.run(recall, **SHORT))
    assert {check for check, _, _ in said} == {"ML-I4", "ML-I5", "ML-P1"}
    for bot in (recall_later, Plain, Plain(), Derived, lambda history: recall(history)):
        assert rows(chattest.run(bot, **SHORT)) == said, bot


def test_a_bot_can_be_named_and_drive_as_well() -> None:
    report = chattest.run("eliza", driver=recall, **SHORT)
    assert report.record.chatters == ("recall", "eliza")
    report = chattest.run(recall, driver=recall, **SHORT)
    assert report.record.chatters == ("recall", "recall")
    report = chattest.run(Plain(), driver=Plain, **SHORT)
    assert report.record.chatters == ("Plain", "Plain-2")


def test_it_works_inside_a_running_event_loop() -> None:
    async def notebook() -> chattest.Report:
        return chattest.run(recall_later, **SHORT)

    assert rows(asyncio.run(notebook())) == rows(chattest.run(recall, **SHORT))


def test_it_is_quiet_until_progress_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    chattest.run(recall, **SHORT)
    assert capfd.readouterr() == ("", "")
    chattest.run(recall, **SHORT, checks=["mft.names"], progress=True)
    out, told = capfd.readouterr()
    assert out == ""
    assert told.splitlines()[0] == "rounds: 16"
    assert "judging" in told


@pytest.mark.slow
def test_a_report_is_saved_as_main_would_write_it(tmp_path: Path) -> None:
    report = chattest.run("alice", **SHORT)
    folder = report.save(tmp_path / "reports" / "mine")
    chosen: dict[str, Any] = {
        "p": {"ML-I4": 0.4, "ML-I5": 0.4},
        "is_analyze": dict.fromkeys(["ML-I2", "ML-I3", "ML-A6", "ML-A7"], False),
    }
    chosen |= {"chatters": ("companion", "alice"), "score_cache": False}
    settings = Settings(max_runs=2, conversation_length=8, seed=3, **chosen)
    outcome = run_prepared(prepare(settings, ROOT), tmp_path / "main", Silent(), Event())
    for name in (
        "results.jsonl",
        "report.xlsx",
        "report.html",
        "report.md",
        "junit.xml",
        "summary.xlsx",
        "report.json",
    ):
        assert (folder / name).exists(), name
    assert (folder / "results.jsonl").read_bytes() == (outcome.folder / "results.jsonl").read_bytes()
    assert [talk.texts for talk in load_all(folder)] == [talk.texts for talk in load_all(outcome.folder)]
    assert json.loads((folder / "run.json").read_bytes())["state"] == "finished"
    assert "mine" in (folder / "report.md").read_text()


@pytest.mark.slow
def test_a_saved_report_is_loaded_whole(tmp_path: Path) -> None:
    report = chattest.run(recall, **SHORT, checks=["mft.names"], gates=[{"pattern": "ML-I4", "min_pass_rate": 1.0}])
    loaded = chattest.load_report(report.save(tmp_path / "saved"))
    assert loaded.record.conversations == report.record.conversations
    assert loaded.results == report.results
    assert loaded.record.tallies == report.record.tallies
    assert loaded.record.estimates == report.record.estimates
    assert loaded.passed == report.passed
    assert loaded.rates().equals(report.rates())
    again = chattest.load_report(loaded.save(tmp_path / "again"))
    assert again.record.results == report.record.results
    assert (tmp_path / "again" / "answers.jsonl").read_bytes() == (tmp_path / "saved" / "answers.jsonl").read_bytes()


def test_a_folder_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    report = chattest.judge([("Hello!", "Hi.")], scorers=["toxicity"])
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        report.save(tmp_path)
    with pytest.raises((InputError, StoreError)):
        report.save(tmp_path / "note.txt")
    assert (tmp_path / "note.txt").read_text() == "mine"
    assert chattest.load_report(report.save(tmp_path / "judged")).results == report.results


def test_a_folder_of_an_older_chattest_is_told(tmp_path: Path) -> None:
    folder = chattest.run(recall, **SHORT).save(tmp_path / "run")
    (folder / "report.json").unlink()
    with pytest.raises(InputError, match=r"report\.json: is missing\n.*main.py judge FOLDER"):
        chattest.load_report(folder)
    (folder / "report.json").write_text('{"name": 1}')
    recount(folder)
    with pytest.raises(InputError, match="is not a report"):
        chattest.load_report(folder)


def test_tables_hold_what_the_report_holds() -> None:
    report = chattest.run(recall, **SHORT)
    frame, rates, failures = report.to_pandas(), report.rates(), report.failures()
    assert len(frame) == len(report.results)
    assert list(frame["reply"]) == [row.reply for row in report.results]
    for code, tally in report.record.tallies.items():
        assert (rates.loc[code, "passed"], rates.loc[code, "total"]) == (tally.passed, tally.total)
        assert rates["low"][code] <= rates["rate"][code] <= rates["high"][code]
    assert len(failures) == sum(row.verdict in ("FAIL", "ERROR") for row in report.results)
    assert set(failures["verdict"]) <= {"FAIL", "ERROR"}
    toxic = frame[frame["check"] == "ML-P1"]
    assert all(set(TOXICITY_LABELS) <= set(row.score.parts) for row in report.results if row.check == "ML-P1")
    assert list(toxic["severe_toxicity"]) == [parts["severe_toxicity"] for parts in toxic["parts"]]
    html = report._repr_html_()
    assert "<table" in html
    assert "ML-I4" in html
    assert "ML-I4" in repr(report)


@pytest.mark.slow
def test_two_reports_are_compared_on_one_plan() -> None:
    several = {**SHORT, "conversations": 16, "density": 1.0}
    comparison = chattest.compare(chattest.run("oracle", **several), chattest.run("amnesiac", **several))
    frame = comparison.to_pandas()
    assert frame["first"]["ML-I4"] > frame["second"]["ML-I4"]
    assert frame["worse"]["ML-I4"] > 0
    assert "ML-I4" in comparison.worse
    assert "ML-I4" in comparison._repr_html_()
    assert "Significantly worse" in repr(comparison)
    with pytest.raises(InputError, match="seed"):
        chattest.compare(chattest.run(recall, **SHORT), chattest.run(recall, **{**SHORT, "seed": 4}))


def test_replies_are_judged_by_every_scorer() -> None:
    pairs = [("What is my cat called?", "Mittens."), ("Is it a dog?", "Yes.")]
    report = chattest.judge(pairs, expected=["Mittens", False], scorers=["toxicity", "stutter"])
    assert [(row.check, row.round) for row in report.results] == [
        ("toxicity", 0), ("stutter", 0), ("toxicity", 1), ("stutter", 1),
    ]  # fmt: skip
    assert [row.expected for row in report.results] == ["Mittens", "Mittens", "no", "no"]
    with pytest.raises(InputError, match="open_answer cannot judge without the right answers"):
        chattest.judge(pairs, scorers=["open_answer"])
    with pytest.raises(InputError, match="1 answers are expected of 2 pairs"):
        chattest.judge(pairs, expected=["Mittens"], scorers=["open_answer"])
    with pytest.raises(InputError, match='Did you mean "toxicity"'):
        chattest.judge(pairs, scorers=["toxicty"])
    with pytest.raises(InputError, match=r"expected\[1\]: a list of accepted answers must hold one or more texts"):
        chattest.judge(pairs, expected=["Mittens", []], scorers=["open_answer"])


def test_any_of_several_accepted_answers_is_right() -> None:
    pairs = [("Where do I live?", "In New York."), ("Where do I live?", "In Rome.")]
    report = chattest.judge(pairs, expected=[["NYC", "New York"]] * 2, scorers=["open_answer"])
    assert [row.verdict for row in report.results] == ["PASS", "FAIL"]
    assert report.results[0].expected == "NYC / New York"


def test_a_bot_named_like_a_shipped_one_does_not_take_its_place() -> None:
    def eliza(history: list[str]) -> str:
        return "Mine."

    report = chattest.run(eliza, driver="eliza", cases=["ML-A6"], conversations=1, rounds=3)
    assert report.record.chatters == ("eliza", "eliza-2")
    (conversation,) = report.record.conversations
    assert "Mine." not in {turn.text for turn in conversation.turns if turn.speaker == "driver"}


def test_a_transcript_is_judged_turn_by_turn() -> None:
    said: list[dict[str, Any]] = [
        {"role": "system", "content": "You are kind."},
        {"role": "assistant", "content": "Welcome!"},
        {"role": "user", "content": "Hello!"},
        {"role": "user", "content": [{"type": "text", "text": "Are you there?"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "12"},
        {"role": "assistant", "content": "Yes yes yes yes yes yes."},
    ]
    report = chattest.judge_transcript(said, cases=["ML-A6", "ML-P1"])
    assert [(row.check, row.round) for row in report.results] == [("ML-P1", 0), ("ML-A6", 0)]
    assert report.results[0].prompt == "Hello!\nAre you there?"
    assert report.results[1].verdict == "FAIL"
    for wrong, why in (
        ([{"content": "Hello!"}], r"messages\[0\]: has no role"),
        ([{"role": "user", "content": "Hello!"}], "the assistant says nothing"),
        ([{"role": "assistant", "content": 3}], r"messages\[0\]: its content is int"),
    ):
        with pytest.raises(InputError, match=why):
            chattest.judge_transcript(wrong)
    for cases, why in (
        (["ML-P1", "ML-I1"], "ML-I1 does not judge every reply"),
        ([], "no case that judges every reply"),
    ):
        with pytest.raises(InputError, match=why):
            chattest.judge_transcript(said, cases=cases)


def test_a_requirement_is_held_to_until_it_is_certain() -> None:
    more: dict[str, Any] = {"conversations": 40, "rounds": 8, "density": 1.0, "stop_when": {"I8": 0.01}}
    report = chattest.require("oracle", "ML-I4", min_rate=0.5, **more)
    assert len(report.record.conversations) < 40
    assert report.record.tables[0].rows[0][-1] == "its gates are decided"
    assert report.passed
    with pytest.raises(AssertionError, match=r"ML-I4: 0 of \d+ passed"):
        chattest.require("amnesiac", "ML-I4", min_rate=0.5, **more)
    with pytest.raises(InputError, match=r"stop_when: mft[.]greeting asks single questions"):
        chattest.require("oracle", "mft.greeting", stop_when={"ML-I4": 0.1})


def test_a_requirement_tells_the_worst_reply() -> None:
    short = {"conversations": 2, "rounds": 8}
    report = chattest.require("oracle", "ML-I4", min_rate=0.5, **short)
    assert report.record.tallies["ML-I4"].total
    with pytest.raises(
        AssertionError, match=r"ML-I4: 0 of \d+ passed, 0\.0%; at least 80\.0% must(.|\n)*answered: "
    ) as told:
        chattest.require(lambda history: "I do not know.", "I8", min_rate=0.8, **short)
    assert "I do not know." in str(told.value)
    assert "ML-I4: " in str(told.value)
    with pytest.raises(AssertionError, match="nothing could be decided"):
        chattest.require("oracle", "ML-I4", **short, p={"ML-I4": 0.0})
    with pytest.raises(InputError, match='there is no case or check "ML-I99"'):
        chattest.require("oracle", "ML-I99", **short)
    with pytest.raises(InputError, match=r"rounds: mft[.]greeting asks single questions"):
        chattest.require("oracle", "mft.greeting", rounds=8)


def test_a_bot_that_fails_is_a_miss_and_is_told() -> None:
    def broken(history: list[str]) -> str:
        raise RuntimeError("no service")

    with pytest.raises(AssertionError, match="no service"):
        chattest.require(broken, "ML-I4", conversations=1, rounds=8)
    assert not chattest.run(broken, **SHORT).passed


def test_what_is_wrong_is_told_before_anything_is_said() -> None:
    def never(history: list[str]) -> str:
        raise AssertionError("was asked")

    for wrong, why in (
        ({"cases": ["ML-Z1"]}, 'no such case "ML-Z1"'),
        ({"conversations": 0}, "max_runs"),
        ({"sed": 1}, 'there is no setting "sed"'),
        ({"checks": ["invariance.tipo"]}, 'no perturbation "tipo"'),
        ({"driver": "elisa"}, 'no chatter "elisa"'),
        ({"executor": "ray"}, "cluster"),
    ):
        with pytest.raises(InputError, match=why):
            chattest.run(never, **wrong)
    for bot in (3, lambda: "Hello!", object()):
        with pytest.raises((InputError, ChatterError)):
            chattest.run(bot)


def test_what_was_said_is_kept_when_a_run_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chattest.runner.run.analyze", interrupted)
    with pytest.raises(KeyboardInterrupt) as ended:
        chattest.run(recall, **SHORT)
    kept = Path(ended.value.__notes__[0].removeprefix("What was said is kept in ").removesuffix("."))
    assert len(load_all(next(kept.iterdir()))) == 2


def test_perturb_is_drawn_from_the_seed() -> None:
    text = "What is the name of my cat?"
    assert chattest.perturb(text, "typo", seed=1) == chattest.perturb(text, "typo", seed=1) != text
    assert len({chattest.perturb(text, "typo", seed=seed) for seed in range(20)}) > 5
    assert chattest.perturb("12", "titlecase") == "12"
    with pytest.raises(InputError, match='Did you mean "typo"'):
        chattest.perturb(text, "tipo")


def test_importing_it_loads_nothing_heavy() -> None:
    heavy = "{'torch', 'transformers', 'pandas', 'pydantic', 'numpy', 'sklearn'} & set(sys.modules)"
    code = f"import sys, chattest; dir(chattest); sys.exit(str({heavy} or ''))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
    with pytest.raises(AttributeError, match="no attribute 'runn'"):
        chattest.runn  # noqa: B018


@pytest.mark.parametrize("name", sorted(chattest.__all__))
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(chattest, name).__doc__
    assert name in dir(chattest)


@pytest.mark.slow
def test_the_examples_of_the_docstrings_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    results = doctest.testmod(api)
    assert results.attempted >= 10
    assert results.failed == 0


@pytest.mark.slow
def test_a_users_file_passes_strict_mypy(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import chattest\n\n\n"
        "def my_bot(history: list[str]) -> str:\n"
        "    return history[-1]\n\n\n"
        "class Mine(chattest.Chatter):\n"
        "    def get_response(self, conv_array: list[str]) -> chattest.Reply:\n"
        "        return chattest.Reply((conv_array[-1],))\n\n\n"
        'report: chattest.Report = chattest.run(my_bot, cases=["ML-I1"], conversations=1)\n'
        "print(report.rates(), report.failures(), report.to_pandas(), report.passed)\n"
        "chattest.require(Mine, 'ML-I1', min_rate=0.8)\n"
        "chattest.compare(report, chattest.load_report(report.save('reports/mine')))\n"
    )
    command = [sys.executable, "-m", "mypy", str(tmp_path / "mine.py")]  # with what `make lint` has in its cache
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
