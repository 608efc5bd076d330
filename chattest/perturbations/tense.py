"""The same in another tense."""

from random import Random

from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, change, like
from chattest.text.grammar import clause
from chattest.text.grammar.clause import AUXILIARIES, BE, DO, HAVE, Clause

_PAST = {"am": "was", "is": "was", "are": "were", "do": "did", "does": "did", "have": "had", "has": "had"}
_PAST |= {"can": "could", "will": "would"}
# Words that go with one tense only.
_TIED = frozenset(("yesterday", "tomorrow", "tonight", "ago", "last", "next", "soon", "already", "now", "ever"))
_PRESENT = {"could": "can", "would": "will", "were": "are"}


@perturbation("tense")
class Tense(Perturbation):
    """The verb goes into another tense: "What is the name of my cat?" becomes "What was the name of my cat?".

    Kinds `past`, `present` and `future` ("What will the name of my cat be?"); a text already in the tense does
    not have that kind. Applies to single clauses that the rules read surely. What is asked for stays the same.
    """

    family = "grammar"
    kinds = ("past", "present", "future")
    dose_unit = "verbs"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        found = clause.parse(text)
        if found is None or any(token.low in _TIED for token in found.tokens):
            return None
        changes = {"past": _past, "present": _present, "future": _future}[kind](found)
        return (change(text, changes), 1) if changes else None


def _past(found: Clause) -> list[Change]:
    low = found.low(found.verb)
    if low in AUXILIARIES:
        return _verb(found, _PAST.get(low, ""))
    return _verb(found, clause.inflect(clause.lemmas(low)[0], "VBD") if clause.form(low) in ("VBP", "VBZ") else "")


def _present(found: Clause) -> list[Change]:
    low = found.low(found.verb)
    if low == "was":
        return _verb(found, "am" if found.low(found.subject[0]) == "i" and found.subject[1] else "is")
    if low in ("did", "had"):
        return _verb(found, clause.inflect("do" if low == "did" else "have", "VBP" if found.plural else "VBZ"))
    if low in AUXILIARIES:
        return _verb(found, _PRESENT.get(low, ""))
    if clause.form(low) != "VBD":
        return []
    return _verb(found, clause.inflect(clause.lemmas(low)[0], "VBP" if found.plural else "VBZ"))


def _future(found: Clause) -> list[Change]:
    low = found.low(found.verb)
    asked = found.is_question and found.subject[1] > 0
    if found.subject[1] != found.verb and not found.is_question:  # an adverb stands between: "I always eat"
        return []
    negated = found.low(found.rest) == "not"
    if low in DO and (asked or negated):
        return _verb(found, "will")
    if negated:
        return []
    base = "be" if low in BE else "have" if low in HAVE else "do" if low in DO else ""
    if not base and low not in AUXILIARIES and clause.form(low):
        base = clause.lemmas(low)[0]
    if not base:
        return []
    if asked:
        end = found.tokens[found.subject[1] - 1].end
        return [*_verb(found, "will"), Change(end, end, f" {base}")]
    return _verb(found, f"will {base}")


def _verb(found: Clause, new: str) -> list[Change]:
    """The finite verb becomes `new`; nothing where there is no such form."""
    token = found.tokens[found.verb]
    return [Change(token.start, token.end, like(new, found.text[token.start : token.end]))] if new else []
