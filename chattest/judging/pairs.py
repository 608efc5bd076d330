"""Judges single pairs of prompt and reply, each by every scorer that is asked for."""

from collections.abc import Sequence
from typing import cast

from chattest.errors import InputError, Problem
from chattest.judging.who_judges import run_judges
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.plan import format_answer, join_answers
from chattest.records.report import CheckInfo, mark_experimental
from chattest.records.result import Result
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings

CONVERSATION = "pairs"
"""The name that stands for a conversation in the rows."""


def judge_pairs(
    pairs: Sequence[tuple[str, str]],
    expected: Sequence[str | bool | Sequence[str]] | None,
    names: Sequence[str],
    settings: Settings,
    judges: Judges,
) -> tuple[list[CheckInfo], list[Result]]:
    """Judge pairs; return a report's description of the scorers, and a row for each pair and scorer, pair by pair.

    Args:
        pairs: Prompts and replies.
        expected: The right answer of each pair, or a list of accepted ones; `True` or `False` for a closed question.
        names: The names of the scorers.
        settings: The settings in force.
        judges: The judges.

    Raises:
        InputError: A scorer is unknown, needs right answers where there are none, or cannot judge one of them; or there
            are not as many answers as pairs.
    """
    if expected is not None and len(expected) != len(pairs):
        what = f"{len(expected)} answers are expected of {len(pairs)} pairs"
        raise InputError([Problem("expected", what, "Give one for each pair.")])
    answers = None if expected is None else [_one_text(answer, number) for number, answer in enumerate(expected)]
    chosen = [scorers.get(name, "scorers") for name in names]
    lacking = [scorer.name for scorer in chosen if scorer.answers and expected is None]
    if lacking:
        what = f"{', '.join(lacking)} cannot judge without the right answers"
        raise InputError([Problem("scorers", what, "Give them in expected, one for each pair.")])
    for scorer in chosen:
        _refuse_unfit(scorer, answers or ())
    items = [
        Item(prompt, reply, None if answers is None else answers[number], extract_with=prompt)
        for number, (prompt, reply) in enumerate(pairs)
    ]
    by_scorer = [_rows(scorer, items, settings, judges) for scorer in chosen]
    infos = [_info(scorer, settings) for scorer in chosen]
    return infos, [rows[number] for number in range(len(items)) for rows in by_scorer]


def _one_text(answer: str | bool | Sequence[str], number: int) -> str | bool:
    """Return an answer as scorers take it: several accepted ones become one text."""
    try:
        return cast(str | bool, join_answers(answer))
    except ValueError as error:
        remedy = 'Give a text, True or False, or a list such as ["New York", "NYC"].'
        raise InputError([Problem(f"expected[{number}]", str(error), remedy)]) from error


def _refuse_unfit(scorer: Scorer, expected: Sequence[str | bool]) -> None:
    """Check that a scorer gets the kind of answer it can judge: texts, or yes and no.

    Raises:
        InputError: It does not.
    """
    wants_closed = AnswerKind.CLOSED in scorer.answers
    for number, answer in enumerate(expected if scorer.answers else ()):
        if (AnswerKind.of(answer) is AnswerKind.CLOSED) != wants_closed:
            what = f"{scorer.name} cannot judge the right answer {answer!r}"
            remedy = "It takes True or False." if wants_closed else "It takes a text."
            raise InputError([Problem(f"expected[{number}]", what, remedy)])


def _info(scorer: Scorer, settings: Settings) -> CheckInfo:
    title = (scorer.__doc__ or scorer.name).strip().splitlines()[0]
    needs = scorer.describe_requirement(scorer.threshold_value(settings.threshold))
    title = mark_experimental(title, scorer.experimental)
    return CheckInfo(scorer.name, scorer.name, title, threshold=needs, experimental=scorer.experimental)


def _rows(scorer: Scorer, items: Sequence[Item], settings: Settings, judges: Judges) -> list[Result]:
    judgements = run_judges(scorer, items, settings, judges)
    return [
        Result(
            scorer.name,
            0,
            CONVERSATION,
            number,
            judgement.verdict,
            prompt=item.prompt,
            reply=item.reply,
            expected=format_answer(item.expected),
            score=judgement.score,
            reason=judgement.reason,
            in_doubt=judgement.in_doubt,
            scorer=judgement.scorer,
            judge=judgement.judge,
        )
        for number, (item, judgement) in enumerate(zip(items, judgements, strict=True))
    ]
