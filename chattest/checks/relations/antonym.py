"""Replace an adjective by its antonym (MR1-1)."""

from chattest.checks.relations.base import Relation, relation
from chattest.english.adjectives import replace_adjective
from chattest.english.clause import BE, Clause
from chattest.english.word_lists import read_word_list
from chattest.english.yes_no_question import ADVERBS, is_negated, parse_question
from chattest.text.edits import change

_QUANTIFIED = read_word_list("antonym", "quantified")
_BETWEEN = ("DT", "IN", "VBN", "VBD", "PRP$")


@relation("antonym")
class Antonym(Relation):
    """The first adjective after the subject becomes its antonym: "based on a true story", "based on a false story".

    Source: MR1-1, inversion with antonymous adjective. The paper's patterns are "be noun (det.) adj.", "be noun
    (det.) adj. noun", "be noun prep. adj. noun" and "be noun done prep. adj. noun" (the brackets are empty in the
    text that we have). The paper replaces the first adjective. Our reading: the first adjective after the subject,
    if only articles, prepositions, a participle and adverbs come before it. The relation does not apply after
    "there", because a new film and an old film may both exist. "The same as" becomes "different from". The
    adjectives come from a shipped list.
    """

    code = "MR1-1"
    inverse = True
    only_yes = True

    def reword(self, question: str, article: str) -> str | None:
        """Return the question with the antonym."""
        clause = parse_question(question, article)
        if clause is None or is_negated(clause) or clause.low(0) not in BE or clause.low(1) == "there":
            return None
        if any(clause.low(index) in _QUANTIFIED for index in range(1, clause.rest)):
            return None
        at = _find_first(clause)
        changes = replace_adjective(clause, at, "antonym", article) if at is not None else []
        return change(question, changes) if changes else None


def _find_first(clause: Clause) -> int | None:
    """Return the index of the first adjective; `None` if the patterns do not allow what comes before it."""
    for index in range(clause.rest, len(clause.tokens)):
        token = clause.tokens[index]
        if token.tag in ("JJ", "JJR", "JJS"):
            return index
        if token.tag not in _BETWEEN and token.low not in ADVERBS:
            return None
    return None
