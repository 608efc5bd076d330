"""What the shipped questions hold (`keep`, and right answers) stays as it stands, in its letters' case too."""

import re
from collections import Counter
from random import Random

import pytest

from chattest.checks._altered import alter_question
from chattest.datasets.questions import LabelledQuestion, read_questions
from chattest.perturbations.base import perturbations, resolve
from tests.support.stand_ins import ROOT

CASE = ("uppercase", "lowercase", "titlecase", "swapcase")
RECASED = ("greeting", "paraphrase", "disfluency", "filler_words", "neutral_token", "add_context", "several", "tense")
"""Perturbations that write the first word of a sentence in another case."""
JOINED = ("typo+uppercase", "uppercase+letter_typo", "greeting+titlecase", "several(among=('uppercase', 'typo'))")
HELD = [entry for entry in read_questions(ROOT / "testsets") if entry.keep]


def stretches(entry: LabelledQuestion, text: str) -> list[str]:
    """What is held of a text, as it stands there, in order."""
    held = [*entry.keep, *([entry.answer] if isinstance(entry.answer, str) else []), *entry.also]
    pattern = "|".join(re.escape(word) for word in sorted(held, key=len, reverse=True))
    return re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)


@pytest.mark.parametrize("name", [*CASE, *JOINED, *(pytest.param(name, marks=pytest.mark.slow) for name in RECASED)])
def test_a_change_of_case_leaves_what_is_held(name: str) -> None:
    perturbation = resolve(name)
    changed = 0
    for entry in HELD[::2]:
        for question, _ in alter_question(entry, perturbation, Random(1)):
            for before, after in ((entry.question.text, question.text), (entry.question.context, question.context)):
                if name not in RECASED:
                    # A typo may make one more by chance: "OPENS" becomes "OPEN".
                    assert not Counter(stretches(entry, before)) - Counter(stretches(entry, after)), after
                else:
                    assert all(word in after for word in stretches(entry, before)), after
                changed += before != after
    assert changed > 10, name


def test_the_rest_of_the_text_changes_its_case() -> None:
    entry = next(entry for entry in HELD if "France" in entry.keep)
    ((question, _),) = alter_question(entry, perturbations.get("uppercase"), Random(1))
    assert question.text == "WHAT IS THE CAPITAL OF France?"
