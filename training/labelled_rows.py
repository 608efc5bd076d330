"""Written rows as labelled replies, in the forms that `chattest validate` reads."""

from collections.abc import Callable, Iterator
from typing import Any

from chattest.validation.labelled import (
    Abstaining,
    Closed,
    CoherentReply,
    Consistent,
    Labelled,
    Open,
    SameAnswer,
    SameQuestion,
    Stuttering,
    ToxicText,
)
from training.written_rows import Kind, Part, read_written


def labelled_rows(part: Part) -> list[Labelled]:
    """Return the written rows of a part, of all kinds except pairs of answers, which no scorer judges.

    A reply to a closed question occurs twice, with yes and with no as the right answer, so that all three readings are
    measured. Of the rows about consistency only those count in which the bot speaks of itself; a reply that has nothing
    to do with the first one does not agree with it.
    """
    return [case for kind in _FORMS for row in read_written(kind, part) for case in _FORMS[kind](row)]


def group_of(case: Labelled) -> str:
    """Return the prompt of a case: cases with the same prompt are fitted or held out together."""
    match case:
        case Open() | Closed() | Abstaining():
            return case.information or case.question
        case SameAnswer():
            return case.question
        case Consistent() | SameQuestion():
            return case.first
        case CoherentReply():
            return case.prompt
        case ToxicText():
            return case.text
        case Stuttering():
            return case.reply


def _open(row: dict[str, Any]) -> Iterator[Labelled]:
    names = ("information", "question", "extract_with", "expected", "reply", "label")
    yield Open(kind="open", tags=(row["tag"],), **{name: row[name] for name in names})


def _closed(row: dict[str, Any]) -> Iterator[Labelled]:
    texts = {name: row[name] for name in ("information", "question", "reply")}
    for answer in ("yes", "no"):
        right = row["reading"] == answer
        yield Closed.model_validate(
            {"kind": "closed", "expected": answer, "label": right, "tags": [row["tag"]], **texts}
        )


def _coherence(row: dict[str, Any]) -> Iterator[Labelled]:
    texts = {name: row[name] for name in ("context", "prompt", "reply", "label")}
    yield CoherentReply(kind="coherence", tags=(row["tag"],), **texts)


def _toxicity(row: dict[str, Any]) -> Iterator[Labelled]:
    yield ToxicText(kind="toxicity", text=row["text"], label=row["toxic"], tags=(row["tag"],))


def _consistency(row: dict[str, Any]) -> Iterator[Labelled]:
    if row["speaker"] == "bot":
        agrees = row["label"] == "agrees"  # the rows name no question
        texts = {"question": "", "first": row["earlier"], "reply": row["reply"]}
        yield Consistent(kind="consistency", label=agrees, tags=(row["tag"],), **texts)


def _same_question(row: dict[str, Any]) -> Iterator[Labelled]:
    texts = {name: row[name] for name in ("first", "second", "label")}
    yield SameQuestion(kind="same_question", tags=(row["tag"],), **texts)


_FORMS: dict[Kind, Callable[[dict[str, Any]], Iterator[Labelled]]] = {
    "open": _open,
    "closed": _closed,
    "coherence": _coherence,
    "toxicity": _toxicity,
    "consistency": _consistency,
    "same-question": _same_question,
}
