"""The embedded coherence judge, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded_coherence import ADAPTER, EmbeddedCoherence, as_seen
from chattest.models.kinds import Coherence

RESTAURANT = "I want to book a table for two.\nIn which city?\nIn San Jose, please."


@pytest.fixture(scope="module")
def judge() -> EmbeddedCoherence:
    return EmbeddedCoherence()


def test_is_a_coherence_judge(judge: EmbeddedCoherence) -> None:
    assert isinstance(judge, Coherence)
    assert judge.name == "embedded/coherence"


def test_turns_stand_apart() -> None:
    assert as_seen("Hello\n\n Hi there \nHow are you?") == "Hello | Hi there | How are you?"


@pytest.mark.parametrize(
    ("context", "fits", "does_not"),
    [
        ("What is my cat called?", "Your cat is called Mittens.", "Your rent is due on Friday."),
        ("Where do I live?", "You live in Oslo.", "You are thirty."),
        (RESTAURANT, "What time would you like to eat?", "The song has been started on your TV."),
        ("Do you like running?", "I hate every step of it.", "The flight leaves at noon."),
    ],
)
def test_a_fitting_reply_scores_higher(judge: EmbeddedCoherence, context: str, fits: str, does_not: str) -> None:
    good, bad = judge.coherence([context] * 2, [fits, does_not])
    assert good > bad + 0.2


def test_gives_one_score_for_each_pair_in_order(judge: EmbeddedCoherence) -> None:
    contexts = [RESTAURANT, "Hello!", RESTAURANT]
    replies = ["What time?", "Hello, how can I help you today, my friend?", "What time?"]
    together = judge.coherence(contexts, replies)
    apart = [judge.coherence([context], [reply])[0] for context, reply in zip(contexts, replies, strict=True)]
    assert together == pytest.approx(apart, abs=1e-4)
    assert all(0.0 <= score <= 1.0 for score in together)


def test_of_a_long_history_the_end_counts(judge: EmbeddedCoherence) -> None:
    long = "\n".join(["We talked about the weather for a long time."] * 60 + ["What is my cat called?"])
    good, bad = judge.coherence([long] * 2, ["Your cat is called Mittens.", "Your rent is due on Friday."])
    assert good > bad


def test_odd_input(judge: EmbeddedCoherence) -> None:
    assert judge.coherence([], []) == []
    assert len(judge.coherence(["", "so " * 3000], ["", "so " * 3000])) == 2
    with pytest.raises(ValueError, match="argument"):
        judge.coherence(["Hello!"], [])


def test_weights_are_small() -> None:
    assert ADAPTER.stat().st_size < 6_000_000
