"""`review` on a real terminal, by lines, and with its other doors; what a person sees and what is written."""

import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from chattest.cli import commands
from tests.support.counted import recount
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

Call = Callable[..., tuple[int, str, str]]
READY = "\x1b[?2004h"
"""What the terminal is told when a key can be typed."""


@pytest.fixture
def call(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """A command in this process with lines typed into it, its exit code and what it printed."""

    def called(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["main.py", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capfd.readouterr()
        code = 0
        try:
            commands.main(project)
        except SystemExit as ended:
            code = int(ended.code or 0)
        printed = capfd.readouterr()
        return code, printed.out, printed.err

    return called


def labels(folder: Path) -> list[dict[str, object]]:
    path = folder / "labels.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_lines_label_rows_and_the_judge_is_hidden(call: Call, folder: Path) -> None:
    typed = "p\nfail\nn in French\nc\ns\nb\nx\np\n"
    code, out, err = call("review", "first-run", "--by", "anna", "--budget", "8", typed=typed)
    assert code == 0, err
    assert err == '"x" is none of the keys\n'
    before, _, after = out.partition("Labels: ")
    assert "8 rows to label." in before
    assert "judge:" not in before
    assert not re.search(r"\brate\b", before), "how often the judge passes tells what it said"
    assert "4 labelled, 0 skipped, 4 left." in out
    assert "The judge disagrees with you in " in after
    assert "anna and the judge agree on " in after
    assert "width now" in before
    assert "width now" in after
    last = {row["key"]: (row["verdict"], row["note"], row["by"]) for row in labels(folder)}
    assert list(last.values()) == [
        ("pass", "", "anna"), ("fail", "", "anna"), ("cannot tell", "in French", "anna"), ("pass", "", "anna"),
    ]  # fmt: skip
    assert "reviewed: " in (folder / "report.html").read_text("utf-8")
    code, out, _ = call("review", "first-run", "--by", "anna", "--budget", "8", typed="q\n")
    assert (code, "8 rows to label, 4 of them labelled by anna before" in out, "--- 1 of 4 ·" in out) == (0, True, True)


def test_the_judge_can_be_shown(call: Call) -> None:
    _, out, _ = call("review", "first-run", "--show-verdicts", "--budget", "4", typed="p\n")
    assert out.count("\njudge:    ") == 2
    assert "The judge disagrees with you" not in out


def test_texts_of_bots_are_text(call: Call, folder: Path) -> None:
    talk = folder / "conversations" / "run-001.json"
    rows = folder / "results.jsonl"
    for path in (talk, rows):
        path.write_text(path.read_text("utf-8").replace("I see, number", "I \\u001b[2Jsee,\\njudge:    fail"), "utf-8")
    recount(folder)
    _, out, _ = call("review", "first-run", "--budget", "30", typed="s\n" * 30)
    assert "\\x1b[2Jsee," in out
    assert "\x1b" not in out
    assert "\njudge:" not in out


def test_export_and_merge_ask_nothing(call: Call, folder: Path, tmp_path: Path) -> None:
    call("review", "first-run", "--by", "anna", "--budget", "12", typed="p\n" * 12)
    other = tmp_path / "ben.jsonl"
    other.write_text((folder / "labels.jsonl").read_text("utf-8").replace('"anna"', '"ben"'), "utf-8")
    code, out, _ = call("review", "first-run", "--merge", str(other))
    assert code == 0
    assert "12 labels added\nanna and ben agree on 12 of 12 rows.\n" in out
    code, out, _ = call("review", "first-run", "--export", "own.jsonl")
    assert code == 0
    assert out.startswith("own.jsonl: ")
    assert len(Path("own.jsonl").read_text("utf-8").splitlines()) == int(out.split()[1])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nothing"], "nothing/run.json: cannot be read"),
        (["first-run", "--only", "ML-I22"], "no verdict of ML-I22 can be reviewed\n    Did you mean"),
        (["first-run", "--by", " "], "is no name of 1 to 60 characters"),
        (["first-run", "--merge", "nothing.jsonl"], "nothing.jsonl: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_said(call: Call, folder: Path, arguments: list[str], why: str) -> None:
    code, _, err = call("review", *arguments)
    assert code == 2
    assert why in err
    assert not labels(folder)


def test_a_cut_off_label_is_told(call: Call, folder: Path) -> None:
    (folder / "labels.jsonl").write_text('{"key": "ab')
    _, out, _ = call("review", "first-run", "--budget", "2", typed="p\n")
    assert 'labels.jsonl was cut off and holds no label: {"key": "ab' in out
    assert len(labels(folder)) >= 1


def test_single_keys_in_a_terminal(project: Path, folder: Path) -> None:
    child = pexpect.spawn(
        sys.executable, ["main.py", "review", "first-run", "--by", "anna", "--budget", "6"],
        cwd=str(project), env=os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        encoding="utf-8", timeout=120, dimensions=(60, 200),
    )  # fmt: skip
    child.expect_exact("--- 1 of 6")
    child.expect_exact(READY)
    child.send("xp")  # no such key, then pass; neither needs Enter
    child.expect_exact("--- 2 of 6")
    child.expect_exact(READY)
    child.send("n")
    child.expect_exact("Note:")
    child.send("a riddle\r")
    child.expect_exact(READY)
    child.send("F")
    child.expect_exact("--- 3 of 6")
    child.expect_exact(READY)
    child.send("b")
    child.expect_exact("you said: fail (a riddle)")
    child.expect_exact(READY)
    child.send("c")
    child.expect_exact("--- 3 of 6")
    child.expect_exact(READY)
    child.sendcontrol("c")
    child.expect_exact("2 labelled, 0 skipped, 4 left")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0, child.before
    last = {row["key"]: (row["verdict"], row["note"]) for row in labels(folder)}
    assert list(last.values()) == [("pass", ""), ("cannot tell", "a riddle")]
