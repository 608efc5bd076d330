"""MR1-2: another tense."""

import re

from chattest.checks.relations.base import Relation, relation
from chattest.text.edits import Change, change, like, removal
from chattest.text.grammar.clause import BE, HAVE, Clause, inflect, lemmas
from chattest.text.grammar.lexicon import known
from chattest.text.grammar.yes_no_question import inverted, negated, participle_of

_TIED = known("tense", "tied")


@relation("tense")
class Tense(Relation):
    """The question asks about another time: "Will there be a sequel?" becomes "Has there ever been a sequel?".

    Source: MR1-2, inversion with tense change: past ("did ...") and present perfect ("have/has ... done") become
    future, future ("will ...", "is ... going to ...") becomes present perfect. The paper has no more rules. Our
    reading: a question with a word or a year that belongs to one tense stays as it is, "ever" comes in after "there"
    as in the paper's example, and goes out where a perfect becomes a future.
    """

    code = "MR1-2"
    inverse = True
    only_yes = True

    def asked(self, question: str, article: str) -> str | None:
        """The question in the other tense."""
        clause = inverted(question, article)
        if clause is None or negated(clause) or any(token.low in _TIED for token in clause.tokens[1:]):
            return None
        if re.search(r"\b(1\d|20)\d\d\b", question):
            return None
        verb = clause.low(0)
        if verb == "did":
            return change(question, _finite(clause, "will"))
        if verb in HAVE:
            return _future(clause)
        if verb == "will":
            return _perfect(clause, clause.rest, clause.rest + 1)
        if verb in BE and clause.low(clause.rest) == "going" and clause.low(clause.rest + 1) == "to":
            return _perfect(clause, clause.rest + 2, clause.rest + 3)
        return None


def _finite(clause: Clause, new: str) -> list[Change]:
    token = clause.tokens[0]
    return [Change(token.start, token.end, like(new, clause.text[token.start : token.end]))]


def _future(clause: Clause) -> str | None:
    """A present perfect in the future."""
    at = clause.rest + (clause.low(clause.rest) in ("ever", "also"))
    base = participle_of(clause.low(at))
    if base is None:
        return None
    token = clause.tokens[at]
    changes = [*_finite(clause, "will"), Change(token.start, token.end, base)]
    if clause.low(clause.rest) == "ever":
        ever = clause.tokens[clause.rest]
        changes.append(removal(clause.text, ever.start, ever.end))
    return change(clause.text, changes)


def _perfect(clause: Clause, at: int, after: int) -> str | None:
    """A future in the present perfect; at: the verb, after: what follows it."""
    ever = clause.low(at) == "ever"
    at, after = at + ever, after + ever
    base = clause.low(at)
    if base != "be" and base not in lemmas(base):
        return None
    there = clause.low(1) == "there"
    plural = clause.plural or (there and _many(clause, after))
    done = "been" if base == "be" else inflect(base, "VBN")
    start = clause.tokens[clause.rest].start
    words = f"ever {done}" if there or ever else done
    finite = _finite(clause, "have" if plural else "has")
    return change(clause.text, [*finite, Change(start, clause.tokens[at].end, words)])


def _many(clause: Clause, at: int) -> bool:
    """Whether what "there" announces at `at` are many."""
    for token in clause.tokens[at:]:
        if token.tag in ("NNS", "NNPS") or token.low in ("more", "many", "any"):
            return True
        if token.low in ("a", "an", "another", "one") or token.tag[:2] == "NN":
            return False
    return False
