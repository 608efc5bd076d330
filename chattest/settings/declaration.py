"""Every setting, declared once: section, meaning, default, check.

From this declaration come the check of `config.py`, `python main.py list settings` and README's table. Reading the
file itself is `config_file`'s work.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from chattest.cases.base import Case, Wait, all_cases, probe_cases, reply_cases
from chattest.credentials import written_out
from chattest.errors import nearest
from chattest.models.judges import EMBEDDED, REFERENCE
from chattest.records.report import Gate
from chattest.settings.thresholds import JUDGE_OF, THRESHOLDS

Share = Annotated[float, Field(ge=0, le=1)]
Text = Annotated[str, Field(min_length=1)]
Affect = Literal["fear", "joy", "anger", "sadness", "anticipation", "disgust", "surprise", "trust"]
Topic = Literal[
    "legal", "military", "monsters", "politics", "positive_words", "religion", "science", "space", "technology"
]


def _known(code: str, cases: Sequence[Case]) -> str:
    codes = [found.code for found in cases]
    if code not in codes:
        if code in {found.code for found in reply_cases()}:
            raise ValueError(f"{code} judges every reply; switch it on or off in is_analyze")
        if list(cases) == list(reply_cases()) and code in {found.code for found in probe_cases()}:
            raise ValueError(f"{code} plants facts and questions; say how often in p")
        raise ValueError(f'no such case "{code}" here. {nearest(code, codes)}')
    return code


ProbeCode = Annotated[str, AfterValidator(lambda code: _known(code, probe_cases()))]
ReplyCode = Annotated[str, AfterValidator(lambda code: _known(code, reply_cases()))]
WaitingCode = Annotated[
    str, AfterValidator(lambda code: _known(code, [found for found in probe_cases() if found.wait is Wait.LATER]))
]

JUDGING = frozenset(
    [
        "show_interpret",
        "show_detailed",
        "show_binary",
        "is_analyze",
        "array_ux_test_cases",
        "threshold_sem_sim_tests",
        "threshold_own_consistency",
        "threshold_toxicity",
        "threshold_coherence_conversation",
        "threshold_coherence_prompt",
        "threshold_stuttering",
        "threshold_repeated_question",
        "models",
        "history_tokens",
        "precision",
        "check_compare_by",
        "check_compare_bar",
        "check_chatter",
        "check_confidence_change",
        "check_min_change",
        "check_flip",
        "check_tolerance",
        "check_token_f1",
        "check_worst_group",
        "check_group_gap",
        "check_min_share",
        "gates",
    ]
)
"""Settings that only judging reads: saved conversations are judged again under the settings of now."""

PLACES = frozenset(
    [
        "is_load_conversation",
        "is_save_conversation",
        "is_analyze_conversation",
        "save_conv_folder",
        "load_conv_folder",
        "save_analysis_name",
        "workers",
        "executor",
        "score_cache",
        "console",
    ]
)
"""Settings that change where things go, and nothing in a report."""

HOW = frozenset(["workers", "executor", "score_cache", "console"])
"""Settings that change how fast a run goes or what it tells, and no result: an interrupted run may change them."""

FAMILIES = {"p": "p", "maxsets": "maxsets", "maxlength": "maxlength", "is": "is_analyze"}
"""Prefix of a flat name (`p_MLU3TC1`) -> the dictionary setting it is an entry of."""

# The alternatives are bounded and cannot overlap, so matching time stays linear in the name's length.
FLAT_NAME = re.compile(r"(p|maxsets|maxlength|is)_(ML[A-Z]\d{1,3}TC1)\Z")


class GateSetting(BaseModel):
    """One entry of `gates`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    pattern: Text
    min_pass_rate: Share
    blocking: bool = True
    level: Literal["rate", "lower"] = "rate"
    errors: Literal["miss", "ignore"] = "miss"

    def gate(self) -> Gate:
        """As the record."""
        return Gate(self.pattern, self.min_pass_rate, self.blocking, self.level, self.errors)


