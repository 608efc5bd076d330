"""A rule-based bot leaves out what it was never told, and still says whole sentences."""

import random
import re

import pytest

from chatters.alice import GAP, UNKNOWN, mend, remove_gaps
from chattest.datasets.testsets import read_testsets
from chattest.planning.opening import read_openers
from tests.support.paths import ROOT

BROKEN = re.compile(r"\s[,;!?]|\s\.(?![\da-z])|,\s*[.!?;,]|^[,;]|  |\ue000")
"""What a sentence looks like that lacks a word."""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"Congratulations, {GAP}.", "Congratulations."),
        (f"How are you, {GAP}?", "How are you?"),
        (f"{GAP}, how are you?", "How are you?"),
        (f"Well, {GAP}", "Well"),
        (f"Yes, {GAP}, I do.", "Yes, I do."),
        (f"Your name is {GAP}, seeker. I like it.", "I like it."),
        (f"I see. Do you like {GAP}?", "I see."),
        (f"Your name is {GAP}.", UNKNOWN),
        (GAP, UNKNOWN),
        (f"Dr. Wallace knows {GAP}. So do I.", "So do I."),
        ("A puddle, .Where were you ?", "A puddle. Where were you?"),
        ("It costs .5 or , say, 3 , .", "It costs .5 or, say, 3."),
        ("Hmm... :-) that is all.", "Hmm... :-) that is all."),
        ("I like cats.", "I like cats."),
        ("", ""),
    ],
)
def test_a_text_with_gaps_is_mended(text: str, said: str) -> None:
    assert mend(text) == said
    assert mend(said) == said


def test_what_nobody_reads_only_loses_its_gaps() -> None:
    assert remove_gaps(f"MY NAME IS {GAP} TODAY {GAP}") == "MY NAME IS TODAY"
    assert remove_gaps("  AS IT  IS") == "  AS IT  IS"


@pytest.mark.slow
def test_alice_says_300_whole_replies_to_somebody_she_knows_nothing_of(make):
    sets = [one for kind in read_testsets(ROOT / "testsets").values() for one in kind]
    lines = [text for one in sets for text in (*one.information, *one.questions)]
    lines += [opener.text for topic in ("science", "legal", None) for opener in read_openers("joy", topic)]
    alice = make("alice")
    asked = ["I won.", "I get paid.", "What is my name?", *random.Random(1).sample(lines, 297)]
    replies = {line: alice.get_response([line]) for line in asked}
    assert {line: reply for line, reply in replies.items() if BROKEN.search(reply)} == {}
    assert len(set(replies.values())) > 150
    assert sum(reply == UNKNOWN for reply in replies.values()) < 10, "a gap seldom leaves nothing to say"
