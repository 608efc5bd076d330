"""The right answers of test sets: which are allowed, and whether a sentence contains one."""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chattest.records.plan import join_answers, split_answers
from chattest.rules import mentions
from chattest.rules.values.compare import Agreement, compare


def _check_open_answer(answer: str) -> str:
    """Return an open answer unchanged.

    Raises:
        ValueError: The answer is a yes or no in quotes.
    """
    if any(part.strip(" .!").casefold() in ("yes", "no", "true", "false") for part in split_answers(answer)):
        raise ValueError("write true or false without quotes")
    return answer


RightAnswer = Annotated[
    bool | Annotated[str, Field(min_length=1), AfterValidator(_check_open_answer)],
    BeforeValidator(join_answers),
]
"""True or false, a text, or a list of accepted texts, which are joined."""


def contains_answer(wording: str, answer: str) -> bool:
    """Return True if a wording contains an accepted answer; case is ignored.

    The answer may be there word for word, with other numerals ("twelve" for "12"), or with its words in another order.
    """
    return any(_contains(wording, part) for part in split_answers(answer))


def _contains(wording: str, answer: str) -> bool:
    text, part = (unicodedata.normalize("NFC", each).casefold() for each in (wording, answer))
    if re.search(rf"(?<!\w){re.escape(part.strip())}(?!\w)", text):
        return True
    return mentions.share(part, text) == 1 or compare(answer, wording, only_same=True) is Agreement.SAME


def find_leaked_answer(answer: str, text: str) -> str:
    """Return the accepted answer that a text contains word for word; empty if it contains none."""
    return next(
        (part for part in split_answers(answer) if re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.I)), ""
    )
