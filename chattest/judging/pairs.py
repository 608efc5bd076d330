"""Single pairs of prompt and reply, each judged by every scorer that is asked for."""

from collections.abc import Sequence

from chattest.errors import InputError, Problem
from chattest.models.judges import Judges
from chattest.records.report import CheckInfo
from chattest.records.result import Result, Verdict
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings

CONVERSATION = "pairs"
"""What the rows have for a conversation."""


def judge_pairs(
    pairs: Sequence[tuple[str, str]],
    expected: Sequence[str | bool] | None,
    names: Sequence[str],
    settings: Settings,
    judges: Judges,
) -> tuple[list[CheckInfo], list[Result]]:
    """What a report says of the scorers, and one row a pair and scorer, pair by pair.

    expected: as many as there are pairs. names: of scorers. Raises `InputError` for an unknown scorer, for one
    that needs an expected answer where none is given, and where the two columns differ in length.
    """
    if expected is not None and len(expected) != len(pairs):
        what = f"{len(expected)} answers are expected of {len(pairs)} pairs"
        raise InputError([Problem("expected", what, "Give one for each pair.")])
    chosen = [scorers.get(name, "scorers") for name in names]
    lacking = [scorer.name for scorer in chosen if scorer.answers and expected is None]
    if lacking:
        what = f"{', '.join(lacking)} cannot judge without the right answers"
        raise InputError([Problem("scorers", what, "Give them in expected, one for each pair.")])
    items = [
        Item(prompt, reply, None if expected is None else expected[number], extract_with=prompt)
        for number, (prompt, reply) in enumerate(pairs)
    ]
    by_scorer = [_rows(scorer, items, settings, judges) for scorer in chosen]
    infos = [_info(scorer, settings) for scorer in chosen]
    return infos, [rows[number] for number in range(len(items)) for rows in by_scorer]


def _bar(scorer: Scorer, settings: Settings) -> float:
    return settings.threshold(scorer.threshold) if scorer.threshold else 0.0


def _info(scorer: Scorer, settings: Settings) -> CheckInfo:
    title = (scorer.__doc__ or scorer.name).strip().splitlines()[0]
    return CheckInfo(scorer.name, scorer.name, title, threshold=scorer.needs.format(bar=_bar(scorer, settings)))


def _rows(scorer: Scorer, items: Sequence[Item], settings: Settings, judges: Judges) -> list[Result]:
    bar = _bar(scorer, settings)
    rows = []
    for number, (item, score) in enumerate(zip(items, scorer.score(items, judges), strict=True)):
        if score.value is None:
            verdict, reason = Verdict.NOT_APPLICABLE, score.reason
        else:
            verdict = Verdict.PASS if scorer.passes(score, item, bar) else Verdict.FAIL
            reason = scorer.why(score, item, bar)
        expected = {True: "yes", False: "no"}.get(item.expected) if isinstance(item.expected, bool) else item.expected
        rows.append(
            Result(
                scorer.name,
                0,
                CONVERSATION,
                number,
                verdict,
                prompt=item.prompt,
                reply=item.reply,
                expected=expected or "",
                score=score,
                reason=reason,
            )
        )
    return rows
