"""Swaps the first and second person, so that a speaker's words can be said back to them."""

import re

_SWAPPED = {
    "i am": "you are",
    "i'm": "you're",
    "am i": "are you",
    "i was": "you were",
    "was i": "were you",
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
    "we're": "you're",
    "we've": "you've",
    "we'd": "you'd",
    "we'll": "you'll",
    "you are": "I am",
    "you're": "I'm",
    "are you": "am I",
    "you were": "I was",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "you've": "I've",
    "you'd": "I'd",
    "you'll": "I'll",
}
_WORDS = re.compile(
    r"\b(" + "|".join(sorted(map(re.escape, _SWAPPED), key=len, reverse=True)) + r"|you)(?![\w'])", re.IGNORECASE
)
# "you" is the subject at the beginning of a sentence or clause, and the object elsewhere.
_BEGINS_CLAUSE = re.compile(r"(^|[.!?,;:]\s*|\b(that|if|when|and|but|because|do|did|can|will|would|could)\s+)$", re.I)

_ENDS_SENTENCE = re.compile(r"[.!?]\s+$")
_NEAR = 64
"""Characters before a word that tell where it stands."""


def to_second_person(text: str) -> str:
    """The text with the first and second person swapped: "My cat likes me." becomes "Your cat likes you."

    This only looks at words: "you" becomes "I" at the beginning of a clause and "me" elsewhere.
    """
    text = text.replace("’", "'")

    def before(match: re.Match[str]) -> str:
        return text[max(match.start() - _NEAR, 0) : match.start()]

    def swapped(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() == "you":
            other = "I" if _BEGINS_CLAUSE.search(before(match)) else "me"
        else:
            # "İ" and "ſ" match "i" and "s" without regard to case, and are other letters in lower case.
            other = _SWAPPED.get(word.lower(), word)
        begins = match.start() == 0 or _ENDS_SENTENCE.search(before(match))
        return other[0].upper() + other[1:] if begins else other

    return _WORDS.sub(swapped, text)
