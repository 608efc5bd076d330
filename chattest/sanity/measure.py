"""Hold conversations with the sanity bots, as with any bot, and count what the judges pass."""

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
from chattest.settings.declaration import Scope, Settings, iter_settings
from chattest.storage.conversations import load_all
from chattest.validation.validate import list_measured_scorers

DRIVER = "small talk"
"""Name of chatter 1."""
BOTS: dict[str, type[Chatter]] = SANITY_BOTS | {ORACLE: SmallTalkOracle}
"""Every bot that is measured, by name."""

KINDS = tuple(kind for kind in list_measured_scorers() if kind not in ("repeated_question", "stutter", "abstention"))
"""The kinds of figures that are measured: not those of a bot's own questions and stutters, since the bots ask none and
do not stutter, nor that of questions that cannot be answered, since the bots are asked none."""

Tallies = dict[str, dict[str, Tally]]
"""Bot -> kind of figures, as `validate` names them -> its verdicts."""


@dataclass(frozen=True, slots=True)
class SanityPlan:
    """The amount of conversation. Seed, test sets and the rest of the plan never change."""

    talks: int = len(small_talks())
    """Conversations of small talk without probes, of ten rounds each."""
    probed: int = 10
    """Conversations with probes, of forty rounds each."""

    def small_talk(self) -> dict[str, Any]:
        """Return the settings of the conversations without probes, judged by every case that reads all replies."""
        judged = {case.code: _is_measured(scorers.get(case.scorer_for())) for case in reply_cases()}
        return {"max_runs": self.talks, "conversation_length": len(small_talks()[0]), "p": {}, "is_analyze": judged}

    def probes(self) -> dict[str, Any]:
        """Return the settings of the conversations with probes, in which only the answers to these are judged."""
        cases = Settings().p  # the cases that are on by default, so that figures stay comparable
        planted = dict.fromkeys(cases, 1 / len(cases))
        unjudged = {case.code: False for case in reply_cases()}
        return {
            "max_runs": self.probed,
            "conversation_length": 40,
            "density": 1.0,
            "p": planted,
            "is_analyze": unjudged,
        }


def measure(
    settings: Settings,
    judges: Judges,
    plan: SanityPlan = SanityPlan(),
    progress: Callable[[str], None] = lambda line: None,
) -> Tallies:
    """Count what every sanity bot passes, and the oracle of small talk.

    Replies in small talk are judged for coherence and toxicity, answers to probes by the judges of answers. The oracle
    of small talk knows no facts, so it is asked no probes.

    Args:
        settings: How to judge. Settings that change the plan are not read, so that figures can be compared.
        judges: The models in use.
        plan: The amount of conversation.
        progress: Called with a line of text after each bot.

    Raises:
        InputError: The settings are invalid.
        ModelError: A model cannot be loaded.
    """
    judging = {name: getattr(settings, name) for name, _, scope in iter_settings() if scope is Scope.JUDGING}
    tallies: Tallies = {}
    for name in BOTS:
        results: list[Result] = []
        for talk in (plan.small_talk(), *([plan.probes()] if name != ORACLE else [])):
            chosen = Settings(**judging, **talk, chatters=(DRIVER, name), is_analyze_conversation=False)
            results += analyze(_hold_conversations(chosen), chosen, judges)
        tallies[name] = _count_verdicts(results)
        progress(f"{name}: {sum(tally.total for tally in tallies[name].values())} verdicts")
    return tallies


def _hold_conversations(settings: Settings) -> list[Conversation]:
    """Hold the conversations of a run and return them as saved, outside a project, so with the test sets that ship."""
    with TemporaryDirectory(prefix="chattest-sanity-") as folder:
        prepared = prepare(settings, Path(folder), bots=BOTS | {DRIVER: SmallTalkDriver})
        outcome = run(prepared, Path(folder), Silent(), Event(), writers=())
        return load_all(outcome.folder)


def _count_verdicts(results: Iterable[Result]) -> dict[str, Tally]:
    """Count the verdicts by kind of figures, in the order in which figures are shown, without empty kinds."""
    tallies = dict.fromkeys(KINDS, Tally())
    for result in results:
        kind = _kind(result)
        if kind in tallies:
            tallies[kind] += Tally.of(result.verdict)
    return {kind: tally for kind, tally in tallies.items() if tally.total}


def _is_measured(scorer: Scorer) -> bool:
    return scorer.labelled is not None and scorer.labelled.kind in KINDS


def _kind(result: Result) -> str:
    """Return the kind of figures of the scorer that judged a row; empty where `validate` does not measure it."""
    labelled = scorers.get(result.scorer).labelled if result.scorer else None
    return labelled.kind if labelled is not None else ""
