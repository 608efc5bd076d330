"""Bots that fail at single questions, over the command line: the answer gets the error and the notes that a turn of a
conversation would get, every other question is asked, and the command ends as it should.
"""

import json
import re
from typing import Any

import pytest

from tests.support import faulty_bots as bots
from tests.support.faulty_bots import IN_PYTHON
from tests.support.process import project, run

pytestmark = pytest.mark.slow

LIMIT = 3.0
"""Seconds a reply may take."""
CHECKS = ("mft.basic_negative", "mft.basic_positive", "mft.sarcasm_detection")
"""They ask more questions than there are faults, none with a context."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    source = f"LIMIT = {LIMIT}\n{bots.PYTHON}"
    folder = project(tmp_path_factory.mktemp("troubled") / "project", {"reply_timeout": LIMIT}, troubled=source)
    code, printed = run(folder, "--set", 'chatters=["asker", "troubled"]', "check", *CHECKS)
    assert code == 0, printed
    (path,) = folder.glob("reports/*/answers.jsonl")
    return [json.loads(line)["answer"] for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize(("number", "fault"), list(enumerate(IN_PYTHON)))
def test_a_bot_that_fails_at_a_single_question(answers: list[dict[str, Any]], number: int, fault: str) -> None:
    error, text, note, *_ = *IN_PYTHON[fault], "", ""
    answer = answers[number]
    if error:
        assert re.search(error.replace("6 seconds", f"{LIMIT:g} seconds"), answer["error"])
        assert answer["text"] == ""
        assert len(answer["error"]) < 2100
        return
    assert answer["error"] is None
    assert re.fullmatch(text, answer["text"][:100])
    assert answer.get("note", "") == note
    assert ("note" in answer) is bool(note)


def test_the_other_questions_are_answered(answers: list[dict[str, Any]]) -> None:
    later = answers[len(IN_PYTHON) :]
    assert len(later) >= 9
    assert {answer["text"] for answer in later} == {"Fine, number 1."}
