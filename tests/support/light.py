"""`main.py` for tests of faults: its judges load nothing, and every reply takes 0 seconds by its clock, so that what
two runs leave can be compared byte by byte. Run in a project's folder: `python -m tests.support.light [arguments]`.

`LIGHT_JUDGING` in the environment: seconds that judging takes. `LIGHT_CLOCK`: `real` for the clock that goes.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from chattest.chatter import asking
from chattest.cli import commands
from chattest.dialogue import examiner
from chattest.runner import run
from tests.support.stand_ins import StandIns


class Light(StandIns):
    """Takes the time that it is told to."""

    @property
    def toxicity(self) -> Any:
        time.sleep(float(os.environ.get("LIGHT_JUDGING", "0")))
        return super().toxicity


def lighten() -> None:
    """From now on, a run in this process has light judges and the clock that stands still."""
    patch = pytest.MonkeyPatch()  # for good: it is never undone
    patch.setattr(run, "Judges", lambda models: Light(models=models))
    if os.environ.get("LIGHT_CLOCK") != "real":
        for module in (asking, examiner):
            patch.setattr(module, "perf_counter", lambda: 0.0)


if __name__ == "__main__":
    lighten()
    sys.argv[0] = "main.py"
    commands.main(Path.cwd())
