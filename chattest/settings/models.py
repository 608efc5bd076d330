"""Settings of the models that judge: which, panels of them, and verdicts that one defers to others."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from chattest.credentials import find_literal_secrets
from chattest.errors import suggest
from chattest.models.base import KINDS, list_judge_names, list_kinds_with_reference
from chattest.models.chat import CHAT_KINDS, PREFIX
from chattest.scorers.base import scorers
from chattest.settings.setting import Received, Scope, Section, Share, Text, declare_in
from chattest.settings.thresholds import THRESHOLDS

_setting = declare_in("MODELS")
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
        "Kind of chat judge -> a text file of yours with its instructions, next to config.py; `python main.py list "
        "rubrics` names those that ship.",
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
        "True: if a run talks for more than some seconds, a second process scores the replies that are there, so that "
        "little is left to do at the end. It needs score_cache and the embedded models in float32.",
    )

    @field_validator("models")
    @classmethod
    def _judges(cls, given: str | dict[str, str | list[str]]) -> str | dict[str, str | list[str]]:
        if isinstance(given, str):
            if given not in THRESHOLDS and not (given.startswith(PREFIX) and given != PREFIX):
                raise ValueError(f'"{given}" is not one of: {", ".join(THRESHOLDS)}. {suggest(given, THRESHOLDS)}')
            return given
        for kind, choice in given.items():
            check_kind(kind)
            for name in [choice] if isinstance(choice, str) else choice:
                _check_choice(kind, name)
            if len(set(choice)) < len(choice) and not isinstance(choice, str):
                raise ValueError(f"a judge is named twice in the panel of {kind}; give each judge once")
        if not isinstance(given.get("same_answer", ""), str):
            raise ValueError("two answers are compared by one judge; same_answer takes no panel")
        _check_panel_sizes(given)
        return given

    @field_validator("judge_options")
    @classmethod
    def _no_judge_keys(cls, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Refuse a literal key: settings are written into every report."""
        why = next(find_literal_secrets(given, ""), None)
        if why is not None:
            raise ValueError(f"{why[1:]}; put it in an environment variable and write ${{NAME}} in its place")
        return given

    @field_validator("judge_rubrics")
    @classmethod
    def _kinds(cls, given: dict[str, str]) -> dict[str, str]:
        for kind in given:
            if kind not in CHAT_KINDS:
                raise ValueError(f'no chat model judges "{kind}". {suggest(kind, CHAT_KINDS)}')
        return given


def check_kind(kind: str) -> None:
    """Raise `ValueError` if there is no such kind of judge."""
    if kind not in (*KINDS, *CHAT_KINDS):
        raise ValueError(f'there is no judge "{kind}". {suggest(kind, (*KINDS, *CHAT_KINDS))}')


def _check_choice(kind: str, choice: str) -> None:
    if choice.startswith(PREFIX) and (kind not in CHAT_KINDS or choice == PREFIX):
        kinds = ", ".join(CHAT_KINDS)
        raise ValueError(f'"{kind}" cannot be "{choice}"; a chat model, such as "chat:openai", judges {kinds}')
    if choice.startswith(PREFIX):
        return
    if kind not in KINDS:
        raise ValueError(f'"{kind}" has no model "{choice}": only a chat model, such as "chat:openai"')
    names_of_kind = list_judge_names(kind)
    # Where there is a reference, any other name is that of a model of its sort: a hub name or a folder.
    if choice not in names_of_kind and "reference" not in names_of_kind:
        names = " and ".join(f'"{name}"' for name in names_of_kind)
        raise ValueError(
            f'"{kind}" has no model but {names}; others can be had for {", ".join(list_kinds_with_reference())}'
        )


def _check_panel_sizes(models: dict[str, str | list[str]]) -> None:
    """Raise `ValueError` if one scorer asks two panels of different size: their members could not be paired."""
    sizes = {kind: len(choice) for kind, choice in models.items() if not isinstance(choice, str) and len(choice) > 1}
    for scorer in scorers if len(set(sizes.values())) > 1 else ():
        panels = {kind: sizes[kind] for kind in scorer.kinds if kind in sizes}
        if len(set(panels.values())) > 1:
            counts = ", ".join(f"{kind} {size}" for kind, size in panels.items())
            raise ValueError(
                f"{scorer.name} asks panels of different size ({counts}); name as many judges of each kind"
            )


PanelRule = Literal["majority", "all", "any"]


class SeveralJudges(Section):
    """The settings of the section MODELS for several judges of a kind."""

    panel_rule: PanelRule | dict[str, PanelRule] = _setting(
        "majority",
        Scope.JUDGING,
        Received.TAKEN,
        'When a reply passes a panel, for all kinds or kind -> rule: "majority" (on a tie the judge named first '
        'decides, in doubt), "all" (no judge fails it), "any" (a judge passes it). Who gives no verdict has no vote.',
    )
    defer: Share | dict[str, Share] | None = _setting(
        None,
        Scope.JUDGING,
        Received.OWN,
        "The share of verdicts, 0 to 1, for all kinds or kind -> share, that the embedded judge hands to the judges of "
        "`models`: those it is least sure of. None: the judges of `models` give all verdicts.",
    )

    @field_validator("panel_rule")
    @classmethod
    def _rules(cls, given: PanelRule | dict[str, PanelRule]) -> PanelRule | dict[str, PanelRule]:
        for kind in given if isinstance(given, dict) else ():
            check_kind(kind)
        return given

    @field_validator("defer")
    @classmethod
    def _has_judges(
        cls, given: float | dict[str, float] | None, info: ValidationInfo
    ) -> float | dict[str, float] | None:
        if "models" not in info.data:  # wrong models are reported by their own check
            return given
        for kind in given if isinstance(given, dict) else ():
            check_kind(kind)
        kinds: tuple[str, ...] = (*KINDS, *CHAT_KINDS) if not isinstance(given, dict) else tuple(given)
        able = [kind for kind in kinds if _names_another(info.data["models"], kind)]
        lacking = next((kind for kind in kinds if kind not in able), "") if isinstance(given, dict) else ""
        if given is not None and (lacking or not able):
            example = f'models = {{"{lacking or "match"}": ...}}'
            raise ValueError(f"there is nobody to defer to; name another judge than the embedded one: {example}")
        return given

    def deferred(self, kinds: Sequence[str]) -> float | None:
        """Return the largest share of verdicts that a scorer with these kinds defers; `None` for none."""
        shares = self.defer if isinstance(self.defer, dict) else dict.fromkeys(kinds, self.defer)
        return max((share for kind in kinds if (share := shares.get(kind)) is not None), default=None)

    def rule_of(self, kinds: Sequence[str]) -> PanelRule:
        """Return the panel's rule for a scorer with these kinds: that of the first kind that has one."""
        if isinstance(self.panel_rule, str):
            return self.panel_rule
        return next((self.panel_rule[kind] for kind in kinds if kind in self.panel_rule), "majority")


def _names_another(models: str | dict[str, str | list[str]], kind: str) -> bool:
    """Return True if a kind has another judge than the embedded one."""
    if isinstance(models, str):
        return models != "embedded" and (models != "reference" or kind in list_kinds_with_reference())
    return models.get(kind, "embedded") not in ("embedded", ["embedded"])
