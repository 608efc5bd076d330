"""Find statements about a place itself, which would be false of another place.

A person can live, work and travel anywhere: "My uncle lives in Norway" fits every country. "Finland has more saunas
than cars" does not, nor does "the Prime Minister of New Zealand". A question states nothing, but it can take something
for granted.
"""

import re
from functools import cache

from chattest.english.speech_act import questions
from chattest.text.lexicon import table

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_TAGGED = re.compile(r"\b(?:did|do) you know that\b|, (?:right|correct|no)\?$|, \w+n['’]t \w+\?$", re.IGNORECASE)
_LINKED = re.compile(
    r"\b(?:although|because (?:it|its|they|the|of)|despite|even though|though|unless)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
# A people that is in no list: "Did the Maya live in Mexico?".
_A_PEOPLE = re.compile(
    r"\b[Tt]he [A-Z][a-z]+(?: people)?(?: (?:first|once|still|also|always|originally|all))?"
    r" (?:live|lived|come|came|settle|settled|rule|ruled|originate|originated|arrive|arrived|migrate|migrated)\b"
)


def tells_of_place(text: str, start: int) -> bool:
    """Return True if the sentence around the place at `start` states or presumes something about that place."""
    rows = table("about_places")
    sentence = next((each[0] for each in _SENTENCE.finditer(text) if each.end() > start), text).strip()
    low = [word.lower() for word in _WORD.findall(sentence)]
    if not set(low).isdisjoint(rows["rule"]) or _A_PEOPLE.search(sentence):
        return True
    if questions(sentence) and not _TAGGED.search(sentence):
        return False
    local = not set(low).isdisjoint(rows["local"])
    return local or _LINKED.search(sentence) is not None or not _peoples().isdisjoint(_WORD.findall(sentence))


@cache
def _peoples() -> frozenset[str]:
    """Return the adjectives of countries, which are also names of languages."""
    return frozenset(word for row in table("nationalities").values() for word in row) - {"English"}
