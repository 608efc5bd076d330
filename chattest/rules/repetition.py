"""Finds what a text says again at once, in a way that language does not use. The exceptions are in `repetition.toml`.

**Found** are:

1. a word that follows itself, or stretch of words that follows itself, with at most a comma, dash or dots between:
   "I I I like you", "I have I have a cat"; a stretch of three words or more also across the end of a sentence;
2. a sentence of three words or more that comes again anywhere in the text, and four words or more in a row that come a
   third time;
3. the first letters of a word, said before it: "B-b-but".

**Not found** is what people say twice on purpose. In a row are allowed: a sound six times ("ha ha ha"); three times, a
word of emphasis ("very very", "no no no") and any word with a meaning that commas or full stops separate ("Row, row,
row your boat"); a phrase of emphasis, or any clause of two words, three times ("I know, I know"); "X and X and X"
("over and over and over") three times; what grammar puts side by side ("that that", "had had") and names ("Bora Bora")
twice; numbers any number of times. What comes again later in the sentence is no repetition: "It is what it is."
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from chattest.rules.tables import read_table, word_set
from chattest.text.lexicon import read_set
from chattest.text.split import WORD

_LETTERS = re.compile(
    r"\b(?:([^\W\d_])(?:[-–]\1)*[-–](?=\1)|([^\W\d_]{2})(?:[-–]\2)+[-–](?=\2)|([bcdfghjklmnpqrstvwxz]{2})[-–](?=\3))",
    re.IGNORECASE,
)
"""The first letter of a word before it; its first two at least twice or without a vowel: "re-read" is a word."""
_NO_STUTTER = {"t-test", "t-tests"}
SOUNDS, EMPHASIS = 6, 3
"""How often a sound, and a word of emphasis, may be said in a row."""
_SENTENCE = 3
"""Words of a sentence that counts where it comes again, and of a stretch that may go on after the end of a sentence."""
_LONG, _LONGEST = 4, 40
"""Words in a row that count where they come a third time, and the longest stretch that is looked for in a row."""
_JOINED, _SPACE, _COMMA, _END = range(4)
"""What stands between two words: a hyphen, nothing, a mark inside a sentence, the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """A stretch of words that is said again."""

    text: str
    """The stretch, in lower case."""
    times: int
    """How often it is said in a row, or in the whole text."""
    words: frozenset[int]
    """The numbers of the words that only repeat: all but those of the first time."""


@dataclass(frozen=True, slots=True)
class _Text:
    words: list[str]
    shown: list[str]
    gaps: list[int]
    """What stands before each word, and behind the last one."""

    def alone(self, start: int, end: int) -> bool:
        """Return True if marks separate these words from the others on both sides."""
        return self.gaps[start] >= _COMMA and self.gaps[end] >= _COMMA


def repetitions(text: str) -> tuple[list[Repetition], int]:
    """Return what a text repeats, and how many words the text has."""
    letters = [match for match in _LETTERS.finditer(text) if not _is_word(text, match)]
    plain = _LETTERS.sub(lambda match: match[0] if _is_word(text, match) else "", text)
    read = _read(plain)
    repeated = [*_find_in_a_row(read), *_find_again(read)]
    count = len(read.words)
    for index, match in enumerate(letters):
        repeated.append(Repetition(match[0].casefold(), 2, frozenset({count + index})))
    return repeated, count + len(letters)


def _is_word(text: str, match: re.Match[str]) -> bool:
    rest = WORD.match(text, match.end())
    whole = (match[0] + (rest[0] if rest else "")).casefold()
    return whole in _NO_STUTTER or rest is None or len(rest[0]) == len(match[1] or match[2] or match[3])


def _read(text: str) -> _Text:
    words: list[str] = []
    shown: list[str] = []
    gaps: list[int] = []
    end = 0
    for match in WORD.finditer(text):
        gaps.append(_gap(text[end : match.start()]) if words else _END)
        words.append(match[0].casefold().replace("’", "'"))
        shown.append(match[0])
        end = match.end()
    return _Text(words, shown, [*gaps, _END])


def _gap(between: str) -> int:
    if between == "-":
        return _JOINED
    if re.search(r"[!?\n]|(?<!\.)\.(?!\.)", between):
        return _END
    return _COMMA if re.search(r"[^\s\w]", between) else _SPACE


