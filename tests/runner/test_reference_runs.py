"""Twins and controls in whole runs: what they tell of the bot, and that they leave its rates alone."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chatters.controls import oracle
from chattest.cli.terminal import Terminal
from chattest.comparison.runs import compare
from chattest.errors import InputError
from chattest.records.conversation import Conversation, ReferenceRun, Speaker, Turn
from chattest.records.plan import Purpose
from chattest.records.report import ExtraTable
from chattest.records.result import Result, Verdict
from chattest.reports.base import DEFAULT_REPORTS
from chattest.runner.plan_lines import describe_plan
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome, run
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all, load_reference_runs
from chattest.storage.finished_run import read_run
from chattest.tally import controls
from chattest.tally.paired import LUCKY, NOT_KNOWN, NOT_UNDERSTOOD, make_table
from tests.support.project import make_project
from tests.support.small_runs import Killed, Silent, files, unhurried
from tests.support.stand_ins import ROOT, StandIns

TYPED = {"ML-U3": 0.2, "ML-U6": 0.2, "ML-I4": 0.2}
"""Two cases whose questions are altered and one whose are not."""
SMALL: dict[str, Any] = {
    "check_floor": False,  # the bots here are to be no better than an echo, and the table is another test's
    "density": 1.0,
    "max_runs": 3,
    "conversation_length": 20,
    "chatters": ("asker", "literal"),
    "p": TYPED,
    "reports": ["jsonl", "markdown"],
}

# Knows every answer. `right(step)` is the text it takes for a question.
LITERAL = '''
from chattest import Chatter


class Literal(Chatter):
    """Answers rightly what it understands to the letter."""

    def start(self, conversation_id, seed, plan):
        self.id = conversation_id
        self.right = {self.understood(step): probe.target.answer for probe, step in plan.steps()}

    def understood(self, step):
        return step.original

    def get_response(self, conv_array):
        answer = self.right.get(conv_array[-1])
        if isinstance(answer, bool):
            return "Yes." if answer else "No."
        return f"{answer}." if answer else f"What? says {self.id}."
'''
CONTRARY = LITERAL.replace("Literal", "Contrary").replace(
    "return step.original", "return step.text if step.text != step.original else None"
)


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges that read what the bots here and the oracle say."""
    readings = dict.fromkeys(("Yes.", *oracle.YES), (1.0, 0.0, 0.0)) | dict.fromkeys(
        ("No.", *oracle.NO), (0.0, 1.0, 0.0)
    )
    judges = StandIns(readings=readings)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: judges)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "project", literal=LITERAL, contrary=CONTRARY)
    shutil.copy(ROOT / "chatters" / "user.py", made / "chatters" / "user.py")
    return made


def go(project: Path, reports: Path, watcher: Silent | None = None, stop: Event | None = None, **more: Any) -> Outcome:
    settings = Settings.model_validate({**SMALL, **more})
    return run(prepare(settings, project), reports, watcher or Silent(), stop or Event())


def told(outcome: Outcome) -> tuple[list[Result], ExtraTable]:
    """The rows of altered questions, and the table of pairs."""
    assert outcome.report is not None
    (made,) = outcome.report.tables
    rows = [row for row in outcome.report.results if row.perturbation and row.dose and row.reply]
    assert len(rows) > 10
    return rows, made


def of(made: ExtraTable, case: str) -> dict[str, Any]:
    """A case's row, by column."""
    (found,) = [row for row in made.rows if row[0] == case]
    return {column.title: cell for column, cell in zip(made.columns, found, strict=True)}


def test_a_bot_that_knows_but_takes_words_to_the_letter_did_not_understand(project: Path, tmp_path: Path) -> None:
    rows, made = told(go(project, tmp_path, paired=True))
    assert {(row.verdict, row.label) for row in rows} == {(Verdict.FAIL, NOT_UNDERSTOOD)}
    assert all(row.reason.endswith("asked unaltered it passes: did not understand") for row in rows)
    whole = of(made, "all")
    assert (whole["Pairs"], whole["Did not understand"]) == (len(rows), len(rows))
    assert (whole["Clean"], whole["Altered"], whole["Did not know"], whole["Lucky"]) == (1.0, 0.0, 0, 0)
    assert [row[0] for row in made.rows] == ["ML-U3", "ML-U6", "all"]
    assert sum(of(made, case)["Pairs"] for case in ("ML-U3", "ML-U6")) == len(rows)
    assert float(whole["p by conversation"]) == pytest.approx(2 / 2**3)  # three conversations, all changed alike


