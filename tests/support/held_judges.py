"""A judge of toxicity that notes where it was asked, and answers when it is let go, for tests of a cluster."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.errors import ModelError
from chattest.models.protocols import TOXICITY_LABELS
from tests.support.stand_ins import StandIns

NOTES = "CHATTEST_TEST_NOTES"
"""The environment variable with the file in which every call leaves a line: process, its parent, first text."""
HELD = "held"
"""The file beside it; no call comes back while it is there."""
BROKEN, DEADLY = "broken", "deadly"
"""The choices of a model that cannot be loaded, and of one that ends its process."""


class HeldJudges(StandIns):
    """As `StandIns`, but toxicity is a model of its own."""

    def __init__(self, models: Any = "embedded") -> None:
        super().__init__(models=models)

    @property
    def toxicity(self) -> Any:
        if self.choice("toxicity") == BROKEN:
            raise ModelError("no such weights")
        return _Held(self.choice("toxicity") == DEADLY)


class _Held:
    name = "held"

    def __init__(self, deadly: bool) -> None:
        self.deadly = deadly

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        notes = Path(os.environ[NOTES])
        with notes.open("a") as file:
            file.write(f"{os.getpid()} {os.getppid()} {texts[0]}\n")
        while notes.with_name(HELD).exists():
            time.sleep(0.02)
        if self.deadly:
            os._exit(1)
        return [dict.fromkeys(TOXICITY_LABELS, len(text) / 1000) for text in texts]
