"""Recognise the forms of well-known data sets, and the usual names of columns.

SQuAD (nested JSON is taken apart in `text_tables`), BoolQ as published and as in SuperGLUE, and Natural Questions: the
open form (`question`, `answer`), the simplified and the full one of its authors, and that of the hub.

Natural Questions: T. Kwiatkowski et al., Natural Questions: a benchmark for question answering research, TACL 2019.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chattest.text.words import ENDING

USUAL: dict[str, tuple[str, ...]] = {
    "question": ("question", "text", "utterance", "query", "prompt", "user_input", "instruction", "input"),
    "context": ("context", "passage", "article", "paragraph"),
    "answers": (
        *("ground_truths", "ground_truth", "gold_answers", "gold_answer", "golden_answers", "golden_answer"),
        *("reference_answers", "reference_answer", "correct_answers", "correct_answer", "right_answer", "best_answer"),
        *("expected_answers", "expected_answer", "expected_output", "expected_response", "answers", "answer"),
        *("expected", "reference", "gold", "target", "ideal", "solution", "completion", "response", "output"),
    ),
    "options": ("options", "choices"),
    "group": ("group",),
    "split": ("split",),
}
"""What a column holds -> its usual names, the likeliest first; see `fold_name`.

Where a table has both, `ground_truth` is what is right and `answer` or `response` is what some bot said.
"""

BESIDE = frozenset(
    (
        *("id", "idx", "index", "key", "uuid", "number", "no", "nr", "name", "title", "topic", "category", "subject"),
        *(
            "source",
            "url",
            "date",
            "comment",
            "note",
            "notes",
            "remark",
            "language",
            "lang",
            "level",
            "difficulty",
            "type",
        ),
    )
)
"""Names of columns that stand beside a question and hold no answer."""


def fold_name(column: str) -> str:
    """Return the name of a column as `USUAL` spells it: `groundTruth`, `Ground Truth` and `ground-truth` are one."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column.strip())
    return re.sub(r"[\W_]+", "_", words.casefold()).strip("_")


def normalize_row(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row of BoolQ or Natural Questions under the usual names, and any other row as it is."""
    if "annotations" in values and ("question_text" in values or isinstance(values.get("question"), Mapping)):
        return _read_natural_questions(values)
    if "question" in values and "passage" in values:
        # BoolQ's questions have no question mark; a bot should see that it is asked something.
        asked = {**values, "question": _add_question_mark(values["question"])}
        if values.get("label") in (0, 1, "0", "1") and not {"answer", "answers"} & values.keys():  # SuperGLUE
            asked["answers"] = bool(int(values["label"]))
        return asked
    return values


def _add_question_mark(question: Any) -> Any:
    if not isinstance(question, str) or not question.strip() or question.strip()[-1] in ENDING:
        return question
    return f"{question.strip()}?"


def _read_natural_questions(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the question, its long answer as context, and its short answers, or yes or no, as answers.

    The whole page would be too long for a bot. If the annotators found no long answer, there is no context.
    """
    inner = values.get("question")
    asked = inner.get("text") if isinstance(inner, Mapping) else values.get("question_text")
    words, marks = _read_tokens(values)
    annotations = _list_annotations(values["annotations"])
    context = ""
    answers: list[Any] = []
    for annotation in annotations:
        closed = _read_yes_no(annotation.get("yes_no_answer"))
        answers += [closed] if closed is not None else []
        answers += _read_short_answers(annotation.get("short_answers") or (), words, marks)
        context = context or _join_span(annotation.get("long_answer") or {}, words, marks)
    return {"question": _add_question_mark(asked), "context": context, "answers": answers}


def _read_tokens(values: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[bool]]:
    """Return the words of the page, and which of them are markup."""
    if isinstance(values.get("document_text"), str):
        words = values["document_text"].split(" ")
        return words, [word.startswith("<") and word.endswith(">") for word in words]
    tokens = values.get("document_tokens")
    if isinstance(tokens, list):
        return [token["token"] for token in tokens], [token["html_token"] for token in tokens]
    document = values.get("document")
    nested = document.get("tokens") if isinstance(document, Mapping) else None
    if isinstance(nested, Mapping):
        return nested["token"], nested["is_html"]
    return (), ()


def _list_annotations(given: Any) -> list[Mapping[str, Any]]:
    """Return the annotations as a list; the hub has a dictionary of lists instead."""
    if isinstance(given, Mapping):
        names = [name for name, column in given.items() if isinstance(column, list)]
        count = max((len(given[name]) for name in names), default=0)
        return [{name: given[name][index] for name in names} for index in range(count)]
    return [annotation for annotation in given or () if isinstance(annotation, Mapping)]


def _read_yes_no(given: Any) -> bool | None:
    """Return yes or no; `None` if the annotator gave neither. The hub has 1, 0 and -1."""
    return {"YES": True, "NO": False, 1: True, 0: False}.get(given.upper() if isinstance(given, str) else given)


def _read_short_answers(given: Any, words: Sequence[str], marks: Sequence[bool]) -> list[str]:
    """Return the texts of an annotator's short answers; the hub has their texts, in a dictionary of lists."""
    if isinstance(given, Mapping):
        return [text for text in given.get("text") or () if text]
    return [text for span in given if (text := _join_span(span, words, marks))]


def _join_span(span: Mapping[str, Any], words: Sequence[str], marks: Sequence[bool]) -> str:
    """Return the text between two tokens, without markup; empty if there is none."""
    start, end = span.get("start_token", -1), span.get("end_token", -1)
    if start < 0:
        return ""
    return " ".join(word for word, mark in zip(words[start:end], marks[start:end], strict=True) if not mark)
