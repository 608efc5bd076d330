"""Answers as the rules compare them: their words and values, without what every answer may have or lack."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from chattest.rules.answer_values import said, same_value
from chattest.rules.dialogue_act import asks_yes_or_no, denials, stance
from chattest.rules.values.compare import Value

Token = str | Value

POLAR = re.compile(
    r"\A\W*(?:(?:oh|well|ah)\W+)?(?P<said>yes|yeah|yep|yup|no|nope|nah)\b"
    r"(?=\s*(?:[,.!;:–—-]|\Z)|\s+(?:it|he|she|they|we|you|i|that|there|this|sir|ma['’]am)\b)\W*",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:but|wait|actually|or|unless|depends|though|although|however|except|if|when|only|until|while|yet)\b|\?", re.I
)
_LED = {("from", "#", word, "#") for word in ("to", "until", "and")} | {("between", "#", "and", "#")}
"""Ranges of two values, with a word that leads to them."""
_CLAUSE = re.compile(r"(?<!\d)[.,](?!\d)|[.,](?=\s|\Z)|[;!:–—]")


def brief(text: str) -> list[Token]:
    """The words and values of an answer, without a leading yes or no and without idle words.

    A "not" is joined to the word that it follows: "it is not" and "not" are no different words, "is" and "is not" are.
    """
    tokens: list[Token] = []
    for token in said(POLAR.sub("", text) or text):
        if token == "not" and tokens and isinstance(last := tokens[-1], str):
            tokens[-1] = f"{last}+not"
        else:
            tokens.append(_as().get(token, token) if isinstance(token, str) else token)
    tokens = [token for token in tokens if token not in words("idle")]
    tokens = list(_ranges(tokens))
    tokens = [token for at, token in enumerate(tokens) if not _joins(tokens, at)]
    return [token for at, token in enumerate(tokens) if not _leads(tokens, at)]


def _leads(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word does nothing but lead to a value: "about" in "in about two weeks"."""
    while at < len(tokens) and tokens[at] in words("before_values"):
        at += 1
        if at < len(tokens) and isinstance(tokens[at], Value):
            return True
    return False


def _ranges(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens with "to" in every range: "from nine until five", "between nine and five"."""
    shape = ["#" if isinstance(token, Value) else token for token in tokens]
    led = {at for at in range(len(shape) - 3) if tuple(shape[at : at + 4]) in _LED}
    for at, token in enumerate(tokens):
        if at not in led:
            yield "to" if at - 2 in led else token


def _joins(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word only joins those beside it: "each" in "each week", "to" in "two to three"."""
    if tokens[at] == "each":
        return at + 1 < len(tokens) and tokens[at + 1] in ("hour", "day", "week", "month", "year")
    beside = [*tokens[max(at - 1, 0) : at], *tokens[at + 1 : at + 2]]
    numbers = [isinstance(token, Value) and token.sort in ("number", "price") for token in beside]
    return tokens[at] in ("to", "or") and numbers == [True, True]


def apart_from(question: str, text: str) -> tuple[list[Token], list[str]]:
    """What an answer says beside the words of the question, and the words that it has of them, in order."""
    asked = {_as().get(token, token) for token in said(question) if isinstance(token, str)} - words("denies")
    values = values_of(question)
    left: list[Token] = []
    repeated: list[str] = []
    for token in brief(text):
        if isinstance(token, Value):
            if not any(same_value(token, value) for value in values):
                left.append(token)
        elif token in asked:
            repeated.append(token)
        elif token not in words("subjects"):
            left.append(token)
    return left, [word for word in repeated if word not in words("subjects")]


def values_of(text: str) -> list[Value]:
    return [token for token in said(text) if isinstance(token, Value)]


def same_polarity(first: str, second: str) -> bool:
    """Whether the answers do not begin with a yes and a no."""
    matches = [POLAR.match(text) for text in (first, second)]
    return len({match["said"][0].casefold() for match in matches if match}) < 2


def restated(question: str, answer: str) -> Literal["yes", "no"] | None:
    """The yes or no of an answer that repeats the question as a statement: "It will not hold.", asked "Will it hold?".

    Only its first clause has to do so. `None` where it says more than the question, or says it in another order.
    """
    if not asks_yes_or_no(question) or denials(question) or re.search(r"\bor\b", question, re.IGNORECASE):
        return None
    clause = _CLAUSE.split(answer.strip())[0]
    left, repeated = apart_from(question, clause)
    if not repeated or stance(answer) != "answers" or _TAKEN_BACK.search(answer) or not says_no_more(left):
        return None
    asked = iter([_as().get(token, token) for token in said(question) if isinstance(token, str)])
    if not all(word in asked for word in repeated):  # in this order
        return None
    return "no" if denials(clause) % 2 else "yes"


def says_no_more(tokens: Sequence[Token]) -> bool:
    """Whether words do no more than say yes or no."""
    return all(isinstance(token, str) and token.removesuffix("+not") in words("bare") for token in tokens)


@cache
def words(name: str) -> frozenset[str]:
    """A list of words of `sure.toml`."""
    return frozenset(word for line in _data()[name] for word in line.split())


def exclude(one: str, other: str) -> bool:
    """Whether two words exclude each other: "day" and "week", "from" and "until"."""
    return any(one in row and other in row for row in _rows())


@cache
def _rows() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in _data()["apart"])


def _as() -> dict[str, str]:
    """Word -> another that says the same."""
    known: dict[str, str] = _data()["as"]
    return known


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("same_answer.toml").read_text(encoding="utf-8"))
