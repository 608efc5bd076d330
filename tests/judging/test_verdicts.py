"""Saved conversations -> results: which rows there are, what each scorer is given, and which verdict a row gets."""

from dataclasses import replace

import pytest

from chattest.cases.base import probe_cases, reply_cases
from chattest.judging.verdicts import analyze
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Perturbed, Probe, Purpose, Step, Target
from chattest.records.result import Result, Verdict
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns, probe, said

ALL = Settings()
PROBES_ONLY = Settings(is_analyze={found.code: False for found in reply_cases()})
REPLIES = [found.code for found in reply_cases() if found.on and not found.scripted]


def rows(conversation: Conversation, settings: Settings = PROBES_ONLY, judges: StandIns | None = None) -> list[Result]:
    return analyze([conversation], settings, judges or StandIns())


def test_a_question_is_judged_by_its_reply() -> None:
    talk = said(
        ("Hey", "Hello"),
        ("My cat is called Juniper.", "A nice name"),
        ("Tell me more", "no"),
        ("What is my cat called?", "It is Juniper"),
        probes=[probe("ML-I1", 1, 3)],
    )
    (row,) = rows(talk)
    assert (row.check, row.run, row.conversation, row.round) == ("ML-I1", 1, "run-001", 3)
    assert (row.verdict, row.testset, row.expected, row.distance) == (Verdict.PASS, "cat-name", "Juniper", 2)
    assert (row.prompt, row.reply) == ("What is my cat called?", "It is Juniper")
    assert row.score.interpretation == "Juniper"
    assert row.reason
    failed = replace(talk, turns=(*talk.turns[:-1], replace(talk.turns[-1], text="It is Otto")))
    assert rows(failed)[0].verdict is Verdict.FAIL


@pytest.mark.parametrize(("answer", "expected"), [(True, "yes"), (False, "no")])
def test_a_closed_question_goes_to_the_yes_no_reading(answer: bool, expected: str) -> None:
    talk = said(
        ("a", "b"), ("I have a cat.", "Nice"), ("Do I have a cat?", "R"), probes=[probe("ML-I4", 1, 2, answer=answer)]
    )
    judges = StandIns(readings={"R": (1.0, 0.0, 0.0) if answer else (0.0, 1.0, 0.0)})
    (row,) = rows(talk, judges=judges)
    assert (row.verdict, row.expected) == (Verdict.PASS, expected)
    assert judges.calls == [("yes_no", 1)]


def test_every_reply_is_judged_by_every_case_that_is_on() -> None:
    talk = said(("Hey", "Hello there"), ("How are you?", "What do you do?"), ("I paint", ""))
    found = rows(talk, ALL)
    assert [(row.round, row.check) for row in found] == [(round, code) for round in range(3) for code in REPLIES]
    off = rows(talk, Settings(is_analyze={"ML-I2": False, "ML-A7": False}))
    assert {row.check for row in off} == {"ML-I3", "ML-P1", "ML-A6"}
    for row in found:
        assert row.prompt == talk.turns[2 * row.round].text
        assert row.reply == talk.turns[2 * row.round + 1].text
        assert (row.verdict is Verdict.NOT_APPLICABLE) == (row.score.value is None)
        assert row.reason


@pytest.mark.parametrize(
    ("answer", "reply", "match", "fits"),
    [
        ("Juniper", "It is Juniper", 0.99, True),
        ("Juniper", "It is Otto", 0.01, False),
        (True, "Yes indeed", 0.0, True),
        (False, "Yes indeed", 0.0, False),
    ],
)
def test_the_right_answer_to_a_question_fits_whatever_the_model_says(
    answer: str | bool, reply: str, match: float, fits: bool
) -> None:
    told, question = ("My cat is called Juniper.", "I see"), "What is my cat called?"
    asked = probe("ML-I1", 1, 2, answer=answer)
    talk = said(("Hey", "Hello"), told, (question, reply), ("Oh", reply), probes=[asked])
    judges = StandIns(
        matches={("Juniper", reply): match},
        readings={reply: (1.0, 0.0, 0.0)},
        fits={(question, reply): 0.0, ("\n".join(("Hey", "Hello", *told, question)), reply): 0.0},
    )
    found = {(row.round, row.check): row for row in rows(talk, ALL, judges)}
    assert (found[2, "ML-I1"].verdict is Verdict.PASS) == fits
    for code in ("ML-I2", "ML-I3"):
        row = found[2, code]
        assert (row.verdict is Verdict.PASS) == fits, row
        assert ("gives the right answer" in row.reason) == fits
        assert not row.in_doubt
        assert "right answer" not in found[3, code].reason  # that round asks nothing


