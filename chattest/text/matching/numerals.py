"""Converts number words to digits: "twenty-two" is 22, "a hundred and five" is 105, "third" and "3rd" are 3.

`num2words` only converts numbers to words, so its output is inverted here.
"""

# text2num 3.1.0 was tried instead: it gets 12 of the 162 comparisons in tests/data/values.toml wrong. With the
# substitutions of `with_digits` around it, 3 are still wrong: it does not convert "a dozen", reads "1.5 million" as two
# numbers, and reads the "o" of "twelve o clock" as 0. It knows more ordinals: of those from 0 to 9,999 it misses 101,
# this module 999: "second" after a ten, which may be a time, and "hundredth" and "thousandth".

from __future__ import annotations

import re
from collections.abc import Iterator

from num2words import num2words

SIMPLE = {num2words(number): number for number in (*range(20), *range(20, 100, 10))}
"""Words for a number by themselves, cardinal and ordinal."""
SIMPLE |= {num2words(number, to="ordinal"): number for number in (*range(20), *range(20, 100, 10)) if number != 2}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
"""Words that multiply the number before them."""


def with_digits(plain: str) -> str:
    """A plain text with its number words and ordinals as digits: "twenty-two" as 22, "3rd" and "third" as 3."""
    plain = re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", r"\1", plain)
    plain = re.sub(r"\b(the|my|your) second\b", r"\1 2", plain)
    plain = re.sub(r"\b(\d+(?:\.\d+)?)k\b", lambda m: f"{float(m[1]) * 1000:g}", plain)
    return " ".join(_numbered(plain.split()))


def _numbered(words: list[str]) -> Iterator[str]:
    total, current, open_number = 0.0, 0.0, False
    for position, word in enumerate([*words, ""]):
        following = words[position + 1] if position + 1 < len(words) else ""
        if word in SIMPLE and (not open_number or _fits(current, SIMPLE[word])):
            current, open_number = current + SIMPLE[word], True
        elif word in SCALES and (open_number or word != "dozen" or (position and words[position - 1] == "a")):
            current = max(current, 1.0) * SCALES[word]
            if SCALES[word] >= 1000:
                total, current = total + current, 0.0
            open_number = True
        elif re.fullmatch(r"\d+(\.\d+)?", word) and following in ("thousand", "million", "billion"):
            current, open_number = float(word), True
        elif (word == "and" and open_number and current % 100 == 0 and following in SIMPLE) or (
            word == "a" and following in SCALES
        ):
            continue
        else:
            if open_number:
                yield f"{total + current:.15g}"
                total, current, open_number = 0.0, 0.0, False
            if word in SIMPLE:
                current, open_number = float(SIMPLE[word]), True
            elif word:
                yield word


def _fits(current: float, number: int) -> bool:
    """Whether a number word continues the number so far: "twenty" + "two" does, "seven" + "thirty" does not."""
    below = current % 100
    return below == 0 or (below >= 20 and below % 10 == 0 and 0 < number < 10)
