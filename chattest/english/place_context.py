"""Find out from the words around a place whether another place could replace it.

`goes_anywhere` finds where a person is, comes from or goes to: "My uncle lives in Norway" fits every country, and so
does "I need a ticket to Norway". All other statements and questions with a place count as being about that place: "Is
Brazil in South America?".

`describes_place` finds statements about the place itself, which would be false of another one: "Finland has more saunas
than cars", "the Prime Minister of New Zealand". A question states nothing, but it can take something for granted.
"""

import re
from bisect import bisect_right
from functools import cache, lru_cache

from chattest.english.name_lists import mentions_somebody, read_peoples
from chattest.english.speech_act import questions
from chattest.english.word_lists import pattern
from chattest.text.lexicon import table
from chattest.text.split import LETTERS
from chattest.text.words import PROTECTED_MARK

_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]*")
_PLACE = r"(?:the )?[A-Z]\w+(?: [A-Z]\w+)?"
_OTHERS = re.compile(rf"(?:^|(?<= )){_PLACE} (?:and|or|to)(?: back)?(?: from| in| to)? $")
_STATEMENT = re.compile(r"[^.!?\n]+[.!?]*")


def goes_anywhere(text: str, start: int) -> bool:
    """Return True if the place at `start` follows what a person does, or a thing that leads to places."""
    sentences = _find_sentences(text)
    index = bisect_right(sentences, start, key=re.Match.end)
    sentence = sentences[index] if index < len(sentences) else None
    if sentence is None or pattern("places", "asked_of_many").search(sentence[0]):
        return False
    before = text[max(sentence.start(), start - 120) : start].lstrip()
    others = _OTHERS.search(before)
    while others is not None:  # "between", or "from Spain to Italy"
        before = before[: others.start()]
        others = _OTHERS.search(before)
    if _make_way_pattern().search(before):
        return True
    kept = PROTECTED_MARK.search(text) is not None  # may be a name
    return _make_verb_pattern().search(before) is not None and (kept or mentions_somebody(text))


@lru_cache(maxsize=8)
def _find_sentences(text: str) -> list[re.Match[str]]:
    return list(_SENTENCE.finditer(text))


@cache
def _make_verb_pattern() -> re.Pattern[str]:
    """Return the pattern for being or going somewhere: a verb, up to four words, and a preposition at the end."""
    verbs, straight = (("|".join(table("about_places")[row])) for row in ("does", "straight"))
    people = "|".join(table("about_places")["people"])
    return re.compile(
        rf"\b(?:(?:{verbs})(?: [\w'’-]+){{0,5}}? (?:in|to|from|for|through|across|around)|{straight}"
        rf"|(?:am|is|are|was|were|be|been)(?: not| originally| both| all)? from|[’'](?:m|s|re) (?:not )?from|been to"
        rf"|(?:{people}) (?:in|from)) $",
        re.IGNORECASE,
    )


@cache
def _make_way_pattern() -> re.Pattern[str]:
    """Return the pattern of a thing that leads to a place or comes from it, at the end of a text: "a flight to "."""
    things = "|".join(table("about_places")["things"])
    return re.compile(rf"\b(?:{things}) (?:to|from|for) $", re.IGNORECASE)


def describes_place(text: str, start: int) -> bool:
    """Return True if the sentence around the place at `start` states or presumes something about that place."""
    rows = table("about_places")
    sentence = next((each[0] for each in _STATEMENT.finditer(text) if each.end() > start), text).strip()
    low = [word.lower() for word in LETTERS.findall(sentence)]
    if not set(low).isdisjoint(rows["rule"]) or pattern("places", "a_people").search(sentence):
        return True
    if questions(sentence) and not pattern("places", "tagged").search(sentence):
        return False
    if not set(low).isdisjoint(rows["local"]) or pattern("places", "linked").search(sentence):
        return True
    return not (read_peoples() - {"English"}).isdisjoint(LETTERS.findall(sentence))
