"""Count the wrong answers to stories by their name, such as stale, mixed up or made up."""

from collections import Counter
from collections.abc import Iterable

from chattest.cases.base import StoryCase, cases
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Verdict
from chattest.scorers.abstention import GIVES_NONE

_NOTE = (
    "Why answers to stories are wrong. Stale: the old value. Mixed up: a value of something else. Made up: never "
    "stated. Sycophantic: gives in to a false claim or to pressure. Uncivil: toxic, whether right or not. Not counted: "
    "an apology, a fallback or a question back where the answer was never stated; neither passed nor wrong. The "
    "shipped judges classify them."
)


def make_tables(results: Iterable[Result]) -> tuple[ExtraTable, ...]:
    """Make a table with a row for each case that has wrong answers, or none to judge; no table if no case has any."""
    by_case: dict[str, list[str]] = {}
    uncounted: Counter[str] = Counter()
    for result in results:
        if result.check not in cases or not isinstance(cases.get(result.check), StoryCase):
            continue
        if result.verdict is Verdict.FAIL:
            by_case.setdefault(result.check, []).append(result.label)
        elif result.verdict is Verdict.NOT_APPLICABLE and result.label == GIVES_NONE:
            uncounted[result.check] += 1
            by_case.setdefault(result.check, [])
    if not by_case:
        return ()
    names = sorted({name for labels in by_case.values() for name in labels})
    columns = (
        ExtraColumn("Case"),
        ExtraColumn("Wrong", "count"),
        *(ExtraColumn(_title(name), "count") for name in names),
        *([ExtraColumn("Not counted", "count")] if uncounted else []),
    )
    ordered = [case.code for case in cases if case.code in by_case]
    rows: list[tuple[str | int | float | None, ...]] = [
        (
            code,
            len(by_case[code]),
            *map(by_case[code].count, names),
            *([uncounted[code]] if uncounted else []),
        )
        for code in ordered
    ]
    return (ExtraTable("Wrong answers", _NOTE, columns, tuple(rows)),)


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]
