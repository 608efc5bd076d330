"""The clock is set back and the time zone changes while a run goes on: durations stay right, names stay unique."""

import json
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pytest

from chattest.chatter.http import _read_retry_after
from tests.support.process import NAME, project, run

TROUBLED = '''
import datetime
import os
import time

from chattest import Chatter

real = time.time
offset = [0.0]
time.time = lambda: real() + offset[0]


class Troubled(Chatter):
    """Sets the clock back by a day and moves to the other side of the world, in every reply."""

    def get_response(self, conv_array):
        time.sleep(0.02)
        offset[0] -= 86_400
        os.environ["TZ"] = "Pacific/Kiritimati" if len(conv_array) % 4 == 1 else "Pacific/Pago_Pago"
        time.tzset()
        return f"It is {datetime.datetime.now():%H} o'clock somewhere."
'''


@pytest.mark.slow
def test_a_clock_set_back_again_and_again(tmp_path: Path) -> None:
    """The clocks are those that Python's programs look at; `TZ` is the process's own and is really changed."""
    folder = project(tmp_path / "project", troubled=TROUBLED)
    arguments = ["--set", 'chatters=["asker", "troubled"]', "--set", "max_runs=2"]
    for name in (NAME, f"{NAME}-2", f"{NAME}-3"):
        code, printed = run(folder, *arguments, environment={"LIGHT_CLOCK": "real"})
        assert code == 0, printed
        assert "TookTooLong" not in printed
        saved = sorted((folder / "reports" / name / "conversations").glob("run-*.json"))
        assert len(saved) == 2
        for path in saved:
            turns = json.loads(path.read_bytes())["turns"]
            assert len(turns) == 16
            assert all(0.02 <= turn["seconds"] < 60 for turn in turns[1::2])
            assert all(0 <= turn["seconds"] < 60 for turn in turns[::2])
    assert sorted(path.name for path in (folder / "reports").iterdir()) == [NAME, f"{NAME}-2", f"{NAME}-3"]


@pytest.mark.parametrize("hours", [-30, 0, 30])
def test_a_service_that_asks_to_wait_is_taken_by_its_own_clock(hours: int) -> None:
    now = time.time() + 3600 * hours
    sent, until = (format_datetime(datetime.fromtimestamp(when, UTC), usegmt=True) for when in (now, now + 7))
    assert _read_retry_after(until, sent) == 7
    assert abs(_read_retry_after(until, "no date") - 3600 * hours - 7) < 60
