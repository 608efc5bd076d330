"""Make transcripts of conversations, with the planted probes and the verdicts of each reply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chattest.records.conversation import Conversation, Turn
from chattest.records.report import Report
from chattest.records.result import Result, Verdict, find_scopes
from chattest.reports.content import figures, rates
from chattest.reports.content.text import Change, find_changes

LONGEST = 4000
"""Longest text that the page shows, in characters; results.jsonl has the full text."""


@dataclass(frozen=True, slots=True)
class Round:
    """A prompt and its reply."""

    number: int
    anchor: str
    prompt: tuple[tuple[Change, str], ...]
    """The driver's text in pieces; those that a perturbation added are marked."""
    reply: str
    seconds: float | None
    planted: str
    """What was planted in this round, as text; empty if nothing was."""
    original: tuple[tuple[Change, str], ...]
    """The prompt before its perturbation, in pieces; changed ones are marked. Empty if nothing changed."""
    notes: tuple[str, ...]
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation on the page."""

    run: int
    anchor: str
    passed: str
    """How many probes and replies passed, as text."""
    failures: int
    """Number of replies that failed at least one check that is not experimental."""
    rounds: tuple[Round, ...]


def make_anchors(report: Report, most: int) -> dict[tuple[int, int], str]:
    """Map each (run, round) of the first `most` conversations to its anchor on the page."""
    return {
        (conversation.run, number): f"run-{conversation.run}-round-{number}"
        for conversation in report.conversations[:most]
        for number, _, _ in figures.pair_turns(conversation)
        if number >= 0
    }


def make_transcripts(report: Report, most: int, alone: bool = False) -> Iterator[Transcript]:
    """Yield the transcripts of the first `most` conversations.

    Args:
        report: The report.
        most: The largest number of transcripts.
        alone: Whether each has a separate page, so that the anchor of a round need not name the run: `round-5`.
    """
    scopes, experimental = find_scopes(report.results), report.experimental
    by_run: dict[int, dict[int, list[Result]]] = {}
    for result in report.results:
        by_run.setdefault(result.run, {}).setdefault(result.round, []).append(result)
    for conversation in report.conversations[:most]:
        results = by_run.get(conversation.run, {})
        passed = rates.tally_by_scope(scopes, report.run_tallies.get(conversation.run, {}), experimental)
        failed = [
            rows
            for rows in results.values()
            if any(row.verdict is Verdict.FAIL and row.check not in experimental for row in rows)
        ]
        yield Transcript(
            conversation.run,
            f"run-{conversation.run}",
            ", ".join(f"{tally.passed} of {tally.total} {name} passed" for name, tally in passed.items()),
            len(failed),
            tuple(_rounds(conversation, results, "" if alone else f"run-{conversation.run}-")),
        )


def _rounds(conversation: Conversation, results: dict[int, list[Result]], before: str) -> Iterator[Round]:
    """Yield the rounds of a conversation; their anchors begin with `before`."""
    planted = conversation.plan.by_round()
    for number, driver, subject in figures.pair_turns(conversation):
        text = driver.text if driver else ""
        prompt: tuple[tuple[Change, str], ...] = ((Change.SAME, _cut(text)),)
        original: tuple[tuple[Change, str], ...] = ()
        words = ""
        if number in planted and driver is not None:
            probe, step = planted[number]
            words = figures.describe_step(probe, step)
            if step.text != step.original:
                pieces = find_changes(step.original, step.text)
                original = tuple(piece for piece in pieces if piece[0] is not Change.ADDED)
                if text == step.text and len(text) <= LONGEST:
                    prompt = tuple(piece for piece in pieces if piece[0] is not Change.REMOVED)
        yield Round(
            number,
            f"{before}round-{number}" if number >= 0 else "",
            prompt,
            _cut(subject.text) if subject else "",
            subject.seconds if subject and number >= 0 else None,
            words,
            original,
            tuple(_notes((driver, subject))),
            tuple(results.get(number, ())),
        )


def _notes(turns: Sequence[Turn | None]) -> Iterator[str]:
    for turn in turns:
        if turn is not None and turn.error:
            yield f"{turn.speaker} failed: {turn.error}"
        if turn is not None and turn.note:
            yield f"{turn.speaker}: {turn.note}"


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … [cut here; all {len(text):,} characters are in results.jsonl]"
