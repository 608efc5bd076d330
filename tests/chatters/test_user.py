"""A person chats through a real terminal, and through a pipe."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pexpect
import pytest

from chatters.user import User
from chattest.chatter.base import EndOfConversation
from tests.support.paths import ROOT

CHAT = [sys.executable, "-W", "error", str(Path(__file__).parent / "chat.py")]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
ALT_ENTER, CTRL_D, UP, CTRL_A = "\x1b\r", "\x04", "\x1b[A", "\x01"


@pytest.fixture
def terminal():
    child = pexpect.spawn(CHAT[0], CHAT[1:], encoding="utf-8", timeout=180, dimensions=(40, 300), env=ENVIRONMENT)
    child.expect("You:")
    yield child
    child.close(force=True)


@pytest.mark.slow
def test_lines_are_edited_and_remembered_in_a_terminal(terminal):
    terminal.send("world" + CTRL_A + "Hello \r")
    terminal.expect_exact("Other: Echo of 'Hello world'.  (1.2 s)")
    terminal.send(UP + "!\r")
    terminal.expect_exact("Other: Echo of 'Hello world!'.  (1.2 s)")
    terminal.send("first" + ALT_ENTER + "second\r")
    terminal.expect_exact("Other: Echo of 'first\\nsecond'.  (1.2 s)")
    terminal.send(CTRL_D)
    terminal.expect_exact("END the input ended; ['Hello world', ")


@pytest.mark.slow
def test_commands_in_a_terminal(terminal):
    terminal.send("/help\r")
    terminal.expect_exact("/probe   say the next planned probe now")
    terminal.send("/score\r")
    terminal.expect_exact("<score served>")
    terminal.send("/save\r")
    terminal.expect_exact("<save served>")
    terminal.send("/probe\r")
    terminal.expect_exact("You (probe): What is the name of my cat?")
    terminal.expect_exact("Other: Echo of 'What is the name of my cat?'.")
    terminal.send("/nonsense\r")
    terminal.expect_exact("There is no command /nonsense")
    terminal.send("/quit\r")
    terminal.expect_exact("END the user ended the conversation; [")
    terminal.expect_exact("['score', 'save', 'probe']")


def piped(text, *said):
    done = subprocess.run(
        [*CHAT, *said], input=text, capture_output=True, text=True, timeout=180, check=True, env=ENVIRONMENT
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Hi\n", ["Hi"]),
        ("Hi", ["Hi"]),
        ("one \\\ntwo\n", ["one \ntwo"]),
        ("\n  \nHi\n", ["Hi"]),
        ("//home is a path\n", ["/home is a path"]),
        ("å 猫 🙂\n", ["å 猫 🙂"]),
        ("", []),
    ],
)
def test_a_pipe_does_too(typed, said):
    heard = [part for text in said for part in (text, f"Echo of {text!r}.")]
    assert f"END the input ended; {heard}; []" in piped(typed)


def test_given_history_is_shown_once():
    shown = piped("A\nB\n", "Hey", "Hello you")
    assert shown.count("Earlier: Hey\nEarlier: Hello you\n") == shown.count("Hello you\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("chatters", "probe"), [(["user", "eliza"], "You (probe): "), (["eliza", "user"], "Other: ")])
def test_a_whole_session_in_a_terminal(tmp_path, chatters, probe):
    shutil.copy(ROOT / "config.py", tmp_path)
    only_stuttering = 'is_analyze={"ML-I2"=false,"ML-I3"=false,"ML-P1"=false,"ML-A7"=false}'
    settings = [f"chatters={chatters}", "max_runs=1", "conversation_length=20", 'p={"ML-I1"=0.15}', only_stuttering]
    settings.append("check_floor=false")
    child = pexpect.spawn(
        sys.executable,
        [str(ROOT / "main.py"), *[part for one in settings for part in ("--set", one)], "--set", "seed=3"],
        cwd=str(tmp_path), env=ENVIRONMENT, encoding="utf-8", timeout=180, dimensions=(50, 200),
    )  # fmt: skip
    child.expect("You:")
    child.send("My name is Robin.\r")
    child.expect_exact("Other: ")
    child.expect("You:")
    child.send("/score\r")
    child.expect_exact("ML-A6: [")
    child.send("/save\r")
    child.expect_exact("first-run/conversations")
    child.send("/probe\r")
    child.expect_exact("The next probe is planted in round")
    if chatters[0] == "eliza":
        child.send("All right.\r")
    child.expect_exact(probe)
    child.expect("You:")
    child.send("/quit\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == int(chatters[1] == "user"), child.before  # nobody answered a probe there
    saved = json.loads((tmp_path / "reports/first-run/conversations/run-001.json").read_text(encoding="utf-8"))
    assert "My name is Robin." in [turn["text"] for turn in saved["turns"]]
    assert (tmp_path / "reports/first-run/report.xlsx").exists()


TALKING = ["--set", 'chatters=["user", "eliza"]', "--set", "max_runs=3", "--set", "conversation_length=6"]
TALKING += ["--set", "p={}", "--set", 'is_analyze={"ML-I2"=false,"ML-I3"=false,"ML-P1"=false,"ML-A7"=false}']


@pytest.mark.slow
@pytest.mark.parametrize("spoken", [True, False])
def test_ctrl_c_once_at_the_prompt_ends_the_talk_and_judges_what_there_is(tmp_path, spoken):
    shutil.copy(ROOT / "config.py", tmp_path)
    child = pexpect.spawn(
        sys.executable, [str(ROOT / "main.py"), *TALKING],
        cwd=str(tmp_path), env=ENVIRONMENT, encoding="utf-8", timeout=180, dimensions=(50, 200),
    )  # fmt: skip
    child.expect("You:")
    if spoken:
        child.send("My name is Robin.\r")
        child.expect_exact("Other: ")
        child.expect("You:")
    child.send("\x03")
    child.expect_exact("The talk ends here and is judged; press Ctrl-C again to stop at once.")
    child.expect_exact("un the same command again to resume.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (0 if spoken else 130), child.before
    rows = tmp_path / "reports/first-run/results.jsonl"
    assert rows.exists() == spoken
    if spoken:
        assert [json.loads(line)["prompt"] for line in rows.read_text("utf-8").splitlines()] == ["My name is Robin."]
        assert json.loads((tmp_path / "reports/first-run/run.json").read_text("utf-8"))["state"] == "stopped"


def test_so_does_the_signal_where_the_input_is_a_pipe(monkeypatch):
    reading, writing = (os.fdopen(end, mode) for end, mode in zip(os.pipe(), "rw", strict=True))
    monkeypatch.setattr(sys, "stdin", reading)
    told = []

    def own(*_):
        told.append("Ctrl-C")

    def press():
        while signal.getsignal(signal.SIGINT) is own:  # it does not read yet
            time.sleep(0.01)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, own)
    timers = [Timer(0, press), Timer(60, writing.close)]  # the second, lest it hang
    try:
        for timer in timers:
            timer.start()
        with pytest.raises(EndOfConversation, match="Ctrl-C"):
            User().get_response([])
    finally:
        signal.signal(signal.SIGINT, before)
        for timer, end in zip(timers, (reading, writing), strict=True):
            timer.cancel()
            end.close()
    assert told == ["Ctrl-C"], "the program's own answer to Ctrl-C comes once"
