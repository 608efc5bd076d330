"""Describe people as young, middle-aged or old."""

import re
from random import Random

from chattest.english.part_of_speech import NOUN, VERB, find_classes
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, takes_an
from chattest.text.lexicon import read_list

_ADJECTIVES = {
    "young": ("young", "25-year-old"),
    "middle_aged": ("middle-aged", "45-year-old", "50-year-old"),
    "old": ("elderly", "70-year-old", "75-year-old"),
}
_PEOPLE = (
    "man|woman|person|lady|gentleman|teacher|nurse|doctor|neighbour|neighbor|colleague|driver|farmer|engineer|"
    "lawyer|customer|patient|friend|cousin|aunt|uncle|boss|dentist|baker|gardener|waiter|waitress|singer|painter|"
    "guest|visitor|tourist|plumber|librarian|violinist|pianist|fisherman|carpenter|shopkeeper|landlord|landlady"
)
_PERSON = re.compile(
    rf"\b(an?|the|my|his|her|our|your|this|that|their)(\s+)"
    rf"(?:(young|middle-aged|old|elderly|\d\d?-year-old)\s+)?({_PEOPLE})\b(?![-’'](?!s\b))",
    re.IGNORECASE,
)
# What says an age, or fits only one.
_AGED = re.compile(
    r"\b(?:years? old|aged?|born|young\w*|old(?:er|est)?|elderly|retire\w*|pension\w*|teen\w*|child|baby|school"
    r"|grand\w+|student|boyfriend|girlfriend|great-\w+|birthday|widow\w*|pregnan\w*|kids?|(?:in|since) \d{4}"
    r"|decades?|centur\w+|generations?|lifelong|lifetime|childhood|all (?:my|his|her|their|your) lives?|my whole life"
    r"|his whole life|her whole life|obituar\w+|funeral|grave|died|death|dead|late (?:wife|husband|uncle|aunt)"
    r"|inherit\w*|veteran|apprentic\w*|trainee|intern|junior|senior|seniors|graduat\w*|universit\w*|college"
    r"|grow up|grew up|grown"
    r"|grows up|(?:was|were|as|being) (?:still |only |just )?an? (?:little |small )?(?:boy|girl|lad|toddler|infant)"
    r"|marks? in|homework|career|experience|anniversary|war|maternity|care home|nursing home|licen[cs]e)\b",
    re.I,
)
# How long somebody has done a thing: more than a few years do not go with every age.
_LONG = re.compile(
    r"\b(?:for|in|over|after|than|past|last|spent|the)(?: [\w-]{1,20}){0,2} (?:years|decades|winters|summers)\b", re.I
)
_KIN_OF = re.compile(
    r"['’]s (?:\w+ )?(?:son|daughter|child|children|baby|father|mother|mum|mom|dad|parents|wife|husband|brother|sister"
    r"|nephew|niece|uncle|aunt|cousin|friend|dog|cat|puppy|horse|car|house|boat|bike|twins|neighbou?r)s?\b"
)
_ROLE = re.compile(
    r"\b(?:be|being|become|becomes|became|becoming|as|hire|hired|need|needs|find|looking for|want|wants|call|called"
    r"|or|nor|either|neither|like|than|every|any) $",
    re.I,
)
# Advice and sayings, which are about no one person.
_RULE = {
    "a": re.compile(
        r"\b(?:always|never|ever|should\w*|must\w*|ought|cannot|can['’]?t|may|if|whenever|often|usually)\b", re.I
    ),
    "the": re.compile(r"\b(?:always|never)\b", re.I),
}
_ASKS = re.compile(r"\b(?:do|does|did|can|could|will|would|should|must) ", re.I)
_AS = re.compile(r"\bas $", re.I)
# Once upon a time: "since he was a young man".
_ONCE = re.compile(
    r"\b(?:since|when|until|till|while|once|before|after) (?:[\w'’]+ ){1,3}?(?:am|is|are|was|were)"
    r"(?: still| only| just)? $",
    re.I,
)
# A part that somebody has, and not a person: "My husband's the baker in the family".
_PART = re.compile(r"(?!(?:who|what|where|when|why|how)\b)\b\w+(?:['’](?:s|m|re)| am| is| are| was| were| be) $", re.I)
# "I did not know that you were a painter" asks what somebody is, and not of what age.
_DOUBTED = re.compile(r"n['’]t\b|\b(?:not|never|if|whether|that|know|knew|believe|think|thought|wish)\b", re.I)
_SAID_OF = re.compile(r"\b(?:am|is|are|was|were|be|becomes?|became) $", re.I)
_NEXT = re.compile(r" (\w+)")
_BEFORE = 120
"""Characters before somebody that tell how they are spoken of."""


