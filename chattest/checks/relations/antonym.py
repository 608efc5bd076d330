"""MR1-1: the contrary adjective."""

from chattest.checks.relations.base import Relation, relation
from chattest.text.edits import change
from chattest.text.grammar.adjectives import exchange
from chattest.text.grammar.clause import BE, Clause
from chattest.text.grammar.lexicon import known
from chattest.text.grammar.yes_no_question import ADVERBS, inverted, negated

_QUANTIFIED = known("antonym", "quantified")
_BETWEEN = ("DT", "IN", "VBN", "VBD", "PRP$")


@relation("antonym")
class Antonym(Relation):
    """The first adjective of what is said becomes its contrary: "based on a true story", "based on a false story".

    Source: MR1-1, inversion with antonymous adjective. The paper's patterns are "be noun (det.) adj.", "be noun
    (det.) adj. noun", "be noun prep. adj. noun" and "be noun done prep. adj. noun" (the text we have has lost what
    stands in brackets); it replaces the first adjective. Our reading: the first adjective after the subject, with
    nothing but articles, prepositions, a participle and adverbs before it. Not after "there": a new film and an old
    one may both be. "The same as" becomes "different from". The adjectives are those of a shipped list.
    """

    code = "MR1-1"
    inverse = True
    only_yes = True

    def asked(self, question: str, article: str) -> str | None:
        """The question with the contrary adjective."""
        clause = inverted(question, article)
        if clause is None or negated(clause) or clause.low(0) not in BE or clause.low(1) == "there":
            return None
        if any(clause.low(index) in _QUANTIFIED for index in range(1, clause.rest)):
            return None
        at = _first(clause)
        changes = exchange(clause, at, "antonym", article) if at is not None else []
        return change(question, changes) if changes else None


def _first(clause: Clause) -> int | None:
    """Where the first adjective is; `None` where something stands before it that the patterns do not have."""
    for at in range(clause.rest, len(clause.tokens)):
        token = clause.tokens[at]
        if token.tag in ("JJ", "JJR", "JJS"):
            return at
        if token.tag not in _BETWEEN and token.low not in ADVERBS:
            return None
    return None
