"""Change the tense of the question (MR1-2)."""

import re

from chattest.checks.relations.base import Relation, relation
from chattest.english.clause import BE, HAVE, Clause, find_lemmas, inflect
from chattest.english.word_lists import read_word_list
from chattest.english.yes_no_question import find_verb_of_participle, is_negated, parse_question
from chattest.text.edits import Change, change, match_case, removal

_TIED = read_word_list("tense", "tied")


@relation("tense")
class Tense(Relation):
    """The question asks about another time: "Will there be a sequel?" becomes "Has there ever been a sequel?".

    Source: MR1-2, inversion with tense change: past ("did ...") and present perfect ("have/has ... done") become
    future, future ("will ...", "is ... going to ...") becomes present perfect. The paper has no more rules. Our
    reading: the relation does not apply to a question with a word or a year that fits only one tense. "Ever" is added
    after "there", as in the paper's example, and removed when a present perfect becomes a future.
    """

    code = "MR1-2"
    inverse = True
    only_yes = True

    def reword(self, question: str, article: str) -> str | None:
        """Return the question in the other tense."""
        clause = parse_question(question, article)
        if clause is None or is_negated(clause) or any(token.low in _TIED for token in clause.tokens[1:]):
            return None
        if re.search(r"\b(1\d|20)\d\d\b", question):
            return None
        verb = clause.low(0)
        if verb == "did":
            return change(question, _replace_verb(clause, "will"))
        if verb in HAVE:
            return _to_future(clause)
        if verb == "will":
            return _to_perfect(clause, clause.rest, clause.rest + 1)
        if verb in BE and clause.low(clause.rest) == "going" and clause.low(clause.rest + 1) == "to":
            return _to_perfect(clause, clause.rest + 2, clause.rest + 3)
        return None


def _replace_verb(clause: Clause, new: str) -> list[Change]:
    token = clause.tokens[0]
    return [Change(token.start, token.end, match_case(new, clause.text[token.start : token.end]))]


def _to_future(clause: Clause) -> str | None:
    """Put a question in the present perfect into the future."""
    index = clause.rest + (clause.low(clause.rest) in ("ever", "also"))
    base = find_verb_of_participle(clause.low(index))
    if base is None:
        return None
    token = clause.tokens[index]
    changes = [*_replace_verb(clause, "will"), Change(token.start, token.end, base)]
    if clause.low(clause.rest) == "ever":
        ever = clause.tokens[clause.rest]
        changes.append(removal(clause.text, ever.start, ever.end))
    return change(clause.text, changes)


def _to_perfect(clause: Clause, index: int, after: int) -> str | None:
    """Put a question in the future into the present perfect.

    Args:
        index: Index of the verb.
        after: Index of the next word.
    """
    ever = clause.low(index) == "ever"
    index, after = index + ever, after + ever
    base = clause.low(index)
    if base != "be" and base not in find_lemmas(base):
        return None
    there = clause.low(1) == "there"
    plural = clause.plural or (there and _is_plural(clause, after))
    done = "been" if base == "be" else inflect(base, "VBN")
    start = clause.tokens[clause.rest].start
    words = f"ever {done}" if there or ever else done
    finite = _replace_verb(clause, "have" if plural else "has")
    return change(clause.text, [*finite, Change(start, clause.tokens[index].end, words)])


def _is_plural(clause: Clause, index: int) -> bool:
    """Return True if the noun phrase after "there", at `index`, is plural."""
    for token in clause.tokens[index:]:
        if token.tag in ("NNS", "NNPS") or token.low in ("more", "many", "any"):
            return True
        if token.low in ("a", "an", "another", "one") or token.tag[:2] == "NN":
            return False
    return False
