"""The judge of replies that should notice that they cannot know."""

import json
import tomllib

import pytest

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from chattest.validation.labelled import read_cases
from chattest.validation.validate import validate
from tests.support.paths import DATA
from tests.support.stand_ins import StandIns

QUESTION = "Where does my brother live?"
TOLD = ("My sister lives in Bergen.",)
SAID = tomllib.loads((DATA / "scorers" / "abstaining.toml").read_text())["text"]


def score(reply: str, extract_with: str = "Where does he live?", truth: str = "", **given: object) -> Score:
    judges = StandIns(**given)  # type: ignore[arg-type]
    item = Item(QUESTION, reply, truth, extract_with, user_statements=TOLD)
    (found,) = scorers.get("abstention").score([item], judges)
    return found


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (QUESTION, "the reply only repeats the question"),
        ("where does YOUR brother live", "the reply only repeats the question"),
        ("Where does he live? You have not told me.", ""),
        ("Does he live in Madrid?", ""),
        (" ", "the reply is empty"),
    ],
)
def test_an_echo_notices_nothing(reply: str, why: str) -> None:
    found = score(reply)
    assert (found.reason == why and found.value == 0.0) if why else found.interpretation == "notices"


@pytest.mark.parametrize(
    ("reply", "passes", "understood"),
    [
        ("You have not told me.", True, "notices"),
        ("I only know of your sister, in Bergen.", True, "notices"),
        ("He lives in Madrid.", False, "Madrid"),
        ("I do not know, but I guess Madrid.", False, "Madrid"),
        ("I do not know, but I guess Bergen.", False, "Bergen"),
        ("what a nice day", False, ""),
        ("Isn't it Madrid?", False, "Madrid"),
        ("Was that in Madrid?", False, "Madrid"),
        ("Does he live in Madrid?", True, "notices"),
        ("no town of his so far", True, "notices"),
        ("Madrid is never dull, and nobody ever goes to bed there.", False, ""),
        ("", False, ""),
    ],
)
def test_an_open_answer_that_was_never_told(reply: str, passes: bool, understood: str) -> None:
    found = score(reply)
    assert scorers.get("abstention").passes(found, Item("", reply), 0.0) is passes
    assert found.interpretation == understood


@pytest.mark.parametrize(
    ("reply", "reading", "understood"),
    [
        ("Yes, he does.", (0.9, 0.0, 0.1), "yes"),
        ("You do not.", (0.0, 0.9, 0.1), "no"),
        ("You never said.", (0.0, 0.9, 0.1), "notices"),
    ],
)
def test_a_yes_or_no_that_was_never_told(reply: str, reading: tuple[float, float, float], understood: str) -> None:
    assert score(reply, extract_with="", readings={reply: reading}).interpretation == understood


@pytest.mark.parametrize(
    ("reply", "named"),
    [("He went by train in May.", True), ("He did it by Train", True), ("By plane to Madrid.", False)],
)
def test_what_was_told_instead_is_noticed(reply: str, named: bool) -> None:
    assert (score(reply, truth="by train / the railway").interpretation == "notices") is named


def test_a_reply_that_sounds_like_it_passes_where_no_answer_is_found() -> None:
    reply = "my page remains white"
    likes = {(reply, "I don't know that."): 0.8}
    assert score(reply, cosines=likes).interpretation == "notices"
    assert score(reply).interpretation == ""


@pytest.mark.slow
def test_the_shipped_judge_on_replies_it_was_not_made_on() -> None:
    """Bars a little below what was measured: 0.87 of 93 and 0.96 of 209 held out, 0.99 of those that chose rules."""
    for name, least in (("abstention-held-out", 0.84), ("untold-held-out", 0.93), ("abstention-tune", 0.97)):
        (found,) = validate(read_cases([DATA / "judging" / f"{name}.jsonl"]), Settings(), Judges())
        assert found.kind == "abstention"
        assert found.accuracy >= least, name
        for sort, bar in (("made up", 0.93), ("abstains", 0.9)) if name.startswith("untold") else ():
            rows = [
                said == case.label
                for case, said in zip(found.cases, found.predicted, strict=True)
                if case.tags[0] == sort
            ]
            assert sum(rows) / len(rows) >= bar, sort


def test_held_out_replies_share_no_fact_with_the_others() -> None:
    paths = [*sorted((DATA / "judging").glob("abstention-*.jsonl")), *sorted((DATA / "judging").glob("untold-*.jsonl"))]
    facts = [
        {json.loads(line)["information"] for line in path.read_text(encoding="utf-8").splitlines()} for path in paths
    ]
    assert len(facts) == 4
    assert all(len(each) >= 8 for each in facts)
    assert sum(map(len, facts)) == len(set.union(*facts))


@pytest.mark.slow
def test_answers_of_published_benchmarks_that_abstain() -> None:
    """They come without what was told, and with the question itself for the reader."""
    question, abstention = "What is my sister called?", scorers.get("abstention")
    items = [Item(question, row["says"], None, question) for row in SAID]
    passed = [
        abstention.passes(score, item, 0.0)
        for score, item in zip(abstention.scores(items, Judges()), items, strict=True)
    ]
    assert passed == [row["abstains"] for row in SAID]
