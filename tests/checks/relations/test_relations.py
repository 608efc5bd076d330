"""Each relation against its golden file, and what must hold of every follow-up."""

import re
import tomllib

import pytest

from chattest.checks.relations.base import relations
from chattest.datasets.articles import read_articles
from chattest.records.question import Question
from tests.support.paths import DATA
from tests.support.stand_ins import ROOT

GOLDEN = DATA / "relations" / "golden"
CODES = {
    "antonym": ("MR1-1", True, True),
    "tense": ("MR1-2", True, True),
    "before_after": ("MR1-3", True, True),
    "negation": ("MR1-4", True, False),
    "synonym": ("MR2-1", False, False),
    "clause_moved": ("MR2-2", False, False),
    "voice": ("MR2-3", False, False),
}


def test_the_seven_relations_of_the_paper() -> None:
    assert {one.name: (one.code, one.inverse, one.only_yes) for one in relations} == CODES
    assert all("Source: MR" in (one.__doc__ or "") for one in relations)


@pytest.mark.slow
@pytest.mark.parametrize("name", CODES)
def test_golden(name: str) -> None:
    relation = relations.get(name)
    cases = tomllib.loads((GOLDEN / f"{name}.toml").read_text("utf-8"))["case"]
    assert any("follow_up" in case for case in cases)
    assert any("follow_up" not in case for case in cases)
    for case in cases:
        source = Question(case["question"], case.get("article", ""))
        found = relation.follow_up(source)
        if "follow_up" not in case:
            assert found is None, case["question"]
            continue
        text, article = (source.text, case["follow_up"]) if name == "voice" else (case["follow_up"], source.context)
        assert found == Question(text, article)


@pytest.mark.parametrize("name", CODES)
def test_follow_ups_of_the_shipped_articles(name: str) -> None:
    relation = relations.get(name)
    sources = [entry.question for found in read_articles(ROOT, [], None, 1).values() for entry in found]
    found = [(source, relation.follow_up(source)) for source in sources]
    applied = [(source, new) for source, new in found if new is not None]
    assert len(applied) >= 5
    for source, new in applied:
        assert new != source
        assert (new.text == source.text) == (name == "voice")
        assert (new.context == source.context) == (name != "voice")
        for text in (new.text, new.context):
            assert not re.search(r"  | [?,.]|\bundefined\b", text), text
        assert new.text.endswith("?")
        assert new.text[0].isupper()
        assert relation.follow_up(source) == new


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize(
    "text",
    ["", "?", " ", "Is", "Is it?", "¿Está abierto?", "猫は黒いですか?", "is " * 200 + "?", "Is it\nso?", "\U000f0000"],
)
def test_any_text_can_be_given(name: str, text: str) -> None:
    found = relations.get(name).follow_up(Question(text, text))
    assert found is None or found != Question(text, text)


def test_what_was_read_by_hand_still_is_what_comes_out() -> None:
    """The labels of the shipped follow-ups are of the follow-ups of today."""
    from benchmarks.relation_grammar import LABELS, follow_ups, hashed

    labels = tomllib.loads(LABELS.read_text("utf-8"))
    (name, entries), = read_articles(ROOT, [], None, 1).items()  # fmt: skip
    for relation in relations:
        now = {f"{name}-{number}-{hashed(after)}" for number, _, after in follow_ups(relation, entries, 100)}
        assert now == {key for key in labels[relation.name] if key.startswith(f"{name}-")}
        assert all(re.fullmatch("[ysn]-?", label) for label in labels[relation.name].values())
