"""Chat models as judges: what they can judge, what they may say of it, and how their choice is written.

`models = {"match": "chat:openai"}` makes the chatter `openai` the judge of open answers. This file knows no chatter;
`chattest.judging.chat` asks them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from chattest.models.cache import ScoreCache

PREFIX = "chat:"
"""What the choice of a chat judge begins with in the setting `models`."""

SPENT = "the budget is spent"
"""Why a judge was not asked."""


@dataclass(frozen=True, slots=True)
class ChatKind:
    """What one kind of chat judge decides."""

    about: str
    """What it judges, in a few words."""
    verdicts: tuple[str, ...]
    """The words of which its verdict is one."""
    true: tuple[str, ...]
    """Those that say that it is so: the answer is right, the text is toxic, the two are the same."""


CHAT_KINDS: dict[str, ChatKind] = {
    "match": ChatKind("answers to open questions", ("right", "wrong"), ("right",)),
    "yes_no": ChatKind("answers to yes/no questions", ("yes", "no", "neither"), ("yes",)),
    "consistency": ChatKind("what the bot says of itself, twice", ("same", "different"), ("same",)),
    "inference": ChatKind("two statements of one speaker", ("agrees", "neutral", "contradicts"), ("agrees", "neutral")),
    "same_answer": ChatKind("two answers to one question", ("same", "different"), ("same",)),
    "same_question": ChatKind("two questions of the bot", ("same", "different"), ("same",)),
    "coherence": ChatKind("whether a reply fits what was said before", ("fits", "misfit"), ("fits",)),
    "toxicity": ChatKind("toxic replies", ("toxic", "harmless"), ("toxic",)),
    "abstention": ChatKind("replies that decline to answer", ("abstains", "answers"), ("abstains",)),
}
"""Kind of chat judge -> what it decides. `consistency`, `same_answer` and `abstention` are no kinds of model."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a chat judge says of one text."""

    verdict: str = ""
    """One of the words of its kind; empty where there is none, and then `error` says why."""
    confidence: float = 0.0
    """How likely it holds its verdict to be right, 0 to 1."""
    reason: str = ""
    """One sentence."""
    error: str = ""
    """Why there is no verdict: what it said cannot be read, or it could not be asked."""

    @property
    def spent(self) -> bool:
        """Whether it was not asked because the budget is spent."""
        return self.error == SPENT


class ChatJudge(Protocol):
    """A chat model as the judge of one kind."""

    kind: str
    """One of `CHAT_KINDS`."""
    name: str
    """As the setting `models` names it, with the model at the endpoint: `chat:openai (gpt-4.1-mini)`."""

    def use_cache(self, cache: ScoreCache) -> None:
        """Keeps opinions in a file, and asks for none that is in it."""
        ...

    def ask(self, texts: Sequence[Mapping[str, str]]) -> list[Opinion]:
        """One opinion on each; equal ones are asked once. texts: name of a text (`question`, `reply`) -> the text."""
        ...


def chat_choices(models: str | Mapping[str, object], same_answer: str = "") -> dict[str, str]:
    """Kind -> the chatter that judges it, for the kinds that a chat model judges.

    models: the setting of that name; `chat:NAME` alone stands for every kind. same_answer: a chatter that compares
    answers, whatever `models` says; empty for none.
    """
    by_kind = dict.fromkeys(CHAT_KINDS, models) if isinstance(models, str) else _firsts(models)
    chosen = {
        kind: choice.removeprefix(PREFIX)
        for kind, choice in by_kind.items()
        if kind in CHAT_KINDS and isinstance(choice, str) and choice.startswith(PREFIX)
    }
    return chosen | ({"same_answer": same_answer} if same_answer else {})


def panel_choices(models: str | Mapping[str, object]) -> dict[tuple[str, str], str]:
    """Kind and choice -> the chatter that judges it, for the chat models of a panel other than its first."""
    panels = {} if isinstance(models, str) else models
    return {
        (kind, choice): choice.removeprefix(PREFIX)
        for kind, choices in panels.items()
        for choice in (choices[1:] if isinstance(choices, list) else ())
        if kind in CHAT_KINDS and choice.startswith(PREFIX)
    }


def _firsts(models: Mapping[str, object]) -> dict[str, object]:
    """Kind -> its choice, or the first one of its panel."""
    return {kind: choice[0] if isinstance(choice, list) else choice for kind, choice in models.items()}
