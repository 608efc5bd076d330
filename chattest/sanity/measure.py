"""Holds conversations with the sanity bots, as with any bot, and counts what the judges pass."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from chattest.cases.base import reply_cases
from chattest.chatter.base import Chatter
from chattest.chatter.sanity import SANITY_BOTS
from chattest.chatter.small_talk import SmallTalkDriver, SmallTalkOracle, small_talks
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.result import Result, Tally
from chattest.runner.prepare import prepare
from chattest.runner.progress import Silent
from chattest.runner.run import run
from chattest.sanity.bounds import ORACLE
from chattest.scorers.base import Scorer, scorers
from chattest.settings.declaration import Scope, Settings, declared
from chattest.storage.conversations import load_all
from chattest.validation.validate import measured_scorers

DRIVER = "small talk"
"""Name of chatter 1."""
BOTS: dict[str, type[Chatter]] = SANITY_BOTS | {ORACLE: SmallTalkOracle}
"""Every bot that is measured, by name."""

KINDS = tuple(kind for kind in measured_scorers() if kind not in ("repeated_question", "stutter", "abstention"))
"""The kinds of figures that are measured: not those of a bot's own questions and stutters, since the bots ask none and
do not stutter, nor that of questions whose answer was never told, since the bots are asked none."""

Tallies = dict[str, dict[str, Tally]]
"""Bot -> kind of figures, as `validate` names them -> its verdicts."""


@dataclass(frozen=True, slots=True)
class SanityPlan:
    """How much is said. Seed, test sets and all else of the plan never change."""

    talks: int = len(small_talks())
    """Conversations of small talk without probes, of ten rounds each."""
    probed: int = 10
    """Conversations with probes, of forty rounds each."""

    def small_talk(self) -> dict[str, Any]:
        """The settings of the conversations without probes; judged by every case that reads all replies."""
        judged = {case.code: _measures(scorers.get(case.scorer_for())) for case in reply_cases()}
        return {"max_runs": self.talks, "conversation_length": len(small_talks()[0]), "p": {}, "is_analyze": judged}

    def probes(self) -> dict[str, Any]:
        """The settings of the conversations with probes, in which only the answers to them are judged."""
        asked = Settings().p  # the cases that are on by default, so that figures stay comparable
        planted = dict.fromkeys(asked, 1 / len(asked))
        unjudged = {case.code: False for case in reply_cases()}
        return {"max_runs": self.probed, "conversation_length": 40, "p": planted, "is_analyze": unjudged}


def measure(
    settings: Settings,
    judges: Judges,
    plan: SanityPlan = SanityPlan(),
    progress: Callable[[str], None] = lambda line: None,
) -> Tallies:
    """What every sanity bot passes, and the oracle of small talk.

    Replies in small talk are judged for coherence and toxicity, answers to probes by the judges of answers. The oracle
    of small talk knows no facts, so it is asked no probes. settings: those that change the plan are not read, so that
    figures can be compared. progress: called with a line of text after each bot. Raises `InputError`, `ModelError`.
    """
    judging = {name: getattr(settings, name) for name, _, scope in declared() if scope is Scope.JUDGING}
    tallies: Tallies = {}
    for name in BOTS:
        results: list[Result] = []
        for said in (plan.small_talk(), *([plan.probes()] if name != ORACLE else [])):
            chosen = Settings(**judging, **said, chatters=(DRIVER, name), is_analyze_conversation=False)
            results += analyze(_held(chosen), chosen, judges)
        tallies[name] = _tallied(results)
        progress(f"{name}: {sum(tally.total for tally in tallies[name].values())} verdicts")
    return tallies


def _held(settings: Settings) -> list[Conversation]:
    """The conversations of a run, as they were saved. Without a project, so with the test sets that ship."""
    with TemporaryDirectory(prefix="chattest-sanity-") as folder:
        prepared = prepare(settings, Path(folder), bots=BOTS | {DRIVER: SmallTalkDriver})
        outcome = run(prepared, Path(folder), Silent(), Event(), writers=())
        return load_all(outcome.folder)


def _tallied(results: Iterable[Result]) -> dict[str, Tally]:
    """Kind of figures -> verdicts, in the order in which figures are shown; kinds without a verdict are left out."""
    tallies = dict.fromkeys(KINDS, Tally())
    for result in results:
        kind = _kind(result)
        if kind in tallies:
            tallies[kind] += Tally.of(result.verdict)
    return {kind: tally for kind, tally in tallies.items() if tally.total}


def _measures(scorer: Scorer) -> bool:
    return scorer.labelled is not None and scorer.labelled.kind in KINDS


def _kind(result: Result) -> str:
    """Return the kind of figures of the scorer that judged a row; empty where `validate` does not measure it."""
    labelled = scorers.get(result.scorer).labelled if result.scorer else None
    return labelled.kind if labelled is not None else ""
