"""Whether a reply fits what was said before it: the recent conversation, or only the utterance it answers."""

from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, LabelledReplies, Scorer, scorer
from chattest.text.format import distinct_digits


class _Coherence(Scorer):
    """What both scorers of coherence have in common."""

    needs = "coherence at least {bar:g}"
    judges = ("coherence",)

    def context(self, item: Item) -> str:
        """The text that the reply must fit."""
        raise NotImplementedError

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks the coherence model; an empty reply and a reply without a prompt are not judged."""
        judged = [item for item in items if item.reply.strip() and item.prompt.strip()]
        values = iter(
            judges.coherence.coherence([self.context(item) for item in judged], [item.reply for item in judged])
        )
        return [
            Score(next(values))
            if item.reply.strip() and item.prompt.strip()
            else Score(None, reason="the reply is empty" if item.prompt.strip() else "there is no prompt")
            for item in items
        ]

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Gives the coherence and its bar."""
        return f"coherence {distinct_digits(score.value or 0, bar)}, at least {bar:g} is needed"


@scorer("prompt_coherence")
class PromptCoherence(_Coherence):
    """Coherence of the reply with the utterance it answers."""

    threshold = "threshold_coherence_prompt"
    labelled = LabelledReplies("prompt_coherence", form="coherence")

    def context(self, item: Item) -> str:
        """The prompt."""
        return _line(item.prompt)


@scorer("conversation_coherence")
class ConversationCoherence(_Coherence):
    """Coherence of the reply with the conversation so far, prompt included; the model reads the end of it."""

    threshold = "threshold_coherence_conversation"
    labelled = LabelledReplies("coherence", form="coherence")

    def context(self, item: Item) -> str:
        """The history and the prompt, one utterance a line."""
        return "\n".join(map(_line, (*item.history, item.prompt)))


def _line(turn: str) -> str:
    """The turn on one line; the models take each line for a turn."""
    return " ".join(turn.split())
