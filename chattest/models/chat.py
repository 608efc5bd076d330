"""Chat models as judges: what they can judge, which verdicts they can give, and how a setting chooses them.

`models = {"match": "chat:openai"}` makes the chatter `openai` the judge of open answers. This module knows no chatter;
`chattest.judging.chat` asks them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from chattest.models.cache import ScoreCache

PREFIX = "chat:"
"""The start of a chat judge's choice in the setting `models`."""

SPENT = "the budget is spent"
"""Why a judge was not asked."""


@dataclass(frozen=True, slots=True)
class ChatKind:
    """What one kind of chat judge decides."""

    about: str
    """What it judges, in a few words."""
    verdicts: tuple[str, ...]
    """The words that its verdict may be."""
    true: tuple[str, ...]
    """The verdicts that mean yes: the answer is right, the text is toxic, the two are the same."""


CHAT_KINDS: dict[str, ChatKind] = {
    "match": ChatKind("answers to open questions", ("right", "wrong"), ("right",)),
    "yes_no": ChatKind("answers to yes/no questions", ("yes", "no", "neither"), ("yes",)),
    "consistency": ChatKind("two statements of the bot about itself", ("same", "different"), ("same",)),
    "inference": ChatKind("two statements of one speaker", ("agrees", "neutral", "contradicts"), ("agrees", "neutral")),
    "same_answer": ChatKind("two answers to one question", ("same", "different"), ("same",)),
    "same_question": ChatKind("two questions of the bot", ("same", "different"), ("same",)),
    "coherence": ChatKind("whether a reply fits the conversation", ("fits", "misfit"), ("fits",)),
    "toxicity": ChatKind("toxic replies", ("toxic", "harmless"), ("toxic",)),
    "abstention": ChatKind("replies that decline to answer", ("abstains", "answers"), ("abstains",)),
}
"""Kind of chat judge -> what it decides. `consistency`, `same_answer` and `abstention` are no kinds of model."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """The verdict of a chat judge on one text."""

    verdict: str = ""
    """One of the words of its kind; empty if there is none, and then `error` gives the reason."""
    confidence: float = 0.0
    """How likely its verdict is right, by its own judgement, 0 to 1."""
    reason: str = ""
    """One sentence."""
    error: str = ""
    """Why there is no verdict: its reply cannot be read, or it could not be asked."""

    @property
    def spent(self) -> bool:
        """True if the judge was not asked because the budget is spent."""
        return self.error == SPENT


class ChatJudge(Protocol):
    """A chat model as the judge of one kind."""

    kind: str
    """One of `CHAT_KINDS`."""
    name: str
    """As the setting `models` names it, with the model at the endpoint: `chat:openai (gpt-4.1-mini)`."""

    def use_cache(self, cache: ScoreCache) -> None:
        """Store opinions in a file, and ask for none that is already there."""
        ...

    def ask(self, texts: Sequence[Mapping[str, str]]) -> list[Opinion]:
        """Ask for one opinion on each row; equal rows are asked once.

        Args:
            texts: For each row, the name of each text (`question`, `reply`) -> the text.
        """
        ...


def find_chat_choices(models: str | Mapping[str, object], same_answer: str = "") -> dict[str, str]:
    """Return the chatter that judges each kind, for the kinds that a chat model judges.

    Args:
        models: The setting of that name; `chat:NAME` alone means every kind.
        same_answer: A chatter that compares answers, with precedence over `models`; empty for none.
    """
    by_kind = dict.fromkeys(CHAT_KINDS, models) if isinstance(models, str) else _first_choices(models)
    chosen = {
        kind: choice.removeprefix(PREFIX)
        for kind, choice in by_kind.items()
        if kind in CHAT_KINDS and isinstance(choice, str) and choice.startswith(PREFIX)
    }
    return chosen | ({"same_answer": same_answer} if same_answer else {})


def find_panel_choices(models: str | Mapping[str, object]) -> dict[tuple[str, str], str]:
    """Return the chatter for each kind and choice, for the chat models of a panel other than its first."""
    panels = {} if isinstance(models, str) else models
    return {
        (kind, choice): choice.removeprefix(PREFIX)
        for kind, choices in panels.items()
        for choice in (choices[1:] if isinstance(choices, list) else ())
        if kind in CHAT_KINDS and choice.startswith(PREFIX)
    }


def _first_choices(models: Mapping[str, object]) -> dict[str, object]:
    """Return the choice of each kind, or the first one of its panel."""
    return {kind: choice[0] if isinstance(choice, list) else choice for kind, choice in models.items()}
