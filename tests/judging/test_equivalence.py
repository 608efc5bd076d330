"""When two answers are the same."""

from pathlib import Path
from typing import Any

import pytest

from chattest.errors import ModelError
from chattest.judging.chat_judge import ChatterGrader
from chattest.judging.equivalence import BARS, STRINGS, Comparer, picked_option, string_distances
from chattest.records.question import Answer, Question
from chattest.settings.declaration import Settings
from tests.support.stand_ins import ROOT, StandIns

FRUIT = Question("Which is a fruit?", options=("apple", "stone", "red apple"))


def same(left: Any, right: Any, measure: str, question: Question | None = None, **more: Any) -> bool:
    pair = [Answer(one) if isinstance(one, str) else one for one in (left, right)]
    judges: Any = more.pop("judges", StandIns())
    (found,) = Comparer(measure, **more).compare([question or Question("?")], [pair[0]], [pair[1]], judges)
    return found.same


@pytest.mark.parametrize("measure", [name for name in BARS if name != "chatter"])
@pytest.mark.parametrize(("left", "right"), [("Yes.", "yes"), ("I  am\nwell!", "i am well"), ("", "")])
def test_what_is_the_same_word_for_word_needs_no_measure(measure: str, left: str, right: str) -> None:
    assert same(left, right, measure)


@pytest.mark.parametrize("measure", [name for name in BARS if name != "chatter"])
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
    assert picked_option(FRUIT, reply) == option


def test_options_are_compared_and_not_words() -> None:
    assert same("A", "It is an apple.", "direct", FRUIT)
    assert not same("A", "B", "jaro", FRUIT)


@pytest.mark.parametrize("measure", STRINGS)
@pytest.mark.parametrize(("left", "right", "expected"), [("I am Anna.", "I am Anne.", True), ("yes", "no way", False)])
def test_string_distances(measure: str, left: str, right: str, expected: bool) -> None:
    assert same(left, right, measure) is expected
    assert same(left, right, measure, bar=1.0)


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
    assert same("My name is Alice.", "My name is alice!!", measure, judges=judges, bar=None)
    assert not same("My name is Alice.", "It will rain tomorrow in the mountains.", measure, judges=judges)


def test_the_answer_match_compares() -> None:
    judges = StandIns(matches={("blue", "it is blue, i think"): 0.9, ("blue", "red"): 0.1})
    assert same("Blue", "It is blue, I think", "match", judges=judges)
    assert not same("Blue", "Red", "match", judges=judges)


def test_a_model_chatter_compares() -> None:
    asked: list[str] = []

    def grade(pairs: Any) -> list[float]:
        asked.extend(given for _, _, given in pairs)
        return [float("blue" in given) for _, _, given in pairs]

    assert same("Blue", "the colour blue", "chatter", grade=grade)
    assert not same("Blue", "Red", "chatter", grade=grade)
    assert asked == ["the colour blue", "Red"]
    with pytest.raises(ModelError, match="check_chatter must name"):
        same("Blue", "Red", "chatter")


JUDGE = '''
from chattest import Chatter


class Judge(Chatter):
    """Says what it was made to; counts in a file how often it was asked."""

    def get_response(self, conv_array):
        with open("asked", "a") as file:
            file.write("x")
        if "break" in conv_array[0]:
            raise RuntimeError("no credit\\nleft")
        return ["Yes, they do.", ""] if "Second answer: blue" in conv_array[0] else "yesterday"
'''


def grader(folder: Path, name: str, **settings: Any) -> ChatterGrader:
    (folder / "chatters").mkdir()
    for known in ("judge", "predefined"):
        source = JUDGE if known == "judge" else (ROOT / "chatters" / f"{known}.py").read_text()
        (folder / "chatters" / f"{known}.py").write_text(source)
    return ChatterGrader(Settings(check_chatter=name, **settings), folder / "chatters")


def test_the_chatter_that_grades_is_asked_each_pair_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    grade = grader(tmp_path, "judge")
    question = Question("Which colour?")
    assert grade([(question, "Blue", "blue"), (question, "Blue", "red")]) == [1.0, 0.0], '"yesterday" is no yes'
    assert grade([(question, "Blue", "red"), (question, "Blue", "blue")]) == [0.0, 1.0]
    assert (tmp_path / "asked").read_text() == "xx"
    with pytest.raises(ModelError, match="judge cannot judge: RuntimeError: no credit"):
        grade([(question, "Blue", "break")])


def test_the_chatter_that_grades_takes_the_settings_of_the_second(tmp_path: Path) -> None:
    lines = {"predefined_conv_chatter1": ["No."], "predefined_conv_chatter2": ["Yes."]}
    assert grader(tmp_path, "predefined", **lines)([(Question("?"), "a", "b")]) == [1.0]
