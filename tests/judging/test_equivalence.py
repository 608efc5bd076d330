"""When two answers are the same."""

from collections.abc import Mapping
from typing import Any

import pytest

from chattest.errors import ModelError
from chattest.judging.equivalence import STRINGS, THRESHOLDS, Comparer, find_picked_option, string_distances
from chattest.models.chat import SPENT, Opinion
from chattest.records.question import Answer, Question
from tests.support.chat_stand_ins import Opinionated
from tests.support.stand_ins import StandIns

FRUIT = Question("Which is a fruit?", options=("apple", "stone", "red apple"))


def same(left: Any, right: Any, measure: str, question: Question | None = None, **more: Any) -> bool:
    pair = [Answer(one) if isinstance(one, str) else one for one in (left, right)]
    judges: Any = more.pop("judges", StandIns())
    (found,) = Comparer(measure, **more).compare([question or Question("?")], [pair[0]], [pair[1]], judges)
    return found.same


@pytest.mark.parametrize("measure", [name for name in THRESHOLDS if name != "chatter"])
@pytest.mark.parametrize(("left", "right"), [("Yes.", "yes"), ("I  am\nwell!", "i am well"), ("", "")])
def test_what_is_the_same_word_for_word_needs_no_measure(measure: str, left: str, right: str) -> None:
    assert same(left, right, measure)


@pytest.mark.parametrize("measure", [name for name in THRESHOLDS if name != "chatter"])
def test_an_answer_and_silence_differ(measure: str) -> None:
    assert not same("Yes.", " ", measure)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (Answer("a", intent="greet"), Answer("b", intent="greet"), True),
        (Answer("a", intent="greet"), Answer("a", intent="leave"), False),
        (Answer("a", intent="greet"), Answer("a"), True),
    ],
)
def test_the_intent_decides_where_the_bot_tells_it(left: Answer, right: Answer, expected: bool) -> None:
    assert same(left, right, "direct") is expected


@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ("A", "apple"),
        ("a. apple", "apple"),
        ("(B)", "stone"),
        ("The answer is C.", "red apple"),
        ("An apple, I think.", "apple"),
        ("A red apple!", "red apple"),
        ("apple or stone", None),
        ("I do not know", None),
        ("D", None),
        ("A fruit is sweet.", None),
        ("İ.", None),
        ("\u212a.", None),  # the Kelvin sign, whose lower case is an ordinary k
        ("THE ANSWER IS b", "stone"),
    ],
)
def test_which_option_a_reply_picks(reply: str, option: str | None) -> None:
    assert find_picked_option(FRUIT, reply) == option


def test_options_are_compared_and_not_words() -> None:
    assert same("A", "It is an apple.", "direct", FRUIT)
    assert not same("A", "B", "jaro", FRUIT)


@pytest.mark.parametrize("measure", STRINGS)
@pytest.mark.parametrize(("left", "right", "expected"), [("I am Anna.", "I am Anne.", True), ("yes", "no way", False)])
def test_string_distances(measure: str, left: str, right: str, expected: bool) -> None:
    assert same(left, right, measure) is expected
    assert same(left, right, measure, threshold=1.0)


def test_string_distances_of_known_pairs() -> None:
    # MARTHA and MARHTA: Jaro 0.944, Jaro-Winkler 0.961 (Winkler 1990); one transposition of neighbours.
    found = {name: string_distances(name, ["martha"], ["marhta"])[0] for name in STRINGS}
    assert found["jaro"] == pytest.approx(1 - 0.9444, abs=1e-3)
    assert found["jaro_winkler"] == pytest.approx(1 - 0.9611, abs=1e-3)
    assert found["damerau_levenshtein"] == pytest.approx(1 / 6)
    assert found["levenshtein"] == found["hamming"] == pytest.approx(2 / 6)
    assert found["indel"] == pytest.approx(2 / 12)


@pytest.mark.parametrize(("cosine", "measure", "expected"), [
    (0.81, "cosine", True), (0.79, "cosine", False), (0.95, "euclidean", True), (0.85, "euclidean", False),
])  # fmt: skip
def test_embedding_distances_that_follow_from_the_cosine(cosine: float, measure: str, expected: bool) -> None:
    judges = StandIns(cosines={("a b", "c d"): cosine})
    assert same("a b", "c d", measure, judges=judges) is expected


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["cosine", "euclidean", "manhattan", "chebyshev"])
def test_embedding_distances_of_the_shipped_encoder(measure: str) -> None:
    from chattest.models.judges import Judges

    judges = Judges()
    assert same("I do not know.", "i do  not know", measure, judges=judges)
    assert same("My name is Alice.", "My name is alice!!", measure, judges=judges, threshold=None)
    assert not same("My name is Alice.", "It will rain tomorrow in the mountains.", measure, judges=judges)


def test_the_answer_match_compares() -> None:
    judges = StandIns(matches={("blue", "it is blue, i think"): 0.9, ("blue", "red"): 0.1})
    assert same("Blue", "It is blue, I think", "match", judges=judges)
    assert not same("Blue", "Red", "match", judges=judges)


def says(shown: Mapping[str, str]) -> Opinion:
    """Different where the second answer says red, nothing to be read where it says neither, else the same."""
    second = shown["second answer"]
    if "spent" in second:
        return Opinion(error=SPENT)
    if "neither" in second:
        return Opinion(error="the judge's answer cannot be read")
    return Opinion("different" if "red" in second.casefold() else "same", 0.9, "Because.")


@pytest.mark.parametrize("measure", ["chatter", "same_answer"])
def test_a_chat_model_compares(measure: str) -> None:
    judges, judge = StandIns(), Opinionated("same_answer", says)
    judges.use_chat({"same_answer": judge})
    given = ["the colour blue", "Red", "neither", "spent"]
    asked = [Question("Which colour?")] * 4
    altered = [Question("WHICH COLOUR?"), *asked[1:]]
    found = Comparer(measure).compare(asked, [Answer("Blue")] * 4, [Answer(text) for text in given], judges, altered)
    assert [each.same for each in found[:3]] == [True, False, False]
    assert [each.judge for each in found] == ["chat:stand-in"] * 3 + ["embedded"]
    assert found[0].reason == "same (0.90): Because. - chat:stand-in"
    assert found[2].error == "the judge's answer cannot be read"
    assert "the budget of chat:stand-in is spent" in found[3].reason
    assert not found[3].error
    assert judge.shown[0] == {
        "question": "Which colour?",
        "altered question": "WHICH COLOUR?",
        "first answer": "Blue",
        "second answer": "the colour blue",
    }
    assert "altered question" not in judge.shown[1]
    (known,) = Comparer(measure).compare(asked[:1], [Answer("Blue.")], [Answer("blue")], judges)
    assert known.reason == "the same answer", "what is the same word for word needs no judge"
    assert len(judge.shown) == 4


def test_a_comparison_by_a_chatter_needs_one() -> None:
    with pytest.raises(ModelError, match="no chatter is there"):
        same("Blue", "Red", "chatter")
