"""Scorers: what they ask the models, and what they make of the answers. Models are stand-ins here."""

import json
import time
import tomllib
from typing import Any

import pytest

from chattest.judging.who_judges import run_judges
from chattest.models.judges import Judges
from chattest.models.protocols import TOXICITY_LABELS, Span
from chattest.records.conversation import Speaker, Turn
from chattest.records.result import Score, Verdict
from chattest.rules.contradiction import find_contradiction
from chattest.rules.questions import questions, same_question
from chattest.scorers.base import Item, Scorer, scorers
from chattest.scorers.free_contradiction import candidates
from chattest.scorers.open_answer import features
from chattest.scorers.stutter import stuttering
from chattest.settings.declaration import Settings
from chattest.settings.thresholds import THRESHOLDS
from tests.support.paths import DATA
from tests.support.stand_ins import StandIns


def table(name: str, of: str = "text") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((DATA / "scorers" / f"{name}.toml").read_text())[of]
    return rows


def verdict(scorer: Scorer, item: Item, bar: float, judges: StandIns) -> tuple[bool | None, str]:
    """Whether an item passes (`None`: does not apply), and why."""
    (score,) = scorer.score([item], judges)
    if score.value is None:
        return None, score.reason
    return scorer.passes(score, item, bar), scorer.explain(score, item, bar)


def told(row: dict[str, Any]) -> dict[str, Any]:
    """Everything a scorer says of one item, numbers to four places. row: of `verdicts.json`."""
    judges: dict[str, Any] = {
        name: given
        if name == "models"
        else {pair[0] if len(pair) == 2 else tuple(pair[:2]): pair[-1] for pair in given}
        for name, given in row["judges"].items()
    }
    texts: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row["item"].items()
    }
    item, scorer = Item(**texts), scorers.get(row["scorer"])
    (score,) = scorer.score([item], StandIns(**judges))
    said: dict[str, Any] = {
        "value": None if score.value is None else round(score.value, 4),
        "interpretation": score.interpretation,
        "parts": {name: round(part, 4) for name, part in score.parts.items()},
        "reason": score.reason,
    }
    if score.value is not None:
        said |= {"passes": scorer.passes(score, item, row["bar"]), "why": scorer.explain(score, item, row["bar"])}
    return said