@perturbation("age_phrases")
class AgePhrases(AllSites):
    """Describes people as young, middle-aged or old: "My neighbour" becomes "My elderly neighbour".

    The new age replaces one that the text already gives. A text stays if it says more about age, such as "retired".
    Whoever is named twice has one age, told where they are named first. The words come from a short list
    written for chattest. The dose is the number of people.
    """

    family = "bias"
    kinds = ("young", "middle_aged", "old")
    dose_unit = "people"
    rewords = True

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        found = [
            match
            for match in _PERSON.finditer(text)
            if not _compound(text, match.end())
            and not _AS.search(_near(text, match))
            and not _means_anybody(text, match)
            if not _part(text, match)
        ]
        rest = _drop_ages(text, found)
        if _AGED.search(rest) or _LONG.search(rest) or any(_KIN_OF.match(text, match.end()) for match in found):
            return []
        if any(_long_known(match) or _ONCE.search(_near(text, match)) for match in found):
            return []
        # "My neighbour is a teacher" has one person, who gets one age.
        others = [match for match in found if not _SAID_OF.search(_near(text, match))]
        ages: dict[str, str] = {}
        changes = []
        for match in others or found:
            person = match[4].lower()
            if person in ages and match[1].lower() in ("a", "an"):
                return []  # another one: "A young woman asked an old woman"
            if person in ages and not match[3]:
                continue
            if person not in ages:
                fresh = [age for age in _ADJECTIVES[kind] if age not in ages.values()]
                ages[person] = rng.choice(fresh or _ADJECTIVES[kind])
            article = match[1]
            if article.lower() in ("a", "an"):
                article = article[0] + ("n" if takes_an(ages[person]) else "")
            new = f"{article}{match[2]}{ages[person]} {match[4]}"
            if new != match[0]:
                changes.append(Change(*match.span(), new))
        return changes


def _near(text: str, match: re.Match[str]) -> str:
    """Return the words right before somebody."""
    return text[max(match.start() - _BEFORE, 0) : match.start()]


def _compound(text: str, end: int) -> bool:
    """Return True if the word is only the first half of a noun: "the customer service"."""
    after = _NEXT.match(text, end)
    low = after[1] if after else ""
    if NOUN not in find_classes(low) or low in read_list("function_words"):
        return False
    return VERB not in find_classes(low) or not (low.endswith(("s", "ed")) or _ASKS.search(text))


def _means_anybody(text: str, match: re.Match[str]) -> bool:
    """Return True if nobody in particular is meant: "What do you call a person from Niger?", "more than a lawyer"."""
    article = "a" if match[1].lower() == "an" else match[1].lower()
    if article in _RULE and not match[3] and _RULE[article].search(text):
        return True
    if article != "a" or match[3]:
        return False
    before = text[: match.start()]
    if _SAID_OF.search(_near(text, match)) and _DOUBTED.search(before):
        return True
    role = _ROLE.search(text[max(match.start() - 16, 0) : match.start()])
    return match[4].lower() == "person" or role is not None or before.endswith(" of ") or text.rstrip().endswith("?")


def _part(text: str, match: re.Match[str]) -> bool:
    """Return True if the words give somebody's role: "he's the baker in the family"."""
    before = text[max(match.start() - 40, 0) : match.start()]
    return match[1].lower() == "the" and not match[3] and _PART.search(before) is not None


def _long_known(match: re.Match[str]) -> bool:
    """Return True if "old" means that somebody has been known for long, and not their age."""
    acquaintances = ("friend", "neighbour", "neighbor", "colleague", "boss")
    return (match[3] or "").lower() == "old" and match[4].lower() in acquaintances


def _drop_ages(text: str, found: list[re.Match[str]]) -> str:
    """Return the text without the people and their ages."""
    for match in reversed(found):
        text = text[: match.start()] + text[match.end() :]
    return text
