"""MR1-3: before and after."""

from chattest.checks.relations.base import Relation, relation
from chattest.text.edits import Change, change, like
from chattest.text.grammar.clause import BE, DO, HAVE, tokens_of
from chattest.text.grammar.lexicon import known

_VERBS = BE | DO | HAVE | {"will"}
_OTHER = {"before": "after", "after": "before"}
_BOUND = known("before_after", "bound")
_FOLLOWING = known("before_after", "following")


@relation("before_after")
class BeforeAfter(Relation):
    """The first "before" becomes "after", or the other way round: "Was the one war before the other?".

    Source: MR1-3, inversion with order change; given in full. Our addition: only where the word is followed by what
    comes earlier or later, and not bound to another word ("named after", "look after", "the day after", "before and
    after"). Where the article has the words beside it with capitals they are a name. Not after "there" and "can": there
    may be something, or it may be possible, both before and after.
    """

    code = "MR1-3"
    inverse = True
    only_yes = True

    def asked(self, question: str, article: str) -> str | None:
        """The question with the order turned round."""
        tokens = tokens_of(question)
        lows = [token.low for token in tokens]
        at = next((index for index, low in enumerate(lows) if low in _OTHER), None)
        if at is None or not 1 < at < len(lows) - 1 or lows[0] not in _VERBS or "there" in lows[:at]:
            return None
        if lows[at - 1] in _BOUND or lows[at + 1] in _FOLLOWING or lows[at - 1] == lows[at + 1]:
            return None
        if f"{lows[at]} {lows[at + 1]}".title() in article or f"{lows[at - 1]} {lows[at]}".title() in article:
            return None
        token = tokens[at]
        new = like(_OTHER[token.low], question[token.start : token.end])
        return change(question, [Change(token.start, token.end, new)])
