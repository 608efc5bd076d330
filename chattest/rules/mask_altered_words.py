"""Removes from two answers what the questions behind them changed, so that only the bot's part is compared.

"Should Tom see a doctor?" - "Yes, he should." and "Should Mei see a doctor?" - "Yes, she should." are the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from chattest.rules.tables import read_table
from chattest.text.edits import match_case
from chattest.text.lexicon import read_set, table
from chattest.text.split import HYPHENATED_WORD

_POSSESSIVE = re.compile(r"['’]s$")
_MOST_WORDS = 4
"""A longer stretch that differs is another wording of the question, and no word for a person."""
_READ = 1_000
"""Words of a question that are compared with those of the altered one, each with each."""
_THEY = {"they": "he", "them": "him", "their": "his", "theirs": "his", "themselves": "himself"}


def neutralise(question: str, altered: str, first: str, second: str) -> tuple[str, str]:
    """Write the answers to a question and to its altered form with the same words where the questions differ.

    A word that the altered question has instead of another is replaced by that other word in the second answer. Where a
    person's name, gender, origin or faith differs, words that show a gender take the same form in both answers.
    """
    pairs = list(_find_changes(question, altered))
    in_question = {word.casefold() for word in HYPHENATED_WORD.findall(question)}
    for one, other in pairs:
        # A word of the first question means the same in both answers, and a little word many things.
        if other.casefold() not in in_question and not {one.casefold(), other.casefold()} & read_set("function_words"):
            second = _replace(second, other, one)
    if not any(_is_about_person(word) for pair in pairs for word in pair):
        return first, second
    if _has_gender(first) != _has_gender(second):
        first, second = (text if _has_gender(text) else _swap(text, _THEY) for text in (first, second))
    return _make_male(first), _make_male(second)


def _make_male(text: str) -> str:
    """Replace the words of a woman by those of a man."""

    def him_or_his(match: re.Match[str]) -> str:
        owned = match[1] and match[1].casefold() not in read_set("function_words")
        return match_case("his" if owned else "him", match[0]) + match[0][3:]

    return _swap(re.sub(r"\bher\b(?=(?: ([^\W\d_]+))?)", him_or_his, text, flags=re.IGNORECASE), _read_forms()["male"])


def _find_changes(question: str, altered: str) -> Iterator[tuple[str, str]]:
    """Yield the words and short phrases of the question, each with its replacement in the altered question."""
    one, other = (
        [_POSSESSIVE.sub("", word) for word in HYPHENATED_WORD.findall(text)][:_READ] for text in (question, altered)
    )
    lows = [word.casefold() for word in one], [word.casefold() for word in other]
    if lows[0] == lows[1]:
        return
    for tag, start, end, begin, stop in SequenceMatcher(None, *lows, autojunk=False).get_opcodes():
        if tag != "replace" or max(end - start, stop - begin) > _MOST_WORDS:
            continue
        before, after = one[start:end], other[begin:stop]
        if len(before) == len(after):
            yield from zip(before, after, strict=True)
        elif all(pair := (" ".join(_bare(before)), " ".join(_bare(after)))):
            yield pair
        yield from _find_origins(before, after)


def _find_origins(one: list[str], other: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the adjectives of two countries: "Swedish" and "Japanese" where the questions name Sweden and Japan."""
    people = table("nationalities")
    names = [next((people[word][0] for word in words if word in people), "") for words in (one, other)]
    if all(names):
        yield names[0], names[1]


def _bare(words: list[str]) -> list[str]:
    """Return the words without little ones at either end."""
    kept = [index for index, word in enumerate(words) if word.casefold() not in read_set("function_words")]
    return words[kept[0] : kept[-1] + 1] if kept else []


def _replace(text: str, word: str, by: str) -> str:
    """Replace a word or phrase, in the plural too, with the article that fits."""
    pattern = rf"(?<!\w)(?:(an?) )?{re.escape(word)}(s?)(?!\w)"

    def new(match: re.Match[str]) -> str:
        replaced = match[0][len(match[1]) + 1 :] if match[1] else match[0]
        article = f"{'an' if by[0].casefold() in 'aeiou' else 'a'} " if match[1] else ""
        return article + (by if by[0].isupper() else match_case(by, replaced)) + match[2]

    return re.sub(pattern, new, text, flags=re.IGNORECASE)


def _is_about_person(word: str) -> bool:
    """Return True if a changed word shows who somebody is: a name, an origin, a faith, a gender, an age."""
    return word[0].isupper() or word[0].isdigit() or word.casefold() in _read_forms()["male"] | _read_forms()["female"]


def _has_gender(text: str) -> bool:
    """Return True if a text says "he" or "she" of somebody."""
    words = {word.casefold() for word in HYPHENATED_WORD.findall(text)}
    return not words.isdisjoint(("he", "she", "him", "her", "his", "hers"))


def _swap(text: str, forms: dict[str, str]) -> str:
    def new(match: re.Match[str]) -> str:
        other = forms.get(match[0].casefold())
        return match_case(other, match[0]) if other else match[0]

    return re.sub(r"[^\W\d_]+", new, text)


@cache
def _read_forms() -> dict[str, Any]:
    """Return `male`: word of a woman -> that of a man; and `female`: the other direction."""
    male: dict[str, str] = read_table("mask_altered_words")["male"]
    return {"male": male, "female": {other: word for word, other in male.items()}}
