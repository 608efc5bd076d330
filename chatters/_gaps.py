"""Sentences with a gap, where a rule-based bot would say what it was never told: "Congratulations, ." """

import re

GAP = "\ue000"
"""Stands where a text is empty: a character that no text has (of the private use area)."""
UNKNOWN = "I do not know that yet."
"""Said where every sentence has a gap that nothing can close."""

_ADDRESS = re.compile(rf"\s*,\s*{GAP}(?=\s*(?:[,.!?;:]|$))")
_ADDRESS_FIRST = re.compile(rf"^\s*{GAP}\s*,\s*(\w?)")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s+(?=[,;!?]|\.(?![\da-z]))")
_COMMA_BEFORE_END = re.compile(r"(?<!,),+(?=[.!?;])")
_RUN_TOGETHER = re.compile(r"(?<=[a-z][.!?])(?=[A-Z][a-z])")
_COMMAS = re.compile(r",(?:\s*,)+")
_FIRST = re.compile(r"^(?:[\s,;]|\.(?!\.))+")
# A sentence ends before a space and a capital; not after an initial or a title.
_BORDER = re.compile(
    rf"(?<!\b[A-Z]\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<=[.!?])\s+(?=[A-Z\"{GAP}])"
)


def without_gaps(text: str) -> str:
    """A text that nobody reads, such as one that is matched or kept: its gaps are left out."""
    return " ".join(text.replace(GAP, " ").split()) if GAP in text else text


def mended(text: str) -> str:
    """A text to say: without gaps, and without blanks and commas that have nothing to part.

    A gap between commas, or between a comma and an end, is somebody who is spoken to; it goes with its comma. A
    sentence with another gap says nothing, and is left out; if no other is left, `UNKNOWN` is said.
    """
    if not text.strip():
        return text
    sentences = [_ADDRESS_FIRST.sub(_capital, _ADDRESS.sub("", part)) for part in _BORDER.split(text)]
    whole = [_tidy(part) for part in sentences if GAP not in part]
    return " ".join(part for part in whole if part) or UNKNOWN


def _capital(address: "re.Match[str]") -> str:
    return address[1].upper()


def _tidy(sentence: str) -> str:
    close = _COMMAS.sub(",", _SPACE_BEFORE.sub("", " ".join(sentence.split())))
    return _RUN_TOGETHER.sub(" ", _FIRST.sub("", _COMMA_BEFORE_END.sub("", close)))
