"""Measures how often the judges are right: scores labelled replies with the models and thresholds in force.

A labelled file is JSONL, one case a line, in one of these forms (`tags` is optional everywhere):

    {"kind": "open", "information", "question", "extract_with", "expected", "reply", "label", "tags"}
    {"kind": "closed", "information", "question", "expected": "yes" | "no", "reply", "label", "tags"}
    {"kind": "toxicity", "text", "label", "tags"}
    {"kind": "coherence", "context": [texts], "prompt", "reply", "label", "tags"}
    {"kind": "consistency", "question", "first", "reply", "label", "tags"}
    {"kind": "same_question", "first", "second", "label", "tags"}
    {"kind": "same_answer", "question", "altered", "first", "second", "label", "tags"}
    {"kind": "stutter", "reply", "label", "tags"}
    {"kind": "abstention", "information", "question", "extract_with", "expected", "reply", "label", "tags"}

`label` says whether the reply gives the expected answer, the text is toxic, the reply is coherent or agrees with the
first one, the second question asks the same again, both answers say the same, the reply stutters, or it notices that it
cannot know.
"""

from collections.abc import Sequence

from chattest.errors import InputError, Problem
from chattest.judging.ensemble import DECIDED, EMBEDDED, judged, surenesses
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.result import Verdict
from chattest.scorers.base import Scorer, scorers
from chattest.settings.declaration import Settings
from chattest.validation.answer_pairs import SAME_ANSWER, same_answers
from chattest.validation.labelled import FORMS, Labelled, SameAnswer, agreements
from chattest.validation.measured import SHARES, Validation, balanced_threshold

__all__ = ["SHARES", "Validation", "balanced_threshold", "cases_for", "measured_scorers", "validate"]


def measured_scorers() -> dict[str, Scorer]:
    """Kind of figures -> the scorer they measure, in the order in which figures are shown.

    That is the order of the forms of labelled replies; of scorers with the same form, the one that has its name first.
    """
    measured = {scorer.labelled.kind: scorer for scorer in scorers if scorer.labelled is not None}

    def order(kind: str) -> tuple[int, bool, str]:
        labelled = measured[kind].labelled
        assert labelled is not None
        return FORMS.index(labelled.form), kind != labelled.form, kind

    return {kind: measured[kind] for kind in sorted(measured, key=order)}


def validate(cases: Sequence[Labelled], settings: Settings, judges: Judges) -> list[Validation]:
    """Scores the cases by every scorer they can measure; one `Validation` for each scorer that judges any of them.

    Raises `InputError` when no case can be judged.
    """
    validations = []
    for kind, scorer in measured_scorers().items():
        chosen = cases_for(scorer, cases)
        validation = _validation(kind, scorer, chosen, settings, judges) if chosen else None
        validations += [validation] if validation is not None else []
    validations += _others(cases, settings, judges)
    if not validations:
        raise InputError([Problem("validate", "none of the cases can be judged: their texts are empty")])
    return validations


def _others(cases: Sequence[Labelled], settings: Settings, judges: Judges) -> list[Validation]:
    """The figures of the judge that is no scorer, if there are cases for it."""
    pairs = [case for case in cases if isinstance(case, SameAnswer)]
    found = same_answers(pairs, settings, judges) if pairs and SAME_ANSWER not in measured_scorers() else None
    return [] if found is None else [found]


def cases_for(scorer: Scorer, cases: Sequence[Labelled]) -> list[Labelled]:
    """The cases that measure a scorer. Replies to open questions also measure one that compares a reply with an own."""
    form = scorer.labelled.form if scorer.labelled is not None else ""
    chosen = [case for case in cases if case.kind == form]
    return chosen + agreements(cases) if AnswerKind.OWN in scorer.answers else chosen


def _validation(
    kind: str, scorer: Scorer, cases: Sequence[Labelled], settings: Settings, judges: Judges
) -> Validation | None:
    """How one scorer did; `None` where it judges none of the cases."""
    bar = settings.threshold(scorer.threshold) if scorer.threshold else None
    items = [case.item() for case in cases]
    judgements = judged(scorer, items, settings, judges)
    several = settings.deferred(scorer.kinds) is not None or len(judges.seats(scorer.kinds)) > 1
    chat = None if several else scorer.chat_judge(judges)
    rows = list(zip(cases, judgements, surenesses(scorer, judgements, settings, judges), strict=True))
    counted = [row for row in rows if row[1].verdict in DECIDED and row[1].score.value is not None]
    # Where its budget is spent, others judge in a chat judge's place; they are not what is measured.
    counted = [row for row in counted if chat is None or row[1].judge != EMBEDDED]
    if not counted:
        return None
    true_passes = scorer.labelled is None or scorer.labelled.true_passes
    return Validation(
        kind,
        tuple(case for case, _, _ in counted),
        tuple(one.score.value or 0.0 for _, one, _ in counted),
        tuple((one.verdict is Verdict.PASS) == true_passes for _, one, _ in counted),
        bar if chat is None else None,
        tuple(one.score.interpretation for _, one, _ in counted),
        len(cases) - len(counted),
        "" if chat is None else chat.name,
        tuple(sure or 0.0 for _, _, sure in counted),
    )
