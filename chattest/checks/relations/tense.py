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
        found = inverted(question, article)
        if found is None or negated(found) or any(token.low in _TIED for token in found.tokens[1:]):
            return None
        if re.search(r"\b(1\d|20)\d\d\b", question):
            return None
        verb = found.low(0)
        if verb == "did":
            return change(question, _finite(found, "will"))
        if verb in HAVE:
            return _future(found)
        if verb == "will":
            return _perfect(found, found.rest, found.rest + 1)
        if verb in BE and found.low(found.rest) == "going" and found.low(found.rest + 1) == "to":
            return _perfect(found, found.rest + 2, found.rest + 3)
        return None


def _finite(found: Clause, new: str) -> list[Change]:
    token = found.tokens[0]
    return [Change(token.start, token.end, like(new, found.text[token.start : token.end]))]


def _future(found: Clause) -> str | None:
    """A present perfect in the future."""
    at = found.rest + (found.low(found.rest) in ("ever", "also"))
    base = participle_of(found.low(at))
    if base is None:
        return None
    token = found.tokens[at]
    changes = [*_finite(found, "will"), Change(token.start, token.end, base)]
    if found.low(found.rest) == "ever":
        ever = found.tokens[found.rest]
        changes.append(removal(found.text, ever.start, ever.end))
    return change(found.text, changes)


def _perfect(found: Clause, at: int, after: int) -> str | None:
    """A future in the present perfect; at: the verb, after: what follows it."""
    ever = found.low(at) == "ever"
    at, after = at + ever, after + ever
    base = found.low(at)
    if base != "be" and base not in lemmas(base):
        return None
    there = found.low(1) == "there"
    plural = found.plural or (there and _many(found, after))
    done = "been" if base == "be" else inflect(base, "VBN")
    start = found.tokens[found.rest].start
    words = f"ever {done}" if there or ever else done
    finite = _finite(found, "have" if plural else "has")
    return change(found.text, [*finite, Change(start, found.tokens[at].end, words)])


def _many(found: Clause, at: int) -> bool:
    """Whether what "there" announces at `at` are many."""
    for token in found.tokens[at:]:
        if token.tag in ("NNS", "NNPS") or token.low in ("more", "many", "any"):
            return True
        if token.low in ("a", "an", "another", "one") or token.tag[:2] == "NN":
            return False
    return False
