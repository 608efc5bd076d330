"""Exchange "before" and "after" (MR1-3)."""

from chattest.checks.relations.base import Relation, relation
from chattest.english.clause import BE, DO, HAVE
from chattest.english.tagged import read_tokens
from chattest.english.word_lists import read_word_list
from chattest.text.edits import Change, change, match_case

_VERBS = BE | DO | HAVE | {"will"}
_OTHER = {"before": "after", "after": "before"}
_BOUND = read_word_list("before_after", "bound")
_FOLLOWING = read_word_list("before_after", "following")


@relation("before_after")
class BeforeAfter(Relation):
    """The first "before" becomes "after", or the other way round: "Was the one war before the other?".

    Source: MR1-3, inversion with order change; the paper gives the full rule. Our addition: the word must be followed
    by what comes earlier or later, and must not belong to another word ("named after", "look after", "the day after",
    "before and after"). If the article writes the words next to it with capitals, they are a name and stay. The
    relation does not apply after "there" or "can", because something may exist or be possible both before and after.
    """

    code = "MR1-3"
    inverse = True
    only_yes = True

    def reword(self, question: str, article: str) -> str | None:
        """Return the question with the order reversed."""
        tokens = read_tokens(question)
        lows = [token.low for token in tokens]
        at = next((index for index, low in enumerate(lows) if low in _OTHER), None)
        if at is None or not 1 < at < len(lows) - 1 or lows[0] not in _VERBS or "there" in lows[:at]:
            return None
        if lows[at - 1] in _BOUND or lows[at + 1] in _FOLLOWING or lows[at - 1] == lows[at + 1]:
            return None
        if f"{lows[at]} {lows[at + 1]}".title() in article or f"{lows[at - 1]} {lows[at]}".title() in article:
            return None
        token = tokens[at]
        new = match_case(_OTHER[token.low], question[token.start : token.end])
        return change(question, [Change(token.start, token.end, new)])
