"""Bots that fail: the turn gets an ERROR or says what was done to it, every other conversation goes on, and the counts
add up. One run holds a conversation for each fault; the faults are real, over sockets, pipes and threads.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.question import Answer
from chattest.records.report import Report
from chattest.records.result import Tally, Verdict
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from tests.support import faulty_bots as bots
from tests.support import faulty_web as web
from tests.support.faulty_bots import IN_PYTHON
from tests.support.project import make_project
from tests.support.stand_ins import ROOT, StandIns

LIMIT = 6.0
"""Seconds a reply may take."""
ROUNDS = 5
FAILS_IN = 2
"""The round in which a bot fails."""


class Silent:
    """Watches without a word."""

    def talking(self, conversations: int, turns: int) -> None: ...

    def spoken(self, conversation: Conversation, turn: Turn) -> None: ...

    def looked(self, words: str) -> None: ...

    def asking(self, questions: int) -> None: ...

    def answered(self, answer: Answer) -> None: ...

    def judging(self, conversations: int) -> None: ...


Held = tuple[dict[int, Conversation], Report]


def held(folder: Path, chatter: str, count: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Held:
    """A run with a conversation for every fault and one without: run -> conversation, and the report."""
    project = make_project(folder / "project", troubled=f"LIMIT = {LIMIT}\n{bots.PYTHON}")
    for name in ("http", "command"):
        shutil.copy(ROOT / "chatters" / f"{name}.py", project / "chatters" / f"{name}.py")
    settings = Settings.model_validate(
        {
            "chatters": ("asker", chatter),
            "chatter_options": {chatter: options} if options else {},
            "max_runs": count + 1,
            "conversation_length": ROUNDS,
            "workers": 8,
            "reply_timeout": LIMIT,
            "p": {"ML-I1": 0.3},
            "score_cache": False,
        }
    )
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    outcome = run(prepare(settings, project), folder / "reports", Silent(), Event())
    assert outcome.report is not None
    return {talk.run: talk for talk in load_all(outcome.folder)}, outcome.report


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as context:
        yield context


def adds_up(found: Held) -> None:
    """Every conversation is there, every reply is judged once, every failure is an ERROR."""
    talks, report = found
    assert sorted(talks) == list(range(1, max(talks) + 1))
    failed = [talk for talk in talks.values() if talk.failed is not None]
    replies = sum(turn.speaker is Speaker.SUBJECT for talk in talks.values() for turn in talk.turns)
    for code in ("ML-I2", "ML-P1"):
        tally = report.tallies[code]
        assert tally.errors == len(failed)
        assert tally.total + tally.not_applicable + tally.errors == replies
    every = sum(report.tallies.values(), Tally())
    assert every.total + every.not_applicable + every.errors == len(report.results)
    failures = {(talk.run, talk.turns[-1].round) for talk in failed}
    assert {(row.run, row.round) for row in report.results if row.verdict is Verdict.ERROR} == failures
    assert len(talks[max(talks)].turns) == 2 * ROUNDS
    assert all(turn.note is None for turn in talks[max(talks)].turns)


def the_turn(talk: Conversation) -> Turn:
    """The reply in which the bot fails."""
    return next(turn for turn in talk.turns if (turn.round, turn.speaker) == (FAILS_IN, Speaker.SUBJECT))


def as_expected(talk: Conversation, error: str, text: str, note: str, later: str = "") -> None:
    """The conversation failed, or did not, as the table has it; patterns must be found in the whole text."""
    turn = the_turn(talk)
    if error:
        assert turn is talk.turns[-1]
        assert re.search(error, turn.error or "")
        assert turn.text == ""
        return
    assert turn.error is None
    assert re.fullmatch(text, turn.text[:100])
    assert re.fullmatch(note, turn.note or "")
    if later:
        assert talk.turns[-1].round > FAILS_IN  # the next one, unless the stray line took its time
        assert re.search(later, talk.turns[-1].error or "")
    else:
        assert len(talk.turns) == 2 * ROUNDS


# Fault -> error; or text and note, and the error of the next turn where the fault shows only then.
WEB: dict[str, tuple[str, ...]] = dict.fromkeys(web.AGAIN, ("", r"Reply \d+ to .*", r"asked [23] times: .+")) | {
    "404": ("answered 404: no such bot",),
    "HTML instead of JSON": ("the answer is not JSON: '<!doctype html>",),
    "JSON cut short": ("the answer is not JSON",),
    "invalid UTF-8": ("the answer is not JSON",),
    "no body": ("no text at",),
    "null": ("no text at",),
    "null as reply": ("no text at",),
    "a number": ("no text at",),
    "a list of numbers": ("no text at",),
    "another place": ("no text at .*hello",),
    "no gzip": ("Error",),
    "moved to another host": ("redirects to another host",),
    "50 MB": (r"longer than max_bytes \(1000000\)",),
    "late": ("TookTooLongError: no answer within 6 seconds",),
    "never": ("TookTooLongError: no answer within 6 seconds",),
}


@pytest.fixture(scope="module")
def from_web(tmp_path_factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Held:
    names = list(web.FAULTS)

    def choose(conversation: str, number: int) -> str:
        run = int(conversation.split("-")[1])
        return names[run - 1] if run <= len(names) and number == FAILS_IN else ""

    with web.serving(choose, late=LIMIT * 1.3) as service:
        options = web.options(service.url, timeout=60.0)
        return held(tmp_path_factory.mktemp("web"), "http", len(names), options, patch)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "fault"), list(enumerate(web.FAULTS, start=1)))
def test_a_web_service_that_fails(from_web: Held, number: int, fault: str) -> None:
    expected = WEB[fault]
    as_expected(from_web[0][number], *expected, *[""] * (3 - len(expected)))


@pytest.fixture(scope="module")
def from_python(tmp_path_factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Held:
    return held(tmp_path_factory.mktemp("python"), "troubled", len(IN_PYTHON), {}, patch)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "fault"), list(enumerate(IN_PYTHON, start=1)))
def test_a_bot_in_python_that_fails(from_python: Held, number: int, fault: str) -> None:
    expected = IN_PYTHON[fault]
    as_expected(from_python[0][number], *expected, *[""] * (3 - len(expected)))
    assert len(the_turn(from_python[0][number]).error or "") < 2100


PROGRAM: dict[str, tuple[str, ...]] = {
    "exits": (r"the program ended \(exit status 1\) I cannot go on",),
    "exits at once": (r"the program ended \(exit status 9\)",),
    "is killed": (r"the program ended \(exit status -9\)",),
    "hangs": (r"(printed no line|no answer) within 6 seconds",),
    "answers late": (r"(printed no line|no answer) within 6 seconds",),
    "closes its output": ("the program ended",),
    "floods its output": ("", "x{100}", "", "a line without being asked: 'xxx"),
    "50 MB": (r"longer than max_length \(100000\)",),
    "50 MB without a line's end": (r"longer than max_length \(100000\)",),
    "a child prints": ("", "noise", "", "a line without being asked: 'more noise"),
    "says two lines": ("", "one", "", "a line without being asked: 'two'.*skip_lines"),
    "invalid UTF-8": ("", "caf\ufffd", "half a character was replaced"),
    "an empty line": ("", "", ""),
    "NUL": ("", "a\0b", ""),
    "complains at length": ("", "said", ""),
}


@pytest.fixture(scope="module")
def from_program(tmp_path_factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Held:
    folder = tmp_path_factory.mktemp("program")
    (folder / "bot.py").write_text(bots.PROGRAM)
    command = [sys.executable, str(folder / "bot.py"), str(LIMIT), "{conversation_id}"]
    return held(folder, "command", len(PROGRAM), {"command": command, "timeout": LIMIT}, patch)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "fault"), list(enumerate(PROGRAM, start=1)))
def test_a_program_that_fails(from_program: Held, number: int, fault: str) -> None:
    expected = PROGRAM[fault]
    as_expected(from_program[0][number], *expected, *[""] * (3 - len(expected)))


@pytest.mark.slow
@pytest.mark.parametrize("run", ["from_web", "from_python", "from_program"])
def test_the_counts_add_up(run: str, request: pytest.FixtureRequest) -> None:
    adds_up(request.getfixturevalue(run))


def test_the_tables_name_every_fault() -> None:
    assert list(WEB) == list(web.FAULTS)
    for table, source in ((IN_PYTHON, bots.PYTHON), (PROGRAM, bots.PROGRAM)):
        body = source.partition("FAULTS = {")[2].partition("\n}")[0]
        assert re.findall(r'^    "(.*?)": ', body, re.MULTILINE) == list(table)
