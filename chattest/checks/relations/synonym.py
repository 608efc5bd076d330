"""Replace adjectives by synonyms (MR2-1)."""

from chattest.checks.relations.base import Relation, relation
from chattest.english.adjectives import replace_adjective
from chattest.english.clause import AUXILIARIES, Clause
from chattest.english.tagged import read_tokens
from chattest.text.edits import change


@relation("synonym")
class Synonym(Relation):
    """Every adjective that has a synonym becomes it: "Can a tight hat give you a headache?" with "a taut hat".

    Source: MR2-1, consistency with synonymous adjective. The paper requires the patterns of MR1-1, which begin with a
    form of "be", but its own example begins with "can". Our reading: any yes/no question, and every adjective in it
    for which a shipped list has a synonym, in any position. Words that the article writes with capitals are names and
    stay.
    """

    code = "MR2-1"
    inverse = False

    def reword(self, question: str, article: str) -> str | None:
        """Return the question with synonyms for its adjectives."""
        tokens = read_tokens(question)
        if len(tokens) < 3 or tokens[0].low not in AUXILIARIES:
            return None
        whole = Clause(question, tokens, 0, 0, (1, 1), 1, False)
        changes = [
            adjective_change
            for index in range(1, len(tokens))
            for adjective_change in replace_adjective(whole, index, "synonym", article)
        ]
        return change(question, changes) if changes else None
