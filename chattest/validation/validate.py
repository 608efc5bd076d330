"""Measure how often the judges are right: score labelled replies with the models and thresholds in use.

`chattest.validation.labelled` describes the labelled replies. Every scorer is measured, and the comparison of two
answers to one question, which is no scorer.
"""

from collections.abc import Sequence

from chattest.errors import InputError, Problem
from chattest.judging.equivalence import ASKING, Comparer
from chattest.judging.who_judges import DECIDED, EMBEDDED, run_judges, surenesses
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.question import Answer, Question
from chattest.records.result import Verdict
from chattest.scorers.base import Scorer, scorers
from chattest.settings.declaration import Settings
from chattest.validation.labelled import FORMS, Labelled, SameAnswer, pair_replies
from chattest.validation.measured import Validation

SAME_ANSWER = "same_answer"
"""The kind of figures, and of chat judge, that compares two answers to one question."""


def list_measured_scorers() -> dict[str, Scorer]:
    """Return the scorer of each kind of figures, in the order in which figures are shown.

    That is the order of the forms of labelled replies; of scorers with the same form, the one named like it comes
    first.
    """
    measured = {scorer.labelled.kind: scorer for scorer in scorers if scorer.labelled is not None}

    def order(kind: str) -> tuple[int, bool, str]:
        labelled = measured[kind].labelled
        assert labelled is not None
        return FORMS.index(labelled.form), kind != labelled.form, kind

    return {kind: measured[kind] for kind in sorted(measured, key=order)}


def validate(cases: Sequence[Labelled], settings: Settings, judges: Judges) -> list[Validation]:
    """Score the cases by every scorer they can measure; one `Validation` for each scorer that judges any case.

    Raises:
        InputError: No case can be judged.
    """
    validations = []
    for kind, scorer in list_measured_scorers().items():
        chosen = select_cases(scorer, cases)
        validation = _measure(kind, scorer, chosen, settings, judges) if chosen else None
        validations += [validation] if validation is not None else []
    validations += _measure_others(cases, settings, judges)
    if not validations:
        raise InputError([Problem("validate", "none of the cases can be judged: their texts are empty")])
    return validations


def _measure_others(cases: Sequence[Labelled], settings: Settings, judges: Judges) -> list[Validation]:
    """Return the figures of the judge that is no scorer, if there are cases for it."""
    pairs = [case for case in cases if isinstance(case, SameAnswer)]
    has_figures = SAME_ANSWER in list_measured_scorers()
    validation = measure_same_answer(pairs, settings, judges) if pairs and not has_figures else None
    return [] if validation is None else [validation]


def select_cases(scorer: Scorer, cases: Sequence[Labelled]) -> list[Labelled]:
    """Return the cases that measure a scorer.

    Replies to open questions also measure a scorer that compares a reply with an earlier one of the bot.
    """
    form = scorer.labelled.form if scorer.labelled is not None else ""
    chosen = [case for case in cases if case.kind == form]
    return chosen + pair_replies(cases) if AnswerKind.OWN in scorer.answers else chosen


def _measure(
    kind: str, scorer: Scorer, cases: Sequence[Labelled], settings: Settings, judges: Judges
) -> Validation | None:
    """Measure one scorer; `None` if it judges none of the cases."""
    threshold = settings.threshold(scorer.threshold) if scorer.threshold else None
    items = [case.item() for case in cases]
    judgements = run_judges(scorer, items, settings, judges)
    several = settings.deferred(scorer.kinds) is not None or len(judges.panel_members(scorer.kinds)) > 1
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
        tuple(judgement.score.value or 0.0 for _, judgement, _ in counted),
        tuple((judgement.verdict is Verdict.PASS) == true_passes for _, judgement, _ in counted),
        threshold if chat is None else None,
        tuple(judgement.score.interpretation for _, judgement, _ in counted),
        len(cases) - len(counted),
        "" if chat is None else chat.name,
        tuple(sure or 0.0 for _, _, sure in counted),
    )


def measure_same_answer(cases: Sequence[SameAnswer], settings: Settings, judges: Judges) -> Validation | None:
    """Measure the comparison of two answers, as invariance and bias checks use it; `None` if it judged none.

    It compares by `same_answer`, whatever `check_compare_by` is, unless that is a chatter. Pairs on which a chat judge
    gave no verdict are left out, and so are those that others judged as its budget was spent.
    """
    own = settings.check_compare_by in ASKING
    comparer = Comparer(*((settings.check_compare_by, settings.check_compare_bar) if own else (SAME_ANSWER,)))
    chat = judges.chat(SAME_ANSWER)
    originals, altered = ([Question(text) for text in texts] for texts in _questions(cases))
    first, second = [Answer(case.first) for case in cases], [Answer(case.second) for case in cases]
    comparisons = comparer.compare(originals, first, second, judges, altered)
    rows = [
        (case, comparison)
        for case, comparison in zip(cases, comparisons, strict=True)
        if not comparison.error and (chat is None or comparison.judge != EMBEDDED)
    ]
    if not rows:
        return None
    return Validation(
        SAME_ANSWER,
        tuple(case for case, _ in rows),
        tuple(comparison.value for _, comparison in rows),
        tuple(comparison.same for _, comparison in rows),
        comparer.threshold_in_force if chat is None else None,
        tuple(comparison.reason for _, comparison in rows),
        len(cases) - len(rows),
        "" if chat is None else chat.name,
        tuple(max(comparison.value, 1 - comparison.value) for _, comparison in rows),
    )


def _questions(cases: Sequence[SameAnswer]) -> tuple[list[str], list[str]]:
    return [case.question for case in cases], [case.altered or case.question for case in cases]