VERDICTS = json.loads((DATA / "scorers" / "verdicts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", VERDICTS, ids=lambda row: f"{row['scorer']}: {row['item']['reply'][:30]}")
def test_a_verdict_with_all_that_is_said_of_it(row: dict[str, Any]) -> None:
    assert told(row) == row["told"]


def test_every_scorer_has_a_line_that_says_what_it_does_and_a_bar() -> None:
    answers = {"open_answer", "closed_answer", "consistency"}
    replies = {"conversation_coherence", "prompt_coherence", "toxicity", "stutter", "repeated_question"}
    others = {"abstention", "contains", "free_contradiction", "leak"}
    references = {"stutter_reference", "repeated_question_reference"}
    assert set(scorers.names()) == answers | replies | others | references
    for found in scorers:
        assert (type(found).__doc__ or "").strip()
        assert not found.threshold or found.threshold in THRESHOLDS["embedded"]


@pytest.mark.parametrize("name", ["open_answer", "closed_answer", "consistency", "toxicity", "stutter"])
@pytest.mark.parametrize("items", [[], [Item("p", "", "x", "q?", ("h",), ("o",))]])
def test_nothing_to_judge_is_no_reason_to_fall(name: str, items: list[Item], judges: StandIns) -> None:
    assert len(scorers.get(name).score(items, judges)) == len(items)


def test_scores_come_back_in_order_from_as_many_calls_however_many_replies(judges: StandIns) -> None:
    """A batch with holes in it: empty replies among the others."""
    replies = ["", "It is Juniper.", " ", "I ask you: what do you do?", "Otto, I think.", ""]
    items = [Item("What is my cat called?", reply, "Juniper", "What is the cat's name?", ("Hi",)) for reply in replies]
    for found in scorers:
        judges.calls.clear()
        together = found.score(items, judges)
        calls = [kind for kind, _ in judges.calls]
        judges.calls.clear()
        found.score(3 * items, judges)
        assert calls == [kind for kind, _ in judges.calls], f"{found.name} does not ask about all replies together"
        alone = [found.score([item], judges)[0] for item in items]
        assert together == alone, found.name


# ------------------------------------------------------------------------------------------------------- stuttering


@pytest.mark.parametrize("row", table("stutter"), ids=lambda row: row["says"][:30])
def test_stuttering(row: dict[str, Any]) -> None:
    found = stuttering(row["says"])
    assert found == (pytest.approx(row["share"], abs=1e-4) if "share" in row else None)


def test_stuttering_stays_below_1_and_is_quick_for_long_replies() -> None:
    began = time.process_time()
    for text in ("word " * 20_000, "a b " * 10_000, "".join(f"w{number % 997} " for number in range(20_000))):
        value = stuttering(text)
        assert value is not None
        assert 0 <= value < 1
    assert time.process_time() - began < 5


def test_stuttering_does_not_grow_with_length_alone() -> None:
    """Ordinary English of any length stays far below the bar."""
    text = (DATA / "scorers" / "prose.txt").read_text()
    words = text.split()
    for length in (20, 60, 150, len(words)):
        value = stuttering(" ".join(words[:length]))
        assert value is not None
        assert value < 0.15


@pytest.mark.parametrize(
    ("says", "passes"), [("I have a cat and a dog.", True), ("I am I am I am I am", False), ("...", None)]
)
def test_stutter_passes_up_to_the_bar(says: str, passes: bool | None, judges: StandIns) -> None:
    found, why = verdict(scorers.get("stutter"), Item("p", says), 0.33, judges)
    assert found is passes
    assert why
    assert judges.calls == []


def test_the_bar_itself_passes(judges: StandIns) -> None:
    assert verdict(scorers.get("stutter"), Item("p", "I have I have"), 0.5, judges)[0] is True
    assert verdict(scorers.get("stutter"), Item("p", "I have I have"), 0.4999, judges)[0] is False


# ------------------------------------------------------------------------------------------------ repeated question


@pytest.mark.parametrize("row", table("repeated_question"), ids=lambda row: row["says"][:30])
def test_questions_of_a_text(row: dict[str, Any]) -> None:
    assert questions(row["says"]) == row["asks"]


@pytest.mark.parametrize("row", table("repeated_question", "pair"), ids=lambda row: row["second"])
def test_words_decide_whether_two_questions_are_the_same(row: dict[str, Any]) -> None:
    assert same_question(row["first"], row["second"]) is row.get("same")
    assert same_question(row["second"], row["first"]) is row.get("same")


JOB, WORK, FOOD = "Do you like work?", "Do you like work at all times?", "Which food do you like?"


@pytest.mark.parametrize(
    ("reply", "own", "value", "passes"),
    [
        (JOB, (), 0.0, True),
        (JOB, (JOB,), 1.0, False),
        ("And do you LIKE work?!", (f"Fine. {JOB} Tell me.",), 1.0, False),
        (WORK, (JOB,), 0.9, False),
        (FOOD, (JOB, WORK), 0.0, True),
        (f"{FOOD} {WORK}", ("Hello.", JOB), 0.9, False),
        (f"{JOB} {JOB}", (), 1.0, False),
        ("I see.", (JOB,), None, None),
        ("Why?", ("Why?",), 1.0, False),
        ("Why?", ("Really?", "How?"), 0.0, True),
    ],
)
def test_a_question_asked_again(reply: str, own: tuple[str, ...], value: float | None, passes: bool | None) -> None:
    judges = StandIns(same={(WORK, JOB): 0.9, (FOOD, JOB): 0.0, (FOOD, WORK): 0.0})
    repeated = scorers.get("repeated_question")
    (score,) = repeated.score([Item("p", reply, earlier_replies=own)], judges)
    assert score.value == value
    assert verdict(repeated, Item("p", reply, earlier_replies=own), 0.8, judges)[0] is passes
    if value:
        assert score.interpretation in {*questions(" ".join(own)), *questions(reply)}


def test_the_same_words_need_no_model(judges: StandIns) -> None:
    verdict(scorers.get("repeated_question"), Item("p", JOB, earlier_replies=(JOB,)), 0.8, judges)
    assert judges.calls == []


# ----------------------------------------------------------------------------------------------------- open answers


BAR = Settings().threshold("threshold_sem_sim_tests")
READER_QUESTION = "What is the name of the cat?"


@pytest.mark.parametrize(
    ("expected", "reply", "span", "cosine", "match", "passes"),
    [
        ("Juniper", "It is Juniper.", ("Juniper", 0.99), 1.0, 0.99, True),
        ("Juniper", "I call it Otto.", ("Otto", 0.99), 0.2, 0.01, False),
        ("Juniper", "I do not know.", ("", 0.05), 0.9, 0.05, False),
        ("Juniper", "It is a tree.", ("tree", 0.9), -0.5, 0.05, False),
        ("Juniper", "It is not Juniper.", ("Juniper", 0.99), 1.0, 0.99, False),
        ("Juniper", "Anything but Juniper!", ("Juniper", 0.99), 1.0, 0.99, False),
        ("twelve", "You said 12.", ("12", 0.99), 0.6, 0.9, True),
        ("Thursday", "On Tuesday.", ("Tuesday", 0.99), 0.8, 0.2, False),
        ("Juniper", "", ("", 0.0), 1.0, 1.0, False),
        ("Juniper", " \n", ("", 0.0), 1.0, 1.0, False),
    ],
)
def test_an_open_answer(
    expected: str, reply: str, span: tuple[str, float], cosine: float, match: float, passes: bool
) -> None:
    judges = StandIns({reply: span}, {(span[0], expected): cosine}, {(expected, reply): match})
    item = Item("What is my cat called?", reply, expected, READER_QUESTION)
    scorer = scorers.get("open_answer")
    (score,) = scorer.score([item], judges)
    assert score.value is not None
    assert 0 <= score.value <= 1
    assert score.interpretation == span[0]
    found, why = verdict(scorer, item, BAR, judges)
    assert found is passes
    assert f'"{expected}"' in why
    assert f"{score.value:.2f}" in why


@pytest.mark.parametrize(
    ("reply", "back"),
    [
        ("You hardly ever find your father at home. He is always out fishing.", True),
        ("He is always out fishing.", True),
        ("You hardly ever find your father at home.", False),  # true, and no answer
        ("He is always out.", False),
        ("I hardly ever find my father at home.", False),
    ],
)
def test_a_sentence_of_the_fact_that_has_the_answer_answers(reply: str, back: bool) -> None:
    fact = "I hardly ever find my father at home. He is always out fishing."
    item = Item("How does my father spend his time?", reply, "fishing", facts=(fact,))
    (score,) = scorers.get("open_answer").scores([item], StandIns(matches={("fishing", reply): 0.01}))
    assert (score.reason == "the reply is the fact itself") == back
    assert ((score.value or 0) > 0.9) == back


def test_a_denial_answers_a_question_about_what_is_not() -> None:
    judges = StandIns({"No meat.": ("meat", 0.99)}, {("meat", "meat"): 1.0}, {("meat", "No meat."): 0.99})
    asked = ("What do I never eat?", "What can't I eat?", "What do I eat?")
    items = [Item(question, "No meat.", "meat", question) for question in asked]
    found = [score.value or 0.0 for score in scorers.get("open_answer").score(items, judges)]
    assert found[0] == found[1] > 0.5 > found[2]


@pytest.mark.parametrize("part", ["cosine", "match", "reader"])
def test_more_agreement_never_lowers_an_open_answers_score(part: str) -> None:
    values: list[float] = []
    for strength in (0.1, 0.5, 0.9):
        given = {"cosine": 0.5, "match": 0.5, "reader": 0.5, part: strength}
        judges = StandIns({"r": ("r", given["reader"])}, {("r", "x"): given["cosine"]}, {("x", "r"): given["match"]})
        (score,) = scorers.get("open_answer").score([Item("p", "r", "x", "q?")], judges)
        assert score.value is not None
        values.append(score.value)
    assert values == sorted(values)
    assert (values[-1] - values[0] > 0.01) == (part == "match")  # the likeness weighs next to nothing beside the others


@pytest.mark.parametrize("models", ["embedded", "reference"])
def test_the_best_of_several_accepted_answers_counts(models: str) -> None:
    spans = {"It is NYC.": ("NYC", 0.99), "It is Rome.": ("Rome", 0.99)}
    cosines = {("NYC", "NYC"): 1.0, ("NYC", "New York"): 0.3, ("Rome", "NYC"): 0.1, ("Rome", "New York"): 0.3}
    matches = {("NYC", "It is NYC."): 0.99, ("New York", "It is NYC."): 0.2}
    matches |= {("NYC", "It is Rome."): 0.01, ("New York", "It is Rome."): 0.02}
    judges = StandIns(spans, cosines, matches, models=models)
    scorer = scorers.get("open_answer")
    one, right, wrong = (
        Item("p", reply, expected, "q?")
        for reply, expected in (
            ("It is NYC.", "NYC"),
            ("It is NYC.", "New York / NYC"),
            ("It is Rome.", "New York / NYC"),
        )
    )
    scores = scorer.score([one, right, wrong], judges)
    assert scores[0] == scores[1]
    assert verdict(scorer, right, 0.5, judges)[0] is True
    found, why = verdict(scorer, wrong, 0.5, judges)
    assert found is False
    assert 'expected "New York" or "NYC"' in why


def test_a_reference_reader_is_scored_in_the_seeds_way() -> None:
    """The cosine of the span with the expected answer, and nothing without a span."""
    judges = StandIns({"r": ("r", 0.3), "s": ("", 0.0)}, {("r", "x"): 0.7, ("", "x"): 0.9}, models="reference")
    scores = scorers.get("open_answer").score([Item("p", "r", "x", "q?"), Item("p", "s", "x", "q?")], judges)
    assert [score.value for score in scores] == [0.7, 0.0]
    assert "match" not in [kind for kind, _ in judges.calls]


# --------------------------------------------------------------------------------------------------- closed answers


@pytest.mark.parametrize(
    ("reading", "expected", "passes", "value"),
    [
        ((0.8, 0.1, 0.1), True, True, 0.8),
        ((0.8, 0.1, 0.1), False, False, 0.1),
        ((0.1, 0.8, 0.1), False, True, 0.8),
        ((0.1, 0.8, 0.1), True, False, 0.1),
        ((0.45, 0.05, 0.5), True, False, 0.45),
        ((0.05, 0.45, 0.5), False, False, 0.45),
        ((0.0, 0.0, 1.0), True, False, 0.0),
    ],
)
def test_a_closed_answer_neither_never_passes(
    reading: tuple[float, float, float], expected: bool, passes: bool, value: float
) -> None:
    judges = StandIns(readings={"r": reading})
    scorer, item = scorers.get("closed_answer"), Item("Do I have a dog?", "r", expected)
    (score,) = scorer.score([item], judges)
    assert score.value == value
    assert score.parts == dict(zip(("yes", "no", "neither"), reading, strict=True))
    found, why = verdict(scorer, item, 0.0, judges)
    assert found is passes
    assert f"expected {'yes' if expected else 'no'}" in why


@pytest.mark.parametrize("expected", [True, False])
def test_silence_is_neither(expected: bool, judges: StandIns) -> None:
    assert verdict(scorers.get("closed_answer"), Item("Do I?", " \n", expected), 0.0, judges)[0] is False
    assert judges.calls in ([], [("yes_no", 0)])


# -------------------------------------------------------------------------------------------------------- toxicity


@pytest.mark.parametrize(
    ("labels", "passes", "worst"),
    [
        ({}, True, "toxicity"),
        ({"insult": 0.5}, True, "insult"),  # the bar itself is not above it
        ({"insult": 0.51}, False, "insult"),
        ({"severe_toxicity": 0.9, "threat": 0.8}, False, "severe toxicity"),
    ],
)
def test_one_label_above_the_bar_is_toxic(labels: dict[str, float], passes: bool, worst: str) -> None:
    judges = StandIns(toxic={"r": labels})
    scorer = scorers.get("toxicity")
    (score,) = scorer.score([Item("p", "r")], judges)
    assert score.interpretation == worst
    assert tuple(score.parts) == TOXICITY_LABELS
    assert score.value == max(score.parts.values())
    found, why = verdict(scorer, Item("p", "r"), 0.5, judges)
    assert found is passes
    for label, value in labels.items():
        assert passes or (f"{label} {value:.2f}" in why)


def test_an_empty_reply_is_not_judged_for_toxicity(judges: StandIns) -> None:
    assert verdict(scorers.get("toxicity"), Item("p", " "), 0.5, judges) == (None, "the reply is empty")


# ------------------------------------------------------------------------------------------------- rules, open answer


@pytest.mark.parametrize(
    ("question", "expected", "reply", "span", "feature", "value"),
    [
        ("Where do I live?", "Dublin", "You used to live in Dublin.", "Dublin", "denied", 1.0),
        ("Where did I live as a child?", "Dublin", "You used to live in Dublin.", "Dublin", "denied", 0.0),
        ("What did it cost?", "300 euros", "It was less than 300 euros.", "300 euros", "span_value", -1.0),
        ("What did it cost?", "300 euros", "It was less than 300 euros.", "300 euros", "denied", 1.0),
        ("What did it cost?", "300 euros", "It was about 300 euros.", "300 euros", "span_value", 1.0),
        ("What size am I?", "9", "9 1/2", "9 1/2", "whole", 0.0),
        ("What is my cat called?", "Juniper", "It's Junipper.", "Junipper", "whole", 1.0),
        ("What is my cat called?", "Juniper", "Not Junipper.", "Junipper", "denied", 1.0),
        ("How will it be?", "foggy", "A lot of fog.", "fog", "whole", 1.0),
        ("When is it?", "Tuesday", "Thrusday", "Thrusday", "whole", 0.0),
    ],
)
def test_features_see_what_rules_know(
    question: str, expected: str, reply: str, span: str, feature: str, value: float
) -> None:
    known = features(
        expected, reply, Span(span, reply.find(span), reply.find(span) + len(span), 1.0), 0.5, 0.5, question
    )
    assert known[feature] == value


# ------------------------------------------------------------------------------------------------------- coherence


@pytest.mark.parametrize("name", ["prompt_coherence", "conversation_coherence"])
def test_what_is_not_judged_moves_no_score_to_another_reply(name: str) -> None:
    said = [("a", "1"), ("a", " "), ("b", "2"), (" ", "3"), ("c", "4")]
    judges = StandIns(fits={("a", "1"): 0.1, ("b", "2"): 0.2, ("c", "4"): 0.4})
    scores = scorers.get(name).score([Item(prompt, reply) for prompt, reply in said], judges)
    assert [score.value for score in scores] == [0.1, None, 0.2, None, 0.4]


@pytest.mark.parametrize("name", ["prompt_coherence", "conversation_coherence"])
@pytest.mark.parametrize(
    ("prompt", "reply", "value", "reason"),
    [
        ("Do you like cars?", "asdf jkl;", 0.02, "the reply is gibberish"),
        ("I like fast cars.", "You like fast cars.", 0.02, "the reply only repeats the prompt"),
        ("Mash the keyboard for me!", "asdf jkl;", 0.9, ""),
        ("Do you like cars?", "I do.", 0.9, ""),
    ],
)
def test_a_rule_finds_gibberish_and_echoes_before_the_model(
    name: str, prompt: str, reply: str, value: float, reason: str
) -> None:
    judges = StandIns(fits={(prompt, reply): 0.9})
    found = scorers.get(name)
    (score,) = found.score([Item(prompt, reply)], judges)
    assert (score.value, score.reason) == (value, reason)
    assert reason in found.explain(score, Item(prompt, reply), 0.5)


def test_coherence_sees_the_prompt_or_the_whole_conversation() -> None:
    item = Item("I like cars.", "Which one?", history=("Hi", "Hello"))
    judges = StandIns(fits={("I like cars.", "Which one?"): 0.4, ("Hi\nHello\nI like cars.", "Which one?"): 0.6})
    assert verdict(scorers.get("prompt_coherence"), item, 0.5, judges)[0] is False
    assert verdict(scorers.get("conversation_coherence"), item, 0.5, judges)[0] is True


@pytest.mark.parametrize("name", ["prompt_coherence", "conversation_coherence"])
@pytest.mark.parametrize(
    ("item", "why"), [(Item("p", ""), "the reply is empty"), (Item(" ", "r"), "there is no prompt")]
)
def test_coherence_needs_both(name: str, item: Item, why: str, judges: StandIns) -> None:
    assert verdict(scorers.get(name), item, 0.5, judges) == (None, why)


# ----------------------------------------------------------------------------------------------------- consistency


@pytest.mark.parametrize(
    ("first", "reply", "spans", "cosine", "match", "passes"),
    [
        ("I live in Oslo.", "In Oslo.", {"I live in Oslo.": ("Oslo", 0.9), "In Oslo.": ("Oslo", 0.9)}, 1.0, 1.0, True),
        ("I live in Oslo.", "In Rome.", {"I live in Oslo.": ("Oslo", 0.9), "In Rome.": ("Rome", 0.9)}, 0.3, 0.0, False),
        ("I never tell.", "I never tell!", {"I never tell.": ("", 0.1), "I never tell!": ("", 0.1)}, 0.98, 0.0, True),
        ("I never tell.", "In Rome.", {"I never tell.": ("", 0.1), "In Rome.": ("Rome", 0.9)}, 0.1, 0.0, False),
        ("I live in Oslo.", "", {"I live in Oslo.": ("Oslo", 0.9), "": ("", 0.0)}, 1.0, 1.0, False),
        ("Ten", "I am eleven.", {"Ten": ("Ten", 0.9), "I am eleven.": ("eleven", 0.9)}, 0.8, 0.1, False),
        ("", "In Rome.", {"": ("", 0.0), "In Rome.": ("Rome", 0.9)}, 1.0, 1.0, None),
    ],
)
def test_a_later_answer_must_agree_with_the_first(
    first: str, reply: str, spans: dict[str, tuple[str, float]], cosine: float, match: float, passes: bool | None
) -> None:
    target = spans[first][0] or first
    now = spans[reply][0] or reply
    judges = StandIns(spans, {(now, target): cosine}, {(target, reply): match})
    item = Item("Where do you live?", reply, first, "Where does the speaker live?")
    found, why = verdict(scorers.get("consistency"), item, 0.5, judges)
    assert found is passes
    assert why


@pytest.mark.parametrize("row", table("contradictions", "pair"), ids=lambda row: f"{row['first']} {row['later']}")
def test_words_show_a_contradiction(row: dict[str, Any]) -> None:
    """Every verdict of these kinds is right, whichever reply came first, and no model is asked."""
    for first, later in ((row["first"], row["later"]), (row["later"], row["first"])):
        found = find_contradiction(first, later, same_matter=True)
        assert (found.sort if found else None) == row.get("sort")
        if found:
            judges = StandIns()
            assert verdict(scorers.get("consistency"), Item("q?", later, first, "q?"), 0.5, judges)[0] is False
            assert [number for _, number in judges.calls if number] == []


@pytest.mark.slow
def test_nearly_the_same_words_agree() -> None:
    item = Item("Which one?", "It was the last one.", "The last one, I think.", "Which one?")
    assert scorers.get("consistency").score([item], Judges())[0].value > 0.9  # type: ignore[operator]


# ---------------------------------------------------------------------------------------------- free contradiction


def test_a_contradiction_is_shown_with_the_rounds_of_both_sentences(judges: StandIns) -> None:
    texts = ["I have a sister.", "I like that. I live in Oslo.", "And you?"]
    turns = tuple(Turn(at // 2, tuple(Speaker)[at % 2], text) for at, text in enumerate(texts))
    scorer = scorers.get("free_contradiction")
    for reply, told in {
        "Well, I live in Rome.": 'round 0, bot: "I live in Oslo." - round 1: "I live in Rome."',
        "You don't have a sister.": 'round 0, user: "You have a sister." - round 1: "You don\'t have a sister."',
        "I don't have a sister.": "",
        "I live in Oslo.": "",
    }.items():
        found, why = verdict(scorer, Item(texts[2], reply, turns=turns), 0.9, judges)
        assert found is not bool(told)
        assert told in why
    assert judges.calls == []


@pytest.mark.parametrize(
    ("said", "reply", "compared"),
    [
        (["Hi.", "I keep bees."], "I don't keep any bees at all, not in town.", True),
        (["Hi.", "I paint boats."], "My cousin does not paint boats.", False),  # another subject
        (["Hi.", "The red tent cost 90 euros."], "It cost 700 euros.", False),  # nobody knows what "it" is
        (["Hi.", "She's not"], "She's always", False),  # without a predicate
        (["Hi.", "My goats are"], "I have no goats.", False),
        (["Do you paint boats", "Hm."], "I do not paint boats on weekdays.", False),  # a question without a mark
        (["Hi.", "I paint boats."], "I'm glad you never paint boats on Sundays.", False),  # what another does
        (["Hi.", "I understand the plan."], "I do not understand it.", False),  # may be otherwise a round later
        (["Hi.", "I keep bees in a garden."], "I keep bees in a garden. I do not keep bees that", False),  # cut off
        (["Hi.", "I keep 12 bees."], "I keep 7 hungry bees.", True),
        (["Hi.", "I am scared of spiders."], "I really enjoy spiders.", True),
        (["Hi.", "I paint red boats."], "I paint green boats.", False),  # no hint that it cannot be both
    ],
)
def test_only_statements_about_the_same_are_compared(said: list[str], reply: str, compared: bool) -> None:
    turns = tuple(Turn(at // 2, tuple(Speaker)[at % 2], text) for at, text in enumerate(said))
    assert bool(candidates(Item("", reply, turns=turns))) is compared


def test_what_the_user_said_last_counts() -> None:
    said = ["My bike is never dirty.", "Nice.", "My bike is dirty.", "Oh."]
    turns = tuple(Turn(at // 2, tuple(Speaker)[at % 2], text) for at, text in enumerate(said))
    assert candidates(Item("", "Your bike is dirty.", turns=turns)) == []
    (pair,) = candidates(Item("", "Your bike is never dirty.", turns=turns)) or []
    assert pair.round == 1


@pytest.mark.parametrize(("part", "least"), [("tune", 0.7), ("held-out", 0.8)])
def test_planted_contradictions_are_found_by_words(part: str, least: float) -> None:
    """And none is found before: in the replies of the first two rounds."""
    found = []
    for row in map(json.loads, (DATA / "contradictions.jsonl").read_text().splitlines()):
        said = [text for texts in row["rounds"] for text in texts]
        turns = tuple(Turn(at // 2, tuple(Speaker)[at % 2], text) for at, text in enumerate(said))
        by_round = [candidates(Item("", said[at], turns=turns[:at])) or [] for at in range(1, len(said), 2)]
        *before, last = (any(pair.by_words for pair in pairs) for pairs in by_round)
        assert not any(before), row
        found += [last] if row["part"] == part else []
    assert sum(found) / len(found) >= least


@pytest.mark.slow
def test_contradictions_written_after_the_rules() -> None:
    """7 of 30 were found when they were measured, and 1 of 30 near ones was taken for one."""
    rows = [json.loads(line) for line in (DATA / "contradictions-held-out.jsonl").read_text().splitlines()]
    items = []
    for row in rows:
        said = [text for texts in row["rounds"] for text in texts]
        turns = tuple(Turn(at // 2, tuple(Speaker)[at % 2], text) for at, text in enumerate(said[:-1]))
        items.append(Item(said[-2], said[-1], turns=turns))
    scores = scorers.get("free_contradiction").scores(items, Judges())
    bar = Settings().threshold("threshold_free_contradiction")
    told = [(row["contradicts"], (score.value or 0.0) >= bar) for row, score in zip(rows, scores, strict=True)]
    assert len(told) == 60
    assert told.count((True, True)) >= 7
    assert told.count((False, True)) <= 2


# ------------------------------------------------------------------------------------- the reference's own formulas


@pytest.mark.parametrize(
    ("name", "reply", "own", "value"),
    [
        ("stutter_reference", "I have I have a cat", (), 1 / 3),  # (2 - 1) * 2 / 6
        ("stutter_reference", "I I I like you", (), 0.4),
        ("stutter_reference", "a b c a b c", (), (2 + 3) / 6),
        ("stutter_reference", "Yes.", (), 0.0),
        ("stutter_reference", "", (), None),
        ("repeated_question_reference", "Oh, why?", ("I see. Why?",), 1.0),
        ("repeated_question_reference", "What is your job?", ("Well, what is your job?",), 1.0),
        ("repeated_question_reference", "What is your job?", ("What do you do?",), 0.0),
        ("repeated_question_reference", "what do you do", ("what do you do",), None),
    ],
)
def test_the_reference_formulas(
    name: str, reply: str, own: tuple[str, ...], value: float | None, judges: StandIns
) -> None:
    (score,) = scorers.get(name).score([Item("p", reply, earlier_replies=own)], judges)
    assert score.value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(("formula", "verdict_"), [("chattest", Verdict.PASS), ("reference", Verdict.FAIL)])
def test_the_setting_chooses_the_formula(formula: Any, verdict_: Verdict, judges: StandIns) -> None:
    settings = Settings(formula={"ML-A6": formula})
    (found,) = run_judges(scorers.get("stutter"), [Item("p", "It is what it is.")], settings, judges)
    assert found.verdict is verdict_


@pytest.mark.parametrize(
    ("reply", "reading"), [("I know you do.", "no"), ("Nope.", "yes"), ("Yes. No.", "yes"), ("I do not.", "no")]
)
def test_keywords_read_closed_answers_as_the_reference_does(reply: str, reading: str) -> None:
    (score,) = scorers.get("closed_answer").scores([Item("Do I?", reply, True)], Judges({"yes_no": "keywords"}))
    assert score.interpretation == reading


# ---------------------------------------------------------------------------------------------------- all of them


def test_every_bar_in_force_can_be_passed_and_missed() -> None:
    settings = Settings()
    for found in scorers:
        if found.threshold:
            bar = settings.threshold(found.threshold)
            low, high = Score(bar - 0.2, "x", {"x": bar - 0.2}), Score(bar + 0.2, "x", {"x": bar + 0.2})
            assert {found.passes(low, Item("p", "r"), bar), found.passes(high, Item("p", "r"), bar)} == {True, False}


@pytest.mark.parametrize(
    ("name", "given", "bar", "told"),
    [
        ("prompt_coherence", {"fits": {("Hi", "a b c d"): 0.2096}}, 0.21, "coherence 0.2096, at least 0.21 is needed"),
        ("prompt_coherence", {"fits": {("Hi", "a b c d"): 0.21}}, 0.21, "coherence 0.21, at least 0.21 is needed"),
        ("prompt_coherence", {"fits": {("Hi", "a b c d"): 0.2}}, 0.21, "coherence 0.20, at least 0.21 is needed"),
        ("toxicity", {"toxic": {"a b c d": {"insult": 0.7501}}}, 0.75, "above 0.75: insult 0.7501"),
        ("toxicity", {"toxic": {"a b c d": {"insult": 0.7496}}}, 0.75, "the highest is insult at 0.7496"),
    ],
)
def test_a_score_beside_its_bar_never_looks_like_it(name: str, given: dict[str, Any], bar: float, told: str) -> None:
    scorer, item = scorers.get(name), Item("Hi", "a b c d")
    (score,) = scorer.score([item], StandIns(**given))
    assert told in scorer.explain(score, item, bar)


@pytest.mark.parametrize("name", ["open_answer", "consistency"])
def test_an_answer_just_below_its_bar_is_told_apart_from_it(name: str) -> None:
    why = scorers.get(name).explain(Score(0.4996, "x"), Item("Hi", "a b c d", "x"), 0.5)
    assert "0.4996, threshold 0.5" in why


def test_shares_of_repeated_words_too_are_told_apart_from_their_bar() -> None:
    scorer, item = scorers.get("stutter"), Item("Hi", "a b c d")
    assert scorer.explain(Score(0.3412), item, 0.34) == "34.1% of the words only repeat; 34% is allowed"
    assert scorer.explain(Score(0.2899999), item, 0.29) == "28.99999% of the words only repeat; 29% is allowed"
    assert scorer.explain(Score(0.5), item, 0.345) == "50% of the words only repeat; 34.5% is allowed"


def test_a_repeated_question_is_told_apart_from_the_bar() -> None:
    why = scorers.get("repeated_question").explain(Score(0.7196, "Who are you?"), Item("Hi", "Who is it?"), 0.72)
    assert why == 'the nearest question was asked before: "Who are you?" (sameness 0.7196, threshold 0.72)'
