"""Lower-case a sentence's start, so that it can follow other words."""

import re

from chattest.english.name_lists import is_name
from chattest.english.part_of_speech import find_classes
from chattest.text.lexicon import read_set, table
from chattest.text.words import PROTECTED_MARK

_NAMES_TOO = frozenset(("christmas", "easter", "turkey"))


def lowercase_first(sentence: str) -> str | None:
    """Return the sentence with a small first letter, but for "I"; `None` if its first word may be a name."""
    first, _, rest = sentence.partition(" ")
    if PROTECTED_MARK.match(first):
        return None
    plain = re.sub(r"(?:n['’]t|['’].*|[^\w]+)$", "", first)
    if not first[:1].isupper() or (plain.isupper() and (plain == "I" or len(plain) > 1)):
        return sentence  # "what is", "I'm", "PLEASE STOP"
    low = plain.lower()
    if rest[:1].isupper() and not rest.startswith(("I ", "I'", "I’")) and low in table("people")["words"]:
        return None  # "Will Turner"
    word = low in read_set("function_words") or (
        bool(find_classes(low)) and not is_name(plain) and low not in _NAMES_TOO
    )
    return sentence[:1].lower() + sentence[1:] if word else None
