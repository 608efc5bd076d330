"""Move an adverbial (MR2-2)."""

import re
from calendar import day_name
from itertools import pairwise

from chattest.checks.relations.base import Relation, relation
from chattest.english.clause import AUXILIARIES, BE, Clause, form
from chattest.english.noun_phrase import is_time
from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import read_word_list
from chattest.english.yes_no_question import ADVERBS, parse_question

_PREPOSITIONS = frozenset(("in", "at", "on"))
_CLAUSES = frozenset(("when", "if"))
_ASKING = frozenset(("what", "which", "whose", "how", "addition", "case", "fact", "general", "order"))
_ANY = frozenset(("all", "any", "both", "different", "each", "every", "multiple", "several"))
_TIMES = read_word_list("voice", "times") | frozenset(map(str.lower, day_name))
_RATES = frozenset(("cost", "expense", "pace", "rate", "speed"))
_GOVERNING = read_word_list("clause_moved", "governing")
_IDIOMS = read_word_list("clause_moved", "idioms")


@relation("clause_moved")
class ClauseMoved(Relation):
    """An adverbial moves to the front or to the end: "In Canada, can you turn left on red?".

    Source: MR2-2, consistency with adverbial clause position change: an adverbial (clause) that begins with "when",
    "in", "at", "on" or "if" moves from the beginning to the end, or from elsewhere to the beginning. The paper does
    not say which words belong to it. Our reading: from the last such word to the end of the question. A prepositional
    phrase moves only if the verb or the noun before it does not require it ("based on ...", "an interest in ...") and
    the article does not write it as part of a name. At the front of a follow-up, a comma separates it from the
    question; a source question may have none, if the rules can tell where its adverbial ends.
    """

    code = "MR2-2"
    inverse = False

    def reword(self, question: str, article: str) -> str | None:
        """Return the question with its adverbial moved."""
        tokens = read_tokens(question)
        if len(tokens) < 4:
            return None
        if tokens[0].low in _PREPOSITIONS | _CLAUSES:
            return _move_to_end(question, article)
        clause = parse_question(question, article)
        return _move_to_front(clause, article) if clause is not None else None


def _move_to_end(question: str, article: str) -> str | None:
    """Return the question with its adverbial at the end; `None` if the rules cannot find where it ends."""
    core = question.strip()
    front, comma, rest = core.rstrip("?").partition(",")
    if not comma:
        front, rest = _split_unmarked(core.rstrip("?").rstrip(), article)
    rest = rest.strip()
    if "," in rest or not rest or rest.split()[0].lower() not in AUXILIARIES:
        return None
    if core[0].isupper():
        front, rest = front[0].lower() + front[1:], rest[0].upper() + rest[1:]
    return f"{rest} {front}{'?' * core.endswith('?')}"


def _split_unmarked(text: str, article: str) -> tuple[str, str]:
    """Return the adverbial and the question after it, with no comma between ("in canada can you turn left on red")."""
    tokens = read_tokens(text)
    clausal = tokens[0].low in _CLAUSES
    splits = []
    for index in range(2, len(tokens) - 2):
        if tokens[index].low not in AUXILIARIES:
            continue
        front, rest = tokens[:index], text[tokens[index].start :]
        fits = _is_whole_clause(front) if clausal else _is_bare_phrase(front)
        parsed = parse_question(rest, article) if fits else None
        # An adverbial at the end already would keep the two apart: "does it rain in autumn in norway".
        if parsed is not None and not any(token.low in _CLAUSES for token in parsed.tokens):
            splits.append((text[: tokens[index - 1].end], rest))
    return splits[0] if len(splits) == 1 else ("", "")


def _is_whole_clause(front: tuple[Token, ...]) -> bool:
    """Return True if "when" or "if" has its subject and its verb, so that the next auxiliary begins the question."""
    finite = [token for token in front[2:] if token.tag[:2] == "VB" or token.low in AUXILIARIES or form(token.low)]
    return bool(finite) and front[-1].low not in AUXILIARIES and front[-1].tag not in ("DT", "IN", "TO", "PRP$", "CC")


