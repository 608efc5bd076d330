"""What every setting declares: its section, scope, meaning, default and check."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Share = Annotated[float, Field(ge=0, le=1)]
MANY = 10**12
"""An upper bound of counts that cost nothing however large they are."""
Text = Annotated[str, Field(min_length=1)]


class Scope(StrEnum):
    """What changes when a setting changes. Every setting has one scope."""

    PLAN = "plan"
    """What the bot is asked, and which facts it gets. Two runs that differ here cannot be compared."""
    PARTICIPANTS = "participants"
    """Who talks, under which limits, until when, and which reference runs are held as well. The plan stays the same."""
    JUDGING = "judging"
    """The verdicts. Saved conversations are judged under the settings of now."""
    REPORT = "report"
    """What the report shows or asks of the verdicts, which stay the same."""
    PLACES = "places"
    """Where conversations come from, and where conversations and reports go."""
    EXECUTION = "execution"
    """How fast a run is, what the terminal shows and which files the report has. An interrupted run may change it."""


class Received(StrEnum):
    """Whether a setting may come from the folder of a run, which somebody else may have made."""

    TAKEN = "taken"
    """Taken: it holds numbers, choices among what ships, or texts that only the conversation or a page shows."""
    TOLD = "told"
    """Kept, so that a report shows who talked. Judging saved conversations loads nothing by it."""
    OWN = "own"
    """The project's own: it chooses code, a command, an address, a file, an environment variable, or what is spent."""


class Section(BaseModel):
    """Base of the sections: immutable, without unknown names, and with finite numbers only."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def declare_in(title: str) -> Callable[..., Any]:
    """Return the function that declares the settings of a section."""

    def setting(default: Any, scope: Scope, received: Received, meaning: str, **checks: Any) -> Any:
        """Declare a setting. The default has to pass the checks, which are those of pydantic's `Field`."""
        declared: dict[str, JsonValue] = {"section": title, "scope": scope.value, "received": received.value}
        return Field(default, description=meaning, json_schema_extra=declared, validate_default=True, **checks)

    return setting
