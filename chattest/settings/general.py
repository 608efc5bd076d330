"""Settings of the whole run."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from chattest.settings.codes import CaseCode, normalize_keys
from chattest.settings.setting import Received, Scope, Section, declare_in

_setting = declare_in("GENERAL")


class General(Section):
    """The section GENERAL."""

    max_runs: int = _setting(
        5, Scope.PLAN, Received.TAKEN, "How many conversations are held; with stop_when, at most.", ge=1, le=100_000
    )
    stop_when: dict[CaseCode, Annotated[float, Field(gt=0, lt=0.5)]] = _setting(
        {},
        Scope.PARTICIPANTS,
        Received.TAKEN,
        "Case -> how exactly its pass rate is to be known, as half the width of an interval, 0 to 0.5. No further "
        "conversation is held once the rate of every case named here is known so well, or its gates are decided.",
    )
    same_plan: bool = _setting(
        False,
        Scope.PLAN,
        Received.TAKEN,
        "True: all conversations plant the same probes, to see how often the bot changes its mind.",
    )
    paired: bool = _setting(
        False,
        Scope.PARTICIPANTS,
        Received.TAKEN,
        "True: each conversation is held a second time with its altered questions unaltered, to tell whether the bot "
        "did not know or did not understand.",
    )
    controls: bool = _setting(
        False,
        Scope.PARTICIPANTS,
        Received.TAKEN,
        "True: two more bots get the same questions: oracle, which is always right, and amnesiac, which never is. They "
        "mark the two ends of the scale.",
    )
    seed: int = _setting(
        1,
        Scope.PLAN,
        Received.TAKEN,
        "Seed of all randomness: the same seed gives the same plan.",
        ge=-(10**40),
        le=10**40,
    )
    is_load_conversation: bool = _setting(
        False, Scope.PLACES, Received.OWN, "True: judge the conversations of load_conv_folder. False: hold new ones."
    )
    is_save_conversation: bool = _setting(
        True,
        Scope.PLACES,
        Received.OWN,
        "True: keep the conversations on disk. False: delete them once they are judged.",
    )
    is_analyze_conversation: bool = _setting(
        True, Scope.PLACES, Received.OWN, "True: judge the conversations and write the report. False: only hold them."
    )
    console: Literal["quiet", "normal", "verbose"] = _setting(
        "normal",
        Scope.EXECUTION,
        Received.TAKEN,
        'What the terminal shows: "quiet" (failures, one line of result, missed gates), "normal", or "verbose" (also '
        "every turn, and how certain each rate is).",
    )

    _codes_of_stops = field_validator("stop_when", mode="before")(normalize_keys)
