"""Turn the question into a negated statement with "is it right?" (MR1-4)."""

from chattest.checks.relations.base import Relation, relation
from chattest.english.clause import BE, Clause
from chattest.english.word_lists import read_word_list
from chattest.english.yes_no_question import is_negated, parse_question

_QUANTIFIED = read_word_list("negation", "quantified")
_ANYWHERE = read_word_list("negation", "anywhere")
_COMPARED = read_word_list("negation", "compared")


@relation("negation")
class Negation(Relation):
    """The question becomes a negated statement with a tag: "There is not such a thing as a black card, is it right?".

    Source: MR1-4, inversion with negation and tag question; the paper gives the example and no rule. Our reading:
    subject, verb, "not", then the rest ("cannot" for "can", "do not have to" for "must"), if the rules can tell where
    the subject ends. The relation does not apply to subjects such as "anyone" or "all cats", because "not" does not
    make them the opposite, to questions that are negative already, or to questions with "or". "Is" becomes "are" if
    two things are compared.
    """

    code = "MR1-4"
    inverse = True

    def reword(self, question: str, article: str) -> str | None:
        """Return the negated statement."""
        clause = parse_question(question, article)
        if clause is None or is_negated(clause):
            return None
        verb = clause.low(0)
        inner = [clause.low(index) for index in range(1, len(clause.tokens))]
        subject = inner[: clause.rest - 1]
        if any(low in _QUANTIFIED for low in subject) or any(low in _ANYWHERE for low in inner):
            return None
        if "and" in subject and verb in BE and any(low in _COMPARED for low in inner[clause.rest - 1 :][:2]):
            verb = {"is": "are", "was": "were"}.get(verb, verb)
        if verb == "must":  # the contrary of a duty is none, and no ban
            verb = "do" if clause.plural else "does"
            return _state(clause, f"{verb} not have to")
        verb = "cannot" if verb == "can" else f"{verb} not"
        return _state(clause, verb)


def _state(clause: Clause, verb: str) -> str:
    subject = clause.piece(*clause.subject)
    if clause.text[clause.tokens[0].start].isupper():
        subject = subject[:1].upper() + subject[1:]
    return f"{subject} {verb} {clause.piece(clause.rest, len(clause.tokens))}, is it right?"
