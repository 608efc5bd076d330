"""A driver that follows a dialogue file."""

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chattest import Chatter
from chattest.chatter.base import EndOfConversation
from chattest.datasets.questions import list_toml_problems
from chattest.errors import ChatterError, InputError, Problem
from chattest.files.home import home
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.files.toml import parse_toml


class Line(BaseModel):
    """One line of a dialogue file."""

    model_config = ConfigDict(extra="forbid")

    say: str = Field(min_length=1)
    expect: str | list[str] = Field([])
    """The reply must contain one of these texts; upper and lower case are ignored."""


class Dialogue(BaseModel):
    """A dialogue file."""

    model_config = ConfigDict(extra="forbid")

    line: list[Line] = Field(min_length=1)


class ScriptOptions(BaseModel):
    """Settings of a driver that follows a dialogue file."""

    model_config = ConfigDict(extra="forbid")

    file: Path = Field(description='the dialogue: a TOML file of [[line]] tables with "say" and perhaps "expect"')
    at_end: Literal["end", "repeat"] = Field("end", description="after the last line: end the conversation, or repeat")
    unexpected: Literal["fail", "ignore"] = Field(
        "fail", description="if a reply is not as expected: end the conversation with an error, or continue"
    )


class Script(Chatter):
    """A driver that follows a dialogue file, and stops if a reply is not as expected.

    A line that a probe replaces is sent in the next round; replies to probes are not checked.
    """

    Options = ScriptOptions

    def __init__(self) -> None:
        self._sent = 0
        self._waiting: Line | None = None

    @classmethod
    def load(cls, options: ScriptOptions) -> list[Line]:
        """Read the lines of the file. Raises `InputError` with all problems of an invalid file."""
        text = read_text(home() / options.file, LARGEST_WRITTEN)
        try:
            return Dialogue.model_validate(parse_toml(text)).line
        except ValidationError as error:
            raise InputError(list_toml_problems(options.file, text, error)) from error
        except ValueError as error:
            raise InputError([Problem(str(options.file), f"cannot be read: {error}")]) from error

    def get_response(self, conv_array: list[str]) -> str:
        """Return the next line. Raises `ChatterError` if the reply to the last one was not as expected."""
        self._check(conv_array)
        if self._sent >= len(self.shared) and self.options.at_end == "end":
            raise EndOfConversation("the script has ended")
        self._waiting = self.shared[self._sent % len(self.shared)]
        self._sent += 1
        return self._waiting.say

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        """Check the reply to the line before the probe."""
        self._check(conv_array)

    def _check(self, conv_array: list[str]) -> None:
        line, self._waiting = self._waiting, None
        if line is None or not line.expect or not conv_array or self.options.unexpected == "ignore":
            return
        expected = [line.expect] if isinstance(line.expect, str) else line.expect
        if not any(_fold(part) in _fold(conv_array[-1]) for part in expected):
            raise ChatterError(
                f"{self.options.file.name}, line {self._sent} ({line.say!r}): expected "
                f"{' or '.join(map(repr, expected))} in the reply, which was {conv_array[-1]!r}"
            )


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()
