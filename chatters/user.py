"""A person at the terminal."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any, ClassVar

from chattest import Chatter
from chattest.chatter.base import Command, EndOfConversation
from chattest.records.conversation import Turn
from chattest.text.escape import visible

HELP = """\
  /probe   say the next planned probe now
  /score   the verdicts so far
  /save    save the conversation as it is
  /quit    end the conversation; it is judged so far (end of input does the same)
  Ctrl-C   end this and all further conversations; the turns so far are judged
  /help    this list
Press Enter to send. For a new line press Esc, then Enter, or end the line with a backslash.
To send a text that begins with a slash, type two slashes."""


class User(Chatter):
    """You, at the terminal, as chatter 1 or 2; type /help for the commands.

    As chatter 1 you also see the probes that are sent in your place.
    """

    remembers: ClassVar[bool] = False
    interactive: ClassVar[bool] = True

    def __init__(self) -> None:
        self._shown = 0

    @classmethod
    def load(cls, options: Any) -> Any:
        """Return the line editor, whose history spans all conversations; `None` if the input is not a terminal."""
        if not sys.stdin.isatty():
            return None
        from prompt_toolkit import PromptSession
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        keys.add("escape", "enter")(lambda event: event.current_buffer.insert_text("\n"))
        keys.add("enter")(lambda event: event.current_buffer.validate_and_handle())
        return PromptSession(multiline=True, key_bindings=keys, prompt_continuation="... ")

    def get_response(self, conv_array: list[str]) -> str:
        """Return the person's next text. Raises `Command` for a command."""
        self._greet(conv_array)
        while True:
            text = self._read()
            if text in ("/probe", "/score", "/save"):
                raise Command(text[1:])
            if text == "/quit":
                raise EndOfConversation("the user ended the conversation")
            if text == "/help":
                self.told(HELP)
            elif text.startswith("/") and not text.startswith("//"):
                self.told(f"There is no command {text.split()[0]}; /help lists them.")
            elif text:
                return text.removeprefix("/") if text.startswith("//") else text

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        """Show the probe that was sent in the person's place."""
        self._greet(conv_array)
        self.told(f"You (probe): {text}")

    def heard(self, turn: Turn) -> None:
        """Show the other chatter's reply and how long it took."""
        self._greet([])
        if turn.error is not None:
            self.told(f"The other chatter failed: {turn.error}")
        else:
            self.told(f"Other: {turn.text}  ({turn.seconds:.1f} s)")

    def told(self, text: str) -> None:
        """Print a text with control characters escaped."""
        print(visible(text), flush=True)

    def _greet(self, conv_array: list[str]) -> None:
        """Show, before the first turn, how to get help, and the earlier texts."""
        if not self._shown:
            self.told("\nA new conversation. /help lists the commands.")
            for text in conv_array:
                self.told(f"Earlier: {text}")
        self._shown += 1

    def _read(self) -> str:
        """Read the next text; a backslash at the end of a line continues it. The input's end ends the conversation."""
        lines: list[str] = []
        while not lines or lines[-1].endswith("\\"):
            try:
                lines.append(self.shared.prompt("You: ") if self.shared else _read_line())
            except EOFError as end:
                raise EndOfConversation("the input ended") from end
            except KeyboardInterrupt as end:
                signal.raise_signal(signal.SIGINT)  # the program's own answer to Ctrl-C, which may raise it again
                raise EndOfConversation("the user pressed Ctrl-C") from end
        return "\n".join([line.removesuffix("\\") for line in lines[:-1]] + lines[-1:]).strip()


def _read_line() -> str:
    """Read a line of an input that is not a terminal; `input` would mix its prompt into the output."""
    with _interruptible():
        line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise `KeyboardInterrupt` in the block; otherwise a read would not end."""
    if current_thread() is not main_thread():  # Ctrl-C comes to the main thread alone
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
