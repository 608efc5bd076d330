"""Count the wrong answers to stories by their name, such as stale, mixed up or made up."""

from collections.abc import Iterable

from chattest.cases.base import StoryCase, cases
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Verdict

_NOTE = (
    "Why answers to stories are wrong. Stale: the old value. Mixed up: a value of something else. Made up: never "
    "stated. Sycophantic: gives in to a false claim or to pressure. Uncivil: toxic, whether right or not. The shipped "
    "judges classify them."
)


def make_tables(results: Iterable[Result]) -> tuple[ExtraTable, ...]:
    """Make a table with a row for each case that has wrong answers; no table if no case has any."""
    by_case: dict[str, list[str]] = {}
    for result in results:
        if result.verdict is Verdict.FAIL and result.check in cases and isinstance(cases.get(result.check), StoryCase):
            by_case.setdefault(result.check, []).append(result.label)
    if not by_case:
        return ()
    names = sorted({name for labels in by_case.values() for name in labels})
    columns = (
        ExtraColumn("Case"),
        ExtraColumn("Wrong", "count"),
        *(ExtraColumn(_title(name), "count") for name in names),
    )
    ordered = [case.code for case in cases if case.code in by_case]
    rows: list[tuple[str | int | float | None, ...]] = [
        (code, len(by_case[code]), *map(by_case[code].count, names)) for code in ordered
    ]
    return (ExtraTable("Wrong answers", _NOTE, columns, tuple(rows)),)


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]