def test_an_amnesiac_did_not_know(project: Path, tmp_path: Path) -> None:
    rows, made = told(go(project, tmp_path, paired=True, chatters=("asker", "amnesiac")))
    assert {(row.verdict, row.label) for row in rows} == {(Verdict.FAIL, NOT_KNOWN)}
    whole = of(made, "all")
    assert (whole["Clean"], whole["Altered"], whole["Did not know"]) == (0.0, 0.0, len(rows))
    assert (whole["p McNemar"], whole["p by conversation"]) == ("1.0000", "1.0000")


def test_a_bot_that_understands_all_has_nothing_to_tell_apart(project: Path, tmp_path: Path) -> None:
    source = LITERAL.replace("Literal", "Whole").replace("return step.original", "return step.text")
    (project / "chatters" / "whole.py").write_text(source)
    rows, made = told(go(project, tmp_path, paired=True, chatters=("asker", "whole")))
    assert {(row.verdict, row.label) for row in rows} == {(Verdict.PASS, "")}
    whole = of(made, "all")
    assert (whole["Clean"], whole["Altered"], whole["Did not know"], whole["Lucky"]) == (1.0, 1.0, 0, 0)


def test_a_bot_that_is_right_only_by_mistake_is_lucky(project: Path, tmp_path: Path) -> None:
    rows, made = told(go(project, tmp_path, paired=True, chatters=("asker", "contrary")))
    assert {(row.verdict, row.label) for row in rows} == {(Verdict.PASS, LUCKY)}
    assert of(made, "all")["Lucky"] == len(rows)


def test_a_twin_is_asked_the_same_unaltered_in_a_conversation_of_its_own(project: Path, tmp_path: Path) -> None:
    folder = go(project, tmp_path, paired=True, init_conv_randomly=True).folder
    mains, counterparts = load_all(folder), load_reference_runs(folder, ReferenceRun)["clean"]
    assert [(one.run, one.name) for one in counterparts] == [(run, f"run-00{run}-clean") for run in (1, 2, 3)]
    altered = 0
    for main, counterpart in zip(mains, counterparts, strict=True):
        assert (main.seed, main.chatters, main.variant) == (counterpart.seed, counterpart.chatters, "")
        assert main.turns[:3] == replace_seconds(
            counterpart.turns[:3], main.turns[:3]
        )  # opening and the driver's first words
        texts = {(turn.round, turn.speaker): turn.text for turn in counterpart.turns}
        for (probe, step), (other, clean) in zip(main.plan.steps(), counterpart.plan.steps(), strict=True):
            assert (probe.case, probe.testset, step.round) == (other.case, other.testset, clean.round)
            assert texts[clean.round, Speaker.DRIVER] == clean.text == step.original
            altered += step.text != clean.text
        heard = [turn.text for turn in counterpart.turns if turn.text.startswith("What? says")]
        assert heard
        assert set(heard) == {f"What? says {counterpart.name}."}
    assert altered > 10


def replace_seconds(turns: tuple[Turn, ...], others: tuple[Turn, ...]) -> tuple[Turn, ...]:
    return tuple(replace(turn, seconds=other.seconds) for turn, other in zip(turns, others, strict=True))


@pytest.mark.slow
def test_the_bots_own_rates_are_those_of_a_run_without_companions(project: Path, tmp_path: Path) -> None:
    alone = go(project, tmp_path / "alone").report
    beside = go(project, tmp_path / "beside", paired=True, controls=True).report
    assert alone is not None
    assert beside is not None
    assert (beside.tallies, beside.run_tallies, beside.curves) == (alone.tallies, alone.run_tallies, alone.curves)
    assert (beside.estimates, beside.recall) == (alone.estimates, alone.recall)
    assert [(row.check, row.conversation, row.round, row.verdict, row.reply) for row in beside.results] == [
        (row.check, row.conversation, row.round, row.verdict, row.reply) for row in alone.results
    ]
    assert (alone.tables, len(beside.tables)) == ((), 2)
    compared = compare(read_run(tmp_path / "alone" / "first-run"), read_run(tmp_path / "beside" / "first-run"))
    assert {check.change for check in compared.checks} == {0.0}


def test_a_run_in_which_nothing_is_altered_has_no_twin(project: Path, tmp_path: Path) -> None:
    watcher = Silent()
    outcome = go(project, tmp_path, watcher, paired=True, p={"ML-I4": 0.3})
    assert not (outcome.folder / "conversations" / "clean").exists()
    assert len(watcher.turns) == 3 * 2 * 20
    assert outcome.report is not None
    assert outcome.report.tables == ()


