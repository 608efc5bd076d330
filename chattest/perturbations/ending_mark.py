"""The mark at the end: a question mark or a period where there was none, and none where there was one."""

from random import Random

from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.words import PUNCTUATION, count_words


class _EndingMark(Perturbation):
    family = "azimuth"
    kinds = ("deletion", "replacement", "post_insertion")
    dose_unit = "marks"
    dose_max = 1.0
    mark: str
    others: str  # marks at the end that `replacement` takes away

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        core = text.rstrip()
        blanks = text[len(core) :]
        if not count_words(text):
            return None
        if kind == "post_insertion":
            return (core + self.mark + blanks, 1) if core[-1] not in PUNCTUATION else None
        left = core.rstrip(self.mark if kind == "deletion" else self.others)
        if len(left) == len(core):
            return None
        return left.rstrip() + ("" if kind == "deletion" else self.mark) + blanks, 1


@perturbation("question_mark")
class QuestionMark(_EndingMark):
    """The question mark at the end is taken away, put there, or put in the place of another mark.

    "What is the name of my cat?" becomes "What is the name of my cat". Each text has one of the three kinds at
    most: `deletion` where it ends with a question mark, `replacement` where it ends with one of ".!,",
    `post_insertion` where it ends with no mark. (Azimuth: Question Mark.)
    """

    mark = "?"
    others = ".!,"
    reverse = {"post_insertion": ("question_mark", "deletion")}


@perturbation("ending_period")
class EndingPeriod(_EndingMark):
    """The period at the end is taken away, put there, or put in the place of another mark.

    "My cat is called Mimmi." becomes "My cat is called Mimmi". Each text has one of the three kinds at most:
    `deletion` where it ends with a period, `replacement` where it ends with one of "?!,", `post_insertion`
    where it ends with no mark. (Azimuth: Ending period.)
    """

    mark = "."
    others = "?!,"
    reverse = {"post_insertion": ("ending_period", "deletion")}
