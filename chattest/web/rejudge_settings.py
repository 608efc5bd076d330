"""Settings that judge a finished run again as it was judged, but for what the user changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chattest.errors import InputError, Problem
from chattest.files.schema_errors import validation_problems
from chattest.settings.declaration import ASKED, JUDGING, Settings


def rejudging(settings: Settings, folder: Path, saved: Mapping[str, Any], changed: Mapping[str, Any]) -> Settings:
    """The settings of a run that judges another again and writes a folder of its own.

    settings: those of the project. folder: the run's own. saved: the settings of the run, as plain values: those of who
    talked, what was asked and how it was judged are taken over, so that it can still be compared with runs of the same
    plan. changed: setting -> its new value. Raises `InputError`.
    """
    judged = {name: value for name, value in saved.items() if name in ASKED | JUDGING}
    # A run that judged the conversations of another has none of its own.
    talked = str(saved["load_conv_folder"]) if saved.get("is_load_conversation") else str(folder)
    held = {
        "is_load_conversation": True,
        "is_analyze_conversation": True,
        "load_conv_folder": talked,
        "save_analysis_name": Settings.model_fields["save_analysis_name"].default,
    }
    values = settings.model_dump() | judged | dict(changed) | held
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = validation_problems(error, values)
        raise InputError(Problem(str(folder), str(problem), "Choose another value.") for problem in problems) from error
