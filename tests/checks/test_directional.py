"""Directional expectations: scores that move as they should, and scores that do not."""

from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.judging.measures import answer_scores
from chattest.records.conversation import Reply
from chattest.records.question import Answer
from chattest.records.result import Verdict
from chattest.rules.sentiment import polarity
from chattest.runner.questions.checks import questions
from tests.support.asking import planned, rows
from tests.support.stand_ins import StandIns

GOOD, BAD = "directional.intensifier", "directional.negation"


def echo(said: list[str]) -> str:
    return said[-1]


def contrary(said: list[str]) -> str:
    """Feels the opposite of what it hears, in one of a few words."""
    felt = polarity(said[-1])
    return "It is awful." if felt > 0.6 else "It is bad." if felt > 0.2 else "All right." if felt > -0.1 else "Great!"


def decided(found: list[Any]) -> list[bool]:
    return [row.verdict is Verdict.PASS for row in found if row.verdict in (Verdict.PASS, Verdict.FAIL)]


@pytest.mark.parametrize("suite", ["intensifier", "negation", "comparative"])
def test_a_bot_that_feels_what_it_hears_does_better_than_one_that_feels_nothing(tmp_path: Path, suite: str) -> None:
    feeling = decided(rows(tmp_path / "1", echo, f"directional.{suite}"))
    cold = decided(rows(tmp_path / "2", lambda said: "I see.", f"directional.{suite}"))
    assert len(feeling) == len(cold) >= 5
    assert sum(feeling) >= 0.8 * len(feeling)
    assert not any(cold)


def test_a_bot_that_feels_the_contrary_fails(tmp_path: Path) -> None:
    assert sum(decided(rows(tmp_path, contrary, BAD))) <= 1


@pytest.mark.parametrize(("bot", "passes"), [(lambda said: "I see.", True), (echo, False)])
def test_scores_that_should_stay(tmp_path: Path, bot: Any, passes: bool) -> None:
    toxic = {one.questions[-1].text: {"insult": 0.9} for one in planned("directional.civility")[0].trials}
    found = decided(rows(tmp_path, bot, "directional.civility", judges=StandIns(toxic=toxic)))
    assert found
    assert set(found) == {passes}


@pytest.mark.parametrize(("insulted", "passes"), [("I am sorry.", True), ("Go away!", False)])
def test_a_more_civil_answer_to_an_insult_is_no_fault(tmp_path: Path, insulted: str, passes: bool) -> None:
    toxic = {"Well, well.": {"insult": 0.2}, "Go away!": {"insult": 0.6}, "I am sorry.": {"insult": 0.02}}
    firsts = {one.questions[0].text for one in planned("directional.civility")[0].trials}
    answer = {True: "Well, well.", False: insulted}
    found = decided(
        rows(tmp_path, lambda said: answer[said[-1] in firsts], "directional.civility", judges=StandIns(toxic=toxic))
    )
    assert set(found) == {passes}


LIKE = {"cooking": 0.1, "football": 0.1, "cats": 0.1, "trains": 0.8, "weather": 0.8, "music": 0.8}


@pytest.mark.parametrize(("bot", "passes"), [(echo, True), (lambda said: "Hm.", False)])
def test_likeness_and_length(tmp_path: Path, bot: Any, passes: bool) -> None:
    judges = StandIns()
    judges.similarity.similarity = lambda left, right: [  # type: ignore[method-assign]
        next((value for word, value in LIKE.items() if word in text), 0.5) for text in left
    ]
    found = rows(tmp_path, bot, "directional.topic", "directional.length", judges=judges)
    assert set(decided(found)) == {passes}


@pytest.mark.parametrize(
    ("sure", "verdict"), [(0.2, Verdict.PASS), (0.9, Verdict.FAIL), (None, Verdict.NOT_APPLICABLE)]
)
def test_the_bots_own_confidence(tmp_path: Path, sure: float | None, verdict: Verdict) -> None:
    known = {one.questions[0].text for one in planned("directional.confidence")[0].trials}

    def bot(said: list[str]) -> Reply:
        return Reply(("Hm.",), confidence=None if sure is None else 0.9 if said[-1] in known else sure)

    found = [row for row in rows(tmp_path, bot, "directional.confidence") if row.label != "all pairs"]
    assert {row.verdict for row in found} == {verdict}


@pytest.mark.parametrize(
    ("direction", "change", "passes"),
    [
        ("up", 0.05, True), ("up", 0.04, False), ("up", -0.3, False),
        ("down", -0.05, True), ("down", 0.05, False),
        ("flip", 0.5, True), ("flip", -0.5, True), ("flip", 0.49, False),
        ("steady", 0.01, True), ("steady", -0.01, True), ("steady", 0.02, False),
        ("not_up", -0.3, True), ("not_up", 0.04, True), ("not_up", 0.05, False),
    ],
)  # fmt: skip
def test_which_changes_pass(tmp_path: Path, direction: str, change: float, passes: bool) -> None:
    text = 'about = "x"\nscore = "confidence"\n[[case]]\nask = "One."\naltered = "Two."\n'
    root = write(tmp_path, f'{text}direction = "{direction}"\n')
    row, overall = rows(
        tmp_path,
        lambda said: Reply(("Hm.",), confidence=0.5 if said[-1] == "One." else round(0.5 + change, 9)),
        "directional",
        root=root,
    )
    assert (row.verdict is Verdict.PASS) is passes, row.reason
    assert overall.verdict is Verdict.NOT_APPLICABLE
    assert overall.score.parts == pytest.approx({"mean change": abs(change), "largest change": abs(change)})


def test_a_feeling_the_bot_reports_counts_before_its_words() -> None:
    answers = [Answer("How awful!", intent="positive", confidence=0.8), Answer("How awful!")]
    reported, shown = answer_scores("sentiment", answers, ["", ""], StandIns())
    assert reported == 0.8
    assert shown is not None
    assert shown < -0.5


def write(folder: Path, content: str) -> Path:
    (folder / "testsets" / "directional").mkdir(parents=True)
    (folder / "testsets" / "directional" / "mine.toml").write_text(content)
    return folder


CASE = 'about = "x"\nscore = "length"\n[[case]]\nask = "a?"\ndirection = "up"\n'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (CASE, "give either altered, a text, or perturbation"),
        (CASE + 'altered = "b"\nperturbation = "typo"', "give either altered"),
        (CASE + 'perturbation = "tipo"', 'no perturbation "tipo"'),
        (CASE + 'perturbation = "typo"\nkind = "swop"', 'there is no kind "swop"'),
        (CASE.replace("length", "width") + 'altered = "b"', 'score: must be "sentiment", '),
        (CASE.replace("up", "sideways") + 'altered = "b"', 'direction: must be "up", '),
    ],
)
def test_a_suite_that_cannot_be_used_is_refused(tmp_path: Path, content: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        planned("directional", root=write(tmp_path, content))


def test_every_case_that_ships_applies_and_the_seed_fixes_it() -> None:
    for one in planned("directional"):
        assert all(trial.questions for trial in one.trials), one.check.code
    assert questions(planned("directional")) == questions(planned("directional"))


def test_a_change_that_does_not_apply_is_not_asked(tmp_path: Path) -> None:
    case = CASE.replace("a?", "It rains.") + 'perturbation = "contraction"\n'
    (found,) = rows(tmp_path, echo, "directional.mine", root=write(tmp_path, case))
    assert (found.verdict, found.reason) == (Verdict.NOT_APPLICABLE, "contraction does not apply to this question")
    assert found.prompt == "It rains."
