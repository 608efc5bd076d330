"""Settings of several judges: panels, and verdicts that the embedded judge defers."""

from collections.abc import Sequence
from typing import Literal

from pydantic import ValidationInfo, field_validator

from chattest.models.base import KINDS, kinds_with_reference
from chattest.models.chat import CHAT_KINDS
from chattest.settings.models import known_kind
from chattest.settings.setting import Received, Scope, Section, Share, in_section

_setting = in_section("MODELS")

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
            known_kind(kind)
        return given

    @field_validator("defer")
    @classmethod
    def _has_judges(
        cls, given: float | dict[str, float] | None, info: ValidationInfo
    ) -> float | dict[str, float] | None:
        if "models" not in info.data:  # wrong models are told by themselves
            return given
        for kind in given if isinstance(given, dict) else ():
            known_kind(kind)
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
        return models != "embedded" and (models != "reference" or kind in kinds_with_reference())
    return models.get(kind, "embedded") not in ("embedded", ["embedded"])
