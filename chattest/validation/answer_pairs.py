"""Measures the judge that is no scorer: of two answers to one question."""

from collections.abc import Sequence

from chattest.judging.ensemble import EMBEDDED
from chattest.judging.equivalence import ASKING, Comparer
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.settings.declaration import Settings
from chattest.validation.labelled import SameAnswer
from chattest.validation.measured import Validation

SAME_ANSWER = "same_answer"


def same_answers(cases: Sequence[SameAnswer], settings: Settings, judges: Judges) -> Validation | None:
    """How the comparison of two answers did, as invariance and bias checks ask for it; `None` where it judged none.

    It is `same_answer`, whatever `check_compare_by` says, unless that is a chatter. Pairs on which a chat judge gave no
    verdict are left out, and so are those that others judged as its budget was spent.
    """
    own = settings.check_compare_by in ASKING
    comparer = Comparer(*((settings.check_compare_by, settings.check_compare_bar) if own else (SAME_ANSWER,)))
    chat = judges.chat(SAME_ANSWER)
    asked, altered = ([Question(text) for text in texts] for texts in _questions(cases))
    first, second = [Answer(case.first) for case in cases], [Answer(case.second) for case in cases]
    found = comparer.compare(asked, first, second, judges, altered)
    rows = [
        (case, one)
        for case, one in zip(cases, found, strict=True)
        if not one.error and (chat is None or one.judge != EMBEDDED)
    ]
    if not rows:
        return None
    return Validation(
        SAME_ANSWER,
        tuple(case for case, _ in rows),
        tuple(one.value for _, one in rows),
        tuple(one.same for _, one in rows),
        comparer.bar_in_force if chat is None else None,
        tuple(one.reason for _, one in rows),
        len(cases) - len(rows),
        "" if chat is None else chat.name,
        tuple(max(one.value, 1 - one.value) for _, one in rows),
    )


def _questions(cases: Sequence[SameAnswer]) -> tuple[list[str], list[str]]:
    return [case.question for case in cases], [case.altered or case.question for case in cases]
