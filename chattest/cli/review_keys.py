"""How a person answers: single keys on a terminal, lines where the input is none."""

import sys
from abc import ABC, abstractmethod
from typing import Any

COMMANDS = "pfcsbnhq"
"""The keys that mean something; each is the first letter of its word."""


class Answers(ABC):
    """Where the person's answers come from."""

    @abstractmethod
    def key(self) -> str:
        """Return the next of `COMMANDS`; `q` at the end of the input."""

    @abstractmethod
    def note(self) -> str:
        """Return the remark that follows the key `n`."""


class Keys(Answers):
    """Single keys, without Enter."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

        keys = KeyBindings()

        @keys.add("<any>")
        def _ignored(event: KeyPressEvent) -> None:
            pass

        @keys.add("enter")
        def _nothing(event: KeyPressEvent) -> None:
            pass

        for letter in COMMANDS:
            for typed in (letter, letter.upper()):
                keys.add(typed)(lambda event, letter=letter: event.app.exit(result=letter))
        keys.add("left")(lambda event: event.app.exit(result="b"))
        self._keys: Any = PromptSession(key_bindings=keys)
        self._notes: Any = PromptSession()

    def key(self) -> str:
        """Wait for a key that means something."""
        try:
            return str(self._keys.prompt("> "))
        except (EOFError, KeyboardInterrupt):
            return "q"

    def note(self) -> str:
        """Return a line; Ctrl-C discards it."""
        try:
            return str(self._notes.prompt("Note: "))
        except (EOFError, KeyboardInterrupt):
            return ""


class Lines(Answers):
    """Lines such as `p`, `cannot tell`, or `n the cat is a dog`."""

    def __init__(self) -> None:
        self._rest = ""

    def key(self) -> str:
        """Return the first letter of the next line that begins with a key; other lines are skipped."""
        for line in sys.stdin:
            word, _, self._rest = line.strip().partition(" ")
            if word[:1].lower() in tuple(COMMANDS):
                return word[0].lower()
            if word:
                print(f'"{word}" is none of the keys', file=sys.stderr)
        return "q"

    def note(self) -> str:
        """Return the text after `n` on its line."""
        return self._rest


def open_keys() -> Answers:
    """Return the keys of a terminal if there is one, else the lines of the input."""
    return Keys() if sys.stdin.isatty() and sys.stdout.isatty() else Lines()
