"""The rules by which words alone decide, nearly beyond doubt, whether two answers say the same.

Each rule compares the two answers word by word, with the values in them read, and returns `None` where a word could
change the meaning. The card of the fitted combination, which decides the rest, says how often each rule is right on the
pairs written for chattest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chattest.rules.answer_values import same_value
from chattest.rules.answer_words import (
    LEADING_YES_OR_NO,
    Token,
    exclude_each_other,
    find_added,
    find_content,
    says_no_more,
)
from chattest.rules.dialogue_act import only_declines
from chattest.rules.negation import are_opposites, denies_word, is_negated_form
from chattest.rules.reading import read
from chattest.rules.tables import pattern, word_set
from chattest.rules.values.common import Agreement
from chattest.rules.values.names import compare_names
from chattest.rules.values.parse import Value
from chattest.rules.values.spelling import spell_as
from chattest.rules.yes_no import YesNo, same_polarity

Decision = tuple[bool, str]
"""Whether two answers say the same, and why."""

_ITEMS = re.compile(r"(?:(?<!\s)\s++)?(?:[,;&+]|\b(?:and|or|plus|as well as)\b)\s*", re.IGNORECASE)
_LONGEST = 1000
"""Number of characters of the longest answer that rules look at: word by word, longer ones are never the same."""
_SHORTEST_NAME = 3
_SHORT = 12
_SHORTER = 6
"""An answer of so many words at most is its values and little else, where the question asks for one, and anywhere."""
_PERSONAL = frozenset({"place", "language"})
"""Sorts of values that may rightly change with the person that a question is about."""


def decide(question: str, altered: str, answers: tuple[str, str], readings: Sequence[YesNo | None]) -> Decision | None:
    """Decide whether two answers say the same; `None` where no rule is sure.

    Args:
        question: What was asked for the first answer.
        altered: What was asked for the second.
        answers: Both, with the same words where the questions differ.
        readings: The yes or no that each surely says.
    """
    if max(map(len, answers)) > _LONGEST:
        return None
    first, second = map(drop_corrected, answers)
    personal = question != altered
    return (
        _compare_declining(question, (first, second), readings)
        or _compare_bare(question, (first, second), readings)
        or _compare_words(question, first, second, personal=personal)
        or _compare_words(question, first, spell_as(first, second), personal=personal)
        or _compare_words(question, spell_as(second, first), second, personal=personal)
        or _compare_additions(question, first, second, personal=personal)
        or _compare_lists(question, first, second)
        or _compare_values(question, first, second, personal=personal)
    )


MOST_CORRECTIONS = 10
"""Corrections of an answer that are looked at, from the last one back: for each of them the whole text is read."""


def drop_corrected(text: str) -> str:
    """Return the text after a correction of a value: "ten" of "At nine. No wait, ten."; the whole text without one."""
    for match in list(pattern("same_answer", "corrects").finditer(text))[: -MOST_CORRECTIONS - 1 : -1]:
        before, after = (read(part).values for part in (text[: match.start()], text[match.end() :]))
        if after and {value.sort for value in before} & {value.sort for value in after}:
            return text[match.end() :]
    return text


def _compare_declining(question: str, answers: tuple[str, str], readings: Sequence[YesNo | None]) -> Decision | None:
    """Compare two answers of which at least one only refuses or does not know.

    Another that says yes, or gives a value, is not the same; a no may be a refusal where the question is to the bot.
    """
    does = [only_declines(text) for text in answers]
    if does[0] and does[0] == does[1]:
        return True, "both refuse" if does[0] == "refuses" else "neither knows"
    if (does[0] is None) == (does[1] is None):
        return None
    index = 0 if does[0] is None else 1
    if read(answers[index]).act != "answers" or read(answers[index]).denials > (readings[index] == "no"):
        return None
    gives_value = any(
        not any(same_value(value, other) for other in read(question).values) for value in read(answers[index]).values
    )
    said_no = readings[index] == "no" and not re.search(r"\b(?:you|know|tell)\b", question, re.IGNORECASE)
    return (False, f"one {does[1 - index]}") if gives_value or said_no or readings[index] == "yes" else None


def _compare_bare(question: str, answers: tuple[str, str], readings: Sequence[YesNo | None]) -> Decision | None:
    """Decide whether both answers are a yes, or a no, and nothing else."""
    if readings[0] is None or readings[0] != readings[1]:
        return None
    bare = all(says_no_more(find_added(question, text)[0]) for text in answers)
    return (True, f"both {readings[0]}") if bare else None


def _compare_words(question: str, first: str, second: str, *, personal: bool) -> Decision | None:
    """Compare answers with the same words: equal, or different in one value, one opposite or one denial."""
    if not same_polarity(first, second):
        return None
    one, other = find_content(first), find_content(second)
    decision = _align(question, one, other, personal) or _compare_denials(one, other)
    if decision or len(one) != len(other):
        return decision
    apart = [(a, b) for a, b in zip(one, other, strict=True) if not _is_same(a, b)]
    if len(apart) != 1 or not isinstance(a := apart[0][0], str) or not isinstance(b := apart[0][1], str):
        return None
    other_name = not personal and _is_name(first, a) and _is_name(second, b) and _are_others(a, b)
    differ = other_name or exclude_each_other(a, b) or are_opposites({a}, {b}) or is_negated_form(a, b)
    return (False, f"{a}, then {b}") if differ else None


def _compare_additions(question: str, first: str, second: str, *, personal: bool) -> Decision | None:
    """Compare what answers add to the words of the question: "It opens at nine." and "Nine.", asked when."""
    if re.search(r"\bor\b", question) or not same_polarity(first, second):
        return None
    (one, asked), (other, other_asked) = find_added(question, first), find_added(question, second)
    common = set(asked) & set(other_asked)
    if common not in (set(asked), set(other_asked)):
        return None  # "Adults pay five." and "Children pay five."
    if [word for word in asked if word in common] != [word for word in other_asked if word in common]:
        return None
    return _align(question, one, other, personal)


def _compare_lists(question: str, first: str, second: str) -> Decision | None:
    """Decide whether two lists have the same items in another order."""
    orders = pattern("same_answer", "orders")
    ordered = pattern("same_answer", "steps").search(question) or orders.search(first) or orders.search(second)
    if ordered or not same_polarity(first, second):
        return None
    sides = [LEADING_YES_OR_NO.sub("", " ".join(text.split())) for text in (first, second)]
    if len({bool(re.search(r"\bor\b", text, re.IGNORECASE)) for text in sides}) > 1:
        return None
    one, other = (
        sorted(item for item in (" ".join(map(str, find_content(part))) for part in _ITEMS.split(text)) if item)
        for text in sides
    )
    return (True, "the same in another order") if len(one) > 1 and one == other else None


def _compare_values(question: str, first: str, second: str, *, personal: bool) -> Decision | None:
    """Decide whether two answers have as many values, without the question's, and one that the other lacks."""
    in_question = read(question).values
    one, other = (
        [value for value in read(text).values if not any(same_value(value, value_asked) for value_asked in in_question)]
        for text in (first, second)
    )
    spoken = [{token for token in read(text).tokens if isinstance(token, str)} for text in (first, second)]
    if (spoken[0] ^ spoken[1]) & word_set("counts") or re.search(r"\d", " ".join(spoken[0] | spoken[1])):
        return None  # the one counts otherwise, or has a number that is read as no value
    if len({read(LEADING_YES_OR_NO.sub("", text)).denials for text in (first, second)}) > 1:
        return None  # "It is a dog." and "It is not a cat."
    if not one or [value.sort for value in one] != [value.sort for value in other]:
        return None
    if personal and any(value.sort in _PERSONAL for value in one):
        return None
    longest = max(len(read(first).tokens), len(read(second).tokens))
    if longest > (
        _SHORTER if not pattern("same_answer", "asks_value").search(question) else _SHORT if len(one) > 1 else longest
    ):
        return None  # the value may be a detail that the other answer leaves out
    missing = any(
        all(same_value(value, there) is False for there in side)
        for values, side in ((one, other), (other, one))
        for value in values
    )
    return (False, f"{first}, then {second}") if missing else None