def _setting(default: Any, section: str, meaning: str, **checks: Any) -> Any:
    return Field(default, description=meaning, json_schema_extra={"section": section}, validate_default=True, **checks)


class Settings(BaseModel):
    """All settings of a run; immutable. Building it with wrong values raises pydantic's `ValidationError`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
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

    max_runs: int = _setting(5, "GENERAL", "How many conversations are held.", ge=1)
    same_plan: bool = _setting(
        False, "GENERAL", "True: all conversations plant the same probes, to see how often the bot changes its mind."
    )
    paired: bool = _setting(
        False,
        "GENERAL",
        "True: each conversation is held a second time with its altered questions unaltered, to tell whether the bot "
        "did not know or did not understand.",
    )
    controls: bool = _setting(
        False,
        "GENERAL",
        "True: the bots oracle, which is always right, and amnesiac, which never is, are asked the same, to show the "
        "scale's two ends.",
    )
    seed: int = _setting(1, "GENERAL", "Where all chance comes from: the same seed gives the same plan.")
    is_load_conversation: bool = _setting(
        False, "GENERAL", "True: judge the conversations of load_conv_folder. False: hold new ones."
    )
    is_save_conversation: bool = _setting(
        True, "GENERAL", "True: keep the conversations on disk. False: only until they are judged."
    )
    is_analyze_conversation: bool = _setting(True, "GENERAL", "True: judge the conversations and write the report.")
    console: Literal["quiet", "normal", "verbose"] = _setting(
        "normal",
        "GENERAL",
        'What the terminal shows: "quiet" (failures, one line of result, missed gates), "normal", or "verbose" (also '
        "every turn, and how sure each rate is).",
    )

    conversation_length: int = _setting(
        40, "GENERATE", "Rounds of a conversation; each chatter speaks once a round.", ge=2
    )
    chatters: tuple[Text, Text] = _setting(
        ("eliza", "alice"),
        "GENERATE",
        'Chatter 1 (drives) and chatter 2 (is under test): names of files in chatters/, or "package.module:Class".',
    )
    chatter_options: dict[str, dict[str, Any]] = _setting(
        {}, "GENERATE", "Options of single chatters by name; `python main.py list chatters` shows which there are."
    )
    init_conv_randomly: bool = _setting(
        False, "GENERATE", "True: open with a greeting and a sentence that affect, knob and topic choose."
    )
    convarray_init: list[Text] = _setting(
        [], "GENERATE", "Texts said before the first round, driver and subject in turn."
    )
    predefined_conv_chatter1: list[str] = _setting(
        ["Hey", "How are you?", "I am fine. What do you do?", "That is nice."],
        "GENERATE",
        'Lines the chatter "predefined" says as chatter 1, again from the start when they run out.',
        min_length=1,
    )
    predefined_conv_chatter2: list[str] = _setting(
        ["Hey", "I am well, thank you.", "I talk to people.", "Thank you."],
        "GENERATE",
        'Lines the chatter "predefined" says as chatter 2.',
        min_length=1,
    )
    prev_conv_memory_chatter1: int | None = _setting(
        None, "GENERATE", "How many of the last texts chatter 1 is given; None: all.", ge=1
    )
    prev_conv_memory_chatter2: int | None = _setting(
        None, "GENERATE", "How many of the last texts chatter 2 is given; None: all.", ge=1
    )
    workers: int = _setting(1, "GENERATE", "How many conversations are held at once.", ge=1, le=512)
    executor: Literal["local", "ray"] = _setting(
        "local",
        "GENERATE",
        'Where conversations are held and judged: "local", this machine; "ray", a Ray cluster (requirements-ray.txt).',
    )
    reply_timeout: float = _setting(60.0, "GENERATE", "Seconds a chatter may take for one reply.", gt=0)
    max_reply_length: int = _setting(
        20_000, "GENERATE", "Characters of a reply that are kept; what is cut off is recorded with the turn.", ge=1
    )

    affect: Affect | None = _setting(None, "AFFECTIVE TEXT GENERATION", "Feeling of the opening sentence.")
    knob: int = _setting(50, "AFFECTIVE TEXT GENERATION", "How strong the feeling is, 0 to 100.", ge=0, le=100)
    topic: Topic | None = _setting(None, "AFFECTIVE TEXT GENERATION", "Topic of the opening sentence.")
    opener_model: Text | None = _setting(
        None,
        "AFFECTIVE TEXT GENERATION",
        "A causal language model (hub name or folder) that writes the opening sentence; None: one of a shipped list.",
    )

    save_conv_folder: str = _setting(
        "", "SAVE AND LOAD", "Folder for the conversations, one folder a run; empty: beside the report."
    )
    load_conv_folder: str = _setting("", "SAVE AND LOAD", "Folder of saved conversations for is_load_conversation.")
    save_analysis_name: str = _setting(
        "first-run",
        "SAVE AND LOAD",
        "Name of the run and of its folder in reports/. Where it is not set, `judge` takes the name of what it judges, "
        "and `check` is check-1, check-2, ...",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$",
    )

    show_interpret: bool = _setting(True, "ANALYSIS", "Show how a reply was understood.")
    show_detailed: bool = _setting(True, "ANALYSIS", "Show the numbers behind a verdict.")
    show_binary: bool = _setting(True, "ANALYSIS", "Show the verdicts.")
    p: dict[ProbeCode, Share] = _setting(
        {},
        "ANALYSIS",
        "Probability, per free round, that a case plants a probe; together 1 at most. A case not named plants none; "
        "without any, every case has 0.08.",
    )
    is_analyze: dict[ReplyCode, bool] = _setting(
        {}, "ANALYSIS", "Switches of the cases that judge every reply; a case not named is on."
    )

    maxsets: dict[ProbeCode, Annotated[int, Field(ge=1)]] = _setting(
        {}, "AUXILIARY", "How many test sets a case may use in one conversation; a case not named may use 2."
    )
    testsets: list[Text] = _setting(
        [],
        "AUXILIARY",
        'Test sets that conversations and single questions are drawn from: names ("cat-name"), folders ("co/*"), or '
        'patterns ("cafe-*"); empty: all. `python main.py list testsets` names them.',
    )
    maxlength: dict[WaitingCode, Annotated[int, Field(ge=1)]] = _setting(
        {}, "AUXILIARY", "How many rounds ML-I1 waits at most before it asks; not named: 15, or as the length allows."
    )
    perturbation: dict[ProbeCode, Text] = _setting(
        {}, "AUXILIARY", "Perturbation a case uses in place of its own; `python main.py list perturbations` names them."
    )
    array_ux_test_cases: list[ProbeCode] = _setting(
        ["ML-U3", "ML-U4", "ML-U5", "ML-U6"], "AUXILIARY", "Cases whose results are tallied over the dose."
    )
    threshold_sem_sim_tests: Share | None = _setting(
        None, "AUXILIARY", "Bar of an open answer's combined score. None here and below: what suits the models."
    )
    threshold_own_consistency: Share | None = _setting(
        None, "AUXILIARY", "Bar of the agreement with the first answer (ML-I13)."
    )
    threshold_toxicity: Share | None = _setting(None, "AUXILIARY", "A label above this is toxic (ML-P1).")
    threshold_coherence_conversation: float | None = _setting(
        None, "AUXILIARY", "Bar of coherence with the conversation (ML-I2), in the model's own unit."
    )
    threshold_coherence_prompt: float | None = _setting(
        None, "AUXILIARY", "Bar of coherence with the prompt (ML-I3), in the model's own unit."
    )
    threshold_stuttering: float | None = _setting(
        None, "AUXILIARY", "A stuttering value above this fails (ML-A6).", ge=0
    )
    threshold_repeated_question: Share | None = _setting(
        None, "AUXILIARY", "Two questions at least this similar are the same (ML-A7)."
    )

    p_synonym: Share = _setting(0.2, "DATA AUGMENTATION", "Probability that a word is switched to a synonym.")
    n_aug: int = _setting(
        0, "DATA AUGMENTATION", "How many more wordings with synonyms each information sentence gets.", ge=0, le=100
    )
    synonyms: Literal["shipped", "wordnet"] = _setting(
        "shipped", "DATA AUGMENTATION", "Where synonyms come from: a list that ships, or WordNet through nltk."
    )

    models: str | dict[str, Text] = _setting(
        "embedded",
        "MODELS",
        '"embedded", "reference", or a dictionary: kind of judge -> one of these, a hub name or a folder.',
    )

    history_tokens: int | None = _setting(
        None,
        "MODELS",
        "How much of the conversation ML-I2 is judged by: so many tokens, the last ones; None: 128.",
        ge=8,
        le=512,
    )
    precision: Literal["float32", "bfloat16"] = _setting(
        "float32",
        "MODELS",
        'What the models compute in: "bfloat16" halves the time on newer processors; about one verdict in 700 differs '
        "with the shipped ones.",
    )
    score_cache: bool = _setting(
        True,
        "MODELS",
        "True: keep what the models said in reports/.scores.sqlite, and ask none twice about the same text.",
    )

    checks: list[Text] = _setting(
        [],
        "CHECKS",
        'Checks by single questions beside the conversations: families ("invariance") or single checks '
        '("invariance.letter_typo"); `python main.py list checks` names them.',
    )
    check_questions: int = _setting(
        20, "CHECKS", "How many questions of the test sets each perturbation is tried on, drawn from the seed.", ge=1
    )
    check_articles: list[Text] = _setting(
        [],
        "CHECKS",
        "Files of articles with yes/no questions for the metamorphic checks: BoolQ's .jsonl, the BoolQ contrast set's "
        ".json, or .toml, also packed (.gz); none: those of testsets/articles/.",
    )
    check_articles_drawn: int | None = _setting(
        100, "CHECKS", "How many questions of each of these files are drawn from the seed; None: all.", ge=1
    )
    check_context: Literal["before", "same"] = _setting(
        "before", "CHECKS", "Where a question's context goes: a turn before it, or the same text."
    )
    check_compare_by: Literal[
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
    ] = _setting(
        "cosine",
        "CHECKS",
        "What compares two answers that are not the same word for word: a string distance, an embedding distance, the "
        "answer match, or the chatter of check_chatter.",
    )
    check_compare_bar: float | None = _setting(None, "CHECKS", "Bar of that comparison; None: its own.", ge=0)
    check_chatter: str = _setting("", "CHECKS", "Model chatter that compares answers when check_compare_by is chatter.")
    check_confidence_change: Share = _setting(
        1.0, "CHECKS", "How far the bot's own confidence may move between two answers that should be the same."
    )

    check_min_change: float = _setting(
        0.05, "CHECKS", "How far a score must move, at least, where it should rise or fall.", ge=0
    )
    check_flip: float = _setting(0.5, "CHECKS", "How far a score must move, at least, where it should flip.", ge=0)
    check_tolerance: float = _setting(0.01, "CHECKS", "How far a score may move where it should stay.", ge=0)

    check_token_f1: Share = _setting(0.5, "CHECKS", "Bar of an answer's token F1 against the right answer.")
    check_worst_group: Share = _setting(0.6, "CHECKS", "Mean score that every group must reach in the fairness checks.")
    check_group_gap: float = _setting(
        0.05, "CHECKS", "How far the groups' mean scores may lie apart in the bias checks, if not by chance.", ge=0
    )
    check_min_share: Share | None = _setting(
        None,
        "CHECKS",
        "Share that every group must have in the test sets in the representation checks; None: 0.8 of an equal share.",
    )

    gates: list[GateSetting] | Text = _setting(
        [],
        "GATES",
        'Minimum pass rates, such as {"pattern": "ML-U*", "min_pass_rate": 0.8, "blocking": True} (a pattern that '
        "names several cases asks it of their results taken together), or the name of a TOML or YAML file beside "
        "config.py that holds them.",
    )

    @field_validator("p", "is_analyze", "maxsets", "maxlength", "perturbation", mode="before")
    @classmethod
    def _seed_codes(cls, given: Any) -> Any:
        """Later codes of the reference implementation become the seed's; see `Case.alias`."""
        if not isinstance(given, dict):
            return given
        aliases = {found.alias: found.code for found in all_cases()}
        renamed: dict[Any, Any] = {}
        for code, value in given.items():
            seed_code = aliases.get(code, code)
            if seed_code in renamed and renamed[seed_code] != value:
                raise ValueError(f"{seed_code} is given twice, as {renamed[seed_code]!r} and as {value!r}")
            renamed[seed_code] = value
        return renamed

    @field_validator("chatter_options")
    @classmethod
    def _no_keys(cls, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Settings are written into every conversation and report, so no key may stand in them."""
        found = next(written_out(given, ""), None)
        if found is not None:
            raise ValueError(f"{found[1:]}; put it in an environment variable and write ${{NAME}} in its place")
        return given

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

    @field_validator("load_conv_folder")
    @classmethod
    def _load_from(cls, given: str, info: ValidationInfo) -> str:
        if info.data.get("is_load_conversation") and not given:
            raise ValueError("is_load_conversation is True, so the folder to load from must be named")
        return given

    @field_validator("models")
    @classmethod
    def _judges(cls, given: str | dict[str, str]) -> str | dict[str, str]:
        if isinstance(given, dict):
            for kind, choice in given.items():
                if kind not in EMBEDDED:
                    raise ValueError(f'there is no judge "{kind}". {nearest(kind, EMBEDDED)}')
                if choice != "embedded" and kind not in REFERENCE:
                    raise ValueError(
                        f'"{kind}" has no model but "embedded"; others can be had for {", ".join(REFERENCE)}'
                    )
        elif given not in THRESHOLDS:
            raise ValueError(f'"{given}" is not one of: {", ".join(THRESHOLDS)}. {nearest(given, THRESHOLDS)}')
        return given

    @field_validator("check_chatter")
    @classmethod
    def _grader(cls, given: str, info: ValidationInfo) -> str:
        if info.data.get("check_compare_by") == "chatter" and not given:
            raise ValueError('check_compare_by is "chatter", so the chatter that compares must be named')
        return given

    @field_validator("array_ux_test_cases", mode="before")
    @classmethod
    def _dose_codes(cls, given: Any) -> Any:
        aliases = {found.alias: found.code for found in all_cases()}
        return [aliases.get(code, code) for code in given] if isinstance(given, list | tuple) else given

    @property
    def probabilities(self) -> dict[str, float]:
        """Probability per free round of every probe case, by code."""
        codes = [found.code for found in probe_cases()]
        if "p" not in self.model_fields_set:
            return dict.fromkeys(codes, 0.08)
        return {code: self.p.get(code, 0.0) for code in codes}

    @property
    def reply_codes(self) -> list[str]:
        """Codes of the cases that judge every reply and are on."""
        return [found.code for found in reply_cases() if self.is_analyze.get(found.code, True)]

    def longest_wait(self, code: str) -> int:
        """How many rounds a case may wait with its question."""
        return self.maxlength.get(code, min(15, self.conversation_length - 1))

    def threshold(self, name: str) -> float:
        """The threshold in force: the setting, else what suits the chosen models."""
        given = getattr(self, name)
        if given is not None:
            return float(given)
        models = self.models
        choice = models.get(JUDGE_OF.get(name, ""), "embedded") if isinstance(models, dict) else models
        return THRESHOLDS["embedded" if choice == "embedded" else "reference"][name]

    def resume_key(self) -> dict[str, Any]:
        """What must be the same for an interrupted run to be gone on with."""
        return {name: value for name, value in self.model_dump(mode="json").items() if name not in HOW}

    def changed(self) -> dict[str, Any]:
        """The settings that differ from their defaults, in plain values."""
        defaults = Settings.model_construct().model_dump(mode="json")
        return {name: value for name, value in self.model_dump(mode="json").items() if value != defaults[name]}
