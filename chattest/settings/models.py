"""Settings of the models that judge."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from chattest.credentials import literal_secrets
from chattest.errors import nearest
from chattest.models.base import KINDS, judge_names, kinds_with_reference
from chattest.models.chat import CHAT_KINDS, PREFIX
from chattest.scorers.base import scorers
from chattest.settings.setting import Received, Scope, Section, Text, in_section
from chattest.settings.thresholds import THRESHOLDS

_setting = in_section("MODELS")
_Price = Annotated[float, Field(ge=0)]


class Models(Section):
    """The section MODELS."""

    models: str | dict[str, Text | Annotated[list[Text], Field(min_length=1)]] = _setting(
        "embedded",
        Scope.JUDGING,
        Received.OWN,
        '"embedded", "reference", or a dictionary: kind of judge -> one of these, a judge of an installed package, a '
        'hub name or a folder, or a chatter with a chat model ("chat:openai"); a list of them is a panel. '
        "`python main.py list models` names kinds and judges.",
    )
    judge_options: dict[str, dict[str, Any]] = _setting(
        {},
        Scope.JUDGING,
        Received.OWN,
        "Options of chatters that judge, by name; one that is not named takes those of chatter_options, without what "
        "makes it speak as a bot (system prompt, sampling, length).",
    )
    judge_rubrics: dict[str, Text] = _setting(
        {},
        Scope.JUDGING,
        Received.OWN,
        "Kind of chat judge -> a text file of yours that it goes by, beside config.py; `python main.py list rubrics` "
        "names those that ship.",
    )
    judge_prices: dict[str, tuple[_Price, _Price]] = _setting(
        {},
        Scope.REPORT,
        Received.OWN,
        "Model, or chatter, that judges -> price of a million tokens sent, and of a million written, in your currency.",
    )
    judge_budget: float | None = _setting(
        None,
        Scope.JUDGING,
        Received.OWN,
        "What chat judges may spend in a run, in the currency of judge_prices; the embedded judges do the rest. None: "
        "any amount.",
        ge=0,
    )
    judge_budget_tokens: int | None = _setting(
        None,
        Scope.JUDGING,
        Received.OWN,
        "How many tokens chat judges may take in a run, sent and written; None: any number.",
        ge=0,
    )
    judge_figures: str = _setting(
        "",
        Scope.REPORT,
        Received.OWN,
        "File that `python main.py validate --json` wrote with the chat judges of now; it corrects the rates of those "
        "that it measured. Empty: none.",
    )
    history_tokens: int | None = _setting(
        None,
        Scope.JUDGING,
        Received.TAKEN,
        "How many tokens of the conversation ML-I2 is judged by, counted from its end; None: 128.",
        ge=8,
        le=512,
    )
    precision: Literal["float32", "bfloat16"] = _setting(
        "float32",
        Scope.JUDGING,
        Received.TAKEN,
        'Number format the models compute in: "bfloat16" halves the time on newer processors; about one verdict in 700 '
        "differs with the shipped ones.",
    )
    score_cache: bool = _setting(
        True,
        Scope.EXECUTION,
        Received.TAKEN,
        "True: keep the models' scores in reports/.scores.sqlite, and score no text twice.",
    )
    judge_while_talking: bool = _setting(
        True,
        Scope.EXECUTION,
        Received.TAKEN,
        "True: where a run talks for more than some seconds, a process beside it scores the replies that are there, so "
        "that little is left to do at the end. It takes score_cache and the embedded models in float32.",
    )

    @field_validator("models")
    @classmethod
    def _judges(cls, given: str | dict[str, str | list[str]]) -> str | dict[str, str | list[str]]:
        if isinstance(given, str):
            if given not in THRESHOLDS and not (given.startswith(PREFIX) and given != PREFIX):
                raise ValueError(f'"{given}" is not one of: {", ".join(THRESHOLDS)}. {nearest(given, THRESHOLDS)}')
            return given
        for kind, choice in given.items():
            known_kind(kind)
            for name in [choice] if isinstance(choice, str) else choice:
                _known_choice(kind, name)
            if len(set(choice)) < len(choice) and not isinstance(choice, str):
                raise ValueError(f"a judge is named twice in the panel of {kind}; give each of them once")
        if not isinstance(given.get("same_answer", ""), str):
            raise ValueError("two answers are compared by one judge; same_answer takes no panel")
        _seats_match(given)
        return given

    @field_validator("judge_options")
    @classmethod
    def _no_judge_keys(cls, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Refuse a literal key: settings are written into every report."""
        why = next(literal_secrets(given, ""), None)
        if why is not None:
            raise ValueError(f"{why[1:]}; put it in an environment variable and write ${{NAME}} in its place")
        return given

    @field_validator("judge_rubrics")
    @classmethod
    def _kinds(cls, given: dict[str, str]) -> dict[str, str]:
        for kind in given:
            if kind not in CHAT_KINDS:
                raise ValueError(f'no chat model judges "{kind}". {nearest(kind, CHAT_KINDS)}')
        return given


def known_kind(kind: str) -> None:
    """Raise `ValueError` if there is no such kind of judge."""
    if kind not in (*KINDS, *CHAT_KINDS):
        raise ValueError(f'there is no judge "{kind}". {nearest(kind, (*KINDS, *CHAT_KINDS))}')


def _known_choice(kind: str, choice: str) -> None:
    if choice.startswith(PREFIX) and (kind not in CHAT_KINDS or choice == PREFIX):
        kinds = ", ".join(CHAT_KINDS)
        raise ValueError(f'"{kind}" cannot be "{choice}"; a chat model, such as "chat:openai", judges {kinds}')
    if choice.startswith(PREFIX):
        return
    if kind not in KINDS:
        raise ValueError(f'"{kind}" has no model "{choice}": only a chat model, such as "chat:openai"')
    known = judge_names(kind)
    # Where there is a reference, any other name is that of a model of its sort: a hub name or a folder.
    if choice not in known and "reference" not in known:
        names = " and ".join(f'"{name}"' for name in known)
        raise ValueError(
            f'"{kind}" has no model but {names}; others can be had for {", ".join(kinds_with_reference())}'
        )


def _seats_match(models: dict[str, str | list[str]]) -> None:
    """Raise `ValueError` if one scorer asks two panels of different size: their members could not be paired."""
    sizes = {kind: len(choice) for kind, choice in models.items() if not isinstance(choice, str) and len(choice) > 1}
    for scorer in scorers if len(set(sizes.values())) > 1 else ():
        asked = {kind: sizes[kind] for kind in scorer.kinds if kind in sizes}
        if len(set(asked.values())) > 1:
            counts = ", ".join(f"{kind} {size}" for kind, size in asked.items())
            raise ValueError(
                f"{scorer.name} asks panels of different size ({counts}); name as many judges of each kind"
            )
