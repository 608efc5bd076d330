"""The right answers of test sets: what may be written, and whether a sentence holds one."""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from chattest.records.plan import accepted, joined_answers
from chattest.rules import mentions
from chattest.rules.values.compare import Agreement, compare


def _open(answer: str) -> str:
    """Returns an open answer unchanged. Raises `ValueError` for a yes or no in quotes."""
    if any(part.strip(" .!").casefold() in ("yes", "no", "true", "false") for part in accepted(answer)):
        raise ValueError("write true or false without quotes")
    return answer


RightAnswer = Annotated[
    bool | Annotated[str, Field(min_length=1), AfterValidator(_open)],
    BeforeValidator(joined_answers),
]
"""True or false, a text, or a list of accepted texts, which are joined."""


def holds(wording: str, answer: str) -> bool:
    """Whether a wording contains an accepted answer: literally, with other numerals ("twelve" for "12"), or with its
    words in another order. Case is ignored."""
    return any(_holds(wording, part) for part in accepted(answer))


def _holds(wording: str, answer: str) -> bool:
    said, wanted = (unicodedata.normalize("NFC", text).casefold() for text in (wording, answer))
    if re.search(rf"(?<!\w){re.escape(wanted.strip())}(?!\w)", said):
        return True
    return mentions.share(wanted, said) == 1 or compare(answer, wording, only_same=True) is Agreement.SAME


def leaks(answer: str, text: str) -> str:
    """The accepted answer that stands in a text word for word; empty where none does."""
    return next((part for part in accepted(answer) if re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.I)), "")
