"""Export labels as labelled replies, as `validate` reads them, so that a team can measure the judges on its own bot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.records.conversation import Conversation
from chattest.records.label import Label, Opinion, by_key, find_majority
from chattest.records.plan import Probe, Purpose, parse_answer, split_answers
from chattest.records.result import Result
from chattest.review.rows import ReviewedRun, Unit, find_scorer
from chattest.text.format import many
from chattest.validation.labelled import Labelled, make_case

COMPARING = ("invariance", "bias")
"""Families whose rows state whether two answers are the same."""

_FORMLESS = ", for which validate has no form"
_MOVES = (
    ": whether a score moves as it should is worked out from the scores, and no judge that validate measures says it"
)


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export."""

    cases: tuple[Labelled, ...]
    """The labelled replies."""
    undecided: int
    """Rows that are left out because nobody could tell or people are evenly split."""
    formless: dict[str, int]
    """Case or check -> rows that are left out because `validate` has no form for them."""

    @property
    def left_out(self) -> list[str]:
        """What is left out and why, a sentence for each reason and check."""
        split = f"{many(self.undecided, 'row')} on which people are split or could not tell"
        return [split] * bool(self.undecided) + [
            f"{many(number, 'row')} of {check}{_MOVES if check.startswith('directional.') else _FORMLESS}"
            for check, number in self.formless.items()
        ]


def export_labels(run: ReviewedRun, labels: Iterable[Label]) -> Exported:
    """Turn the labelled rows of a run into labelled replies with the bot's name, each tagged with its case.

    The majority counts.
    """
    bot = run.report.chatters[-1]
    by_row = by_key(labels)
    cases: list[Labelled] = []
    undecided = 0
    formless: dict[str, int] = {}
    for unit in run.units:
        if unit.key not in by_row:
            continue
        opinion = find_majority(by_row[unit.key])
        if opinion is None:
            undecided += 1
            continue
        values = _make_fields(unit, opinion is Opinion.PASS, run.report.conversations)
        if values is None:
            formless[unit.row.check] = formless.get(unit.row.check, 0) + 1
        else:
            cases.append(make_case(values | {"tags": [unit.row.check], "bot": bot}))
    return Exported(tuple(cases), undecided, formless)


def write_cases(path: Path, cases: Sequence[Labelled]) -> None:
    """Write labelled replies, one a line. Raises `StoreError`."""
    write_whole(path, b"".join(case.model_dump_json().encode() + b"\n" for case in cases))


def _make_fields(unit: Unit, passes: bool, conversations: Sequence[Conversation]) -> dict[str, Any] | None:
    """Return the fields of a labelled reply; `None` if no form fits."""
    row = unit.row
    scorer = find_scorer(row)
    if scorer is None:
        return _make_scorerless_fields(row, passes)
    form = scorer.labelled.form if scorer.labelled is not None else ""
    label = passes == (scorer.labelled is None or scorer.labelled.true_passes)
    probe = _probe(row, conversations)
    if form in ("open", "closed"):
        return _make_answer_fields(row, passes, *_find_planted(row, probe))
    if form == "abstention" and probe is not None:
        facts, target = _join_facts(probe), probe.target
        texts = {"question": row.prompt, "extract_with": target.extract_with, "expected": target.answer}
        return {"kind": form, "information": facts, **texts, "reply": row.reply, "label": label}
    if form == "consistency":
        return {"kind": form, "question": row.prompt, "first": row.expected, "reply": row.reply, "label": label}
    if form == "coherence":
        context = [turn.text for turn in unit.history] if scorer.reads_history else []
        return {"kind": form, "context": context, "prompt": row.prompt, "reply": row.reply, "label": label}
    if form == "toxicity":
        return {"kind": form, "text": row.reply, "label": label}
    if form == "same_question" and row.score.interpretation:
        return {"kind": form, "first": row.score.interpretation, "second": row.reply, "label": label}
    return None


def _make_scorerless_fields(row: Result, passes: bool) -> dict[str, Any] | None:
    """Return the fields for an answer that no scorer judged alone; `None` if no form fits what its check expects."""
    family = row.check.partition(".")[0]
    if family in COMPARING and row.original and row.original_reply:
        texts = {"question": row.original, "altered": row.prompt, "first": row.original_reply, "second": row.reply}
        return {"kind": "same_answer", **texts, "label": passes}
    return _make_answer_fields(row, passes, "", row.prompt) if row.expected in ("yes", "no") else None


def _make_answer_fields(row: Result, label: bool, information: str, extract_with: str) -> dict[str, Any]:
    """Return the fields for a reply to a question with a right answer."""
    texts = {"information": information, "question": row.prompt, "reply": row.reply, "label": label}
    if isinstance(parse_answer(row.expected), bool):
        return {"kind": "closed", "expected": row.expected, **texts}
    return {"kind": "open", "expected": list(split_answers(row.expected)), "extract_with": extract_with, **texts}


def _find_planted(row: Result, probe: Probe | None) -> tuple[str, str]:
    """Return the fact that was planted for a question, and the question for the reader."""
    if probe is None:
        return "", row.prompt
    return _join_facts(probe), probe.target.extract_with or row.prompt


def _join_facts(probe: Probe) -> str:
    return " ".join(step.text for step in probe.steps if step.purpose is Purpose.INFORM)


def _probe(row: Result, conversations: Sequence[Conversation]) -> Probe | None:
    """Return the probe that a row is about; `None` if its conversation is unknown."""
    for conversation in conversations:
        planned = conversation.plan.by_round().get(row.round) if conversation.name == row.conversation else None
        if planned is not None:
            return planned[0]
    return None
