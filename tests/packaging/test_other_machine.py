"""What CI does to try another machine than its own."""

import subprocess
import sys

from tests.support.stand_ins import ROOT

LOOK = """
import os, shutil, sys

print(*os.listdir("/usr/share/wordnet") if os.path.isdir("/usr/share/wordnet") else [])
print(*filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "soffice"))))
sys.exit(3)
"""


def test_a_bare_machine_shows_none_of_the_debian_packages_and_hands_on_the_exit_code() -> None:
    command = [str(ROOT / ".ci" / "bare"), sys.executable, "-c", LOOK]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert not done.stdout.split() or "these stay visible: /usr/" in done.stderr


def test_ci_tries_the_other_machine_before_debian_packages_are_there() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    first = {line.partition(" -")[0]: number for number, line in reversed(list(enumerate(lines)))}
    assert first["make test-other"] < first["apt-get update"] < first["make test"]


def test_ci_runs_every_test_once_here_and_on_github() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert '-rs -m "not slow"' in makefile.partition("\ntest: install\n")[2].partition("\n\n")[0]
    assert "-rs -m slow" in makefile.partition("\ntest-rest: install\n")[2].partition("\n\n")[0]
    assert "\ntest-all: test test-rest\n" in makefile
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for script in ((ROOT / ".ci" / "run").read_text(encoding="utf-8"), workflow):
        ran = [line.partition("run: ")[2] or line for line in script.splitlines()]
        assert [ran.count(command) for command in ("make lint", "make docs", "make test", "make test-rest")] == [1] * 4
