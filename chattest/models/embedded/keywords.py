"""Read a reply to a closed question by keywords, as the reference implementation does."""

from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.protocols import YesNoReading

NO = ("no", "do not", "don ' t")
"""A reply with one of these characters in a row, in these letters, before its first full stop is read as a no."""


@judge("yes_no", "keywords")
class KeywordYesNo:
    """Reads every reply as yes, except one that has a keyword of `NO` before its first full stop.

    Source: Emely-testing. "I know." is thus a no, and "I cannot say." too; no reply is read as neither. The setting
    `models = {"yes_no": "keywords"}` chooses it.
    """

    name = "keywords"

    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        """Return one reading for each reply. Raises `ValueError` if their number is not that of the questions."""
        if len(questions) != len(replies):
            raise ValueError(f"there are {len(questions)} questions and {len(replies)} replies")
        return [_reading(reply) for reply in replies]


def _reading(reply: str) -> YesNoReading:
    before = reply.split(".")[0]
    says_no = any(keyword in before for keyword in NO)
    return YesNoReading(float(not says_no), float(says_no), 0.0)
