"""The dose of each perturbation measured from outside: from the text and what it became alone."""

from difflib import SequenceMatcher

import regex
from rapidfuzz.distance import OSA

from chattest.text.words import count_words, movable


def graphemes(text: str) -> list[str]:
    return list(regex.findall(r"\X", text))


def words_of(text: str) -> list[str]:
    return [word.text for word in movable(text)]


def mistyped(old: str, new: str) -> float:
    """Edits in all that stands between blanks, over words."""
    pairs = zip(old.split(), new.split(), strict=True)
    return sum(OSA.distance(graphemes(a), graphemes(b)) for a, b in pairs) / count_words(old)


def inversions(old: str, new: str) -> int:
    """Smallest number of swaps of neighbours that turns one order of words into the other."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words_of(old)):
        places.setdefault(word, []).append(place)
    order = [places[word].pop(0) for word in words_of(new)]
    return sum(left > right for place, left in enumerate(order) for right in order[place + 1 :])


def left_out(old: str, new: str) -> float:
    return (count_words(old) - count_words(new)) / count_words(old)


def changed_words(old: str, new: str) -> int:
    return sum(a != b for a, b in zip(words_of(old), words_of(new), strict=True))


def share_changed(old: str, new: str) -> float:
    return changed_words(old, new) / count_words(old)


def changed_characters(old: str, new: str) -> int:
    return sum(a != b for a, b in zip(old, new, strict=True))


def longer(old: str, new: str) -> int:
    return len(new) - len(old)


def shorter(old: str, new: str) -> int:
    return len(old) - len(new)


def visible_shorter(old: str, new: str) -> int:
    return len("".join(old.split())) - len("".join(new.split()))


def letter_typo(old: str, new: str) -> int:
    """One mistake: a letter less, another letter, or two letters exchanged."""
    if len(old) != len(new):
        return shorter(old, new)
    return {1: 1, 2: 1}[changed_characters(old, new)]


def whitespace(old: str, new: str) -> int:
    return longer(old, new) or changed_characters(old, new)


def pieces(old: str, new: str) -> int:
    """How many separate stretches of words differ: no more than were changed. An article follows its noun."""
    before, after = (["a" if word.lower() == "an" else word for word in text.split()] for text in (old, new))
    if len(before) == len(after):
        return sum(a != b for a, b in zip(before, after, strict=True))
    match = SequenceMatcher(None, before, after, autojunk=False)
    return sum(1 for tag, *_ in match.get_opcodes() if tag != "equal")


EXACT = {
    "typo": mistyped,
    "word_order": inversions,
    "mask": left_out,
    "random_word": share_changed,
    "letter_typo": letter_typo,
    "uppercase": changed_characters,
    "lowercase": changed_characters,
    "titlecase": changed_characters,
    "swapcase": changed_characters,
    "add_punctuation": longer,
    "strip_punctuation": visible_shorter,
    "american_to_british": changed_words,
    "british_to_american": changed_words,
    "new_lines": changed_characters,
    "tabs": changed_characters,
    "age": changed_words,
    "missing_spaces": shorter,
    "leetspeak": changed_characters,
    "homoglyphs": changed_characters,
    "zero_width": longer,
    "whitespace": whitespace,
}
"""Perturbation -> the measure that its dose must equal. The dose of the others is at least `pieces`, but for those
below: their changes touch, or one change shows in two places."""
LOOSE = {
    "several",
    "paraphrase",
    "pronouns",
    "religion",
    "tense",
    "negation",
    "disfluency",
    "add_context",
    "greeting",
    "neutral_token",
}
