"""Grammatical persons: who a clause is about, and the first and second person swapped."""

import re

from chattest.rules.tables import read_table
from chattest.text.split import BARE_WORD, WORD, either

PERSONS = {person: frozenset(words.split()) for person, words in read_table("person")["words"].items()}
"""Person -> its words, in lower case."""
PERSON_OF = {word: person for person, words in PERSONS.items() for word in words}
"""Word -> its person."""
_OTHER_REFLEXIVES = {"himself", "herself", "themselves", "ourselves", "yourselves"}
_SUBJECTS = {word: person for word, person in PERSON_OF.items() if person != "it" and word not in _OTHER_REFLEXIVES}
_SUBJECTS |= dict.fromkeys(("im", "ive", *PERSONS["we"] - _OTHER_REFLEXIVES), "i")
_SWAPPED: dict[str, str] = read_table("person")["swapped"]
_WORDS = re.compile(rf"\b({either((*_SWAPPED, 'you'))})(?![\w'])", re.IGNORECASE)
# "you" is the subject at the beginning of a sentence or clause, and the object elsewhere.
_BEGINS_CLAUSE = re.compile(
    r"(^|[.!?,;:]\s*|\b(that|if|when|while|and|but|because|since|what|how|why|where|do|does|did|can|will|would|could|should)"
    r"\s+)$",
    re.IGNORECASE,
)
_TAKES_CLAUSE = re.compile(
    r"\b(glad|happy|sorry|sad|sure|afraid|think|thought|know|knew|say|said|mean|suppose|guess|hope|believe|wish|see)\s+$",
    re.IGNORECASE,
)
_NO_VERB = re.compile(
    r"\W*$|\s*[.!?,;:]|\s+(and|or|but|to|at|in|on|of|for|from|with|about|by|as|so|too|the|an?|this|that|these|those|your|"
    r"again|alone|all|any|some|well|very|now|then|there|here|out|off|up|down|when|if|because)\b",
    re.IGNORECASE,
)
"""What may follow a "you" that is the object: no verb."""

_ENDS_SENTENCE = re.compile(r"[.!?]\s+$")
_NEAR = 64
"""Characters before a word that tell where it stands."""


def to_second_person(text: str) -> str:
    """Swap the first and second person: "My cat likes me." becomes "Your cat likes you.".

    Only words are looked at: "you" becomes "I" at the beginning of a clause ("I am glad you came.") and "me" elsewhere.
    """
    text = text.replace("’", "'")

    def before(match: re.Match[str]) -> str:
        return text[max(match.start() - _NEAR, 0) : match.start()]

    def swapped(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() == "you":
            is_last = not WORD.search(text, match.end())
            begins_clause = (_BEGINS_CLAUSE.search(before(match)) and not is_last) or (
                _TAKES_CLAUSE.search(before(match)) and not _NO_VERB.match(text, match.end())
            )
            other = "I" if begins_clause else "me"
        else:
            # "İ" and "ſ" match "i" and "s" without regard to case, and are other letters in lower case.
            other = _SWAPPED.get(word.lower(), word)
        begins = match.start() == 0 or _ENDS_SENTENCE.search(before(match))
        return other[0].upper() + other[1:] if begins else other

    return _WORDS.sub(swapped, text)


def find_subject(text: str) -> str:
    """Return the person a clause is about: "i", "you", "he", "she" or "they"; empty where no pronoun tells.

    "We" counts as "i". The first pronoun decides.
    """
    words = (word.casefold().replace("’", "'").split("'")[0] for word in WORD.findall(text))
    return next((_SUBJECTS[word] for word in words if word in _SUBJECTS), "")


def mentions_person(text: str, *persons: str) -> bool:
    """Return True if a text has a word of one of the persons (keys of `PERSONS`)."""
    return any(PERSON_OF.get(word.casefold()) in persons for word in BARE_WORD.findall(text))


def words_in_first_person(text: str) -> list[str]:
    """Return the words of a text in lower case, with every "you" as "I", so that it does not matter who speaks."""
    plain = text.replace("’", "").replace("'", "").casefold()
    in_first = read_table("person")["in_first"]
    return [in_first.get(word, word) for word in BARE_WORD.findall(plain)]
