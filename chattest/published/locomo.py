"""LoCoMo: conversations of two people in up to 35 dated sessions, and questions about both of them.

A. Maharana et al., Evaluating very long-term conversational memory of LLM agents, ACL 2024;
github.com/snap-research/locomo. The first release is an archive with a file for each conversation, later ones are a
list of all conversations. A photo is replaced by its caption, as in the paper.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from chattest.published.files import Problems, read_documents
from chattest.published.record import BenchmarkQuestion, Dialogue, Line, Session

CATEGORIES = {
    "single-hop": "the fact is in one session",
    "multi-hop": "the facts are in several sessions",
    "temporal": "when something was, and what came before",
    "open-domain": "what follows from the facts and from common knowledge",
    "adversarial": "no fact, or one of the other speaker: only abstaining is right",
}
_NUMBERED = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""The numbers of the categories in the file, as its evaluation code and the counts of the questions show."""
_REMEDY = "It must hold conversations as snap-research/locomo publishes them: speaker_a, session_1, ..., qa."
_SESSION = re.compile(r"session_(\d+)")
_POLAR = re.compile(r"(?:(?:most )?likely |probably )?(yes|no)\b", re.IGNORECASE)
Text = Annotated[str, Field(pattern=r"\S")]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True)


class _Turn(_Shape):
    speaker: Text
    text: str
    blip_caption: str = ""


class _Question(_Shape):
    question: Text
    category: Annotated[int, Field(ge=1, le=5)]
    answer: str | int | float | None = None


class _People(_Shape):
    speaker_a: Text
    speaker_b: Text


def read(path: Path) -> list[Dialogue]:
    """Read the conversations of a file.

    Raises:
        InputError: names every record that is wrong.
    """
    problems = Problems(path)
    dialogues: dict[str, Dialogue] = {}
    for name, content in read_documents(path):
        for record, known_as, sample in _find_conversations(name, content, path.stem):
            dialogue = _read_dialogue(record, known_as, sample, problems)
            if dialogue is not None and dialogue.id in dialogues:
                problems.add(record, f'another conversation is called "{dialogue.id}" too')
            elif dialogue is not None:
                dialogues[dialogue.id] = dialogue
    problems.raise_any(_REMEDY)
    return list(dialogues.values())


def _find_conversations(name: str, content: Any, stem: str) -> Iterator[tuple[str, str, Any]]:
    """Yield every conversation of a document: its name in messages, its id, and its content.

    Args:
        name: of the document; empty if it is the whole file.
        content: of the document.
        stem: of the file.
    """
    stem = name.removesuffix(".json") or stem
    if not isinstance(content, list):
        yield name or "the conversation", stem, content
        return
    for number, sample in enumerate(content):
        sample_id = sample.get("sample_id") if isinstance(sample, Mapping) else None
        record = f"{name} {sample_id}".strip() if sample_id else f"{name}[{number}]"
        yield record, str(sample_id or f"{stem}-{number}"), sample


def _read_dialogue(record: str, known_as: str, sample: Any, problems: Problems) -> Dialogue | None:
    if not isinstance(sample, Mapping):
        problems.add(record, "is no conversation")
        return None
    conversation = sample.get("conversation", sample)
    if not isinstance(conversation, Mapping):
        problems.add(record, "conversation: must be a table, {...}")
        return None
    people = problems.validate(_People, record, dict(conversation))
    name = re.sub(r"[^A-Za-z0-9._-]", "-", known_as)
    sessions = _read_sessions(record, conversation, people, problems)
    questions = _read_questions(record, name, sample.get("qa"), problems)
    return Dialogue(name, tuple(sessions), tuple(questions)) if people is not None else None


def _read_sessions(
    record: str, conversation: Mapping[str, Any], people: _People | None, problems: Problems
) -> list[Session]:
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    if not numbers:
        problems.add(record, "has no session_1, session_2, ...")
    sessions = []
    for number in numbers:
        key = f"session_{number}"
        date = conversation.get(f"{key}_date_time", "")
        if not isinstance(date, str):
            problems.add(record, f"{key}_date_time: must be a text in quotes")
        lines = _read_lines(f"{record}, {key}", conversation[key], people, problems)
        if lines:
            sessions.append(Session(str(date), tuple(lines)))
    return sessions


def _read_lines(record: str, turns: Any, people: _People | None, problems: Problems) -> list[Line]:
    if not isinstance(turns, list):
        problems.add(record, "must be a list, [...]")
        return []
    lines = []
    for number, values in enumerate(turns):
        turn = problems.validate(_Turn, f"{record}[{number}]", values)
        if turn is None or people is None:
            continue
        if turn.speaker not in (people.speaker_a, people.speaker_b):
            what = f'speaker: "{turn.speaker}" is neither "{people.speaker_a}" nor "{people.speaker_b}"'
            problems.add(f"{record}[{number}]", what)
        photo = f"(shares a photo: {turn.blip_caption})" if turn.blip_caption else ""
        words = " ".join(f"{turn.text} {photo}".split())
        lines.append(Line(f"{turn.speaker}: {words}", turn.speaker == people.speaker_a))
    return lines


def _read_questions(record: str, name: str, qa: Any, problems: Problems) -> list[BenchmarkQuestion]:
    if not isinstance(qa, list) or not qa:
        problems.add(record, "qa: must be a list of questions")
        return []
    questions = []
    for number, values in enumerate(qa):
        question = problems.validate(_Question, f"{record}, qa[{number}]", values)
        if question is None:
            continue
        category = _NUMBERED[question.category]
        if category != "adversarial" and (question.answer is None or not str(question.answer).strip()):
            problems.add(f"{record}, qa[{number}]", "answer: is missing")
            continue
        answer = None if category == "adversarial" else _read_answer(category, str(question.answer))
        questions.append(BenchmarkQuestion(f"{name}/{number}", question.question.strip(), category, answer))
    return questions


def _read_answer(category: str, answer: str) -> str | bool:
    """Return the right answer; of an open-domain answer only the part before the reason, with yes or no as a bool."""
    if category != "open-domain":
        return answer.strip()
    short = answer.partition(";")[0].strip()
    polar = _POLAR.match(short)
    return polar[1].casefold() == "yes" if polar else short
