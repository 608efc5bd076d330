"""A chatter that says predefined lines."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter


class PredefinedOptions(BaseModel):
    """Settings of the predefined chatter."""

    model_config = ConfigDict(extra="forbid")

    lines: list[str] = Field(min_length=1, description="its lines, which are repeated from the beginning")


class Predefined(Chatter):
    """Says the lines of predefined_conv_chatter1 or 2, over and over; for trying the metrics out.

    A line that a probe replaces is sent in the next round.
    """

    Options = PredefinedOptions
    harmless = True
    from_settings: ClassVar[dict[str, str]] = {"lines": "predefined_conv_chatter{position}"}

    def __init__(self) -> None:
        self._sent = 0

    def get_response(self, conv_array: list[str]) -> str:
        """Return the next line."""
        line: str = self.options.lines[self._sent % len(self.options.lines)]
        self._sent += 1
        return line
