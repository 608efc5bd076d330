"""Contractions and their long forms."""

import re
from functools import cache
from random import Random

from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change, match_case

_VERBS = ("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "would", "should", "could")
_NEGATIVES = {
    **{f"{verb} not": f"{verb}n't" for verb in _VERBS},
    "can not": "can't",
    "cannot": "can't",
    "will not": "won't",
    "must not": "mustn't",
}
_PRONOUNS = ("i", "you", "he", "she", "it", "we", "they")
_ASKING = ("who", "what", "where", "when", "how", "that", "there", "here")
_PARTICIPLE = r"been|got|had|done|gone|seen|lived|made|taken|become|known|never|always|already|just|not|\w{3,}ed"
_OF = {"am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "will": "'ll", "would": "'d"}
_WITH = {
    "i": ("am", "have", "will", "would"),
    **dict.fromkeys(("you", "we", "they"), ("are", "have", "will", "would")),
    **dict.fromkeys(("he", "she", "it"), ("is", "has", "will", "would")),
    **dict.fromkeys(_ASKING, ("is",)),
}


@perturbation("contraction")
class Contraction(AllSites):
    """Contracts all forms that can be contracted ("do not": "don't"), or expands all contractions.

    "What is the name of my cat?" becomes "What's the name of my cat?". Only unambiguous forms change: "Yes, I am."
    and "I have a cat" stay. "It's" becomes "it is" or, before a participle, "it has". "Isn't it" becomes "is it
    not". The dose is the number of changes. (Azimuth: Contractions; LangTest: add_contraction.)
    """

    family = "azimuth"
    kinds = ("contraction", "expansion")
    dose_unit = "places"

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if kind == "contraction":
            return [
                Change(*match.span(), match_case(_short()[" ".join(match[0].lower().split())], match[0]))
                for match in _long_pattern().finditer(text)
            ]
        if "'" not in text and "’" not in text:
            return []
        return [Change(*match.span(), _expanded(match)) for match in _short_pattern().finditer(text)]


@cache
def _short() -> dict[str, str]:
    """Long form -> short form, both in lower case."""
    return _NEGATIVES | {f"{who} {verb}": who + _OF[verb] for who, verbs in _WITH.items() for verb in verbs}


@cache
def _long_pattern() -> re.Pattern[str]:
    """Matches long forms that can be contracted in their context: a word must follow, after "have" a participle."""
    sure = [long for long in _short() if not long.endswith((" has", " have"))]
    perfect = [long for long in _short() if long.endswith((" has", " have"))]

    def either(longs: list[str]) -> str:
        return "|".join(sorted((long.replace(" ", r"\s+") for long in longs), key=len, reverse=True))

    negatives = either([long for long in sure if long in _NEGATIVES])
    others = either([long for long in sure if long not in _NEGATIVES])
    return re.compile(
        rf"\b(?:{negatives})\b|\b(?:{others})(?=\s+(?!not\b)[\w\U000f0000-\U000f0fff])|"
        rf"\b(?:{either(perfect)})(?=\s+(?:{_PARTICIPLE})\b(?!\s+(?:not|to)\b))(?!\s+not\b)",
        re.IGNORECASE,
    )


@cache
def _short_pattern() -> re.Pattern[str]:
    auxiliaries = "|".join(short[:-3] for short in _NEGATIVES.values() if short not in ("can't", "won't"))
    people = "|".join((*_PRONOUNS, "this", "that", "there"))
    return re.compile(
        rf"\b(?P<verb>{auxiliaries}|ca|wo)n['’]t\b(?:\s+(?P<asked>{people})\b)?|"
        rf"\b(?P<who>{'|'.join(_PRONOUNS)}|{'|'.join(_ASKING)})['’](?P<tail>m|re|s|ve|ll|d)\b"
        rf"(?P<perfect>(?=\s+(?:{_PARTICIPLE}|better)\b))?|\blet['’]s\b",
        re.IGNORECASE,
    )


def _expanded(match: re.Match[str]) -> str:
    """The long form of a match of `_short_pattern`."""
    old = match[0]
    if verb := match["verb"]:
        full = {"ca": "can", "wo": "will"}.get(verb.lower(), verb.lower())
        if asked := match["asked"]:
            return match_case(full, verb) + f" {asked} " + ("NOT" if verb.isupper() else "not")
        return match_case("cannot" if full == "can" else f"{full} not", old)
    if not (who := match["who"]):
        return match_case("let us", old)
    perfect = match["perfect"] is not None
    verbs = {
        "m": "am",
        "re": "are",
        "ve": "have",
        "ll": "will",
        "s": "has" if perfect else "is",
        "d": "had" if perfect else "would",
    }
    full = verbs[match["tail"].lower()]
    return f"{who} {full.upper() if match['tail'].isupper() else full}"
