"""LongMemEval: 500 questions, each about dated sessions of a user with an assistant.

D. Wu et al., LongMemEval: benchmarking chat assistants on long-term interactive memory, ICLR 2025;
github.com/xiaowu0162/LongMemEval. `longmemeval_s.json`, `_m` and `_oracle` have the same form.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from chattest.published.files import Problems, read_documents
from chattest.published.record import BenchmarkQuestion, Dialogue, Line, Session

ABSTENTION = "abstention"
PREFERENCE = "single-session-preference"
CATEGORIES = {
    "single-session-user": "the user gave the fact in one session",
    "single-session-assistant": "the assistant gave the fact in one session",
    PREFERENCE: "a reply that goes by what the user likes",
    "multi-session": "the facts are in several sessions",
    "temporal-reasoning": "when something was, and how long ago",
    "knowledge-update": "the fact changed; only the latest is right",
    ABSTENTION: "no fact: only abstaining is right",
}
_REMEDY = "It must hold a list of records as xiaowu0162/LongMemEval publishes them."
Text = Annotated[str, Field(pattern=r"\S")]
_Type = Literal[
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
]


class _Turn(BaseModel):
    model_config = ConfigDict(strict=True)
    role: Literal["user", "assistant"]
    content: str


class _Record(BaseModel):
    model_config = ConfigDict(strict=True)
    question_id: Annotated[str, Field(pattern=r"^[\w.-]+$")]
    question_type: _Type
    question: Text
    answer: str | int | float
    question_date: str = ""
    haystack_dates: list[str]
    haystack_sessions: list[list[_Turn]]


def read(path: Path) -> list[Dialogue]:
    """Read a dialogue with one question from each record.

    Raises:
        InputError: names every record that is wrong.
    """
    problems = Problems(path)
    dialogues: dict[str, Dialogue] = {}
    for name, content in read_documents(path):
        if not isinstance(content, list) or not content:
            problems.add(name, "holds no list of records")
            continue
        for number, values in enumerate(content):
            record = _name_record(name, number, values)
            checked = problems.validate(_Record, record, values)
            if checked is None:
                continue
            if len(checked.haystack_dates) != len(checked.haystack_sessions):
                dates, sessions = len(checked.haystack_dates), len(checked.haystack_sessions)
                problems.add(record, f"haystack_dates: {dates} dates for {sessions} haystack_sessions")
            if checked.question_id in dialogues:
                problems.add(record, f'question_id: another record is called "{checked.question_id}" too')
            dialogues[checked.question_id] = _make_dialogue(checked)
    problems.raise_any(_REMEDY)
    return list(dialogues.values())


def _name_record(name: str, number: int, values: Any) -> str:
    question_id = values.get("question_id") if isinstance(values, Mapping) else None
    return f"{name} record {number}".strip() + (f" ({question_id})" if isinstance(question_id, str) else "")


def _make_dialogue(record: _Record) -> Dialogue:
    abstains = record.question_id.endswith("_abs")
    category = ABSTENTION if abstains else record.question_type
    answer = None if abstains else str(record.answer).strip()
    question = BenchmarkQuestion(
        record.question_id, record.question.strip(), category, answer, record.question_date, category == PREFERENCE
    )
    dated = zip(record.haystack_dates, record.haystack_sessions, strict=False)
    # The sessions of the oracle file are not in order; their dates, 2023/05/20 (Sat) 02:21, sort as texts.
    ordered = sorted(dated, key=lambda pair: [word for word in pair[0].split() if not word.startswith("(")])
    sessions = [Session(date, tuple(map(_make_line, turns))) for date, turns in ordered if turns]
    return Dialogue(record.question_id, tuple(sessions), (question,))


def _make_line(turn: _Turn) -> Line:
    if turn.role == "user":
        return Line(turn.content.strip(), True)
    return Line(f"(You said: {turn.content.strip()})", False)
