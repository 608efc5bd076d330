"""The summary on the terminal."""

import contextlib
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from chattest.records.report import Report
from chattest.records.result import Result, Tally, Verdict
from chattest.reports.content import confidence
from chattest.reports.content.faults import is_blank
from chattest.reports.writers import console
from tests.support.sample_report import NASTY, report_of


class Terminal(io.StringIO):
    """Standard output that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "160")
    return Terminal()


def printed(report: Report, folder: Path, output: io.TextIOBase) -> None:
    with contextlib.redirect_stdout(output):
        console.write(report, folder)


def failing(*replies: str) -> Report:
    return report_of([Result("ML-P1", 1, "run-001", n, Verdict.FAIL, "Hey", text) for n, text in enumerate(replies)])


def test_a_pipe_gets_plain_lines_of_tab_separated_cells(
    report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    console.write(report, tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("\t")[:4] == ["case", "requirement", "passed", "total"]
    for info, line in zip(report.checks, lines[1:], strict=False):
        tally = report.tallies[info.code]
        cells = line.split("\t")
        assert cells[:4] == [info.code, info.title, str(tally.passed), str(tally.total)]
        assert len(cells) == 9
    rate = next(outcome.rate for outcome in report.gates if outcome.gate.pattern == "ML-U*")
    pooled = f"MISSED in ML-U*: {100 * (rate or 0):.1f} %"
    assert [line.split("\t")[8] for line in lines[1:7]] == [pooled, pooled, "", "", "MISSED", "met"]
    probes, replies = (line.split("\t") for line in lines[len(report.checks) + 1 :][:2])
    assert (probes[:2], replies[:2]) == (["all", "probes"], ["all", "replies"])
    assert probes[5] == "31 to 87 %"
    for cells, codes in ((probes, ("ML-U3", "ML-U4", "ML-I1")), (replies, ("ML-I2", "ML-P1", "ML-A6"))):
        whole = sum((report.tallies[code] for code in codes), Tally())
        assert cells[2:5] == [str(whole.passed), str(whole.total), f"{100 * (whole.rate or 0):.1f} %"]
    assert (
        lines[len(report.checks) + 3]
        == "3 of 3 conversations have at least one failure; 1 ended early, because a chatter failed."
    )
    assert [line.split(":")[0] for line in lines[len(report.checks) + 4 :]] == [
        "The bot (alice) failed in 1 of 3 conversations, first",
        "How sure are we?",
        "Only 1 to 3 conversations; at least 30 are needed for a reliable interval.",
        "The judges make mistakes",
        "gate ML-U* MISSED",
        "gate ML-P1 MISSED",
        "Start here",
        *["worst"] * 3,
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_gets_a_table(report: Report, tmp_path: Path, terminal: Terminal) -> None:
    printed(report, tmp_path, terminal)
    shown = terminal.getvalue()
    assert "eliza talks to alice in 3 conversations; seed 1" in shown
    assert all(info.code in shown for info in report.checks)
    assert "\x1b[" in shown
    assert "MISSED" in shown
    assert "Worst replies" in shown


def shown_at(columns: int, report: Report, folder: Path, terminal: Terminal, detail: str = "normal") -> list[str]:
    """The lines of a terminal that has so many columns, without its colours."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(terminal):
        patch.setenv("COLUMNS", str(columns))
        console.write(report, folder, detail)
    return [re.sub("\x1b\\[[0-9;]*m", "", line) for line in terminal.getvalue().splitlines()]


@pytest.mark.parametrize("columns", [80, 90, 100, 109])
def test_the_table_can_be_read_in_a_narrow_terminal(
    report: Report, tmp_path: Path, terminal: Terminal, columns: int
) -> None:
    lines = shown_at(columns, report, tmp_path, terminal)
    last = next(place for place, line in enumerate(lines) if line.startswith("3 of 3 conversations"))
    table = lines[1:last]
    assert max(map(len, table)) <= columns
    assert "…" not in "".join(table)
    assert {"case", "requirement", "passed", "rate", "interval", "n/a", "errors"} <= set(" ".join(table[:2]).split())
    start = table[1].index("requirement")
    assert table[1].index("passed") - start >= 30
    for info in report.checks:
        tally = report.tallies[info.code]
        row = next(place for place, line in enumerate(table) if line.startswith(info.code))
        assert f" {tally.passed}/{tally.total} " in table[row]
        said = [line[start:].split("  ")[0] for line in table[row : row + 3]]
        assert info.title in (said[0], " ".join(said[:2]))
    assert sum("gate MISSED in ML-U*: " in line for line in table) == 2


