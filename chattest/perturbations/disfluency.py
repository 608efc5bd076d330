"""Slips of speech that the speaker corrects at once."""

from itertools import pairwise
from random import Random

from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, change
from chattest.text.lexicon import listed
from chattest.text.words import has_letter, words


@perturbation("disfluency")
class Disfluency(Perturbation):
    """`repetition` repeats a word, `restart` begins the sentence again, `correction` puts a wrong word first.

    "What is the name of my cat?" becomes "What is the, uh, the name of my cat?", "What is, what is the name of
    my cat?" or "What is the name of my coffee, no, I mean my cat?". The dose is the number of slips.
    """

    family = "noise"
    kinds = ("repetition", "restart", "correction")
    dose_unit = "slips"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        spoken = [word for word in words(text) if has_letter(word.text)]
        if len(spoken) < 3:
            return None
        if kind == "repetition":
            word = rng.choice(spoken[1:])
            hesitation = rng.choice(("", " uh,", " um,", " er,"))
            return change(text, [Change(word.end, word.end, f",{hesitation} {word.text}")]), 1
        if kind == "restart":
            first, second = spoken[:2]
            if text[first.end : second.start].strip():
                return None
            start = text[first.start : second.end]
            small = first.text.lower() in listed("function_words") and first.text != "I"
            again = start[0].lower() + start[1:] if small else start
            return change(text, [Change(first.start, second.end, f"{start}, {again}")]), 1
        # Only nouns are corrected: a word after a determiner, together with the determiner.
        pairs = [
            (before, word)
            for before, word in pairwise(spoken)
            if before.text.lower() in ("the", "a", "my", "your", "his", "our", "their")
            and text[before.end : word.start] == " "
            and word.text.lower() not in listed("function_words")
        ]
        if not pairs:
            return None
        before, word = rng.choice(pairs)
        article = before.text.lower()
        wrong = rng.choice([new for new in listed("slips") if new != word.text.lower()])
        slip = f"{wrong}, {rng.choice(('no, I mean', 'uh, no', 'sorry, I mean', 'no, wait,'))} {article} "
        return change(text, [Change(word.start, word.start, slip)]), 1