def test_what_was_said_before_comes_along_and_what_comes_later_does_not() -> None:
    seen: list[tuple[str, str]] = []

    class Noting(StandIns):
        def __init__(self) -> None:
            super().__init__()
            self.coherence.coherence = lambda contexts, replies: (  # type: ignore[method-assign]
                seen.extend(zip(contexts, replies, strict=True)) or [0.9] * len(replies)
            )

    history = (Turn(-1, Speaker.DRIVER, "h1"), Turn(-1, Speaker.SUBJECT, "h2"))
    talk = said(("a", "1"), ("b", "2"))
    rows(replace(talk, turns=history + talk.turns), ALL, Noting())
    assert set(seen) == {("h1\nh2\na", "1"), ("h1\nh2\na\n1\nb", "2"), ("a", "1"), ("b", "2")}


def test_questions_of_a_given_history_count_as_asked() -> None:
    question = "What is your job?"
    history = (Turn(-1, Speaker.DRIVER, "Hey"), Turn(-1, Speaker.SUBJECT, question))
    talk = said(("a", question))
    found = {row.check: row for row in rows(replace(talk, turns=history + talk.turns), ALL)}
    assert found["ML-A7"].verdict is Verdict.FAIL
    assert {row.round for row in found.values()} == {0}


def test_a_question_never_asked_does_not_apply() -> None:
    talk = said(("a", "b"), ("My cat is called Juniper.", "ok"), probes=[probe("ML-I1", 1, 5)], length=9)
    (row,) = rows(talk)
    assert (row.verdict, row.reply, row.expected) == (Verdict.NOT_APPLICABLE, "", "Juniper")
    assert row.reason == "never asked: the conversation ended before"
    assert row.prompt == "What is my cat called?"


def test_a_question_asked_when_the_bot_took_its_leave_says_so() -> None:
    talk = said(
        ("a", "b"), ("My cat is called Juniper.", "ok"), ("What is my cat called?",), probes=[probe("ML-I1", 1, 2)]
    )
    (row,) = rows(talk)
    assert row.verdict is Verdict.NOT_APPLICABLE
    assert row.reason == "not answered: the conversation ended there"


def failing(speaker: Speaker, round: int, *probes: Probe) -> Conversation:
    talk = said(*[("a", "b")] * 6, probes=probes)
    kept: list[Turn] = []
    for turn in talk.turns:
        if (turn.round, turn.speaker) == (round, speaker):
            kept.append(Turn(round, speaker, "", error="ValueError: broken"))
            break
        kept.append(turn)
    return replace(talk, turns=tuple(kept))


@pytest.mark.parametrize(("speaker", "name"), [(Speaker.DRIVER, "driver"), (Speaker.SUBJECT, "subject")])
def test_the_round_in_which_a_chatter_failed_is_an_error(speaker: Speaker, name: str) -> None:
    talk = failing(speaker, 3, probe("ML-I1", 1, 3), probe("ML-I4", 4, 5, testset="x"))
    found = rows(talk, ALL)
    errors = [row for row in found if row.verdict is Verdict.ERROR]
    assert {(row.check, row.round) for row in errors} == {(code, 3) for code in ["ML-I1", *REPLIES]}
    assert {row.reason for row in errors} == {f"{name} failed: ValueError: broken"}
    later = [row for row in found if row.round > 3]
    assert [(row.check, row.verdict) for row in later] == [("ML-I4", Verdict.NOT_APPLICABLE)]
    assert all(row.round < 3 for row in found if row not in errors and row not in later)


@pytest.mark.parametrize("speaker", list(Speaker))
def test_a_failure_between_questions_shows_at_the_next_when_no_case_judges_replies(speaker: Speaker) -> None:
    talk = said(
        ("a", "b"), ("My cat is called Juniper.", "b"), ("c", "d"), length=8, probes=[probe("ML-U3", 1, 4, 5, 6)]
    )
    kept = [turn for turn in talk.turns if turn.round < 2]
    if speaker is Speaker.SUBJECT:
        kept.append(Turn(2, Speaker.DRIVER, "c"))
    kept.append(Turn(2, speaker, "", error="ValueError: broken"))
    broken = replace(talk, turns=tuple(kept))
    name = talk.chatters[list(Speaker).index(speaker)]
    found = rows(broken)
    assert [(row.round, row.verdict) for row in found] == [
        (4, Verdict.ERROR),
        (5, Verdict.NOT_APPLICABLE),
        (6, Verdict.NOT_APPLICABLE),
    ]
    assert found[0].reason == f"never asked: in round 2 {name} failed: ValueError: broken"
    judged = [row for row in rows(broken, ALL) if row.verdict is Verdict.ERROR]
    assert {(row.check, row.round) for row in judged} == {(code, 2) for code in REPLIES}