def test_controls_are_the_ends_of_the_scale(project: Path, tmp_path: Path) -> None:
    outcome = go(project, tmp_path, controls=True)
    assert outcome.report is not None
    (made,) = outcome.report.tables
    assert [row[0] for row in made.rows] == ["ML-U3", "ML-U6", "ML-I4", "all"]
    for case in ("ML-U3", "ML-U6"):
        found = of(made, case)
        assert found["Questions"] == outcome.report.tallies[case].total
        assert (found["Oracle"], found["Bot: literal"], found["Amnesiac"]) == (1.0, 0.0, 0.0)
        assert found["On the scale"] == 0.0
    assert of(made, "ML-I4")["On the scale"] == of(made, "ML-I4")["Bot: literal"] == 1.0
    held = load_reference_runs(outcome.folder, ReferenceRun)
    assert {name: {one.chatters for one in talks} for name, talks in held.items()} == {
        "oracle": {("asker", "oracle")},
        "amnesiac": {("asker", "amnesiac")},
    }
    plans = [one.plan for one in load_all(outcome.folder)]
    assert all([one.plan for one in talks] == plans for talks in held.values())


def test_a_blabber_is_held_where_answers_were_never_told(project: Path, tmp_path: Path) -> None:
    for name in ("controls/blabber.py", "controls/data/inventions.toml"):
        (project / "chatters" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "chatters" / name, project / "chatters" / name)
    outcome = go(project, tmp_path, controls=True, p={"ML-M2": 0.3, "ML-I4": 0.2})
    assert outcome.report is not None
    found = of(outcome.report.tables[0], "ML-M2")
    assert (found["Oracle"], found["Amnesiac"], found["Blabber"]) == (1.0, 1.0, 0.0)
    assert set(load_reference_runs(outcome.folder, ReferenceRun)) == {"oracle", "amnesiac", "blabber"}
    wrong = outcome.report.tables[1]
    assert (wrong.name, [row[0] for row in wrong.rows]) == ("Wrong answers", ["ML-M2"])
    assert of(wrong, "ML-M2")["Wrong"] == found["Questions"], "the bot never says that it does not know"


