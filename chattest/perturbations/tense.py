"""Verbs in another tense."""

from random import Random

from chattest.perturbations.base import Perturbation, perturbation
from chattest.text.edits import Change, change, match_case
from chattest.text.grammar import clause
from chattest.text.grammar.clause import AUXILIARIES, BE, DO, HAVE, Clause

_PAST = {"am": "was", "is": "was", "are": "were", "do": "did", "does": "did", "have": "had", "has": "had"}
_PAST |= {"can": "could", "will": "would"}
# Words that fit only one tense.
_TIED = frozenset(("yesterday", "tomorrow", "tonight", "ago", "last", "next", "soon", "already", "now", "ever"))
_PRESENT = {"could": "can", "would": "will", "were": "are"}


@perturbation("tense")
class Tense(Perturbation):
    """The verb changes its tense: "What is the name of my cat?" becomes "What was the name of my cat?".

    The kinds are `past`, `present` and `future` ("What will the name of my cat be?"). A kind does not apply to a
    text that is already in its tense. Applies to single clauses that the rules can parse. The answer stays the same.
    """

    family = "grammar"
    kinds = ("past", "present", "future")
    dose_unit = "verbs"
    dose_max = 1.0

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        parsed = clause.parse(text)
        if parsed is None or any(token.low in _TIED for token in parsed.tokens):
            return None
        changes = {"past": _past, "present": _present, "future": _future}[kind](parsed)
        return (change(text, changes), 1) if changes else None


def _past(parsed: Clause) -> list[Change]:
    low = parsed.low(parsed.verb)
    if low in AUXILIARIES:
        return _verb(parsed, _PAST.get(low, ""))
    return _verb(parsed, clause.inflect(clause.lemmas(low)[0], "VBD") if clause.form(low) in ("VBP", "VBZ") else "")


def _present(parsed: Clause) -> list[Change]:
    low = parsed.low(parsed.verb)
    if low == "was":
        return _verb(parsed, "am" if parsed.low(parsed.subject[0]) == "i" and parsed.subject[1] else "is")
    if low in ("did", "had"):
        return _verb(parsed, clause.inflect("do" if low == "did" else "have", "VBP" if parsed.plural else "VBZ"))
    if low in AUXILIARIES:
        return _verb(parsed, _PRESENT.get(low, ""))
    if clause.form(low) != "VBD":
        return []
    return _verb(parsed, clause.inflect(clause.lemmas(low)[0], "VBP" if parsed.plural else "VBZ"))


def _future(parsed: Clause) -> list[Change]:
    low = parsed.low(parsed.verb)
    asked = parsed.is_question and parsed.subject[1] > 0
    if parsed.subject[1] != parsed.verb and not parsed.is_question:  # an adverb stands between: "I always eat"
        return []
    negated = parsed.low(parsed.rest) == "not"
    if low in DO and (asked or negated):
        return _verb(parsed, "will")
    if negated:
        return []
    base = "be" if low in BE else "have" if low in HAVE else "do" if low in DO else ""
    if not base and low not in AUXILIARIES and clause.form(low):
        base = clause.lemmas(low)[0]
    if not base:
        return []
    if asked:
        end = parsed.tokens[parsed.subject[1] - 1].end
        return [*_verb(parsed, "will"), Change(end, end, f" {base}")]
    return _verb(parsed, f"will {base}")


def _verb(parsed: Clause, new: str) -> list[Change]:
    """The finite verb becomes `new`; no change if `new` is empty."""
    token = parsed.tokens[parsed.verb]
    return [Change(token.start, token.end, match_case(new, parsed.text[token.start : token.end]))] if new else []
