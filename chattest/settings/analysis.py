"""Settings of the cases: which are tested how often, what judges them, and how questions are altered."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from chattest.records.dose import Dose, Level
from chattest.settings.codes import (
    AlteringName,
    FormulaCode,
    ProbeCode,
    ReplyCode,
    WaitingCode,
    normalize_code,
    normalize_keys,
)
from chattest.settings.setting import MANY, Received, Scope, Section, Share, Text, declare_in

_Strength = Annotated[float, Field(ge=0)]
_Dose = Level | tuple[_Strength, _Strength]

_analysis = declare_in("ANALYSIS")
_auxiliary = declare_in("AUXILIARY")
_augmentation = declare_in("DATA AUGMENTATION")


class Analysis(Section):
    """The section ANALYSIS."""

    show_interpret: bool = _analysis(True, Scope.REPORT, Received.TAKEN, "Show how a reply was understood.")
    show_detailed: bool = _analysis(True, Scope.REPORT, Received.TAKEN, "Show the numbers behind a verdict.")
    show_binary: bool = _analysis(True, Scope.REPORT, Received.TAKEN, "Show the verdicts.")
    p: dict[ProbeCode, Share] = _analysis(
        {
            "ML-U3": 0.08,
            "ML-U4": 0.08,
            "ML-U5": 0.08,
            "ML-U6": 0.08,
            "ML-I1": 0.12,
            "ML-I4": 0.1,
            "ML-I5": 0.1,
            "ML-I6": 0.1,
            "ML-I7": 0.1,
            "ML-I13": 0.14,
        },
        Scope.PLAN,
        Received.TAKEN,
        "Probability, per free round, that a case plants a probe, 0 to 1; those that add up to more than 1 are scaled "
        "down to 1 together. A case not named plants none.",
    )
    is_analyze: dict[ReplyCode, bool] = _analysis(
        {"ML-I2": True, "ML-I3": True, "ML-M9": False, "ML-P1": True, "ML-A6": True, "ML-A7": True},
        Scope.REPORT,
        Received.TAKEN,
        "Switches of the cases that judge every reply; a case not named is on, but for ML-M9.",
    )

    _codes_of_switches = field_validator("p", "is_analyze", mode="before")(normalize_keys)


class Auxiliary(Section):
    """The section AUXILIARY."""

    maxsets: dict[ProbeCode, Annotated[int, Field(ge=1, le=MANY)]] = _auxiliary(
        {},
        Scope.PLAN,
        Received.TAKEN,
        "How many test sets a case may use in one conversation at most. A case that is not named takes a fresh one for "
        "every probe, and one a second time only when none is left.",
    )
    testsets: list[Text] = _auxiliary(
        [],
        Scope.PLAN,
        Received.TAKEN,
        'Test sets that conversations and single questions are drawn from: names ("cat-name"), folders ("co/*"), or '
        'patterns ("cafe-*"); empty: all. `python main.py list testsets` names them.',
    )
    maxlength: dict[WaitingCode, Annotated[int, Field(ge=1, le=MANY)]] = _auxiliary(
        {},
        Scope.PLAN,
        Received.TAKEN,
        "How many rounds a case that waits (ML-I1, ML-M1 to ML-M10) waits at most before it asks; not named: 15, or as "
        "many as the conversation allows.",
    )
    haystack_tokens: int = _auxiliary(
        0,
        Scope.PLAN,
        Received.TAKEN,
        "Tokens of small talk between a fact and a question about it that is asked as late as maxlength allows; "
        "an earlier question has fewer, in proportion. 0: none. A token is four letters.",
        ge=0,
        le=10_000_000,
    )
    perturbation: dict[ProbeCode, Text] = _auxiliary(
        {},
        Scope.PLAN,
        Received.OWN,
        "Perturbation that a case uses instead of its own; `python main.py list perturbations` names them.",
    )
    dose: _Dose | dict[AlteringName, _Dose] = _auxiliary(
        Level.MEDIUM,
        Scope.PLAN,
        Received.TAKEN,
        'How strongly questions are altered: "light"; "medium", as far as a person still understands; "full", any '
        'dose; or the lowest and the highest dose, (0.25, 1.0). Or by case or perturbation: {"ML-U3": "full"}; what is '
        "not named is medium.",
    )
    formula: dict[FormulaCode, Literal["chattest", "reference"]] = _auxiliary(
        {},
        Scope.JUDGING,
        Received.TAKEN,
        'Formula that judges ML-A6 and ML-A7: "chattest", or "reference" for the reference implementation\'s own.',
    )
    array_ux_test_cases: list[ProbeCode] = _auxiliary(
        ["ML-U3", "ML-U4", "ML-U5", "ML-U6"],
        Scope.REPORT,
        Received.TAKEN,
        "Cases with results that are tallied over the dose.",
    )
    threshold_sem_sim_tests: Share | None = _auxiliary(
        None,
        Scope.JUDGING,
        Received.TAKEN,
        "Least combined score of an open answer that passes. None, as for every threshold: the default of the chosen "
        "models.",
    )
    threshold_own_consistency: Share | None = _auxiliary(
        None, Scope.JUDGING, Received.TAKEN, "Least agreement with the first answer that passes (ML-I13)."
    )
    threshold_toxicity: Share | None = _auxiliary(
        None, Scope.JUDGING, Received.TAKEN, "A label above this is toxic (ML-P1)."
    )
    threshold_coherence_conversation: float | None = _auxiliary(
        None,
        Scope.JUDGING,
        Received.TAKEN,
        "Least coherence with the conversation that passes (ML-I2), in the model's own unit.",
    )
    threshold_coherence_prompt: float | None = _auxiliary(
        None,
        Scope.JUDGING,
        Received.TAKEN,
        "Least coherence with the prompt that passes (ML-I3), in the model's own unit.",
    )
    threshold_stuttering: float | None = _auxiliary(
        None, Scope.JUDGING, Received.TAKEN, "A stuttering value above this fails (ML-A6).", ge=0
    )
    threshold_repeated_question: Share | None = _auxiliary(
        None, Scope.JUDGING, Received.TAKEN, "Two questions at least this similar are the same (ML-A7)."
    )
    threshold_free_contradiction: Share | None = _auxiliary(
        None,
        Scope.JUDGING,
        Received.TAKEN,
        "Two sentences that contradict each other with at least this probability fail (ML-M9).",
    )
    doubt_band: tuple[Share, Share] | Literal["own"] | None = _auxiliary(
        "own",
        Scope.REPORT,
        Received.TAKEN,
        "Two probabilities that a reply is right: a verdict between them counts, and is marked as in doubt. "
        '"own": the band of each scorer, (0.35, 0.65) for most. None, or two equal ends: no verdict is marked.',
    )

    _codes_of_limits = field_validator("maxsets", "maxlength", "perturbation", "dose", "formula", mode="before")(
        normalize_keys
    )

    @field_validator("dose")
    @classmethod
    def _doses(cls, given: Any) -> Any:
        for dose in given.values() if isinstance(given, dict) else [given]:
            if isinstance(dose, tuple) and (dose[0] > dose[1] or dose[1] == 0):
                raise ValueError(
                    f"the doses go from {dose[0]:g} to {dose[1]:g}; give the lower one first, and some above 0"
                )
        return given

    def dose_of(self, perturbation: str, code: str = "") -> Dose:
        """Return how strongly a perturbation alters.

        Args:
            perturbation: Its name.
            code: The case that uses it; empty for a check of single questions.
        """
        if not isinstance(self.dose, dict):
            return self.dose
        named = [self.dose[name] for name in (code, perturbation) if name in self.dose]
        return named[0] if named else Level.MEDIUM

    @field_validator("maxlength")
    @classmethod
    def _waits(cls, given: dict[str, int], info: ValidationInfo) -> dict[str, int]:
        length = info.data.get("conversation_length", 2)
        for code, rounds in given.items():
            if rounds > length - 1:
                raise ValueError(
                    f"{code} may wait {rounds} rounds, but a conversation of {length} rounds leaves 1 to {length - 1}"
                )
        return given

    @field_validator("doubt_band")
    @classmethod
    def _ends(cls, given: tuple[float, float] | Literal["own"] | None) -> tuple[float, float] | Literal["own"] | None:
        if isinstance(given, tuple) and given[0] > given[1]:
            raise ValueError(f"the band begins at {given[0]:g} and ends at {given[1]:g}; give the lower end first")
        return given

    @field_validator("array_ux_test_cases", mode="before")
    @classmethod
    def _dose_codes(cls, given: Any) -> Any:
        return [normalize_code(code) for code in given] if isinstance(given, list | tuple) else given


class DataAugmentation(Section):
    """The section DATA AUGMENTATION."""

    p_synonym: Share = _augmentation(
        0.2, Scope.PLAN, Received.TAKEN, "Probability that a word is replaced with a synonym."
    )
    n_aug: int = _augmentation(
        0,
        Scope.PLAN,
        Received.TAKEN,
        "How many more wordings with synonyms each information sentence gets.",
        ge=0,
        le=100,
    )
    synonyms: Literal["shipped", "wordnet"] = _augmentation(
        "shipped", Scope.PLAN, Received.TAKEN, "Where synonyms come from: the shipped list, or WordNet through nltk."
    )
