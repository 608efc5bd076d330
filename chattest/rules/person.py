"""Grammatical persons: who a clause is about, and the first and second person swapped."""

import re

from chattest.text.split import BARE_WORD, WORD

PERSONS = {
    person: frozenset(words.split())
    for person, words in {
        "you": "you your yours yourself yourselves",
        "it": "it its itself",
        "i": "i me my mine myself",
        "he": "he him his himself",
        "she": "she her hers herself",
        "they": "they them their theirs themselves",
        "we": "we us our ours ourselves",
    }.items()
}
"""Person -> its words, in lower case."""
PERSON_OF = {word: person for person, words in PERSONS.items() for word in words}
"""Word -> its person."""
_OTHER_REFLEXIVES = {"himself", "herself", "themselves", "ourselves", "yourselves"}
_SUBJECTS = {word: "i" if person == "we" else person for word, person in PERSON_OF.items() if person != "it"}
_SUBJECTS = {word: person for word, person in _SUBJECTS.items() if word not in _OTHER_REFLEXIVES}
_SUBJECTS |= {"im": "i", "ive": "i"}
_IN_FIRST = {"me": "i", "us": "i", "we": "i", "you": "i", "your": "my", "our": "my", "yours": "mine", "ours": "mine"}
_IN_FIRST |= {"are": "am", "were": "was", "youre": "im", "youve": "ive", "youll": "ill", "youd": "id"}
_IN_FIRST |= {"yourself": "myself"}
"""Words of any person -> those of the first, without apostrophes."""

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
    return [_IN_FIRST.get(word, word) for word in BARE_WORD.findall(plain)]
