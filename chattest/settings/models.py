"""Settings of the models that judge."""

from typing import Literal

from pydantic import field_validator

from chattest.errors import nearest
from chattest.models.base import KINDS, judge_names, kinds_with_reference
from chattest.settings.setting import Scope, Section, Text, in_section
from chattest.settings.thresholds import THRESHOLDS

_setting = in_section("MODELS")


class Models(Section):
    """The section MODELS."""

    models: str | dict[str, Text] = _setting(
        "embedded",
        Scope.JUDGING,
        '"embedded", "reference", or a dictionary: kind of judge -> one of these, a judge of an installed package, a '
        "hub name or a folder. `python main.py list models` names kinds and judges.",
    )
    history_tokens: int | None = _setting(
        None,
        Scope.JUDGING,
        "How many tokens of the conversation ML-I2 is judged by, counted from its end; None: 128.",
        ge=8,
        le=512,
    )
    precision: Literal["float32", "bfloat16"] = _setting(
        "float32",
        Scope.JUDGING,
        'Number format the models compute in: "bfloat16" halves the time on newer processors; about one verdict in 700 '
        "differs with the shipped ones.",
    )
    score_cache: bool = _setting(
        True,
        Scope.EXECUTION,
        "True: keep the models' scores in reports/.scores.sqlite, and score no text twice.",
    )

    @field_validator("models")
    @classmethod
    def _judges(cls, given: str | dict[str, str]) -> str | dict[str, str]:
        if isinstance(given, str):
            if given not in THRESHOLDS:
                raise ValueError(f'"{given}" is not one of: {", ".join(THRESHOLDS)}. {nearest(given, THRESHOLDS)}')
            return given
        for kind, choice in given.items():
            if kind not in KINDS:
                raise ValueError(f'there is no judge "{kind}". {nearest(kind, KINDS)}')
            known = judge_names(kind)
            # Where there is a reference, any other name is that of a model of its sort: a hub name or a folder.
            if choice not in known and "reference" not in known:
                names = " and ".join(f'"{name}"' for name in known)
                raise ValueError(
                    f'"{kind}" has no model but {names}; others can be had for {", ".join(kinds_with_reference())}'
                )
        return given
