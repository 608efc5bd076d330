"""A driver that follows a dialogue file."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chattest import Chatter, Reply
from chattest.chatter.base import EndOfConversation
from chattest.datasets.questions import list_toml_problems
from chattest.errors import InputError, Problem
from chattest.files.home import home
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.files.toml import parse_toml
from chattest.text.containing import contains


class Line(BaseModel):
    """One line of a dialogue file."""

    model_config = ConfigDict(extra="forbid")

    say: str = Field(min_length=1)
    expect: str | list[str] = Field([])
    """The reply must contain one of these texts; upper and lower case are ignored."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is expected, as a tuple."""
        return (self.expect,) if isinstance(self.expect, str) else tuple(self.expect)


class Dialogue(BaseModel):
    """A dialogue file."""

    model_config = ConfigDict(extra="forbid")

    line: list[Line] = Field(min_length=1)


class ScriptOptions(BaseModel):
    """Settings of a driver that follows a dialogue file."""

    model_config = ConfigDict(extra="forbid")

    file: Path = Field(description='the dialogue: a TOML file of [[line]] tables with "say" and perhaps "expect"')
    at_end: Literal["end", "repeat"] = Field("end", description="after the last line: end the conversation, or repeat")
    unexpected: Literal["fail", "continue", "ignore"] = Field(
        "fail",
        description="if a reply is not as expected: case ML-S1 fails and the conversation ends (fail) or goes on "
        "(continue), or nothing is expected of any reply (ignore)",
    )


class Script(Chatter):
    """A driver that follows a dialogue file, and stops if a reply is not as expected.

    Case ML-S1 judges whether each reply is as its line expects. A line that a probe replaces is sent in the next round;
    nothing is expected of replies to probes.
    """

    Options = ScriptOptions

    def __init__(self) -> None:
        self._sent = 0
        self._waiting: Line | None = None
        self._missed = False

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

    def get_response(self, conv_array: list[str]) -> str | Reply:
        """Return the next line with what it expects. Raises `EndOfConversation` after a reply that was not so."""
        self._check(conv_array)
        if self._missed:
            raise EndOfConversation("the last reply was not as the script expects")
        if self._sent >= len(self.shared) and self.options.at_end == "end":
            raise EndOfConversation("the script has ended")
        number = self._sent % len(self.shared)
        line: Line = self.shared[number]
        self._waiting = line
        self._sent += 1
        if self.options.unexpected == "ignore" or not line.texts:
            return line.say
        return Reply((line.say,), expect=line.texts, line=f"{self.options.file.name}, line {number + 1}")

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        """Check the reply to the line before the probe."""
        self._check(conv_array)

    def _check(self, conv_array: list[str]) -> None:
        """Note that the reply to the last line was not as expected, if the conversation is to end then."""
        line, self._waiting = self._waiting, None
        if line is None or not line.texts or not conv_array or self.options.unexpected != "fail":
            return
        self._missed = self._missed or not any(contains(conv_array[-1], part) for part in line.texts)