@pytest.mark.parametrize("speaker", list(Speaker))
def test_a_chatter_that_could_not_start_is_an_error(speaker: Speaker) -> None:
    talk = replace(said(("a", "b")), turns=(Turn(0, speaker, "", error="could not start: x"),))
    found = rows(talk, ALL)
    assert {(row.check, row.verdict) for row in found} == {(code, Verdict.ERROR) for code in REPLIES}


def own(*rounds: int) -> Probe:
    return probe("ML-I13", None, *rounds, answer=None, testset="bot-home")


def test_the_first_answer_about_itself_is_the_target_and_not_counted() -> None:
    talk = said(
        ("a", "b"),
        ("Where do you live?", "In Oslo"),
        ("x", "y"),
        ("Where is your home?", "Oslo it is"),
        ("Where?", "In Rome"),
        probes=[own(1, 3, 4)],
    )
    first, second, third = rows(talk)
    assert (first.verdict, first.reason) == (
        Verdict.NOT_APPLICABLE,
        "the first answer is the target and is not counted",
    )
    assert (second.verdict, second.expected) == (Verdict.PASS, "In Oslo")
    assert third.verdict is Verdict.FAIL
    assert "Oslo" in third.reason
    assert "Rome" in third.reason


def test_without_a_first_answer_there_is_nothing_to_agree_with() -> None:
    talk = said(("a", "b"), ("Where do you live?", ""), ("Where is your home?", "In Oslo"), probes=[own(1, 2)])
    assert [row.verdict for row in rows(talk)] == [Verdict.NOT_APPLICABLE] * 2


def test_perturbation_dose_and_distance_come_along() -> None:
    asked = Step(
        3, Purpose.ASK, "Waht is my cat caled?", "What is my cat called?", Perturbed("x", "swap+delete", 2, 0.4), "typo"
    )
    told = probe("ML-U3", 1).steps
    made = Probe(
        "ML-U3",
        "cat-name",
        Target("Juniper", "q?"),
        (*told, asked, replace(asked, round=4, perturbed=Perturbed("x", "none"))),
    )
    talk = said(*[("a", "b")] * 6, probes=[made, probe("ML-I1", 2, 5)])
    dosed, unchanged, plain = rows(talk)
    assert (dosed.perturbation, dosed.kind, dosed.dose, dosed.distance) == ("typo", "swap+delete", 0.4, 1)
    assert (unchanged.kind, unchanged.dose, unchanged.distance) == ("none", 0.0, 2)
    assert (plain.perturbation, plain.kind, plain.dose, plain.distance) == ("", "", None, 3)
    assert dosed.prompt == "Waht is my cat caled?"


def test_rows_come_in_order_of_conversations_rounds_and_cases() -> None:
    talks = [said(*[("a", "b")] * 4, probes=[probe("ML-I4", 2, 3)], run=run) for run in (1, 2)]
    found = analyze(talks, ALL, StandIns())
    order = [found.code for found in (*probe_cases(), *reply_cases())]
    keys = [(row.run, row.round, order.index(row.check)) for row in found]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_each_model_is_asked_once_for_all_conversations() -> None:
    talks = [
        said(
            *[("What is your job?", "What is your job then?")] * 5,
            probes=[probe("ML-I4", 1, 2), probe("ML-I5", 3, 4, answer=True, testset="y")],
            run=run,
        )
        for run in range(1, 6)
    ]
    judges = StandIns()
    analyze(talks, ALL, judges)
    calls = [kind for kind, _ in judges.calls]
    assert calls.count("reader") == calls.count("match") == calls.count("yes_no") == calls.count("labels") == 1
    assert calls.count("coherence") == 2  # once with the prompts, once with the conversations


def test_judging_depends_on_the_thresholds_of_now() -> None:
    talk = said(("a", "b c d e"))
    judges = StandIns(toxic={"b c d e": {"insult": 0.3}})
    lax, strict = (
        {row.check: row.verdict for row in rows(talk, Settings(threshold_toxicity=bar), judges)} for bar in (0.5, 0.1)
    )
    assert (lax["ML-P1"], strict["ML-P1"]) == (Verdict.PASS, Verdict.FAIL)


def test_nothing_to_judge_gives_no_rows_and_asks_no_model() -> None:
    judges = StandIns()
    assert analyze([], ALL, judges) == []
    assert judges.calls == []
