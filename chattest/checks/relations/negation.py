"""MR1-4: the negated statement and "is it right?"."""

from chattest.checks.relations.base import Relation, relation
from chattest.text.grammar.clause import BE, Clause
from chattest.text.grammar.lexicon import known
from chattest.text.grammar.yes_no_question import inverted, negated

_QUANTIFIED = known("negation", "quantified")
_ANYWHERE = known("negation", "anywhere")
_COMPARED = known("negation", "compared")


@relation("negation")
class Negation(Relation):
    """The question becomes a negated statement with a tag: "There is not such a thing as a black card, is it right?".

    Source: MR1-4, inversion with negation and tag question; the paper gives the example and no rule. Our reading:
    subject, verb, "not", and the rest in their order ("cannot" for "can"), where the rules see where the subject
    ends. Not with subjects such as "anyone" or "all cats", whose "not" is another thing than the contrary, nor where
    the question is negative already or asks "or". "Is" becomes "are" after two things that are compared.
    """

    code = "MR1-4"
    inverse = True

    def asked(self, question: str, article: str) -> str | None:
        """The negated statement."""
        clause = inverted(question, article)
        if clause is None or negated(clause):
            return None
        verb = clause.low(0)
        inner = [clause.low(at) for at in range(1, len(clause.tokens))]
        subject = inner[: clause.rest - 1]
        if any(low in _QUANTIFIED for low in subject) or any(low in _ANYWHERE for low in inner):
            return None
        if "and" in subject and verb in BE and any(low in _COMPARED for low in inner[clause.rest - 1 :][:2]):
            verb = {"is": "are", "was": "were"}.get(verb, verb)
        verb = "cannot" if verb == "can" else f"{verb} not"
        return _said(clause, verb)


def _said(clause: Clause, verb: str) -> str:
    subject = clause.piece(*clause.subject)
    if clause.text[clause.tokens[0].start].isupper():
        subject = subject[:1].upper() + subject[1:]
    return f"{subject} {verb} {clause.piece(clause.rest, len(clause.tokens))}, is it right?"
