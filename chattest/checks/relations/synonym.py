"""MR2-1: synonymous adjectives."""

from chattest.checks.relations.base import Relation, relation
from chattest.text.edits import change
from chattest.text.grammar.adjectives import exchange
from chattest.text.grammar.clause import AUXILIARIES, Clause, tokens_of


@relation("synonym")
class Synonym(Relation):
    """All adjectives that have one become synonyms: "Can a tight hat give you a headache?" with "a taut hat".

    Source: MR2-1, consistency with synonymous adjective. The paper asks for the patterns of MR1-1, which begin with a
    form of "be", but its own example begins with "can". Our reading: any yes/no question, wherever the adjective
    stands, and every adjective of it that a shipped list has a synonym for; the others stay. What the article writes
    with capitals is a name and stays too.
    """

    code = "MR2-1"
    inverse = False

    def asked(self, question: str, article: str) -> str | None:
        """The question with synonyms."""
        tokens = tokens_of(question)
        if len(tokens) < 3 or tokens[0].low not in AUXILIARIES:
            return None
        whole = Clause(question, tokens, 0, 0, (1, 1), 1, False)
        changes = [exchanged for at in range(1, len(tokens)) for exchanged in exchange(whole, at, "synonym", article)]
        return change(question, changes) if changes else None
