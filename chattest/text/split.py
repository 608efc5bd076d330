"""The patterns by which rules split a text into words and sentences.

`chattest.text.words` splits texts that are altered: there a word is all between two spaces, without punctuation.
"""

import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""Letters and digits, also with apostrophes between them: "don't"."""
BARE_WORD = re.compile(r"[^\W_]+")
"""Letters and digits alone: "don't" is two of them, for rules that remove apostrophes first or do not see them."""
HYPHENATED_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""A word, also with hyphens in it: "well-known"."""
LETTERS = re.compile(r"[^\W\d_]+")
"""Letters alone, without digits."""
# Possessive, so that it cannot backtrack.
SENTENCE = re.compile(r"[^.!?\n]++[.!?]*+")
"""A sentence with its marks; a line break ends one, too."""
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
"""The space after a mark that ends a sentence, so that "3.5" and "www.example.org" are not split."""


def either(words: Iterable[str]) -> str:
    """Return a pattern of any of these words, without a group around it. Of two that fit, the longer one does."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
