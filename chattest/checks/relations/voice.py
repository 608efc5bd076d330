"""MR2-3: active and passive sentences of the article."""

import re
from dataclasses import replace

from chattest.checks.relations.base import Relation, relation
from chattest.records.question import Question
from chattest.text.grammar.voice import other_voice

_BETWEEN = re.compile(
    r"(?<=[a-z)\d\"'’]{2}[.!?])(?<!\bBros\.)(?<!\bInc\.)(?<!\bLtd\.)(?<!\bCo\.)(?<!\bSt\.)(?<!\bMr\.)(?<!\bMrs\.)"
    r"(?<!\bDr\.)(?<!\bJr\.)(?<!\bSr\.)(?<!\bvs\.)(?<!\bNo\.)(?<!\bGen\.)(?<!\bRev\.)(\s+)(?=[A-Z])"
)
"""Between two sentences."""


@relation("voice")
class Voice(Relation):
    """The article's sentences change voice: "The company uses the brand." becomes "The brand is used by the company."

    Source: MR2-3, consistency with active/passive voice change, of all sentences of the article that can be changed;
    the paper uses a parser. Our reading, without one: sentences that consist of a noun phrase, a verb and a noun
    phrase, with at most phrases of place and time before and after; the verb one of a list of verbs that have a
    passive, in the present, past or perfect or with a modal; and the passive of the same shape with "by". Does not
    apply where no sentence of the article has that shape.
    """

    code = "MR2-3"
    inverse = False

    def follow_up(self, source: Question) -> Question | None:
        """The same question over the changed article."""
        parts = _BETWEEN.split(source.context)
        changed = [other_voice(part, source.context) or part for part in parts]
        new = "".join(changed)
        return None if new == source.context else replace(source, context=new)
