"""All settings as one record, and the lists of settings by scope.

A setting is declared in the module of its section: `general`, `conversations`, `analysis`, `models` or `checks`. The
declarations give the check of `config.py` (`settings/file.py` reads it), the lists of the command line, and the tables
of the documentation.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from chattest.cases.base import probe_cases, reply_cases
from chattest.models.base import find_added_judge
from chattest.models.chat import PREFIX
from chattest.settings.analysis import Analysis, Auxiliary, DataAugmentation
from chattest.settings.checks import Checks, Gates, GateSetting
from chattest.settings.conversations import Affect, AffectiveText, Generate, SaveAndLoad, Topic
from chattest.settings.general import General
from chattest.settings.models import Models, SeveralJudges
from chattest.settings.setting import Received, Scope
from chattest.settings.thresholds import FORMULA_OF, JUDGE_OF, THRESHOLDS

__all__ = [
    "ASKED",
    "EXECUTION",
    "JUDGING",
    "MAY_DIFFER",
    "PLACES",
    "Affect",
    "GateSetting",
    "Scope",
    "Settings",
    "Topic",
]


# pydantic takes the fields of the last base first; validators and listings rely on the order of the sections.
class Settings(
    Gates,
    Checks,
    SeveralJudges,
    Models,
    DataAugmentation,
    Auxiliary,
    Analysis,
    SaveAndLoad,
    AffectiveText,
    Generate,
    General,
):
    """All settings of a run, which cannot be changed.

    Raises:
        ValidationError: pydantic's, for wrong values.
    """

    sections: ClassVar[tuple[str, ...]] = (
        "GENERAL",
        "GENERATE",
        "AFFECTIVE TEXT GENERATION",
        "SAVE AND LOAD",
        "ANALYSIS",
        "AUXILIARY",
        "DATA AUGMENTATION",
        "MODELS",
        "CHECKS",
        "GATES",
    )

    @property
    def probabilities(self) -> dict[str, float]:
        """Probability per free round of every probe case, by code; `p`, scaled so that the sum is 1 at most."""
        scale = max(1.0, sum(self.p.values()))
        return {case.code: self.p.get(case.code, 0.0) / scale for case in probe_cases()}

    @property
    def reply_codes(self) -> list[str]:
        """Codes of the cases that judge every reply and are on."""
        return [case.code for case in reply_cases() if self.is_analyze.get(case.code, case.on)]

    def longest_wait(self, code: str) -> int:
        """Return how many rounds a case may wait before it asks."""
        return self.maxlength.get(code, min(15, self.conversation_length - 1))

    def threshold(self, name: str) -> float:
        """Return the threshold in force: the setting, or else the default of the chosen model."""
        own = getattr(self, name)
        if own is not None:
            return float(own)
        if self.formula.get(FORMULA_OF.get(name, "")) == "reference":
            return THRESHOLDS["reference"][name]
        kind = JUDGE_OF.get(name, "")
        choice = self.models.get(kind, "embedded") if isinstance(self.models, dict) else self.models
        choice = choice if isinstance(choice, str) else choice[0]
        if choice.startswith(PREFIX):
            choice = "embedded"  # a chat judge needs no threshold; the embedded one judges when the budget is spent
        added = find_added_judge(kind, choice)
        if added is not None and name in added.thresholds:
            return added.thresholds[name]
        return THRESHOLDS["embedded" if choice == "embedded" else "reference"][name]

    def resume_key(self) -> dict[str, Any]:
        """Return the settings that must be the same when an interrupted run is resumed."""
        return {name: value for name, value in self.model_dump(mode="json").items() if name not in EXECUTION}

    def changed(self) -> dict[str, Any]:
        """Return the settings that differ from their defaults, as plain values."""
        defaults = Settings.model_construct().model_dump(mode="json")
        return {name: value for name, value in self.model_dump(mode="json").items() if value != defaults[name]}


def iter_settings() -> Iterator[tuple[str, str, Scope]]:
    """Yield name, section and scope of every setting, in the order of the sections."""
    for name, field in Settings.model_fields.items():
        declaration = field.json_schema_extra
        assert isinstance(declaration, dict)
        yield name, str(declaration["section"]), Scope(str(declaration["scope"]))


def find_received_rule(name: str) -> Received:
    """Return whether a setting may come from the folder of a run."""
    declaration = Settings.model_fields[name].json_schema_extra
    assert isinstance(declaration, dict)
    return Received(str(declaration["received"]))


def _list_names(*scopes: Scope) -> frozenset[str]:
    return frozenset(name for name, _, scope in iter_settings() if scope in scopes)


JUDGING = _list_names(Scope.JUDGING, Scope.REPORT)
"""Settings that only judging reads: saved conversations are judged again under the settings of now."""

ASKED = _list_names(Scope.PLAN) | {"chatters"}
"""Settings that say who talks and what is asked; the options of the chatters, which may hold secrets, aside."""

PLACES = _list_names(Scope.PLACES, Scope.EXECUTION)
"""Settings that change where things go or how a run is executed, and no result."""

EXECUTION = _list_names(Scope.EXECUTION)
"""Settings that an interrupted run may change: they do not count when it is resumed."""

MAY_DIFFER = _list_names(Scope.PARTICIPANTS, Scope.REPORT, Scope.PLACES, Scope.EXECUTION)
"""Settings in which two runs may differ and still be compared: both have the same plan and the same judging."""
