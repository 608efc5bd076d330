"""Settings of the conversations: who talks, how they begin, and where they are kept."""

from typing import Any, Literal

from pydantic import ValidationInfo, field_validator

from chattest.credentials import find_literal_secrets
from chattest.errors import suggest
from chattest.reports.base import DEFAULT_REPORTS, list_file_writers
from chattest.settings.setting import MANY, Received, Scope, Section, Text, declare_in

Affect = Literal["fear", "joy", "anger", "sadness", "anticipation", "disgust", "surprise", "trust"]
Topic = Literal[
    "legal", "military", "monsters", "politics", "positive_words", "religion", "science", "space", "technology"
]

MOST_ROUNDS = 500_000
"""Most rounds of all conversations of a run together."""

_generate = declare_in("GENERATE")
_affective = declare_in("AFFECTIVE TEXT GENERATION")
_saved = declare_in("SAVE AND LOAD")


class Generate(Section):
    """The section GENERATE."""

    conversation_length: int = _generate(
        40, Scope.PLAN, Received.TAKEN, "Rounds of a conversation; each chatter speaks once a round.", ge=2, le=5_000
    )
    density: float = _generate(
        0.33,
        Scope.PLAN,
        Received.TAKEN,
        "Largest share of the rounds in which chatter 1 says planted texts; in the others it talks freely. One probe "
        "always has room.",
        gt=0,
        le=1,
    )
    chatters: tuple[Text, Text] = _generate(
        ("companion", "reader"),
        Scope.PARTICIPANTS,
        Received.TOLD,
        "Chatter 1 (drives) and chatter 2 (is under test): names of chatters, which `python main.py list chatters` "
        'shows, or "package.module:Class".',
    )
    chatter_options: dict[str, dict[str, Any]] = _generate(
        {},
        Scope.PARTICIPANTS,
        Received.TOLD,
        "Options of chatters, by name; `python main.py list chatters` shows which there are.",
    )
    init_conv_randomly: bool = _generate(
        False,
        Scope.PLAN,
        Received.TAKEN,
        "True: open with a greeting and a sentence that affect, knob and topic choose.",
    )
    convarray_init: list[Text] = _generate(
        [], Scope.PLAN, Received.TAKEN, "Texts before the first round, driver and subject in turn."
    )
    predefined_conv_chatter1: list[str] = _generate(
        ["Hey", "How are you?", "I am fine. What do you do?", "That is nice."],
        Scope.PLAN,
        Received.TAKEN,
        'Lines the chatter "predefined" says as chatter 1, again from the start when they run out.',
        min_length=1,
    )
    predefined_conv_chatter2: list[str] = _generate(
        ["Hey", "I am well, thank you.", "I talk to people.", "Thank you."],
        Scope.PLAN,
        Received.TAKEN,
        'Lines the chatter "predefined" says as chatter 2.',
        min_length=1,
    )
    prev_conv_memory_chatter1: int | None = _generate(
        None, Scope.PLAN, Received.TAKEN, "How many of the last texts chatter 1 is given; None: all.", ge=1, le=MANY
    )
    prev_conv_memory_chatter2: int | None = _generate(
        None, Scope.PLAN, Received.TAKEN, "How many of the last texts chatter 2 is given; None: all.", ge=1, le=MANY
    )
    workers: int = _generate(
        1,
        Scope.EXECUTION,
        Received.TAKEN,
        "How many conversations are held at once; with 1, as many as both chatters say (reader and companion: 8).",
        ge=1,
        le=512,
    )
    executor: Literal["local", "ray"] = _generate(
        "local",
        Scope.EXECUTION,
        Received.OWN,
        'Where conversations are held and judged: "local", this machine; "ray", a Ray cluster (the extra ray).',
    )
    reply_timeout: float = _generate(
        60.0, Scope.PARTICIPANTS, Received.TAKEN, "Seconds a chatter may take for one reply.", gt=0, le=10**9
    )
    max_reply_length: int = _generate(
        20_000,
        Scope.PARTICIPANTS,
        Received.TAKEN,
        "Characters of a reply that are kept; the turn records how many were cut off.",
        ge=1,
        le=MANY,
    )

    @field_validator("conversation_length")
    @classmethod
    def _in_all(cls, given: int, info: ValidationInfo) -> int:
        """Refuse a run with too many rounds; all of them are planned before the first word."""
        runs = info.data.get("max_runs", 1)
        if given * runs > MOST_ROUNDS:
            raise ValueError(
                f"{runs:,} conversations of {given:,} rounds are {given * runs:,} rounds, and a run may have "
                f"{MOST_ROUNDS:,} at most; hold fewer or shorter ones, or several runs with a seed each"
            )
        return given

    @field_validator("chatter_options")
    @classmethod
    def _no_keys(cls, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Refuse a literal key: settings are written into every conversation and report."""
        why = next(find_literal_secrets(given, ""), None)
        if why is not None:
            raise ValueError(f"{why[1:]}; put it in an environment variable and write ${{NAME}} in its place")
        return given


class AffectiveText(Section):
    """The section AFFECTIVE TEXT GENERATION."""

    affect: Affect | None = _affective(None, Scope.PLAN, Received.TAKEN, "Affect of the opening sentence; None: any.")
    knob: int = _affective(50, Scope.PLAN, Received.TAKEN, "How strong the affect is, 0 to 100.", ge=0, le=100)
    topic: Topic | None = _affective(None, Scope.PLAN, Received.TAKEN, "Topic of the opening sentence; None: any.")
    opener_model: Text | None = _affective(
        None,
        Scope.PLAN,
        Received.TOLD,
        "A causal language model (hub name or folder) that writes the opening sentence; None: one of a shipped list.",
    )
    opening_speaker: Literal["chatter1", "chatter2"] = _affective(
        "chatter2",
        Scope.PLAN,
        Received.TAKEN,
        'Who says the opening sentence: "chatter1", and the bot under test replies to it, or "chatter2", as if '
        "the bot had begun.",
    )


class SaveAndLoad(Section):
    """The section SAVE AND LOAD."""

    save_conv_folder: str = _saved(
        "",
        Scope.PLACES,
        Received.OWN,
        "Folder for the conversations, with a folder for each run in it; empty: with the report.",
    )
    load_conv_folder: str = _saved(
        "",
        Scope.PLACES,
        Received.OWN,
        "Folder of the saved conversations that is_load_conversation judges; it may be a run's folder, or the one of "
        "save_conv_folder (save_analysis_name then names the run, if there are several).",
    )
    save_analysis_name: str = _saved(
        "first-run",
        Scope.PLACES,
        Received.OWN,
        "Name of the run and of its folder in reports/. If it is not set, `judge` takes the name of what it judges, "
        "and `check` is check-1, check-2, ...",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$",
    )
    reports: list[str] = _saved(
        list(DEFAULT_REPORTS),
        Scope.EXECUTION,
        Received.OWN,
        "Reports that are written, in this order; `python main.py list reports` names them. `compare` and `repeats` "
        'read "jsonl".',
        min_length=1,
    )

    @field_validator("load_conv_folder")
    @classmethod
    def _load_from(cls, given: str, info: ValidationInfo) -> str:
        if info.data.get("is_load_conversation") and not given:
            raise ValueError("is_load_conversation is True, so the folder to load from must be named")
        return given

    @field_validator("reports")
    @classmethod
    def _writers(cls, given: list[str]) -> list[str]:
        for name in given:
            if name not in DEFAULT_REPORTS and name not in list_file_writers():
                raise ValueError(f'there is no report "{name}". {suggest(name, list_file_writers())}')
            if given.count(name) > 1:
                raise ValueError(f'"{name}" is named more than once')
        return given
