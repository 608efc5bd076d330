"""Labels as labelled replies, in the form that `validate` reads: a team's own measure of the judges on its own bot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.records.conversation import Conversation
from chattest.records.label import Label, Opinion, by_key, settled
from chattest.records.plan import Probe, Purpose, accepted, answer_from_words
from chattest.records.result import Result
from chattest.review.rows import ReviewedRun, Unit, scorer_of
from chattest.text.format import many
from chattest.validation.labelled import Labelled, labelled_case

COMPARING = ("invariance", "bias")
"""Families whose rows say whether two answers are the same."""

_FORMLESS = ", for which validate has no form"
_MOVES = (
    ": whether a score moves as it should is worked out from the scores, and no judge that validate measures says it"
)


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of the labels of a run."""

    cases: tuple[Labelled, ...]
    """The labelled replies."""
    undecided: int
    """How many rows are left out because nobody could tell, or people are evenly split."""
    formless: dict[str, int]
    """Case or check -> how many of its rows are left out because `validate` has no form for them."""

    @property
    def left_out(self) -> list[str]:
        """What is left out and why, a sentence for each reason and check."""
        split = f"{many(self.undecided, 'row')} on which people are split or could not tell"
        return [split] * bool(self.undecided) + [
            f"{many(number, 'row')} of {check}{_MOVES if check.startswith('directional.') else _FORMLESS}"
            for check, number in self.formless.items()
        ]


def export(run: ReviewedRun, labels: Iterable[Label]) -> Exported:
    """The labelled rows of a run as labelled replies, each tagged with its case. What most people said counts."""
    known = by_key(labels)
    cases: list[Labelled] = []
    undecided = 0
    formless: dict[str, int] = {}
    for unit in run.units:
        if unit.key not in known:
            continue
        opinion = settled(known[unit.key])
        if opinion is None:
            undecided += 1
            continue
        values = _values(unit, opinion is Opinion.PASS, run.report.conversations)
        if values is None:
            formless[unit.row.check] = formless.get(unit.row.check, 0) + 1
        else:
            cases.append(labelled_case(values | {"tags": [unit.row.check]}))
    return Exported(tuple(cases), undecided, formless)


def write_cases(path: Path, cases: Sequence[Labelled]) -> None:
    """Writes labelled replies, one a line. Raises `StoreError`."""
    write_whole(path, b"".join(case.model_dump_json().encode() + b"\n" for case in cases))


def _values(unit: Unit, passes: bool, conversations: Sequence[Conversation]) -> dict[str, Any] | None:
    """The fields of a labelled reply; `None` where no form fits."""
    row = unit.row
    scorer = scorer_of(row)
    if scorer is None:
        return _without_scorer(row, passes)
    form = scorer.labelled.form if scorer.labelled is not None else ""
    label = passes == (scorer.labelled is None or scorer.labelled.true_passes)
    probe = _probe(row, conversations)
    if form in ("open", "closed"):
        return _answer(row, passes, *_planted(row, probe))
    if form == "abstention" and probe is not None:
        told, target = _told(probe), probe.target
        texts = {"question": row.prompt, "extract_with": target.extract_with, "expected": target.answer}
        return {"kind": form, "information": told, **texts, "reply": row.reply, "label": label}
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


def _without_scorer(row: Result, passes: bool) -> dict[str, Any] | None:
    """Return the fields of an answer that no scorer judged alone; `None` where its check asks for what no form has."""
    family = row.check.partition(".")[0]
    if family in COMPARING and row.original and row.original_reply:
        texts = {"question": row.original, "altered": row.prompt, "first": row.original_reply, "second": row.reply}
        return {"kind": "same_answer", **texts, "label": passes}
    return _answer(row, passes, "", row.prompt) if row.expected in ("yes", "no") else None


def _answer(row: Result, label: bool, information: str, extract_with: str) -> dict[str, Any]:
    """A reply to a question with a right answer."""
    texts = {"information": information, "question": row.prompt, "reply": row.reply, "label": label}
    if isinstance(answer_from_words(row.expected), bool):
        return {"kind": "closed", "expected": row.expected, **texts}
    return {"kind": "open", "expected": list(accepted(row.expected)), "extract_with": extract_with, **texts}


def _planted(row: Result, probe: Probe | None) -> tuple[str, str]:
    """The fact that was planted for a question, and the question that the reader is asked over the reply."""
    if probe is None:
        return "", row.prompt
    return _told(probe), probe.target.extract_with or row.prompt


def _told(probe: Probe) -> str:
    return " ".join(step.text for step in probe.steps if step.purpose is Purpose.INFORM)


def _probe(row: Result, conversations: Sequence[Conversation]) -> Probe | None:
    """The probe that a row is about; `None` where its conversation is not known."""
    for conversation in conversations:
        planned = conversation.plan.by_round().get(row.round) if conversation.name == row.conversation else None
        if planned is not None:
            return planned[0]
    return None
