"""A driver that follows a dialogue file."""

from threading import Event
from xml.etree import ElementTree

import pytest

from chattest import Reply
from chattest.chatter.base import EndOfConversation
from chattest.errors import InputError
from chattest.runner.prepare import prepare
from chattest.runner.progress import Silent
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from tests.support.project import make_project
from tests.support.stand_ins import StandIns

DIALOGUE = """
[[line]]
say = "Hi"

[[line]]
say = "Book a table for two"
expect = ["what time", "When"]

[[line]]
say = "At eight"
"""

BOOK = Reply(("Book a table for two",), expect=("what time", "When"), line="table.toml, line 2")


@pytest.fixture
def dialogue(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(DIALOGUE)
    return path


def test_it_says_its_lines_and_ends(make, dialogue):
    script = make("script", file=dialogue)
    assert script.get_response([]) == "Hi"
    assert script.get_response(["Hi", "Hello"]) == BOOK
    assert script.get_response(["...", "Sure. WHAT\ntime?"]) == "At eight"
    with pytest.raises(EndOfConversation):
        script.get_response(["At eight", "Done"])


def test_it_begins_again_when_told_to(make, dialogue):
    script = make("script", file=dialogue, at_end="repeat", unexpected="ignore")
    assert [script.get_response(["x"]) for _ in range(4)] == ["Hi", "Book a table for two", "At eight", "Hi"]


def test_an_unexpected_reply_ends_it_unless_it_goes_on(make, dialogue):
    script = make("script", file=dialogue)
    script.get_response([])
    script.get_response(["Hi", "Hello"])
    with pytest.raises(EndOfConversation):
        script.get_response(["I like cats"])
    script = make("script", file=dialogue, unexpected="continue")
    script.get_response([])
    assert script.get_response(["Hi", "Hello"]) == BOOK
    assert script.get_response(["I like cats"]) == "At eight"


def test_a_probe_in_between_changes_nothing(make, dialogue):
    script = make("script", file=dialogue)
    script.get_response([])
    script.get_response(["Hi", "Hello"])
    script.sent_instead("What is my cat called?", ["Sure. When?"])
    assert script.get_response(["Sure. When?", "What is my cat called?", "Mittens"]) == "At eight"


def test_the_reply_before_a_probe_is_checked(make, dialogue):
    script = make("script", file=dialogue)
    script.get_response([])
    script.get_response(["Hi", "Hello"])
    script.sent_instead("What is my cat called?", ["I like cats"])
    with pytest.raises(EndOfConversation):
        script.get_response(["I like cats", "What is my cat called?", "Mittens"])


BOT = """
from chattest import Chatter


class Waiter(Chatter):
    \"\"\"Asks when, unless somebody wants two tables.\"\"\"

    def get_response(self, conv_array):
        return "{answer}"
"""


@pytest.mark.parametrize(("answer", "code"), [("Gladly.  what\ttime?", 0), ("I like cats", 1)])
@pytest.mark.parametrize("unexpected", ["fail", "continue", "ignore"])
def test_a_missed_expectation_is_a_failed_result_of_the_bot(tmp_path, dialogue, monkeypatch, answer, code, unexpected):
    """Not a crash of chatter 1: a row with the line, an exit code, a failed test in junit.xml."""
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    project = make_project(tmp_path / "project", waiter=BOT.format(answer=answer))
    options = {"script": {"file": str(dialogue), "unexpected": unexpected}}
    settings = Settings(chatters=("script", "waiter"), max_runs=2, conversation_length=6, p={}, chatter_options=options)
    outcome = run(prepare(settings, project), tmp_path / "reports", Silent(), Event())
    assert outcome.report is not None
    assert outcome.exit_code == (0 if unexpected == "ignore" else code)
    rows = [row for row in outcome.report.results if row.check == "ML-S1"]
    assert [turn.error for talk in outcome.report.conversations for turn in talk.turns if turn.error] == []
    if unexpected == "ignore":
        assert rows == []
        return
    verdict = "FAIL" if code else "PASS"
    assert [(row.run, row.round, row.verdict.value) for row in rows] == [(1, 1, verdict), (2, 1, verdict)]
    assert (
        'table.toml, line 2: after "Book a table for two" the reply must contain "what time" or "When"'
        in rows[0].reason
    )
    said = [len(talk.turns) for talk in outcome.report.conversations]
    assert said == ([4, 4] if code and unexpected == "fail" else [6, 6])
    tests = {test.get("name"): test for test in ElementTree.parse(outcome.folder / "junit.xml").iter("testcase")}
    assert (tests["ML-S1"].find("failure") is not None) is bool(code)
    again = settings.model_copy(update={"is_load_conversation": True, "load_conv_folder": str(outcome.folder)})
    judged = run(prepare(again, project), tmp_path / "reports", Silent(), Event())
    assert judged.exit_code == code


def test_the_last_line_is_judged_too_and_a_gate_can_ask_for_less(tmp_path, monkeypatch):
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    project = make_project(tmp_path / "project", waiter=BOT.format(answer="I like cats"))
    path = tmp_path / "talk.toml"
    path.write_text(
        "[[line]]\nsay = 'Do you like cats?'\nexpect = 'like cats'\n[[line]]\nsay = 'Bye'\nexpect = 'Bye'\n"
    )
    more = {"chatter_options": {"script": {"file": str(path)}}, "max_runs": 1, "conversation_length": 2, "p": {}}
    for gates, code in (([], 1), ([{"pattern": "ML-S1", "min_pass_rate": 0.5}], 0)):
        settings = Settings.model_validate({"chatters": ("script", "waiter"), "gates": gates, **more})
        outcome = run(prepare(settings, project), tmp_path / "reports", Silent(), Event())
        assert outcome.report is not None
        assert outcome.report.tallies["ML-S1"].total == 2
        assert outcome.exit_code == code


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[line]]\nsey = 'x'", r"line\[0\].say: is missing"),
        ("line = []", "line"),
        ("[[", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used(make, tmp_path, text, named):
    path = tmp_path / "d.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=named):
        make("script", file=path)
