"""What the terminal tells while a run goes on."""

import io
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chattest.cli.terminal import Terminal
from chattest.records.conversation import OPENING, Conversation, Speaker, Turn
from chattest.records.question import Answer
from chattest.runner.progress import Progress
from chattest.settings.declaration import Settings
from tests.support.stand_ins import said, spec


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def turns(rounds: Sequence[int], error: str | None = None) -> list[Turn]:
    told = [Turn(number, speaker, f"words {number}", 0.25) for number in rounds for speaker in Speaker]
    return told if error is None else [*told[:-1], Turn(rounds[-1], Speaker.SUBJECT, "", 1.0, error=error)]


def hold(terminal: Terminal, runs: int, rounds: int, failing: int = 0) -> None:
    """Shows it a whole run; the bot fails in round 1 of run `failing`."""
    terminal.talking(runs, 2 * rounds * runs)
    for run in range(1, runs + 1):
        for turn in turns(range(2), "boom \x1b[2J") if run == failing else turns(range(rounds)):
            terminal.spoken(spec(rounds, run=run), turn)
    terminal.judging(runs)


def settings(**more: Any) -> Settings:
    return Settings.model_validate({"conversation_length": 4, "chatters": ("eliza", "alice")} | more)


def test_progress_counts_rounds_and_conversations() -> None:
    progress = Progress(3, 2 * 4 * 3, 4)
    for turn in turns(range(4)):
        step = progress.advance(spec(4, run=1), turn)
    assert (progress.done, progress.finished, step.finished, progress.rounds) == (4, 1, True, 12)
    for turn in turns(range(2), "boom"):  # what it will not reach is behind it
        progress.advance(spec(4, run=2), turn)
    assert (progress.done, progress.finished) == (8, 2)
    began = said(("Hey", "Hello"), ("What?", "Yes."), run=3, length=4)  # two of its rounds were held before
    for turn in turns((2, 3)):
        progress.advance(began, turn)
    assert (progress.done, progress.finished, progress.seconds_left) == (12, 3, 0)


def test_progress_of_a_run_that_goes_on() -> None:
    progress = Progress(5, 2 * 4 * 2, 4)
    assert (progress.finished, progress.rounds, progress.seconds_left) == (3, 8, 0)
    progress.advance(spec(4), Turn(0, Speaker.DRIVER, "", error="could not start"))
    assert (progress.finished, progress.done) == (4, 4)


def test_plain_output_tells_now_and_then_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with Terminal(settings()) as terminal:
        hold(terminal, 3, 4, failing=2)
    shown = capsys.readouterr()
    lines = [re.sub(r"\d+ s left", "N s left", line) for line in shown.out.splitlines()]
    assert lines == [
        "3 conversations of 4 rounds: eliza talks to alice",
        "1 of 3 conversations finished, about N s left",
        "2 of 3 conversations finished, about N s left",
        "3 of 3 conversations finished",
        "judging 3 conversations",
    ]
    assert shown.err.splitlines()[-1] == "run-002, round 1: subject failed: boom \\x1b[2J"
    with Terminal(settings()) as terminal:
        hold(terminal, 200, 4)
    assert len(capsys.readouterr().out.splitlines()) == 22


def test_one_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    with Terminal(settings()) as terminal:
        hold(terminal, 1, 4)
        terminal.asking(1)
    assert capsys.readouterr().out.splitlines() == [
        "1 conversation of 4 rounds: eliza talks to alice",
        "1 of 1 conversation finished",
        "judging 1 conversation",
        "asking alice 1 single question",
    ]


def test_a_terminal_gets_a_bar_that_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stderr", screen)
    with Terminal(settings()) as terminal:
        hold(terminal, 3, 4, failing=2)
        terminal.asking(2)
        terminal.answered(Answer("Yes."))
        terminal.judging(0)
    shown = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert "0 of 3 conversations finished" in shown
    assert "3 of 3 conversations finished" in shown
    assert "12/12 rounds" in shown
    assert "left:" in shown
    assert "1/2 answers" in shown
    assert re.search(r"judging 0:00:0\d", shown)
    assert "run-002, round 1: subject failed: boom \\x1b[2J" in shown
    assert "\x1b[2J" not in screen.getvalue()
    assert "conversations finished" not in capsys.readouterr().out


@pytest.mark.parametrize("tty", [False, True])
def test_quiet_tells_of_failures_alone(
    tty: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen() if tty else io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    (tmp_path / "report.xlsx").touch()
    with Terminal(settings(console="quiet")) as terminal:
        hold(terminal, 3, 4, failing=2)
        terminal.asking(4)
        terminal.show_files(tmp_path, settings())
    assert capsys.readouterr().out == ""
    assert screen.getvalue() == "run-002, round 1: subject failed: boom \\x1b[2J\n"


def test_verbose_shows_every_turn(capsys: pytest.CaptureFixture[str]) -> None:
    with Terminal(settings(console="verbose")) as terminal:
        terminal.talking(1, 8)
        held: Conversation = spec(4)
        terminal.spoken(held, Turn(0, Speaker.DRIVER, "Hello\nyou \x1b[2J", 0.04))
        terminal.spoken(held, Turn(0, Speaker.SUBJECT, "x" * 500, 1.26))
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "run-001, round 0, driver (0.0 s): Hello you \\x1b[2J"
    assert lines[2].startswith("run-001, round 0, subject (1.3 s): xxx")
    assert len(lines[2]) < 250


def test_verbose_shows_the_answers_to_single_questions(capsys: pytest.CaptureFixture[str]) -> None:
    for console in ("verbose", "normal"):
        with Terminal(settings(console=console)) as terminal:
            terminal.asking(1)
            terminal.answered(Answer("In \x1b Oslo.", 0.26))
    assert capsys.readouterr().out.splitlines() == [
        "asking alice 1 single question",
        "alice (0.3 s): In \\x1b Oslo.",
        "asking alice 1 single question",
    ]


def test_verbose_shows_the_opening_once(capsys: pytest.CaptureFixture[str]) -> None:
    before = (Turn(-1, Speaker.DRIVER, "Hey"), Turn(-1, Speaker.SUBJECT, "I \x1b fear dogs."))
    held = replace(spec(4), turns=(*before, Turn(0, Speaker.DRIVER, "So do I.", note=OPENING)))
    with Terminal(settings(console="verbose")) as terminal:
        terminal.talking(1, 8)
        terminal.spoken(held, Turn(0, Speaker.SUBJECT, "Why?", 0.04))
        terminal.spoken(held, Turn(1, Speaker.DRIVER, "Well.", 0.04))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "run-001, opening, driver: Hey",
        "run-001, opening, subject: I \\x1b fear dogs.",
        "run-001, opening, driver: So do I.",
        "run-001, round 0, subject (0.0 s): Why?",
        "run-001, round 1, driver (0.0 s): Well.",
    ]