def _is_bare_phrase(front: tuple[Token, ...]) -> bool:
    """Return True if "in", "at" or "on" has a noun phrase after it, and no question word or verb."""
    noun = front[1:]
    asks = any(token.tag[:2] in ("WD", "WP", "WR", "VB", "MD", "TO") or token.low in _ASKING for token in noun)
    return not asks and len(noun) <= 5 and re.match("NN|CD|FW|PRP|JJ", noun[-1].tag) is not None


def _move_to_front(clause: Clause, article: str) -> str | None:
    starts = [
        index
        for index in range(clause.rest + 1, len(clause.tokens) - 1)
        if clause.low(index) in _PREPOSITIONS | _CLAUSES
    ]
    if not starts or "," in clause.text:
        return None
    index = next((start for start in starts if clause.low(start) in _CLAUSES), starts[-1])
    if clause.low(index - 1) in _GOVERNING or clause.low(index - 1) in ADVERBS:
        return None
    if not (_is_clause(clause, index) if clause.low(index) in _CLAUSES else _is_free_phrase(clause, index, article)):
        return None
    text, core = clause.text, clause.text.strip()
    moved = text[clause.tokens[index].start : clause.tokens[-1].end]
    question = text[clause.tokens[0].start : clause.tokens[index - 1].end]
    if question[0].isupper():
        question, moved = question[0].lower() + question[1:], moved[0].upper() + moved[1:]
    return f"{moved}, {question}{'?' * core.endswith('?')}"


def _is_title(clause: Clause, index: int) -> bool:
    """Return True if a noun without an article ends before `index`, after "in", "on" or "at": "man on fire"."""
    first = index - 1
    if clause.tokens[first].tag != "NN" or clause.low(first) in _TIMES:
        return False
    while first > clause.rest and clause.tokens[first - 1].tag == "JJ":
        first -= 1
    return clause.low(first - 1) in _PREPOSITIONS


def _is_clause(clause: Clause, index: int) -> bool:
    """Return True if a whole clause, with a subject and a verb, follows "when" or "if"."""
    after = clause.tokens[index + 1 :]
    if len(after) < 2 or (clause.low(1) == "it" and clause.low(0) in BE and index == clause.rest + 1):
        return False
    return after[0].tag == "PRP" or any(token.tag in ("VB", "VBP", "VBZ", "VBD") for token in after[1:])


def _is_free_phrase(clause: Clause, index: int, article: str) -> bool:
    """Return True if a noun phrase follows that the verb does not require."""
    noun = clause.tokens[index + 1 :]
    first = next((token.low for token in noun if token.tag != "DT"), "")
    if noun[0].low in _IDIOMS or first in _RATES or noun[0].tag == "PRP$" or noun[0].low in _ANY or len(noun) > 6:
        return False
    if any(token.tag == "DT" and last.low != "of" for last, token in pairwise(noun)):  # "is i 30 in dallas a toll road"
        return False
    if any(
        token.tag[:2] in ("VB", "IN", "TO", "CC", "MD", "WR", "WP", "RB", "EX") and token.low != "of" for token in noun
    ):
        return False
    if not re.match("NN|CD|PRP|JJ|FW|VBG", noun[-1].tag) or noun[-1].low in _IDIOMS:
        return False
    before_phrase = clause.tokens[clause.rest : index]
    if any(token.tag == "JJS" or token.low == "only" for token in before_phrase):  # "the tallest in the world"
        return False
    if clause.low(0) in BE and all(token.low in ADVERBS or token.tag == "DT" for token in before_phrase):
        return False
    timed = is_time(clause.tokens[index:]) or first.removesuffix("s") in _TIMES
    if _is_title(clause, index) and not timed:
        return False
    before = clause.low(index - 1)
    if clause.tokens[index - 1].tag in ("DT", "IN", "PRP$", "CC", "TO"):
        return False
    name = rf"\b{re.escape(before.capitalize())} {clause.low(index)} (?:the |a )?{re.escape(first.capitalize())}"
    return not re.search(name, article)
