"""Change the voice of the article's sentences (MR2-3)."""

import re
from dataclasses import replace

from chattest.checks.relations.base import Relation, relation
from chattest.english.passive_voice import change_voice
from chattest.records.question import Question

_BETWEEN = re.compile(
    r"(?<=[a-z)\d\"'’]{2}[.!?])(?<!\bBros\.)(?<!\bInc\.)(?<!\bLtd\.)(?<!\bCo\.)(?<!\bSt\.)(?<!\bMr\.)(?<!\bMrs\.)"
    r"(?<!\bDr\.)(?<!\bJr\.)(?<!\bSr\.)(?<!\bvs\.)(?<!\bNo\.)(?<!\bGen\.)(?<!\bRev\.)(\s+)(?=[A-Z])"
)
"""The space between two sentences."""


@relation("voice")
class Voice(Relation):
    """The sentences of the article change voice. "Sue uses it." becomes "It is used by Sue.".

    Source: MR2-3, consistency with active/passive voice change. The paper uses a parser and changes every sentence of
    the article that it can. We use no parser: a sentence changes if it consists of a noun phrase, a verb and a noun
    phrase, with at most phrases of place and time before and after. The verb is one of a list of verbs that have a
    passive, in the present, past or perfect or with a modal. A passive sentence of the same shape with "by" becomes
    active. The relation does not apply if no sentence of the article has that shape.
    """

    code = "MR2-3"
    inverse = False

    def follow_up(self, source: Question) -> Question | None:
        """Return the same question about the changed article."""
        parts = _BETWEEN.split(source.context)
        changed = [change_voice(part, source.context) or part for part in parts]
        new = "".join(changed)
        return None if new == source.context else replace(source, context=new)
