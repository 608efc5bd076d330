"""Group altered questions by their original: a question, all its alterations, and which failed."""

from dataclasses import dataclass

from chattest.records.report import Report
from chattest.records.result import Result, Tally, Verdict


@dataclass(frozen=True, slots=True)
class Utterance:
    """An original question and its alterations."""

    question: str
    reply: str
    """The bot's reply to it; empty if the bot failed."""
    rows: tuple[Result, ...]
    """Its alterations, those that failed first, then in the order of the checks."""
    tally: Tally
    """The verdicts of its alterations."""

    @property
    def failed(self) -> int:
        """The number of alterations that failed."""
        return self.tally.total - self.tally.passed

    @property
    def tags(self) -> str:
        """Its smart tags; empty if it has none."""
        return next((row.label for row in self.rows if row.label.startswith("fails ")), "")

    @property
    def split(self) -> str:
        """Its data split; empty if its file names none."""
        return next((row.split for row in self.rows if row.split), "")


_FIRST = (Verdict.FAIL, Verdict.ERROR, Verdict.PASS, Verdict.NOT_APPLICABLE)


def group_by_original(report: Report) -> list[Utterance]:
    """Return all original questions with their alterations, those with the most failures first."""
    order = {info.code: index for index, info in enumerate(report.checks)}
    by_original: dict[str, list[Result]] = {}
    for row in report.results:
        if row.original:
            by_original.setdefault(row.original, []).append(row)
    grouped = []
    for original, rows in by_original.items():
        rows.sort(key=lambda row: (_FIRST.index(row.verdict), order[row.check], row.round))
        reply = next((row.original_reply for row in rows if row.original_reply), "")
        tally = sum((Tally.of(row.verdict, row.in_doubt) for row in rows), Tally())
        grouped.append(Utterance(original, reply, tuple(rows), tally))
    return sorted(grouped, key=lambda utterance: -utterance.failed)
