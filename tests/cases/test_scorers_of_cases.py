"""A case names its scorer: every case that is registered names one that can judge its replies, and no other gets in."""

from typing import Any

import pytest

from chattest.cases.base import Case, ProbeCase, ReplyCase, StoryCase, all_cases, case, cases
from chattest.cases.sessions import SessionCase
from chattest.errors import InputError
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind, AnswerScorers
from chattest.records.conversation import Speaker, Turn
from chattest.records.plan import format_answer, parse_answer
from chattest.scorers.base import Item, scorers
from tests.support.stand_ins import StandIns

ANSWERS: dict[AnswerKind, str | bool | None] = {
    AnswerKind.OPEN: "Juniper",
    AnswerKind.CLOSED: False,
    AnswerKind.OWN: None,
    AnswerKind.UNTOLD: "",
}


@pytest.mark.parametrize("registered", all_cases(), ids=lambda registered: registered.code)
def test_every_case_names_a_scorer_for_each_kind_of_its_answers(registered: Case) -> None:
    for kind in registered.answer_kinds:
        assert kind is AnswerKind.UNTOLD or AnswerKind.of(ANSWERS[kind]) is kind
        assert kind in scorers.get(registered.scorer_for(ANSWERS[kind])).answers
    if not registered.answer_kinds:
        assert not scorers.get(registered.scorer_for()).answers
    named = {registered.scorer_for(ANSWERS[kind]) for kind in registered.answer_kinds} or {registered.scorer_for()}
    assert named == set(registered.scorers)


def test_each_probe_case_asks_questions_and_each_reply_case_asks_none() -> None:
    assert {type(found).__base__ for found in all_cases()} == {ProbeCase, StoryCase, ReplyCase, SessionCase}
    for found in all_cases():
        assert bool(found.answer_kinds) == isinstance(found, ProbeCase)


@pytest.mark.parametrize("name", scorers.names())
def test_a_scorer_scores_every_kind_of_answer_that_it_says(name: str) -> None:
    scorer = scorers.get(name)
    texts: dict[AnswerKind, Any] = ANSWERS | {AnswerKind.OWN: "It is Juniper."}
    expected = [texts[kind] for kind in sorted(scorer.answers)] or [None]
    before = (Turn(0, Speaker.DRIVER, "What is it?", expect=("Juniper",)),)
    reply = "It is Juniper, I think."
    items = [Item("What is it?", reply, answer, "What is it?", turns=before) for answer in expected]
    judges: Judges = StandIns()
    values = [score.value for score in scorer.score(items, judges)]
    assert len(values) == len(items)
    assert None not in values or name.startswith("repeated_question")  # which needs a question in the reply


@pytest.mark.parametrize("answer", ["Juniper", "12", "no idea", True, False])
def test_a_row_shows_which_answer_it_had(answer: str | bool) -> None:
    assert parse_answer(format_answer(answer)) == answer


def declared(base: type[Case], **more: Any) -> type[Case]:
    fields = {"code": "ML-X9", "name": "answering.test", "alias": "X9", "__module__": "my_package.ml_x9"}
    return type("Declared", (base,), fields | more)


@pytest.mark.parametrize(
    ("base", "declaration", "told"),
    [
        (
            ReplyCase,
            {},
            'names no scorer\n    Write `scorer = "..."`. These scorers can judge a reply without a right answer: '
            "contains, conversation_coherence,",
        ),
        (ReplyCase, {"scorer": "toxcity"}, 'there is no scorer "toxcity"\n    Did you mean "toxicity"?'),
        (
            ReplyCase,
            {"scorer": "open_answer"},
            'the scorer "open_answer" cannot judge a reply without a right answer\n    These scorers can judge',
        ),
        (
            ReplyCase,
            {"scorer": AnswerScorers("open_answer", "closed_answer")},
            "names scorers for open and closed questions but asks neither\n    Name one scorer.",
        ),
        (
            ProbeCase,
            {"scorer": "open_answer"},
            'the scorer "open_answer" cannot judge the answer to a yes/no question\n    These scorers can judge the '
            "answer to a yes/no question: closed_answer.",
        ),
        (
            ProbeCase,
            {"scorer": AnswerScorers("closed_answer", "toxicity")},
            'the scorer "closed_answer" cannot judge the answer to an open question\n    These scorers can judge the '
            "answer to an open question: leak, open_answer.",
        ),
        (
            ProbeCase,
            {"testsets": "co", "scorer": "open_answer"},
            'the scorer "open_answer" cannot judge an answer of the bot about itself\n    These scorers can judge an '
            "answer of the bot about itself: consistency.",
        ),
        (
            ProbeCase,
            {"testsets": "co", "scorer": AnswerScorers("open_answer", "closed_answer")},
            "names scorers for open and closed questions but asks neither",
        ),
    ],
)
def test_a_case_whose_scorer_cannot_judge_it_is_refused(
    base: type[Case], declaration: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as refusal:
        case(declared(base, **declaration))
    assert f"my_package.ml_x9, case ML-X9: {told}" in str(refusal.value)
    assert "ML-X9" not in cases


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as refusal:
        case(declared(ProbeCase, scorer=AnswerScorers("toxicity", "closed_anwser")))
    assert [problem.what for problem in refusal.value.problems] == [
        'the scorer "toxicity" cannot judge the answer to an open question',
        'there is no scorer "closed_anwser"',
    ]


def test_a_case_with_two_scorers_does_not_say_who_judges_a_reply_without_an_answer() -> None:
    with pytest.raises(ValueError, match="ML-U3 names no scorer for a reply without a right answer"):
        cases.get("ML-U3").scorer_for()
