"""What CI does to try another machine than its own."""

import subprocess

from tests.support.stand_ins import ROOT

LOOK = "ls /usr/share/wordnet 2>/dev/null; type -P chromium soffice; exit 3"


def test_a_bare_machine_shows_none_of_the_debian_packages_and_hands_on_the_exit_code() -> None:
    done = subprocess.run([ROOT / ".ci" / "bare", "bash", "-c", LOOK], capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert done.stdout == "" or "these stay visible: /usr/" in done.stderr


def test_ci_tries_the_other_machine_before_debian_packages_are_there() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    first = {word: number for number, line in reversed(list(enumerate(lines))) for word in [line.partition(" -")[0]]}
    assert first["make test-other"] < first["apt-get update"] < first["make test"]
