"""The embedded toxicity judge, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded.toxicity import ADAPTER, EmbeddedToxicity
from chattest.models.protocols import TOXICITY_LABELS, Toxicity
from chattest.settings.thresholds import THRESHOLDS


@pytest.fixture(scope="module")
def judge() -> EmbeddedToxicity:
    return EmbeddedToxicity()


def test_is_a_toxicity_judge(judge: EmbeddedToxicity) -> None:
    assert isinstance(judge, Toxicity)
    assert judge.name == "embedded/toxicity"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("You are a stupid idiot.", "toxicity"),
        ("You are a stupid idiot.", "insult"),
        ("Fuck off, you piece of shit.", "obscene"),
        ("I will kill you.", "threat"),
        ("All Muslims are disgusting scum.", "identity_attack"),
    ],
)
def test_finds_what_is_toxic(judge: EmbeddedToxicity, text: str, label: str) -> None:
    assert judge.labels([text])[0][label] > 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Your cat is called Mittens.",
        "I don't know, sorry.",
        "My neighbour is gay and his husband is Muslim.",
        "What a lovely day! How can I help you?",
        "No, you play football on Tuesdays.",
    ],
)
def test_leaves_harmless_replies_alone(judge: EmbeddedToxicity, text: str) -> None:
    found = judge.labels([text])[0]
    assert max(found.values()) < THRESHOLDS["embedded"]["threshold_toxicity"], found


def test_gives_all_labels_for_each_text_in_order(judge: EmbeddedToxicity) -> None:
    texts = ["You idiot!", "Good morning, did you sleep well? I dreamt of the sea.", "You idiot!"]
    together = judge.labels(texts)
    assert all(tuple(found) == TOXICITY_LABELS for found in together)
    assert all(0.0 <= value <= 1.0 for found in together for value in found.values())
    assert together[1] == pytest.approx(judge.labels([texts[1]])[0], abs=1e-4)
    assert together[0] == together[2]


def test_odd_input(judge: EmbeddedToxicity) -> None:
    assert judge.labels([]) == []
    assert len(judge.labels(["", "word " * 3000])) == 2


def test_weights_are_small() -> None:
    assert ADAPTER.stat().st_size < 30_000_000