def _find_in_a_row(text: _Text) -> list[Repetition]:
    """Return what follows itself. Of the stretches that begin at a word, the one that covers most words counts."""
    found, index, count = [], 0, len(text.words)
    while index < count:
        sizes = [
            n for n in range(1, min(_LONGEST, (count - index) // 2) + 1) if text.words[index] == text.words[index + n]
        ]
        runs = [(size, times) for size in sizes if (times := _count_in_a_row(text, index, size)) > 1]
        size, times = max(runs, key=lambda run: (run[0] * run[1], -run[0]), default=(1, 1))
        if times > 1 and not _is_on_purpose(text, index, size, times):
            covered = frozenset(range(index + size, index + size * times))
            found.append(Repetition(" ".join(text.words[index : index + size]), times, covered))
        index += size * times if times > 1 else 1
    return found


def _count_in_a_row(text: _Text, start: int, size: int) -> int:
    """Return how often the words from `start` follow in a row."""
    first, times = text.words[start : start + size], 1
    while text.words[start + times * size : start + (times + 1) * size] == first:
        gap = text.gaps[start + times * size]
        # "What are you listening to? To the radio." and "If you do, do it." are no repetitions.
        if size < _SENTENCE and gap >= _COMMA and text.gaps[start] < _COMMA:
            break
        if size == 1 and gap == _END and not text.alone(start + times, start + times + 1):
            break
        times += 1
    return times


def _is_on_purpose(text: _Text, start: int, size: int, times: int) -> bool:
    """Return True if people repeat like this on purpose."""
    words = text.words[start : start + size]
    end = start + size * times
    apart = all(text.gaps[start + each * size] >= _COMMA for each in range(1, times))
    if size == 1:
        return _is_word_on_purpose(text, start, times, apart)
    if all(word in word_set("sounds") or word.isdigit() for word in words):
        return times <= SOUNDS
    if times > EMPHASIS:
        return False
    if " ".join(words) in read_table("repetition")["phrases"]:
        return True
    if size > 2:
        return False
    joined = {"and", "by", "after", "or"} & set(words)
    function_words = joined | _read_function_words() - word_set("emphasis") - {"over", "on", "through"}
    if joined and not function_words.issuperset(words):
        return text.words[end : end + 1] == words[:1] or text.words[start - 1 : start] == words[1:]
    return apart and text.alone(start, end)


def _is_word_on_purpose(text: _Text, start: int, times: int, apart: bool) -> bool:
    word, end = text.words[start], start + times
    joined = any(text.gaps[index] == _JOINED for index in range(start + 1, end))
    if word.isdigit() or word in word_set("numbers"):
        return True
    if word in word_set("sounds") or (len(word) > 1 and re.fullmatch(r"(\w{1,2})\1+h?", word)):
        return times <= SOUNDS
    if word in word_set("emphasis") and not joined:
        return times <= EMPHASIS
    if word in _read_function_words():
        close = all(text.gaps[index] == _SPACE for index in range(start + 1, end))
        return (times == 2 and close and word in word_set("grammar")) or (
            apart and times <= EMPHASIS and text.gaps[end] == _END
        )
    if apart:
        return times <= EMPHASIS
    named = word in word_set("doubled_names") or joined or all(each[:1].isupper() for each in text.shown[start:end])
    return named and times == 2


def _find_again(text: _Text) -> list[Repetition]:
    """Return sentences that come again anywhere, and four words or more in a row that come a third time."""
    ends = [index for index, gap in enumerate(text.gaps) if gap == _END]
    places: dict[tuple[str, ...], list[int]] = {}
    for start, end in pairwise(ends):
        if end - start >= _SENTENCE:
            places.setdefault(tuple(text.words[start:end]), []).append(start)
    starts = range(len(text.words) - _LONG + 1)
    counted = Counter(tuple(text.words[index : index + _LONG]) for index in starts)
    for index in starts:
        stretch = tuple(text.words[index : index + _LONG])
        if counted[stretch] >= 3:
            places.setdefault(stretch, []).append(index)
    return [
        Repetition(" ".join(words), len(index), frozenset(each + n for each in index[1:] for n in range(len(words))))
        for words, index in places.items()
        if len(index) > 1
    ]


@cache
def _read_function_words() -> frozenset[str]:
    return read_set("function_words") | word_set("contracted_function_words")