def _align(question: str, one: Sequence[Token], other: Sequence[Token], personal: bool) -> Decision | None:
    if not one or len(one) != len(other):
        return None
    pairs = [(a, b, _is_same(a, b)) for a, b in zip(one, other, strict=True)]
    apart = [(a, b) for a, b, verdict in pairs if not verdict]
    if not apart:
        understood = all(_is_understood(question, a, b) and _is_understood(question, b, a) for a, b, _ in pairs)
        return (True, "the same words and values") if understood else None
    if _are_permuted(one, other):
        return None
    for a, b in apart:
        if not (isinstance(a, Value) and isinstance(b, Value) and same_value(a, b) is False):
            return None
        if personal and a.sort in _PERSONAL:
            return None
    return False, "another value"


def _is_understood(question: str, plain: Token, full: Token) -> bool:
    """Return True if a value that leaves out its unit, next to one that has it, means that unit by the question."""
    if not isinstance(plain, Value) or not isinstance(full, Value):
        return True
    if plain.sort != "number" or plain.content[1] is not None or (full.sort == "number" and full.content[1] is None):
        return True
    if full.sort == "number":
        unit = str(full.content[1])
        return unit in read(question).tokens or (unit.startswith("year") and "old" in read(question).tokens)
    return bool(pattern("same_answer", "asks_price" if full.sort == "price" else "asks_time").search(question))


