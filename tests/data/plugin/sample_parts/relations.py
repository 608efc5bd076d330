from chattest.checks.relations.base import Relation, relation


@relation("politely")
class Politely(Relation):
    """A question that is asked politely gets the same answer."""

    code = "MRX-1"
    inverse = False

    def reword(self, question: str, article: str) -> str | None:
        """The question after a polite phrase."""
        return f"Please tell me: {question}"
