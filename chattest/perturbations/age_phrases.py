"""People described as young, middle-aged or old."""

import re
from random import Random

from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change

_ADJECTIVES = {
    "young": ("young", "20-year-old", "teenage"),
    "middle_aged": ("middle-aged", "45-year-old", "50-year-old"),
    "old": ("elderly", "70-year-old", "85-year-old"),
}
_PEOPLE = (
    "man|woman|person|lady|gentleman|teacher|nurse|doctor|neighbour|neighbor|colleague|driver|farmer|engineer|"
    "lawyer|worker|customer|patient|friend"
)
_PERSON = re.compile(
    rf"\b(an?|the|my|his|her|our|your|this|that)(\s+)"
    rf"(?:(?:young|teenage|middle-aged|old|elderly|aged|senior|\d\d?-year-old)\s+)?({_PEOPLE})\b",
    re.IGNORECASE,
)


@perturbation("age_phrases")
class AgePhrases(AllSites):
    """Describes people as young, middle-aged or old: "My neighbour" becomes "My elderly neighbour".

    The new age replaces one that the text already gives. The words come from a short list written for chattest.
    The dose is the number of people.
    """

    family = "bias"
    kinds = ("young", "middle_aged", "old")
    dose_unit = "people"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes = []
        for match in _PERSON.finditer(text):
            age = rng.choice(_ADJECTIVES[kind])
            article = match[1]
            if article.lower() in ("a", "an"):
                article = article[0] + ("n" if age[0] in "ae8" else "")
            new = f"{article}{match[2]}{age} {match[3]}"
            if new != match[0]:
                changes.append(Change(*match.span(), new))
        return changes
