"""Normalises an answer to its content words and values, so that rules can compare answers word by word."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from chattest.rules.answer_values import same_value
from chattest.rules.reading import read
from chattest.rules.tables import read_table, word_set
from chattest.rules.values.parse import Value

Token = str | Value

LEADING_YES_OR_NO = re.compile(
    r"\A\W*(?:(?:oh|well|ah)\W+)?(?P<word>yes|yeah|yep|yup|no|nope|nah)\b"
    r"(?=\s*(?:[,.!;:–—-]|\Z)|\s+(?:it|he|she|they|we|you|i|that|there|this|sir|ma['’]am)\b)\W*",
    re.IGNORECASE,
)
_LED = {("from", "#", word, "#") for word in ("to", "until", "and")} | {("between", "#", "and", "#")}
"""Ranges of two values, with a word that leads to them."""


def find_content(text: str) -> list[Token]:
    """Return the words and values of an answer, without a leading yes or no and without idle words.

    A "not" is joined to the word that it follows: "it is not" and "not" are no different words, "is" and "is not" are.
    """
    tokens: list[Token] = []
    for token in read(LEADING_YES_OR_NO.sub("", text) or text).tokens:
        if token == "not" and tokens and isinstance(last := tokens[-1], str):
            tokens[-1] = f"{last}+not"
        else:
            tokens.append(same_form(token) if isinstance(token, str) else token)
    tokens = [token for token in tokens if token not in word_set("idle_in_short_answers")]
    tokens = list(_unify_ranges(tokens))
    tokens = [token for index, token in enumerate(tokens) if not _is_joiner(tokens, index)]
    return [token for index, token in enumerate(tokens) if not _is_lead(tokens, index)]


def _is_lead(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a word only leads to a value: "about" in "in about two weeks"."""
    while index < len(tokens) and tokens[index] in word_set("before_values"):
        index += 1
        if index < len(tokens) and isinstance(tokens[index], Value):
            return True
    return False


def _unify_ranges(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens with "to" in every range: "from nine until five", "between nine and five"."""
    shape = ["#" if isinstance(token, Value) else token for token in tokens]
    led = {index for index in range(len(shape) - 3) if tuple(shape[index : index + 4]) in _LED}
    for index, token in enumerate(tokens):
        if index not in led:
            yield "to" if index - 2 in led else token


def _is_joiner(tokens: Sequence[Token], index: int) -> bool:
    """Return True if a word only joins its neighbours: "each" in "each week", "to" in "two to three"."""
    if tokens[index] == "each":
        return index + 1 < len(tokens) and tokens[index + 1] in ("hour", "day", "week", "month", "year")
    neighbours = [*tokens[max(index - 1, 0) : index], *tokens[index + 1 : index + 2]]
    numbers = [isinstance(token, Value) and token.sort in ("number", "price") for token in neighbours]
    return tokens[index] in ("to", "or") and numbers == [True, True]


def find_added(question: str, answer: str) -> tuple[list[Token], list[str]]:
    """Return what an answer adds to the words of the question, and the words that it repeats, both in order."""
    words_asked = {same_form(token) for token in read(question).tokens if isinstance(token, str)} - word_set("denies")
    added: list[Token] = []
    repeated: list[str] = []
    for token in find_content(answer):
        if isinstance(token, Value):
            if not any(same_value(token, value) for value in read(question).values):
                added.append(token)
        elif token in words_asked:
            repeated.append(token)
        elif token not in word_set("subjects"):
            added.append(token)
    return added, [word for word in repeated if word not in word_set("subjects")]


def says_no_more(tokens: Sequence[Token]) -> bool:
    """Return True if words do no more than say yes or no."""
    bare = word_set("yes_or_no_alone")
    return all(isinstance(token, str) and token.removesuffix("+not") in bare for token in tokens)


def exclude_each_other(one: str, other: str) -> bool:
    """Return True if an answer cannot be the same with one word for the other: "day" and "week", "from" and "until"."""
    return any(one in row and other in row for row in _read_rows())


@cache
def _read_rows() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in read_table("same_answer")["apart"])


def same_form(word: str) -> str:
    """Return one word for all that mean the same: "until" for "till"."""
    synonyms: dict[str, str] = read_table("same_answer")["as"]
    return synonyms.get(word, word)
