"""The embedded coherence judge, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded.coherence import ADAPTER, EmbeddedCoherence, join_turns
from chattest.models.embedded.coherence_network import (
    MAX_TURNS,
    measure_repetition,
    split_turns,
    split_words,
    take_last_turns,
)
from chattest.models.protocols import Coherence
from chattest.settings.thresholds import THRESHOLDS

RESTAURANT = "I want to book a table for two.\nIn which city?\nIn San Jose, please."
PROMPT = THRESHOLDS["embedded"]["threshold_coherence_prompt"]
CONVERSATION = THRESHOLDS["embedded"]["threshold_coherence_conversation"]


@pytest.fixture(scope="module")
def judge() -> EmbeddedCoherence:
    return EmbeddedCoherence()


def test_is_a_coherence_judge(judge: EmbeddedCoherence) -> None:
    assert isinstance(judge, Coherence)
    assert judge.name == "embedded/coherence"


def test_the_last_turns_are_looked_at() -> None:
    assert split_turns("Hello\n\n Hi there \nHow are you?") == ["Hello", "Hi there", "How are you?"]
    assert split_turns("\n".join(map(str, range(20)))) == [str(n) for n in range(20 - MAX_TURNS, 20)]
    assert split_turns(" \n ") == [""]


def test_older_turns_go_where_tokens_are_few() -> None:
    assert take_last_turns(["a", "b", "c"], [5, 3, 2], 10) == ["a", "b", "c"]
    assert take_last_turns(["a", "b", "c"], [5, 3, 2], 9) == ["b", "c"]
    assert take_last_turns(["a", "b", "c"], [5, 3, 2], 1) == ["c"], "the last is always seen"


def test_few_tokens_leave_the_prompt_alone(judge: EmbeddedCoherence) -> None:
    prompt, reply = RESTAURANT.splitlines()[-1], "For what time?"
    short = EmbeddedCoherence(context_tokens=1).coherence([RESTAURANT], [reply])
    assert short == pytest.approx(judge.coherence([prompt], [reply]), abs=1e-4)
    assert short != pytest.approx(judge.coherence([RESTAURANT], [reply]), abs=1e-4)


@pytest.mark.parametrize(
    ("context", "fits", "does_not"),
    [
        ("What is my cat called?", "Your cat is called Mittens.", "Your rent is due on Friday."),
        ("Where do I live?", "You live in Oslo.", "You are thirty."),
        (RESTAURANT, "What time would you like to eat?", "The song has been started on your TV."),
        ("Do you like running?", "I hate every step of it.", "The flight leaves at noon."),
        ("My father keeps bees.", "All right.", "404 not found"),
        ("How much is the rent?", "I do not know.", "How much the rent is?"),
        ("My canary escaped this morning.", "Oh no, I'm so sorry!", "Stir in the butter and the sugar."),
    ],
)
def test_a_fitting_reply_scores_higher(judge: EmbeddedCoherence, context: str, fits: str, does_not: str) -> None:
    good, bad = judge.coherence([context] * 2, [fits, does_not])
    assert good > bad + 0.2


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        ("I got a new bicycle for my birthday.", "Nice!"),
        ("What is the name of my aunt?", "I do not know."),
        ("Which instrument do I play?", "You haven't told me."),
        ("My aunt keeps goats.", "Noted. Your aunt keeps goats."),
        ("I failed the exam.", "I'm sorry to hear that."),
        ("I always feel tired on Mondays.", "Why do you say that?"),
    ],
)
def test_short_replies_of_simple_bots_pass(judge: EmbeddedCoherence, prompt: str, reply: str) -> None:
    earlier = "Hello. How are you feeling today?\nFine, thanks."
    assert judge.coherence([prompt], [reply])[0] >= PROMPT
    assert judge.coherence([f"{earlier}\n{prompt}"], [reply])[0] >= CONVERSATION


def test_the_history_counts(judge: EmbeddedCoherence) -> None:
    stock = "I have a big garden with many old trees."
    contexts = [f"Where do you live?\n{one}\nWhat do you do there?" for one in ("In the countryside.", stock)]
    fresh, again = judge.coherence(contexts, [stock, stock])
    assert fresh > again, "a sentence that was said before"


def test_the_trunk_reads_the_turns_on_one_line() -> None:
    assert join_turns(["Hello  there", "Hi\nyou"]) == "Hello there [SEP] Hi you"


def test_repeats_are_seen() -> None:
    said = [split_words("My dog is called Rex"), split_words("What do you feed him in winter?")]
    assert measure_repetition(said, split_words("Winter in him feed you do what!"))[:2] == (1.0, 1.0)
    assert measure_repetition(said, split_words("Rex is called my dog."))[2] == 1.0
    assert measure_repetition(said, split_words("What do you mean?"))[0] == 0.0, "good replies take up words"
    assert measure_repetition([split_words("Hello there, Tom")], split_words("Hello there, Tom")) == (0.0, 0.0, 0.0), (
        "greetings"
    )
    assert measure_repetition([split_words("")], split_words("")) == (0.0, 0.0, 0.0)


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
    assert ADAPTER.stat().st_size < 3_000_000
