"""A chatter that was chosen: its class, its options, and what its instances share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from chattest.chatter.base import Chatter
from chattest.chatter.batching import Lockstep
from chattest.errors import ChatterError, ChattestError


@dataclass(slots=True)
class ChatterSpec:
    """One chatter's class with its options, and what its instances share once `load` has run."""

    name: str
    cls: type[Chatter]
    options: BaseModel
    shared: Any = None
    lockstep: Lockstep | None = None
    """Set where several conversations are held at once and the chatter answers in batches."""
    folder: Path = Path("chatters")
    """The `chatters/` folder."""

    def load(self) -> None:
        """Loads what the instances share. Raises `ChatterError`, whatever goes wrong in the chatter's own code."""
        try:
            self.shared = self.cls.load(self.options)
        except ChattestError:
            raise
        except Exception as error:
            raise ChatterError(f"{self.name} cannot be loaded: {type(error).__name__}: {error}") from error

    def make(self) -> Chatter:
        """A fresh instance, for one conversation. Raises `ChatterError`."""
        try:
            made = self.cls()
        except Exception as error:
            raise ChatterError(f"{self.name} cannot be made: {type(error).__name__}: {error}") from error
        made.name, made.options, made.shared = self.name, self.options, self.shared
        if self.lockstep is not None:
            made.get_response = self.lockstep.answer  # type: ignore[method-assign]
        return made