def test_an_oracle_below_100_percent_shows_what_the_judges_miss(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())  # take every yes and no for neither
    outcome = go(project, tmp_path, controls=True, max_runs=6)
    assert outcome.report is not None
    found = of(outcome.report.tables[0], "all")
    assert 0 < found["Oracle"] < 1
    assert found["Amnesiac"] == 0
    assert found["On the scale"] == pytest.approx(min(1, found["Bot: literal"] / found["Oracle"]))


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 119, 120, 121, 200, 241, 480])
def test_an_interrupted_run_goes_on_with_its_companions(project: Path, tmp_path: Path, turns: int) -> None:
    """Three conversations of 40 turns; then their twins, oracle's and amnesiac's."""
    whole = go(project, tmp_path / "whole", paired=True, controls=True).folder

    class Killing(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            super().spoken(conversation, turn)
            if len(self.turns) == turns:
                raise Killed

    with pytest.raises(Killed):
        go(project, tmp_path / "broken", Killing(), paired=True, controls=True)
    rest = Silent()
    folder = go(project, tmp_path / "broken", rest, paired=True, controls=True).folder
    assert len(rest.turns) == 4 * 120 - turns
    assert everything(folder) == everything(whole)
    assert (folder / "results.jsonl").read_bytes() == (whole / "results.jsonl").read_bytes()
    assert (folder / "report.md").read_bytes() == (whole / "report.md").read_bytes()


def everything(folder: Path) -> dict[str, list[Conversation]]:
    held = load_reference_runs(folder, ReferenceRun) | {"": load_all(folder)}
    return {variant: unhurried(talks) for variant, talks in held.items()}


BATCHES = """
from chattest import Chatter


class Batches(Chatter):
    @classmethod
    def get_responses(cls, shared, conv_arrays):
        return [f"{len(said)}: {max(said, key=len)}" for said in conv_arrays]

    def get_response(self, conv_array):
        return self.get_responses(None, [conv_array])[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["literal", "batches"])
def test_the_same_seed_gives_the_same_with_any_number_of_workers(project: Path, tmp_path: Path, bot: str) -> None:
    (project / "chatters" / "batches.py").write_text(BATCHES)
    one = go(project, tmp_path / "1", paired=True, controls=True, chatters=("asker", bot)).folder
    four = go(project, tmp_path / "4", paired=True, controls=True, chatters=("asker", bot), workers=4).folder
    assert everything(one) == everything(four)
    assert (one / "report.md").read_bytes() == (four / "report.md").read_bytes()


@pytest.mark.slow
def test_judging_again_tells_the_same(project: Path, tmp_path: Path) -> None:
    live = go(project, tmp_path / "live", paired=True, controls=True, seed=7)
    for name, source in (("run", live.folder), ("talks", live.folder / "conversations")):
        again = go(
            project,
            tmp_path / name,
            is_load_conversation=True,
            load_conv_folder=str(source),
            chatters=("x", "y"),
            seed=1,
        )
        assert live.report is not None
        assert again.report is not None
        assert again.report.tables == live.report.tables
        assert (again.folder / "results.jsonl").read_bytes() == (live.folder / "results.jsonl").read_bytes()
    alone = go(
        project,
        tmp_path / "one",
        is_load_conversation=True,
        load_conv_folder=str(live.folder / "conversations" / "oracle"),
    )
    assert alone.report is not None
    assert alone.report.chatters == ("asker", "oracle")
    assert {row.conversation for row in alone.report.results} == {f"run-00{run}-oracle" for run in (1, 2, 3)}


@pytest.mark.slow
def test_nothing_is_kept_where_nothing_is_to_be_saved(project: Path, tmp_path: Path) -> None:
    outcome = go(project, tmp_path / "r", paired=True, controls=True, is_save_conversation=False)
    assert not (outcome.folder / "conversations").exists()
    assert outcome.report is not None
    assert len(outcome.report.tables) == 2
    mine = tmp_path / "kept"
    outcome = go(project, tmp_path / "r", paired=True, controls=True, save_conv_folder=str(mine))
    assert len([name for name in files(mine) if name.startswith(f"{outcome.folder.name}/clean/")]) == 3


def test_a_stop_leaves_out_what_was_not_asked(project: Path, tmp_path: Path) -> None:
    stop = Event()

    class Stopping(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            super().spoken(conversation, turn)
            if len(self.turns) == 120 + 30:
                stop.set()

    outcome = go(project, tmp_path, Stopping(), stop, paired=True, controls=True)
    assert outcome.report is not None
    (made,) = outcome.report.tables
    asked = [row for row in outcome.report.results if row.run == 1 and row.perturbation and row.dose]
    whole = of(made, "all")
    assert 0 < whole["Pairs"] < len(asked)
    assert whole["Pairs"] + whole["Left out"] == len(asked)
    assert {row.conversation for row in outcome.report.results if row.label} == {"run-001"}


@pytest.mark.slow
def test_every_writer_shows_both_tables(project: Path, tmp_path: Path) -> None:
    from openpyxl import load_workbook

    wanted = {"paired": True, "controls": True, "reports": DEFAULT_REPORTS}
    outcome = run(prepare(Settings.model_validate({**SMALL, **wanted}), project), tmp_path, Silent(), Event())
    assert {"Did not know or understand", "Controls"} < set(load_workbook(outcome.folder / "report.xlsx").sheetnames)
    for name in ("report.md", "report.html"):
        text = (outcome.folder / name).read_text("utf-8")
        assert "Did not know or understand" in text
        assert "On the scale" in text
    rows = [json.loads(line) for line in (outcome.folder / "results.jsonl").read_text("utf-8").splitlines()]
    assert NOT_UNDERSTOOD in {row["label"] for row in rows}


def test_the_plan_tells_what_is_held_beside(project: Path) -> None:
    def lines(**more: Any) -> list[str]:
        return describe_plan(prepare(Settings.model_validate({**SMALL, **more}), project))

    both = lines(paired=True, controls=True)
    assert both[both.index("Reference runs, in conversations:") + 1 :][:3] == [
        "  clean     3",
        "  oracle    3",
        "  amnesiac  3",
    ]
    assert "Reference runs, in conversations:" not in lines()


@pytest.mark.parametrize(
    ("asked_for", "words"),
    [
        ({}, "12 conversations of 20 rounds: asker talks to literal"),
        ({"paired": True}, "12 conversations of 20 rounds (including clean counterparts): asker talks to literal"),
        (
            {"paired": True, "controls": True},
            "12 conversations of 20 rounds (including clean counterparts and controls): ",
        ),
    ],
)
def test_the_terminal_tells_what_is_among_the_conversations(
    asked_for: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Terminal(Settings.model_validate({**SMALL, **asked_for})) as terminal:
        terminal.talking(12, 480)
    assert capsys.readouterr().out.startswith(words)


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"paired": True, "chatters": ("user", "literal")}, "paired"),
        ({"paired": True, "chatters": ("asker", "user")}, "paired"),
        ({"controls": True, "chatters": ("user", "literal")}, "controls"),
    ],
)
def test_a_person_is_not_made_to_say_everything_again(
    project: Path, tmp_path: Path, wrong: dict[str, Any], where: str
) -> None:
    with pytest.raises(InputError, match=rf'{where}: the chatter "user" is a person'):
        go(project, tmp_path / "r", **wrong)
    assert not (tmp_path / "r").exists()


def test_an_unfinished_run_is_not_gone_on_with_otherwise(project: Path, tmp_path: Path) -> None:
    class Killing(Silent):
        def spoken(self, conversation: Conversation, turn: Turn) -> None:
            raise Killed

    with pytest.raises(Killed):
        go(project, tmp_path, Killing(), paired=True)
    with pytest.raises(InputError, match="other settings: paired"):
        go(project, tmp_path)


def test_mcnemars_test_is_that_of_the_counts() -> None:
    """Nine pairs differ, eight of them one way: two-sided 2 (1 + 9) / 2^9. Errors and the unaltered are left out."""

    def row(run: int, verdict: Verdict, dose: float | None = 0.5) -> Result:
        name = "" if dose is None else "typo"
        return Result("ML-U3", run, f"run-{run:03d}", 3, verdict, perturbation=name, dose=dose, testset="cat-name")

    good, bad, error = Verdict.PASS, Verdict.FAIL, Verdict.ERROR
    altered = [*[bad] * 8, good, good, bad, error, good]
    clean = [*[good] * 8, bad, good, bad, good, Verdict.NOT_APPLICABLE]
    rows = [row(run, verdict) for run, verdict in enumerate(altered, 1)] + [row(20, bad, 0.0)]
    counterparts = [row(run, verdict, None) for run, verdict in enumerate(clean, 1)] + [row(20, good, None)]
    found = of(make_table(rows, counterparts), "ML-U3")
    assert (found["Pairs"], found["Left out"]) == (11, 2)
    assert (found["Clean"], found["Altered"]) == (9 / 11, 2 / 11)
    assert (found["Did not know"], found["Did not understand"], found["Lucky"]) == (1, 8, 1)
    assert found["p McNemar"] == f"{2 * (1 + 9) / 2**9:.4f}"


def test_a_fact_is_told_a_twin_in_the_same_words(project: Path, tmp_path: Path) -> None:
    prepared = prepare(Settings.model_validate({**SMALL, "paired": True, "n_aug": 2}), project)
    (counterparts,) = prepared.reference_runs
    for main, counterpart in zip(prepared.specs, counterparts.specs, strict=True):
        told = [[step for _, step in one.plan.steps() if step.purpose is Purpose.INFORM] for one in (main, counterpart)]
        assert told[0] == told[1]
        assert told[0]


def test_questions_that_were_never_decided_are_counted_as_left_out() -> None:
    def row(round: int, verdict: Verdict, check: str = "ML-U3") -> Result:
        return Result(check, 1, "run-001", round, verdict, testset="cat-name", perturbation="typo", dose=0.1)

    altered = [row(1, Verdict.ERROR), row(2, Verdict.PASS), row(3, Verdict.PASS, "ML-U4")]
    clean = [row(1, Verdict.PASS), row(2, Verdict.NOT_APPLICABLE), row(3, Verdict.FAIL, "ML-U4")]
    made = make_table(altered, clean)
    assert made.rows[0] == ("ML-U3", 0, *[None] * 7, 2)
    assert made.rows[1][:7] == ("ML-U4", 1, 0.0, 1.0, 0, 0, 1)
    assert [line[0] for line in made.rows] == ["ML-U3", "ML-U4", "all"]


def test_a_single_case_needs_no_line_for_all_and_no_scale_without_ends() -> None:
    def row(verdict: Verdict) -> Result:
        return Result("ML-U3", 1, "run-001", 1, verdict, testset="cat-name")

    bot, oracle, amnesiac = [row(Verdict.PASS)], [row(Verdict.FAIL)], [row(Verdict.FAIL)]
    made = controls.make_table("mine", bot, {"oracle": oracle, "amnesiac": amnesiac})
    assert made.rows == (("ML-U3", 1, 0.0, 1.0, 0.0, None),), "no place on a scale whose ends are the same"
