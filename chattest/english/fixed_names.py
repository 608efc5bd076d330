"""Find given names that no other name can replace, because of the person or thing that they belong to.

These are rulers ("Elizabeth I"), known people ("Vincent van Gogh", "Joan of Arc"), places ("Sofia"), and names that the
text chooses or discusses as words ("we call him Vincent", "How do you spell Anna?").
"""

import re
from functools import cache

from chattest.text.lexicon import table

_NUMERAL = re.compile(r" (?:[IVX]{1,5}\b(?!['’])|(?:of|van|von|de|da|di|del|du|the) (?:the |la |der |den )?[A-Z])")
_CALLED = re.compile(
    r"\b(?:call|calls|called|calling|name|names|named|naming|christened|baptised|baptized|nicknamed)"
    r"(?: \w{1,12}){0,3},? [\"“'‘]?$",
    re.I,
)
_AS_A_WORD = re.compile(
    r"\b(?:spell|spells|spelt|spelled|spelling|pronounc\w+|rhym\w+|nicknam\w+|short for|initials|anagram\w*|syllab\w+"
    r"|palindrome\w*|vowels?|namesake|named after)\b",
    re.I,
)
_HISTORY = re.compile(
    r"\b(?:crown(?:ed)?|throne|reign\w*|kings?|queens?|emperors?|empress|popes?|monarchs?|prophets?|apostles?|disciples?"
    r"|gospels?|bible|biblical|testament|saints?|goddess\w*|myth\w*|centur(?:y|ies)|protagonist|tsars?|pharaohs?)\b",
    re.I,
)
_BEFORE_PLACE = re.compile(
    r"\b(?:in|to|from|at|near|of|around|through|between|via|into|outside|across|towards?|visit\w*|for|leav\w+|left"
    r"|reach\w*|city|capital|country|state|province|map|flights?|trains?|bus|ferry)(?: the)? $",
    re.I,
)
_LAND_AFTER = re.compile(r"(?:['’]s)?,? (?:the|a|an|is|was|its|in|and|or|airport|metro|use|uses|have|has|border\w*)\b")
_SAID_BY = re.compile(
    r"(?:['’]s (?:mother|mum|mom|father|dad|sister|brother|son|daughter|husband|wife|aunt|uncle|cousin|friend|boss"
    r"|birthday|house|bike|car|dog|cat|bag|phone|coat|glasses)|(?: \w+ly)? (?:says?|said|asks?|asked|tells?"
    r"|told|thinks?|thought"
    r"|hates?|hated|loves?|loved|likes?|liked|wants?|wanted|writes?|wrote|gave|gives?|forgot|forgets?|eats?|ate|drinks?"
    r"|drank|speaks?|spoke|teaches|teach|taught|lives?|lived|works?|worked|plays?|played|wears?|wore|sings?|sang"
    r"|bought|buys?|sold|sells?|read|reads|cooks?|cooked|bakes?|baked|visited|married|lost))\b"
)
_SHE, _HE = re.compile(r"\b(?:she|her|hers|herself)\b", re.I), re.compile(r"\b(?:he|him|his|himself)\b", re.I)


def is_fixed_name(text: str, start: int, end: int, followed: bool, kin: bool) -> bool:
    """Return True if the given name `text[start:end]` must stay.

    `followed` means that a capitalised word comes after it, `kin` that a title or a word such as "brother" comes
    before.
    """
    before, after = text[max(start - 60, 0) : start], text[end : end + 40]
    if _NUMERAL.match(after) or _CALLED.search(before):
        return True
    if text[start:end] not in table("people")["places"]:
        return False
    if kin or followed:
        return False
    if _BEFORE_PLACE.search(before) or _LAND_AFTER.match(after):
        return True
    return not (_SAID_BY.match(after) or _SHE.search(text) or _HE.search(text))


@cache
def has_fixed_names(text: str) -> bool:
    """Return True if a text is about names as words or about historical people, so that all its names must stay."""
    return _AS_A_WORD.search(text) is not None or _HISTORY.search(text) is not None or _names_people(text)


def _names_people(text: str) -> bool:
    """Return True if the text names somebody's people: "neither of them is Indian"."""
    return _people().search(text) is not None


@cache
def _people() -> re.Pattern[str]:
    peoples = "|".join(sorted({re.escape(word) for row in table("nationalities").values() for word in row}))
    return re.compile(
        rf"(?:\b(?:am|is|are|was|were|be|isn['’]t|aren['’]t|not|neither|half|also|both)|['’](?:m|s|re)) "
        rf"(?:a |an |half |part |partly |really )?(?:{peoples})\b(?! (?:food|music|films?|books?|cars?))"
    )
