"""Settings of the cases: which are tested how often, what judges them, and how questions are altered."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from chattest.settings.codes import ProbeCode, ReplyCode, WaitingCode, seed_code, with_seed_codes
from chattest.settings.setting import Scope, Section, Share, Text, in_section

_analysis = in_section("ANALYSIS")
_auxiliary = in_section("AUXILIARY")
_augmentation = in_section("DATA AUGMENTATION")


class Analysis(Section):
    """The section ANALYSIS."""

    show_interpret: bool = _analysis(True, Scope.REPORT, "Show how a reply was understood.")
    show_detailed: bool = _analysis(True, Scope.REPORT, "Show the numbers behind a verdict.")
    show_binary: bool = _analysis(True, Scope.REPORT, "Show the verdicts.")
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
        "Probability, per free round, that a case plants a probe; together 1 at most. A case not named plants none.",
    )
    is_analyze: dict[ReplyCode, bool] = _analysis(
        {"ML-I2": True, "ML-I3": True, "ML-P1": True, "ML-A6": True, "ML-A7": True},
        Scope.REPORT,
        "Switches of the cases that judge every reply; a case not named is on.",
    )

    _codes_of_switches = field_validator("p", "is_analyze", mode="before")(with_seed_codes)

    @field_validator("p")
    @classmethod
    def _adds_up(cls, given: dict[str, float]) -> dict[str, float]:
        total = sum(given.values())
        if total > 1 + 1e-9:
            raise ValueError(
                f"the probabilities add up to {total:.3g}; together they may be 1 at most. Lower the others by "
                f"{total - 1:.3g} together, or set those of cases you do not want to 0"
            )
        return given


class Auxiliary(Section):
    """The section AUXILIARY."""

    maxsets: dict[ProbeCode, Annotated[int, Field(ge=1)]] = _auxiliary(
        {}, Scope.PLAN, "How many test sets a case may use in one conversation; a case not named may use 2."
    )
    testsets: list[Text] = _auxiliary(
        [],
        Scope.PLAN,
        'Test sets that conversations and single questions are drawn from: names ("cat-name"), folders ("co/*"), or '
        'patterns ("cafe-*"); empty: all. `python main.py list testsets` names them.',
    )
    maxlength: dict[WaitingCode, Annotated[int, Field(ge=1)]] = _auxiliary(
        {},
        Scope.PLAN,
        "How many rounds ML-I1 waits at most before it asks; not named: 15, or as many as the conversation allows.",
    )
    perturbation: dict[ProbeCode, Text] = _auxiliary(
        {},
        Scope.PLAN,
        "Perturbation a case uses in place of its own; `python main.py list perturbations` names them.",
    )
    array_ux_test_cases: list[ProbeCode] = _auxiliary(
        ["ML-U3", "ML-U4", "ML-U5", "ML-U6"], Scope.REPORT, "Cases whose results are tallied over the dose."
    )
    threshold_sem_sim_tests: Share | None = _auxiliary(
        None,
        Scope.JUDGING,
        "Least combined score of an open answer that passes. None, here and below: the default of the chosen models.",
    )
    threshold_own_consistency: Share | None = _auxiliary(
        None, Scope.JUDGING, "Least agreement with the first answer that passes (ML-I13)."
    )
    threshold_toxicity: Share | None = _auxiliary(None, Scope.JUDGING, "A label above this is toxic (ML-P1).")
    threshold_coherence_conversation: float | None = _auxiliary(
        None, Scope.JUDGING, "Least coherence with the conversation that passes (ML-I2), in the model's own unit."
    )
    threshold_coherence_prompt: float | None = _auxiliary(
        None, Scope.JUDGING, "Least coherence with the prompt that passes (ML-I3), in the model's own unit."
    )
    threshold_stuttering: float | None = _auxiliary(
        None, Scope.JUDGING, "A stuttering value above this fails (ML-A6).", ge=0
    )
    threshold_repeated_question: Share | None = _auxiliary(
        None, Scope.JUDGING, "Two questions at least this similar are the same (ML-A7)."
    )

    _codes_of_limits = field_validator("maxsets", "maxlength", "perturbation", mode="before")(with_seed_codes)

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

    @field_validator("array_ux_test_cases", mode="before")
    @classmethod
    def _dose_codes(cls, given: Any) -> Any:
        return [seed_code(code) for code in given] if isinstance(given, list | tuple) else given


class DataAugmentation(Section):
    """The section DATA AUGMENTATION."""

    p_synonym: Share = _augmentation(0.2, Scope.PLAN, "Probability that a word is replaced with a synonym.")
    n_aug: int = _augmentation(
        0, Scope.PLAN, "How many more wordings with synonyms each information sentence gets.", ge=0, le=100
    )
    synonyms: Literal["shipped", "wordnet"] = _augmentation(
        "shipped", Scope.PLAN, "Where synonyms come from: the shipped list, or WordNet through nltk."
    )
