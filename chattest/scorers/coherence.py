"""Decides whether a reply fits what was said before it: the recent conversation, or only the utterance it answers."""

from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.rules.echo import is_echo
from chattest.rules.gibberish import asks_for_letters, is_gibberish
from chattest.scorers.base import Item, LabelledReplies, Scorer, fill, scorer
from chattest.text.format import distinct_digits

ANSWERS = 0.95
"""Coherence of the right answer to a planted question."""
MISFIT = 0.02
"""Coherence of a reply that a rule finds to be gibberish or an echo."""


class _Coherence(Scorer):
    """What both scorers of coherence have in common."""

    requirement = "coherence at least {threshold:g}"
    judges = ("coherence",)
    chat_kinds = ("coherence",)
    # To be removed when held-out real bots are judged with a balanced accuracy of 0.70 and an AUC of 0.75.
    experimental = "On replies of real bots, the verdicts agree with people's no more often than if every reply passed."

    def context(self, item: Item) -> str:
        """Return the text that the reply must fit."""
        raise NotImplementedError

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Ask the coherence model about replies that no rule finds to be gibberish or an echo of the prompt.

        The right answer to a planted question fits. The models would take many for repetition: they have the words of
        what the user said some rounds before. An empty reply and a reply without a prompt are not judged.
        """

        def ask_model(asked: Sequence[Item]) -> list[Score]:
            contexts, replies = [self.context(item) for item in asked], [item.reply for item in asked]
            return [Score(value) for value in judges.coherence.coherence(contexts, replies)]

        return fill([self.score_without_model(item) or _score_by_rule(item) for item in items], items, ask_model)

    def score_without_model(self, item: Item) -> Score | None:
        """Leave out an empty reply and a reply without a prompt."""
        return super().score_without_model(item) if item.prompt.strip() else Score(None, reason="there is no prompt")

    def judge_inputs(self, item: Item) -> dict[str, str]:
        """Return the context and the reply."""
        return {"before": self.context(item), "reply": item.reply}

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Give the coherence and its threshold, and what a rule found."""
        rule = f": {score.reason}" if score.reason else ""
        return f"coherence {distinct_digits(score.value or 0, threshold)}{rule}, at least {threshold:g} is needed"


def _score_by_rule(item: Item) -> Score | None:
    """Score a reply that a rule decides; return `None` for others."""
    if item.answers_probe:
        return Score(ANSWERS, reason="the reply gives the right answer", rule="right answer")
    if is_gibberish(item.reply) and not asks_for_letters(item.prompt):
        return Score(MISFIT, reason="the reply is gibberish", rule="gibberish")
    if is_echo(item.prompt, item.reply):
        return Score(MISFIT, reason="the reply only repeats the prompt", rule="echo")
    return None


@scorer("prompt_coherence")
class PromptCoherence(_Coherence):
    """Coherence of the reply with the utterance it answers."""

    threshold = "threshold_coherence_prompt"
    labelled = LabelledReplies("prompt_coherence", form="coherence")

    def context(self, item: Item) -> str:
        """Return the prompt."""
        return _line(item.prompt)


@scorer("conversation_coherence")
class ConversationCoherence(_Coherence):
    """Coherence of the reply with the conversation so far, prompt included; the model reads the end of it."""

    threshold = "threshold_coherence_conversation"
    labelled = LabelledReplies("coherence", form="coherence")
    reads_history = True

    def context(self, item: Item) -> str:
        """Return the history and the prompt, one utterance a line."""
        return "\n".join(map(_line, (*item.history, item.prompt)))


def _line(turn: str) -> str:
    """Return the turn on one line; the models take each line for a turn."""
    return " ".join(turn.split())