def _are_permuted(one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Return True if two answers list the same values in another order, with nothing but "and" between them."""
    values = [[token for token in side if isinstance(token, Value)] for side in (one, other)]
    if not values[0] or not all(any(_is_same(value, there) for there in values[1]) for value in values[0]):
        return False
    places = [index for index, token in enumerate(one) if isinstance(token, Value)]
    return all(token in ("and", "or") for token in one[places[0] : places[-1]] if isinstance(token, str))


def _is_name(text: str, word: str) -> bool:
    """Return True if a word is a name in a text: it has letters and digits, or a capital inside a sentence."""
    code = bool(re.search(r"\d", word) and re.search(r"[^\W\d_]", word))
    return code or bool(re.search(rf"[\w,] {re.escape(word.capitalize())}\b", text))


def _are_others(name: str, other: str) -> bool:
    """Return True if two names differ by more than a variant form or a typo."""
    if re.search(r"\d", name + other):
        return True
    if min(len(name), len(other)) < _SHORTEST_NAME:
        return False
    return compare_names(name.capitalize(), other.capitalize()) is Agreement.DIFFERENT


def _compare_denials(one: Sequence[Token], other: Sequence[Token]) -> Decision | None:
    """Decide whether two answers of the same words differ in that one denies."""
    counts = [sum(isinstance(token, str) and denies_word(token) for token in side) for side in (one, other)]
    if (counts[0] + counts[1]) % 2 == 0:
        return None
    bare, other_bare = ([word for token in side if (word := _drop_denial(token))] for side in (one, other))
    if not bare or len(bare) != len(other_bare):
        return None
    return (False, "one denies") if all(map(_is_same, bare, other_bare)) else None


def _drop_denial(token: Token) -> Token:
    """Return the token without its denial; empty where it only denies, or only helps another word."""
    if isinstance(token, Value):
        return token
    word = token.removesuffix("+not")
    idle = word_set("denies") | word_set("idle_in_short_answers") | {"do", "did", "any", "all"}
    return "" if word in idle else word.removesuffix("s")


def _is_same(one: Token, other: Token) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return isinstance(one, Value) and isinstance(other, Value) and same_value(one, other) is True
    return one == other
