"""Invariance: bots that do not mind and bots that do."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from chattest.checks._altered import BORDER, altered
from chattest.datasets.questions import LabelledQuestion, read_pairs, read_questions
from chattest.errors import InputError
from chattest.perturbations.base import Effect, perturbations, resolve
from chattest.records.conversation import Reply
from chattest.records.question import Question
from chattest.records.result import Verdict
from chattest.runner.questions.checks import questions
from tests.support.asking import planned, rows, tally
from tests.support.stand_ins import ROOT

SEEN = "invariance.letter_typo", "invariance.uppercase", "invariance.pairs"


def deaf(said: list[str]) -> str:
    return "I like trains."


def parrot(said: list[str]) -> str:
    return f"You said: {said[-1]}"


def strict(said: list[str]) -> str:
    """Understands nothing but what stands in the test sets, and answers anything else with another word each time."""
    known = {entry.question.text for entry in read_questions(ROOT / "testsets")}
    return "I see." if known & set(said[-1].splitlines()) else sha256(said[-1].encode()).hexdigest()


@pytest.mark.slow
def test_a_bot_that_always_says_the_same_passes_every_check(tmp_path: Path) -> None:
    found = tally(tmp_path, deaf, "invariance", check_questions=3)
    assert (found.passed, found.errors) == (found.total, 0)
    assert found.total > 250


@pytest.mark.slow
@pytest.mark.parametrize("check", ["letter_typo", "typo", "paraphrase", "leetspeak", "word_order"])
def test_a_bot_that_takes_every_word_literally_fails(tmp_path: Path, check: str) -> None:
    found = tally(tmp_path, strict, f"invariance.{check}", check_compare_by="direct", check_context="same")
    assert found.passed / found.total < 0.5
    assert found.total >= 20


def test_a_parrot_fails_where_capitals_count_and_passes_where_not(tmp_path: Path) -> None:
    assert tally(tmp_path, parrot, "invariance.uppercase", check_compare_by="direct").passed == 20
    assert tally(tmp_path, parrot, "invariance.leetspeak", check_compare_by="direct").passed == 0


def test_a_row_says_what_was_asked_altered_and_answered(tmp_path: Path) -> None:
    found = rows(tmp_path, parrot, "invariance.greeting", check_compare_by="direct", check_questions=12)
    assert [row.kind for row in found] == ["greeting", "farewell"] * 12
    # With a context: the greeting stands before it, and this bot repeats the question alone.
    at, row = next((at, row) for at, row in enumerate(found) if row.kind == "farewell" and "\n" in row.original)
    assert (row.check, row.conversation, row.run, row.round) == ("invariance.greeting", "invariance.greeting", 0, at)
    assert row.perturbation == "greeting"
    assert row.dose == 1.0
    assert (ROOT / "testsets" / "questions" / f"{row.testset}.toml").exists()
    assert row.reply != row.expected
    assert row.reply.startswith("You said: ")
    assert row.reason == "direct 0.00, threshold 1"
    context, question = row.original.split("\n")
    assert context in row.prompt
    assert question in row.prompt
    assert row.prompt != row.original
    assert (row.original_reply, row.criterion) == (row.expected, "answer")
    assert row.original_reply == f"You said: {question}"


@pytest.mark.parametrize(("bar", "passes"), [(1.0, True), (0.25, True), (0.15, False)])
def test_a_confidence_that_moves_too_far_fails(tmp_path: Path, bar: float, passes: bool) -> None:
    def sure(said: list[str]) -> Reply:
        line = said[-1].partition("\n")[0]
        return Reply(("Yes.",), confidence=0.7 if sum(map(str.isupper, line)) > len(line) / 3 else 0.9)

    found = rows(tmp_path, sure, "invariance.uppercase", check_confidence_change=bar)
    assert {row.verdict is Verdict.PASS for row in found} == {passes}
    assert {row.criterion for row in found} == {"" if passes else "confidence"}
    assert {row.label for row in found} == {"" if passes else "fails robustness (confidence)"}
    assert found[0].score.parts["confidence change"] == pytest.approx(0.2)


def test_a_bot_without_confidence_is_told_so_where_a_bar_was_asked_for(tmp_path: Path) -> None:
    row = rows(tmp_path, parrot, "invariance.uppercase", check_compare_by="direct", check_confidence_change=0.2)[0]
    assert row.verdict is Verdict.PASS
    assert row.reason.endswith("; the bot reports no confidence: not applicable")


def test_a_bot_that_fails_gives_errors_and_no_verdicts(tmp_path: Path) -> None:
    def failing(said: list[str]) -> Any:
        raise OSError("gone")

    found = tally(tmp_path, failing, "invariance.uppercase")
    assert (found.total, found.errors) == (0, 20)


@pytest.mark.parametrize("confidence", [95, -1, float("nan")])
def test_a_confidence_that_is_no_share_is_an_error_that_says_so(tmp_path: Path, confidence: float) -> None:
    found = rows(tmp_path, lambda said: Reply(("Yes.",), confidence=confidence), "invariance.uppercase")
    assert {(row.verdict, row.reply) for row in found} == {(Verdict.ERROR, "")}
    assert f"the confidence of its reply is {confidence:g}, not a number from 0 to 1" in found[0].reason
    assert all(row.original != row.prompt and row.original.upper() == row.prompt.upper() for row in found)


def test_a_confidence_that_rounding_put_past_one_counts_as_one(tmp_path: Path) -> None:
    found = rows(tmp_path, lambda said: Reply(("Yes.",), confidence=1 + 1e-7), "invariance.uppercase")
    assert {row.verdict for row in found} == {Verdict.PASS}
    assert {row.score.parts["confidence change"] for row in found} == {0.0}


def test_questions_that_cannot_be_altered_are_counted_as_not_applicable(tmp_path: Path) -> None:
    found = rows(tmp_path, deaf, "invariance.countries", check_questions=100)
    left = [row for row in found if row.verdict is Verdict.NOT_APPLICABLE]
    assert left
    assert {row.reason for row in left} == {"the perturbation does not apply to this question"}
    assert all(row.prompt and row.testset for row in left)


def test_smart_tags_name_the_families_an_utterance_fails(tmp_path: Path) -> None:
    checks = "invariance.leetspeak", "invariance.uppercase", "invariance.letter_typo"
    found = rows(tmp_path, parrot, *checks, check_compare_by="direct", check_questions=1000)
    assert {row.label for row in found} == {"fails azimuth (answer), noise (answer)"}
    assert {row.label for row in rows(tmp_path / "..", deaf, "invariance.uppercase")} == {""}


def test_a_row_says_which_split_its_question_belongs_to(tmp_path: Path) -> None:
    folder = tmp_path / "testsets" / "questions"
    folder.mkdir(parents=True)
    question = '[[question]]\ntext = "Is it {0}?"\nanswer = true\nsplit = "{0}"\n'
    (folder / "mine.toml").write_text('about = "x"\n' + question.format("train") + question.format("test"))
    checks = "invariance.uppercase", "accuracy.exact_match"
    found = rows(tmp_path / "run", deaf, *checks, root=tmp_path)
    assert len(found) == 4
    assert all(row.prompt.lower() == f"is it {row.split}?" for row in found)


@pytest.mark.slow
def test_the_same_seed_asks_the_same_questions() -> None:
    def asked(seed: int) -> list[Question]:
        return questions(planned("invariance", seed=seed, check_questions=2))

    assert asked(1) == asked(1)
    assert asked(1) != asked(2)


@pytest.mark.slow
def test_there_is_a_check_for_every_perturbation_that_keeps_the_meaning() -> None:
    codes = {one.check.code for one in planned("invariance", check_questions=1)}
    kept = {f"invariance.{one.name}" for one in perturbations if one.effect is Effect.KEEPS and not one.unavailable()}
    assert codes - kept == {"invariance.pairs.names"}
    assert kept <= codes


@pytest.mark.parametrize("check", ["invariance.letter_typo(number=3)", "invariance.contraction+uppercase"])
def test_options_and_compositions_can_be_picked(check: str) -> None:
    (one,) = planned(check, check_questions=60)
    assert any(trial.questions for trial in one.trials)
    assert one.check.code == check
    assert {f"invariance.{trial.row.perturbation}" for trial in one.trials} == {check}


def test_two_options_of_one_perturbation_are_two_checks_and_a_default_is_not_told() -> None:
    names = [f"invariance.letter_typo{options}" for options in ("", "(number=1)", "(number=2)", "(number=3)")]
    found = planned(*names, check_questions=2)
    assert [one.check.code for one in found] == [names[0], *names[2:]]
    assert [trial.row.dose for one in found for trial in one.trials[:1]] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("check", "why"),
    [
        ("invariances", r'no family of checks "invariances"\n    Did you mean "invariance"'),
        ("invariance.tipo", r'no perturbation "tipo"\n    Did you mean "typo"'),
        ("invariance.pairs.name", r'no invariance check "pairs.name"\n    Did you mean "pairs.names"'),
    ],
)
def test_a_check_that_is_not_there_is_refused(check: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        planned(check)


@pytest.mark.parametrize("name", ["negation", "adjective_antonym", "intensifier", "tense", "typo+negation"])
def test_an_alteration_that_changes_the_meaning_is_refused_with_what_to_use_instead(name: str) -> None:
    with pytest.raises(InputError, match=r"the answers (should|may) differ\n.*directional") as refused:
        planned(f"invariance.{name}")
    assert f'perturbation = "{name}"' in str(refused.value)


ENTRY = LabelledQuestion(
    "t", Question("Does Anna like Oslo?", "Anna flew to Oslo. It was sunny."), "sunny", keep=("Oslo",)
)


@pytest.mark.parametrize("name", ["leetspeak", "uppercase", "letter_typo"])
def test_robustness_alters_context_and_question_but_not_the_answer(name: str) -> None:
    from random import Random

    for question, _ in altered(ENTRY, resolve(name), Random(1)):
        assert question.context != ENTRY.question.context
        assert question.text != ENTRY.question.text
        assert "sunny" in question.context
        assert "Oslo" in question.context
        assert "Oslo" in question.text


def test_grammar_alters_the_question_alone() -> None:
    from random import Random

    found = altered(ENTRY, resolve("paraphrase"), Random(1))
    assert found
    assert {question.context for question, _ in found} == {ENTRY.question.context}


def test_a_person_keeps_one_name_in_context_and_question() -> None:
    from random import Random

    for name in ("first_names", "entity_swap"):
        for question, _ in altered(ENTRY, resolve(name), Random(3)):
            new = re.match(r"\w+(?:-\w+)?", question.context)
            assert new
            assert new[0] != "Anna"
            assert question.text == f"Does {new[0]} like Oslo?"
            assert BORDER not in question.shown


def test_the_test_sets_that_ship_hold_sixty_questions_with_all_that_a_question_can_have() -> None:
    entries = read_questions(ROOT / "testsets")
    assert len(entries) >= 60
    assert len({entry.question for entry in entries}) == len(entries)
    assert any(entry.question.options for entry in entries)
    assert any(entry.question.context for entry in entries)
    for entry in entries:
        if entry.question.options and entry.answer is not None:
            assert entry.answer in entry.question.options
        for word in entry.keep:
            assert re.search(rf"\b{re.escape(word)}\b", entry.question.shown, re.IGNORECASE), (word, entry)
    assert len(read_pairs(ROOT / "testsets")) >= 10


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("about = 'x'", "question: is missing"),
        ("about = 'x'\n[[question]]\ntext = ' '", "question\\[0\\].text: must not be blank"),
        ("about = 'x'\n[[question]]\ntext = 'a?'\nanswr = 'b'", "question\\[0\\].answr: is not known here"),
        ("about = ", "is not TOML"),
    ],
)
def test_test_sets_that_cannot_be_used_are_refused(tmp_path: Path, content: str, why: str) -> None:
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "mine.toml").write_text(content)
    with pytest.raises(InputError, match=why):
        read_questions(tmp_path)
