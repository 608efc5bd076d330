"""Programs on standard input and output, as real processes."""

import os
import sys
import time
from pathlib import Path

import pytest

from chattest.errors import ChatterError


def program(code):
    return [sys.executable, "-u", "-c", code]


ECHO = """
import sys
told = []
for line in sys.stdin:
    told.append(line.strip())
    print(len(told), "; ".join(told))
"""


def test_a_process_each(make):
    one, two = (make("command", command=program(ECHO)) for _ in range(2))
    assert one.get_response(["Hi\nthere"]) == "1 Hi there"
    assert one.get_response(["Hi", "x", "žluť 猫"]) == "2 Hi there; žluť 猫"
    assert two.get_response([]) == "1 "


def test_a_command_line_is_split_but_no_shell_runs_it(make, tmp_path):
    (tmp_path / "bot.py").write_text("import sys\ninput()\nprint(sys.argv[1:])\n")
    bot = make("command", command=f"{sys.executable} {tmp_path}/bot.py 'a b' $HOME {{conversation_id}}")
    assert bot.get_response(["x"]) == "['a b', '$HOME', 'c1']"


def test_a_greeting_is_read_past(make):
    bot = make("command", command=program("print('Welcome\\n---')\n" + ECHO), skip_lines=2)
    assert bot.get_response(["x"]) == "1 x"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "options", "reason"),
    [
        ("import sys; sys.exit('I cannot go on')", {}, r"the program ended \(exit status 1\) I cannot go on"),
        ("input()", {}, r"the program ended \(exit status 0\)"),
        ("import time; time.sleep(9)", {"timeout": 0.2}, r"no line within 0\.2 seconds"),
        ("input(); print('x' * 10**7)", {"max_length": 1000}, r"longer than max_length \(1000\)"),
    ],
)
def test_a_program_that_fails(make, code, options, reason):
    bot = make("command", command=program(code), **options)
    with pytest.raises(ChatterError, match=reason):
        bot.get_response(["x"])


def test_a_program_that_is_not_there(make):
    with pytest.raises(ChatterError, match="cannot be started"):
        make("command", command="no-such-program-here")


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ended(pid):
    """Whether a process is over, or only waits to be taken note of."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
def test_a_stubborn_program_is_ended_with_its_children(make):
    code = """
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
input()
print(child.pid)
time.sleep(60)
"""
    bot = make("command", command=program(code))
    child = int(bot.get_response(["x"]))
    assert alive(child)
    bot.close()
    give_up = time.monotonic() + 60
    while not ended(child):
        assert time.monotonic() < give_up
        time.sleep(0.05)


def test_a_program_is_told_who_is_talking(make):
    bot = make("command", command=[*program("import sys\ninput()\nprint(sys.argv[1:])"), "{user}", "in {session}"])
    bot.close()
    bot.start("c1", "1", None, user_id="anna")
    user, session = bot.get_response(["x"]).strip("[]").split(", ")
    assert user == "'anna'"
    assert session.startswith("'in c1-")