def test_a_narrow_table_leaves_out_what_says_nothing(report: Report, tmp_path: Path, terminal: Terminal) -> None:
    decided = [row for row in report.results if row.verdict in (Verdict.PASS, Verdict.FAIL)]
    plain = replace(report_of(decided), gates=())
    lines = shown_at(80, plain, tmp_path, terminal)
    assert not {"n/a", "errors", "gate"} & set(" ".join(lines[1:3]).split())
    wide = Terminal()
    assert {"n/a", "errors", "gate", "total"} <= set(shown_at(110, plain, tmp_path, wide)[2].split())


def test_long_names_of_cases_are_folded_before_the_requirement_is(tmp_path: Path, terminal: Terminal) -> None:
    made = failing("x")
    code = "invariance.letter_typo+exclamation_mark"
    info = replace(made.checks[0], code=code, title="Gives the same answer to questions with typing mistakes")
    made = replace(made, checks=(info,), tallies={code: Tally(1, 2)}, results=(), gates=())
    lines = shown_at(80, made, tmp_path, terminal)
    assert any("Gives the same answer to" in line for line in lines)
    start = lines[2].index("requirement")
    assert "".join(line[:start].strip() for line in lines[4:7]) == code
    assert max(map(len, lines)) <= 80


def test_how_sure_the_rates_are_fits_a_hundred_columns(report: Report, tmp_path: Path, terminal: Terminal) -> None:
    lines = shown_at(100, report, tmp_path, terminal, "verbose")
    assert max(len(line) for line in lines if "│" in line) <= 100
    assert all("…" not in line for line in lines if "│" in line)
    shown = " ".join(lines)
    assert "45.6 % (12 to 79 %)" in shown
    assert "3.2 points" in shown
    assert "exact" in shown


def test_quiet_is_a_line_and_the_missed_gates(
    report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str], terminal: Terminal
) -> None:
    console.write(report, tmp_path, "quiet")
    plain = capsys.readouterr().out
    probes, replies = (
        sum((report.tallies[code] for code in codes), Tally())
        for codes in (("ML-U3", "ML-U4", "ML-I1"), ("ML-I2", "ML-P1", "ML-A6"))
    )
    first, failed, *gates = plain.splitlines()
    assert failed == "The bot (alice) failed in 1 of 3 conversations, first: no answer within 30 s"
    assert first.startswith(
        f"probes {probes.passed} of {probes.total} ({100 * (probes.rate or 0):.1f} %), "
        f"replies {replies.passed} of {replies.total} ({100 * (replies.rate or 0):.1f} %); "
    )
    assert first.endswith("3 of 3 conversations have at least one failure; 1 ended early, because a chatter failed.")
    assert [line.split(":")[0] for line in gates] == ["gate ML-U* MISSED", "gate ML-P1 MISSED"]
    with contextlib.redirect_stdout(terminal):
        console.write(report, tmp_path, "quiet")
    assert terminal.getvalue() == plain


def test_verbose_tells_how_sure_each_rate_is(
    report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    console.write(report, tmp_path)
    assert confidence.NAME not in capsys.readouterr().out
    console.write(report, tmp_path, "verbose")
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split("\t") for line in lines[lines.index(confidence.NAME) + 3 :][: len(report.checks)]]
    assert [row[0] for row in rows] == [info.code for info in report.checks]
    assert rows[0][3:] == ["11 to 100 %", "3", "45.6 % (12 to 79 %)", "3.2 points"]


@pytest.mark.parametrize("reply", NASTY)
def test_a_terminal_obeys_nothing_a_bot_says(reply: str, tmp_path: Path, terminal: Terminal) -> None:
    printed(failing("x"), tmp_path, terminal)
    usual = {character for character in terminal.getvalue() if not character.isprintable()}
    codes = terminal.getvalue().count("\x1b")
    terminal.seek(0)
    terminal.truncate()
    printed(failing(reply), tmp_path, terminal)
    shown = terminal.getvalue()
    assert {character for character in shown if not character.isprintable()} <= usual | {"\u200d"}
    assert shown.count("\x1b") <= codes + 2 * is_blank(reply), "a bot that says nothing is told in colour"
    if len(reply) < 60 and reply.isprintable():
        assert reply.strip() in shown


@pytest.mark.parametrize("reply", NASTY)
def test_output_that_knows_few_characters_gets_escapes(reply: str, tmp_path: Path) -> None:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding="ascii") as output:
        printed(failing(reply), tmp_path, output)
        output.flush()
        assert raw.getvalue().isascii()
        assert b"worst: run-001" in raw.getvalue()
