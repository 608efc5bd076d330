"""The two long tests of `make soak`, made short: kills at random moments, and many conversations at once."""

import subprocess
import sys

import pytest

from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("module", "arguments"),
    [("kills", ["--kills", "10"]), ("load", ["--turns", "1000", "--workers", "16"])],
)
def test_nothing_is_lost(module: str, arguments: list[str]) -> None:
    command = [sys.executable, "-m", f"tests.soak.{module}", *arguments]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr  # the output begins with the seed
    assert "lost: 0" in done.stdout
