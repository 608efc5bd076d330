"""Add a question mark or period at the end of a text, or remove it."""

from random import Random

from chattest.english.speech_act import asks
from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.words import PUNCTUATION, count_words


class _EndingMark(Perturbation):
    family = "azimuth"
    kinds = ("deletion", "replacement", "post_insertion")
    dose_unit = "marks"
    dose_max = 1.0
    mark: str
    others: str  # marks at the end that `replacement` replaces

    def fits(self, text: str) -> bool:
        """Return True if the text may end with the mark and still mean the same."""
        return True

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.rstrip()
        blanks = text[len(core) :]
        if not count_words(text):
            return None
        if kind == "post_insertion":
            fits = core[-1] not in PUNCTUATION and self.fits(core)
            return (core + self.mark + blanks, 1) if fits else None
        left = core.rstrip(self.mark if kind == "deletion" else self.others)
        if len(left) == len(core) or not (kind == "deletion" or self.fits(core)):
            return None
        return left.rstrip() + ("" if kind == "deletion" else self.mark) + blanks, 1


@perturbation("question_mark")
class QuestionMark(_EndingMark):
    """Removes the question mark at the end, adds one, or replaces another mark by one.

    "What is the name of my cat?" becomes "What is the name of my cat". At most one of the three kinds applies to a
    text: `deletion` if it ends with a question mark, `replacement` if it ends with one of ".!,", `post_insertion`
    if it ends without a mark. A mark is added only to questions and requests, because with it a statement would
    ask. (Azimuth: Question Mark.)
    """

    mark = "?"
    others = ".!,"
    reverse = {"post_insertion": ("question_mark", "deletion")}

    def fits(self, text: str) -> bool:
        return asks(text)


@perturbation("ending_period")
class EndingPeriod(_EndingMark):
    """Removes the period at the end, adds one, or replaces another mark by one.

    "My cat is called Mimmi." becomes "My cat is called Mimmi". At most one of the three kinds applies to a text:
    `deletion` if it ends with a period, `replacement` if it ends with one of "?!,", `post_insertion` if it ends
    without a mark. (Azimuth: Ending period.)
    """

    mark = "."
    others = "?!,"
    reverse = {"post_insertion": ("ending_period", "deletion")}
