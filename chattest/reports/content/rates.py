"""What all cases of one sort came to together.

Probes, replies and single questions have a rate each and none in common: every reply is judged by several cases that
most bots pass, so that one rate over all would say little but that the bot speaks.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from chattest.records.report import Estimate, Report
from chattest.records.result import SCOPES, Tally, check_scopes
from chattest.reports.content import confidence, figures


@dataclass(frozen=True, slots=True)
class Common:
    """The cases of one sort."""

    name: str
    """`probes`, `replies` or `single questions`."""
    tally: Tally
    estimate: Estimate
    """How sure its rate is."""

    @property
    def words(self) -> str:
        """`probes 82 of 111 (73.9 %)`."""
        return f"{self.name} {self.tally.passed} of {self.tally.total} ({figures.percent(self.tally.rate)})"


def common(report: Report) -> list[Common]:
    """The check_scopes that the report has, in the order of `SCOPES`."""
    return [
        Common(name, tally, report.overall.get(name, confidence.NOTHING))
        for name, tally in by_sort(check_scopes(report.results), report.tallies).items()
    ]


def by_sort(sort: Mapping[str, str], tallies: Mapping[str, Tally]) -> dict[str, Tally]:
    """Sort -> what the tallies of its checks add up to, for the check_scopes that have any.

    sort: check -> its sort. tallies: check -> tally, such as those of a single run.
    """
    tallies_of = {name: [tally for check, tally in tallies.items() if sort.get(check) == name] for name in SCOPES}
    return {name: figures.total(held) for name, held in tallies_of.items() if held}


def headline(report: Report) -> str:
    """The rates, and how many conversations had a failure: `probes 82 of 111 (73.9 %), replies 789 of 789 (100.0 %); 5
    of 5 conversations have at least one failure`."""
    rates = ", ".join(one.words for one in common(report)) or "nothing was judged"
    return f"{rates}; {figures.failures_in_words(report)}"
