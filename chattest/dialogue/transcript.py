"""Read a conversation from elsewhere, in the form of chat services: messages with a role and a content."""

from collections.abc import Mapping, Sequence
from typing import Any

from chattest.errors import InputError, Problem, ProblemCollector
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan

ROLES = {"user": Speaker.DRIVER, "assistant": Speaker.SUBJECT}


def read_messages(messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """Return the messages as a conversation of user (driver) and assistant (subject), without a plan.

    Messages of other roles (`system`, `tool`) are skipped. Several messages of one role in a row make one turn. A
    content may be a text, or a list of parts; parts with a `text` count. Messages of the assistant before the first
    user message are given history, which is not judged.

    Raises:
        InputError: names every problem.
    """
    problems = ProblemCollector()
    speeches: list[tuple[Speaker, list[str]]] = []
    for number, message in enumerate(messages):
        where = f"messages[{number}]"
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            problems.add([Problem(where, "has no role", 'Give {"role": "user", "content": "..."}.')])
            continue
        speaker = ROLES.get(message["role"])
        if speaker is None:
            continue
        with problems.collect():
            text = _read_text(message.get("content"), where)
            if speeches and speeches[-1][0] is speaker:
                speeches[-1][1].append(text)
            else:
                speeches.append((speaker, [text]))
    if not problems and not any(speaker is Speaker.SUBJECT for speaker, _ in speeches):
        problems.add([Problem("messages", "the assistant says nothing", "Give messages of both roles.")])
    problems.raise_any()
    turns: list[Turn] = []
    round = -1
    for speaker, texts in speeches:
        round += speaker is Speaker.DRIVER
        turns.append(Turn(round, speaker, "\n".join(texts)))
    return Conversation(1, "transcript/1", ("user", "assistant"), tuple(turns), ProbePlan(max(2, round + 1)))


def _read_text(content: Any, where: str) -> str:
    if content is None:  # a message that only calls tools
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "\n".join(text for text in texts if isinstance(text, str))
    raise InputError([Problem(where, f"its content is {type(content).__name__}, not a text", "Give a text.")])
