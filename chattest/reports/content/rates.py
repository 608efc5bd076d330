"""Compute the overall rates, one for each kind of result.

Probes, replies and single questions have separate rates. Every reply is judged by several cases that most bots pass, so
a single rate over all results would mean little.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from chattest.records.report import CheckInfo, Estimate, Report
from chattest.records.result import SCOPES, Tally, find_scopes
from chattest.reports.content import confidence, figures


@dataclass(frozen=True, slots=True)
class OverallRate:
    """The overall rate of a kind of result."""

    name: str
    """`probes`, `replies` or `single questions`."""
    tally: Tally
    estimate: Estimate
    """The confidence of its rate."""

    @property
    def words(self) -> str:
        """The rate in words: `probes 82 of 111 (73.9 %)`."""
        return f"{self.name} {self.tally.passed} of {self.tally.total} ({figures.format_percent(self.tally.rate)})"


def compute_overall(report: Report) -> list[OverallRate]:
    """Return the overall rates of the report, in the order of `SCOPES`. Experimental checks do not count."""
    overall = [
        OverallRate(name, tally, report.overall.get(name, confidence.NOTHING))
        for name, tally in tally_by_scope(_find_scopes(report), report.tallies, report.experimental).items()
    ]
    # A report with neither rows nor counts judged nothing.
    return [rate for rate in overall if report.results or rate.tally != Tally()]


def select_answer_checks(report: Report) -> list[CheckInfo]:
    """Return the checks of answers or replies, in order."""
    groups = select_group_checks(report)
    return [info for info in report.checks if info not in groups]


def select_group_checks(report: Report) -> list[CheckInfo]:
    """Return the checks of groups of answers or texts, such as fairness and representation, in order."""
    scopes = _find_scopes(report)
    return [info for info in report.checks if scopes.get(info.code) == SCOPES[3]]


def _find_scopes(report: Report) -> dict[str, str]:
    """Map each check to its scope."""
    return find_scopes(report.results) if report.results else infer_scopes(report)


def tally_by_scope(
    scopes: Mapping[str, str], tallies: Mapping[str, Tally], experimental: Collection[str]
) -> dict[str, Tally]:
    """Add up the tallies of the checks of each scope that has any.

    Args:
        scopes: Check -> its scope.
        tallies: Check -> tally, such as the tallies of a single run.
        experimental: The codes of the experimental checks, which do not count.
    """
    counted = {check: tally for check, tally in tallies.items() if check not in experimental}
    tallies_of = {scope: [tally for check, tally in counted.items() if scopes.get(check) == scope] for scope in SCOPES}
    return {scope: figures.add_up(of_scope) for scope, of_scope in tallies_of.items() if of_scope}


def infer_scopes(report: Report) -> dict[str, str]:
    """Map each check to its scope, for a report that was read from its file, without its rows.

    If checks of single questions and of groups are mixed, those without test sets count as groups.
    """
    scopes = {}
    cases = {info.code for info in report.checks if info.name != info.code}
    in_conversations = {check for run, tallies in report.run_tallies.items() if run for check in tallies}
    for check in report.tallies:
        has_testset = bool(report.testset_tallies.get(check))
        if check in in_conversations:
            scopes[check] = SCOPES[0] if has_testset else SCOPES[1]
        elif check in cases:  # no conversation has a probe of it
            scopes[check] = SCOPES[0]
        elif SCOPES[3] in report.overall and not (SCOPES[2] in report.overall and has_testset):
            scopes[check] = SCOPES[3]
        else:
            scopes[check] = SCOPES[2]
    return scopes


def make_headline(report: Report) -> str:
    """Return the overall rates and the number of conversations with a failure, in one line.

    Example: `probes 82 of 111 (73.9 %), replies 789 of 789 (100.0 %); 5 of 5 conversations have at least one failure`.
    """
    nothing = figures.ONLY_EXPERIMENTAL if report.experimental else "nothing was judged"
    rates = ", ".join(rate.words for rate in compute_overall(report)) or nothing
    failures = figures.describe_failures(report)
    return rates if rates == failures else f"{rates}; {failures}"
