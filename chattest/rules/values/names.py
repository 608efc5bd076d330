"""Compares names of people, pets and things, that is, capitalised words and codes such as B204."""

import re
from functools import cache
from itertools import pairwise

from chattest.rules.values.common import Agreement, function_words, knowledge, plain
from chattest.rules.values.spelling import is_sure_name

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s\b")
_CODE = re.compile(r"\b[^\W\d_]+[_-]?\d\w*")
_APART = re.compile(r"\b[A-Z]{1,4} \d{1,6}\b")
_DIGIT, _LATIN, _NUMBER = re.compile(r"\d"), re.compile(r"[a-z]"), re.compile(r"(?<![\w.])\d{3,12}(?![\w.])")
_WHOLE_ANSWER = 3
"""A text of so many words at most is an answer by itself."""
_DESCRIBED = re.compile(
    r"(?i:(?:in|by|round|near|at|from|like|to|on|up|it['’]?s|it is|you called h(?:er|im) by) ){0,2}"
    r"(?i:the|that|an?|your|our|where the)(?: [^\W\d_A-Z][\w’'-]*,?){1,12} (?:the )?\"?"
)
_TITLED = re.compile(r"(?:[Yy]our|[Oo]ur|[Tt]he|[Aa]) [^\W\d_A-Z]+ ")
"""What stands before a name that is told with what it names: "Your colleague Nadia."."""
_NAMED = re.compile(r"\b(?:is|are|was|were|be|been|called|named|name)\b|['’]s\b", re.IGNORECASE)
_ANSWERED = re.compile(r"\b(?:is|are|was|were|by|named|called):? [\"'“]?(?:the )?[A-Z]")
"""Where a name follows after all: "The actor who plays Jon Snow is Kit Harington."."""
_LONGEST_DESCRIPTION = 24
"""In words. Whoever says more tells more than a description."""
_UMLAUTS = re.compile("([aou])e")
_SHORTEST_SLIP, _SHORTEST_SWAP = 5, 4


def compare_names(expected: str, text: str, only_same: bool = False) -> Agreement:
    """Compare a text's names with an expected name of at most four words; nicknames are known.

    A description ("the capital of Latvia") is left open: the names in it are of something else. `only_same` is that of
    `compare`.
    """
    codes = {_letters(code) for code in _CODE.findall(expected)}
    if codes:
        return _compare_codes(codes, {_letters(code) for code in (*_CODE.findall(text), *_APART.findall(text))}, text)
    wanted = _WORD.findall(_POSSESSIVE.sub("", expected))
    if not wanted or len(wanted) > 4 or not all(word[0].isupper() for word in wanted):
        return Agreement.UNKNOWN
    given = _WORD.findall(_POSSESSIVE.sub("", text))
    present = [any(_same(word, other) for other in given) for word in wanted]
    whole = len(given) <= _WHOLE_ANSWER
    names = [word for word in given if word[0].isupper() and plain(word).replace(" ", "") not in function_words()]
    others = [word for word in names if not any(_same(name, word) for name in wanted)]
    if all(present) or _is_joined(wanted, given):
        return Agreement.UNKNOWN if others and not whole else Agreement.SAME
    if only_same or any(present) or not others or (not whole and others == given[:1] and not is_sure_name(others[0])):
        return Agreement.UNKNOWN
    nearly = any(_may_be(plain(name), plain(other)) for name in wanted for other in others)
    return Agreement.UNKNOWN if nearly or _describes(text, others) else Agreement.DIFFERENT


def _compare_codes(wanted: set[str], said: set[str], text: str) -> Agreement:
    """Compare codes. One that looks otherwise is a code for something else, and a long number is another code."""
    if wanted <= said:
        return Agreement.UNKNOWN if said - wanted else Agreement.SAME
    shapes = {shape for code in wanted for shape in _shapes(code)}
    others = [code for code in said if shapes.intersection(_shapes(code))]
    numbers = [] if said else _NUMBER.findall(text.replace(",", ""))
    others += [number for number in numbers if not any(number in code for code in wanted)]
    return Agreement.DIFFERENT if others else Agreement.UNKNOWN


def _shapes(code: str) -> tuple[str, str]:
    """Return what two codes of a kind have in common: the letters, or the places of letters and digits."""
    return code.rstrip("0123456789"), _DIGIT.sub("0", _LATIN.sub("a", code))


def _describes(text: str, others: list[str]) -> bool:
    """Return True if the other names of a text are only in a description: "the city where Juventus play"."""
    before = text[: text.find(others[0])]
    if _TITLED.fullmatch(before) and not _WORD.search(text, text.find(others[-1]) + len(others[-1])):
        return False
    if not _DESCRIBED.fullmatch(before) or _NAMED.search(before[5:]):
        return False
    return not _ANSWERED.search(text, len(before)) and len(_WORD.findall(text)) <= _LONGEST_DESCRIPTION


def _letters(word: str) -> str:
    return plain(word).replace(" ", "").replace("-", "").replace("_", "")


def _same(name: str, other_name: str) -> bool:
    a, b = plain(name), plain(other_name)
    return a == b or _letters(a) == _letters(b) or bool(_people().get(a, frozenset()) & _people().get(b, frozenset()))


def _is_joined(wanted: list[str], said: list[str]) -> bool:
    """Return True if a name is one word on one side and two on the other: Seabiscuit and Sea Biscuit."""
    whole = _letters("".join(wanted))
    parts = [_letters(word) for word in said]
    return whole in parts or any(a + b == whole for a, b in pairwise(parts))


@cache
def _people() -> dict[str, frozenset[int]]:
    """Return name -> the numbers of the rows of nicknames that have it."""
    rows = list(enumerate(knowledge()["names"]["nicknames"]))
    return {name: frozenset(index for index, row in rows if name in row) for _, names in rows for name in names}


def _may_be(word: str, other_word: str) -> bool:
    """Return True if a word may be another one mistyped, with its umlauts written out, or cut short."""
    if _one_slip(word, other_word):
        return True
    a, b = (_UMLAUTS.sub(r"\1", each.replace("ß", "ss")).replace("strasse", "str") for each in (word, other_word))
    return a == b


def _one_slip(word: str, other_word: str) -> bool:
    """Return True if a word is another with one letter too many, too few or wrong, or with two letters swapped."""
    from rapidfuzz.distance import OSA

    if word == other_word or OSA.distance(word, other_word, score_cutoff=1) > 1:
        return False
    shorter = min(len(word), len(other_word))
    if sorted(word) == sorted(other_word):
        return shorter >= _SHORTEST_SWAP
    return shorter >= _SHORTEST_SLIP and word[0] == other_word[0]
