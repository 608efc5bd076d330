"""Settings that judge a finished run again as it was judged, but for what the user changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chattest.errors import InputError, Problem
from chattest.files.schema_errors import validation_problems
from chattest.settings.declaration import ASKED, JUDGING, Settings
from chattest.settings.trust import Left, received
from chattest.storage.source import judged_run


def rejudging(
    settings: Settings, folder: Path, saved: Mapping[str, Any], changed: Mapping[str, Any], root: Path = Path()
) -> Settings:
    """The settings of a run that judges another again and writes a folder of its own.

    settings: those of the project. folder: the run's own. saved: the settings of the run, as plain values: those of who
    talked, what was asked and how it was judged are taken over, so that it can still be compared with runs of the same
    plan. What its folder does not choose (see `left_out`) is the project's own. changed: setting -> its new value.
    root: the folder that relative paths begin at. Raises `InputError`.
    """
    judged = received(folder, saved, ASKED | JUDGING, settings).values
    # A run that judged the conversations of another has none of its own.
    talked = str(judged_run(folder, saved, root)) if saved.get("is_load_conversation") else str(folder)
    held = {
        "is_load_conversation": True,
        "is_analyze_conversation": True,
        "load_conv_folder": talked,
        "save_analysis_name": Settings.model_fields["save_analysis_name"].default,
    }
    values = settings.model_dump() | dict(judged) | dict(changed) | held
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = validation_problems(error, values)
        raise InputError(Problem(str(folder), str(problem), "Choose another value.") for problem in problems) from error


def left_out(settings: Settings, folder: Path, saved: Mapping[str, Any]) -> tuple[Left, ...]:
    """Return the settings for which judging a run again takes the project's own value; see `rejudging`."""
    return received(folder, saved, ASKED | JUDGING, settings).left
