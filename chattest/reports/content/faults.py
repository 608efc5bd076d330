"""Decide whether a run fails, and say why, or that low rates could not have made it fail."""

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import category

from chattest.records.conversation import Speaker
from chattest.records.report import Report
from chattest.records.result import SCOPES, Result, Tally, Verdict
from chattest.reports.content import failures, figures, rates
from chattest.reports.content.text import visible

NO_GATE = (
    "No gate: low rates cannot fail this run. --fail-under 0.8 makes it fail (in Python fail_under=0.8; in config.py "
    "fail_under or gates)."
)
"""What to know about a run without a blocking gate."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a run fails whatever its gates say."""

    test: str
    """What should have been the case, as the name of a test."""
    reason: str
    """Why it was not, in a sentence."""


COUNTED = "something was counted"
BETTER = "the bot is better than one that understands nothing"
NOTHING = Fault(COUNTED, "Nothing was counted, and a run without a verdict never passes.")
EMPTY = Fault("the bot says something", "Every reply of the bot is empty.")


def has_failed(report: Report) -> bool:
    """Return True if a blocking gate was missed, the bot was unusable, or the run has another fault."""
    return bool(list_reasons(report))


def list_reasons(report: Report) -> list[str]:
    """Return why a run failed, a line for each reason; empty if it did not."""
    missed = [outcome for outcome in report.gates if outcome.gate.blocking and not outcome.met]
    lines = [f"gate {visible(outcome.gate.title)} {figures.describe_gate_with_rate(outcome)}" for outcome in missed]
    broken = failures.list_notes(report)[:1] if failures.is_bot_unusable(report) else []
    return [*broken, *(fault.reason for fault in list_faults(report)), *lines]


def list_notes(report: Report) -> list[str]:
    """Return what every report shows first: why the run fails, what failed in it, and that no gate could fail it."""
    lines = [*(fault.reason for fault in list_faults(report)), *failures.list_notes(report), warn_of_no_gate(report)]
    return [line for line in lines if line]


def list_faults(report: Report) -> list[Fault]:
    """Return why a run fails whatever its gates say; empty if it does not.

    That a chatter failed throughout is no fault here; see `failures.is_bot_unusable`.
    """
    uncounted = None if failures.is_bot_unusable(report) else _find_uncounted(report)
    found = (uncounted, EMPTY if _is_all_empty(report) else None, _find_parrot(report))
    return [fault for fault in found if fault is not None]


def warn_of_no_gate(report: Report) -> str:
    """Return a warning if nothing that the rates say could fail the run; empty if something could, or the run fails."""
    return "" if _is_gated(report) or has_failed(report) else NO_GATE


def _is_gated(report: Report) -> bool:
    """Return True if somebody stated a gate that can fail the run."""
    return any(outcome.gate.blocking and not outcome.gate.own for outcome in report.gates)


def _find_parrot(report: Report) -> Fault | None:
    """Return the fault that the bot is no better than one that understands nothing; `None` if a gate decides."""
    return None if _is_gated(report) or not report.no_better else Fault(BETTER, report.no_better)


def _find_uncounted(report: Report) -> Fault | None:
    """Return the fault that no verdict, or no answer to a question, was counted; `None` if some were.

    Experimental checks count only in a gate that names them. Replies that are judged whatever was asked do not stand in
    for the questions that a run was to ask.
    """
    tallies = {rate.name: rate.tally for rate in rates.compute_overall(report)}
    if not sum(tallies.values(), Tally()).total:
        gated = any(outcome.rate is not None for outcome in report.gates)
        return None if gated else NOTHING
    judged = {name for name, tally in tallies.items() if tally.total}
    probes, _, questions, groups = SCOPES
    uncounted = [
        name
        for name in (probes, questions)
        if name in tallies and name not in judged and not (name == questions and groups in judged)
    ]
    if not uncounted:
        return None
    return Fault(
        COUNTED, f"No answer to {' and '.join(uncounted)} was counted (0 of 0), and zero questions are no pass."
    )


def _is_all_empty(report: Report) -> bool:
    """Return True if the bot replied, and never with a sign that can be seen."""
    texts = list(_list_replies(report))
    return bool(texts) and all(is_blank(text) for text in texts)


def _list_replies(report: Report) -> Iterator[str]:
    """Yield the replies of the bot, those of conversations and those to single questions."""
    for conversation in report.conversations:
        for turn in conversation.turns:
            if turn.speaker is Speaker.SUBJECT and turn.round >= 0 and turn.error is None:
                yield turn.text
    for row in report.results:
        if _is_answered(row) and not (row.run and report.conversations):
            yield row.reply


def _is_answered(row: Result) -> bool:
    return row.is_about_answer and row.verdict in (Verdict.PASS, Verdict.FAIL)


def is_blank(text: str) -> bool:
    """Return True if nothing of a text can be seen: it consists of spaces, and of signs without a shape."""
    return all(sign.isspace() or category(sign) in ("Cc", "Cf") for sign in text)
