"""Settings of the checks that ask single questions, and of the gates."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from chattest.datasets.own.source import QuestionFile, make_list
from chattest.records.report import Gate
from chattest.settings.setting import MANY, Received, Scope, Section, Share, Text, declare_in

_check = declare_in("CHECKS")
_gate = declare_in("GATES")
_Count = Annotated[int, Field(ge=0, le=MANY)]


class GateSetting(BaseModel):
    """An entry of `gates`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    pattern: Text
    min_pass_rate: Share
    blocking: bool = True
    level: Literal["rate", "lower", "corrected_lower"] = "rate"
    errors: Literal["miss", "ignore"] = "miss"
    empty: Literal["miss", "ignore"] = "miss"
    each: bool = False

    def gate(self) -> Gate:
        """Return the gate as a record, without regard to `each`."""
        return Gate(self.pattern, self.min_pass_rate, self.blocking, self.level, self.errors, self.empty)


class Checks(Section):
    """The section CHECKS."""

    checks: list[Text] = _check(
        [],
        Scope.PLAN,
        Received.OWN,
        'Checks that ask single questions, besides the conversations: families ("invariance"), single checks '
        '("invariance.letter_typo") or patterns ("bias.*"); `python main.py list checks` names them.',
    )
    check_tests: str = _check(
        "",
        Scope.PLACES,
        Received.OWN,
        "File of tests that `python main.py generate` wrote, next to config.py; they are asked instead of those that "
        "chattest would plan. Empty: none.",
    )
    check_questions: int = _check(
        20,
        Scope.PLAN,
        Received.TAKEN,
        "How many questions of the test sets each perturbation is tried on; the seed draws them.",
        ge=1,
        le=MANY,
    )
    check_files: list[QuestionFile] = _check(
        [],
        Scope.PLAN,
        Received.OWN,
        "Your own questions, instead of those of testsets/questions/: .csv, .tsv, .jsonl, .json or .xlsx files, "
        'folders that the package datasets saved, or {"path": ..., "columns": {"question": ..., "answers": ...}}.',
    )
    check_files_drawn: int | None = _check(
        None,
        Scope.PLAN,
        Received.TAKEN,
        "How many questions of each of these files the seed draws; None: all.",
        ge=1,
        le=MANY,
    )
    check_articles: list[Text] = _check(
        [],
        Scope.PLAN,
        Received.OWN,
        "Files of articles with yes/no questions for the metamorphic checks: BoolQ's .jsonl, the BoolQ contrast set's "
        ".json, .csv, .tsv, .xlsx or .toml, also compressed (.gz); empty: those of testsets/articles/.",
    )
    check_articles_drawn: int | None = _check(
        100,
        Scope.PLAN,
        Received.TAKEN,
        "How many questions of each of these files the seed draws; None: all.",
        ge=1,
        le=MANY,
    )
    check_context: Literal["before", "same"] = _check(
        "before",
        Scope.PLAN,
        Received.TAKEN,
        'Where a question\'s context goes: "before", a separate turn; "same", the same text as the question.',
    )
    check_compare_by: Literal[
        "same_answer",
        "direct",
        "jaro",
        "jaro_winkler",
        "hamming",
        "levenshtein",
        "damerau_levenshtein",
        "indel",
        "cosine",
        "euclidean",
        "manhattan",
        "chebyshev",
        "match",
        "chatter",
    ] = _check(
        "same_answer",
        Scope.JUDGING,
        Received.OWN,
        "What compares two answers that are not identical: all judges together (same_answer), a string distance, an "
        "embedding distance, the answer match, or the chatter of check_chatter.",
    )
    check_compare_bar: float | None = _check(
        None, Scope.JUDGING, Received.TAKEN, "Threshold of that comparison; None: the default of the chosen one.", ge=0
    )
    check_chatter: str = _check(
        "",
        Scope.JUDGING,
        Received.OWN,
        'Chatter with a language model that compares answers when check_compare_by is "chatter".',
    )
    check_floor: bool = _check(
        True,
        Scope.REPORT,
        Received.TAKEN,
        "Whether the report shows what bots that understand nothing reach on the same questions, and a run without a "
        "gate fails where the bot is no better; judging them takes four times as long as judging the bot's answers to "
        "single questions.",
    )
    check_confidence_change: Share = _check(
        1.0,
        Scope.JUDGING,
        Received.TAKEN,
        "How far the bot's own confidence may move between two answers that should be the same.",
    )
    check_min_change: float = _check(
        0.05, Scope.JUDGING, Received.TAKEN, "How far a score must move at least where it should rise or fall.", ge=0
    )
    check_flip: float = _check(
        0.5, Scope.JUDGING, Received.TAKEN, "How far a score must move at least where it should flip.", ge=0
    )
    check_tolerance: float = _check(
        0.01, Scope.JUDGING, Received.TAKEN, "How far a score may move where it should stay.", ge=0
    )
    check_token_f1: Share = _check(
        0.5,
        Scope.JUDGING,
        Received.TAKEN,
        "Least token F1 of an answer against the right answer that passes (accuracy).",
    )
    check_bleu: Share = _check(
        0.3,
        Scope.JUDGING,
        Received.TAKEN,
        "Least BLEU of a long answer against the right answers that passes (accuracy).",
    )
    check_rouge: Share = _check(
        0.5,
        Scope.JUDGING,
        Received.TAKEN,
        "Least ROUGE of a long answer against the right answers that passes (accuracy).",
    )
    check_worst_group: Share = _check(
        0.6, Scope.JUDGING, Received.TAKEN, "Mean score that every group must reach in the fairness checks."
    )
    check_group_gap: float = _check(
        0.05,
        Scope.JUDGING,
        Received.TAKEN,
        "Largest gap between the groups' mean scores in the bias checks that passes; a gap that may be chance passes.",
        ge=0,
    )
    check_min_share: Share | None = _check(
        None,
        Scope.JUDGING,
        Received.TAKEN,
        "Share that every group must have in the test sets in the representation checks; None: 0.8 of an equal share.",
    )
    check_min_count: _Count | dict[Text, _Count] = _check(
        0,
        Scope.JUDGING,
        Received.TAKEN,
        "How many questions of the test sets must be about every group in the representation checks, or by group: "
        '{"female": 30, "male": 20}.',
    )

    @field_validator("check_files", mode="before")
    @classmethod
    def _several(cls, given: Any) -> Any:
        return make_list(given)

    @field_validator("check_chatter")
    @classmethod
    def _grader(cls, given: str, info: ValidationInfo) -> str:
        if info.data.get("check_compare_by") == "chatter" and not given:
            raise ValueError('check_compare_by is "chatter", so the chatter that compares must be named')
        return given


class Gates(Section):
    """The section GATES."""

    fail_under: Share | None = _gate(
        None,
        Scope.REPORT,
        Received.TAKEN,
        "The pass rate that every overall rate of the report must reach: that of all probes, of all replies, of all "
        "single questions and of all groups; a lower one makes the exit code 1. None: only `gates` say what must be "
        "reached.",
    )
    check_min_pass_rates: dict[Text, Share] = _gate(
        {},
        Scope.REPORT,
        Received.TAKEN,
        'Deprecated: write `gates`. Minimum pass rate of each check, by check, family or "default"; the most specific '
        "entry counts.",
    )
    gates: list[GateSetting] | Text = _gate(
        [],
        Scope.REPORT,
        Received.OWN,
        'Minimum pass rates, such as {"pattern": "ML-U*", "min_pass_rate": 0.8, "blocking": True}, or the name of a '
        "TOML or YAML file next to config.py with them. A pattern that matches several cases or checks is held to "
        'their pooled rate; with "each": True, each of them must reach the rate.',
    )
