"""Reference runs: clean counterparts and controls, which help to read the results of the conversations under test.

Each kind has its own folder inside the folder of the conversations. Reference runs are held, saved and resumed like any
other conversation. They never count in the bot's rates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from chattest.cases.base import probe_cases
from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.participants import find_participants
from chattest.dialogue.sessions import group_sessions
from chattest.errors import InputError, Problem
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.lazy import LazyConversations, list_runs
from chattest.records.plan import Step
from chattest.records.report import ExtraTable
from chattest.records.result import Result
from chattest.settings.declaration import Settings
from chattest.tally import controls, paired

CONTROLS = (ReferenceRun.ORACLE, ReferenceRun.AMNESIAC, ReferenceRun.BLABBER)
"""The reference runs in which a control replaces the bot; their names are the names of the chatters."""


@dataclass(frozen=True, slots=True)
class ReferenceRuns:
    """All reference runs of one kind."""

    variant: str
    """Which kind: the value of a `ReferenceRun`."""
    specs: Sequence[Conversation]
    """The conversations: before their first turn in a live run, as saved in a replay."""
    participants: tuple[ChatterSpec, ChatterSpec] | None
    """Driver, and bot or control; `None` in a replay."""

    def load(self) -> None:
        """Load the control; driver and bot are loaded for the conversations under test."""
        if self.participants is not None and self.variant != ReferenceRun.CLEAN:
            self.participants[1].load()


def plan_reference_runs(
    settings: Settings,
    specs: Sequence[Conversation],
    participants: tuple[ChatterSpec, ChatterSpec],
    folder: Path,
    bots: Mapping[str, type[Chatter]] = {},
) -> tuple[ReferenceRuns, ...]:
    """Plan the reference runs that the settings `paired` and `controls` ask for.

    Args:
        settings: those of the run.
        specs: the conversations under test, before their first turn.
        participants: driver and bot.
        folder: the `chatters/` folder.
        bots: chatters without a file, by name.

    Raises:
        InputError: a control cannot be found, or a person would have to hold every conversation again.
    """
    problems = []
    people = [member.name for member in participants if member.cls.interactive]
    if settings.paired and people:
        problems.append(_make_person_problem("paired", people[0]))
    if settings.controls and participants[0].cls.interactive:
        problems.append(_make_person_problem("controls", people[0]))
    if problems:
        raise InputError(problems)
    index_of = {run: index for index, run in enumerate(list_runs(specs))}

    def derived(runs: Sequence[int], derive: Callable[[Conversation], Conversation]) -> LazyConversations:
        return LazyConversations(runs, lambda run: derive(specs[index_of[run]]))

    groups = []
    if settings.paired:
        altered = sorted(_find_groups(specs, _is_altered))
        groups.append(ReferenceRuns(ReferenceRun.CLEAN, derived(altered, _make_clean_counterpart), participants))
    for name in _choose_controls(settings) if settings.controls else ():
        with_control = settings.model_copy(update={"chatters": (settings.chatters[0], name)})
        control_spec = find_participants(with_control, folder, bots)[1]
        conversations = derived(list(index_of), partial(_make_control, name=name))
        groups.append(ReferenceRuns(name, conversations, (participants[0], control_spec)))
    return tuple(groups)


def _find_groups(specs: Sequence[Conversation], wanted: Callable[[Conversation], bool]) -> set[int]:
    """Return the runs of the wanted conversations, and of the sessions that belong to them."""
    return {spec.run for group in group_sessions(specs) if any(map(wanted, group)) for spec in group}


def _choose_controls(settings: Settings) -> Sequence[ReferenceRun]:
    """Return the controls of a run: the blabber only if a case asks for a fact that the user never gave."""
    untold = any(settings.probabilities[case.code] > 0 for case in probe_cases() if case.asks_untold)
    return CONTROLS if untold else [name for name in CONTROLS if name is not ReferenceRun.BLABBER]


def _make_person_problem(setting: str, person: str) -> Problem:
    what = f'the chatter "{person}" is a person, who would have to hold every conversation again'
    return Problem(setting, what, "Set it to False, or choose another chatter.")


def build_reference_tables(
    conversations: Sequence[Conversation], results: Sequence[Result], rows: Mapping[str, Sequence[Result]]
) -> tuple[ExtraTable, ...]:
    """Build the tables that the report shows about the reference runs.

    Args:
        conversations: those under test.
        results: those under test.
        rows: kind of reference run -> its result rows.
    """
    tables = []
    if ReferenceRun.CLEAN in rows:
        tables.append(paired.make_table(results, rows[ReferenceRun.CLEAN]))
    control_rows = {str(name): rows[name] for name in CONTROLS if name in rows}
    if control_rows:
        tables.append(controls.make_table(conversations[0].chatters[1], results, control_rows))
    return tuple(tables)


def _is_altered(spec: Conversation) -> bool:
    """Return True if a conversation asks altered questions, so that a clean counterpart is useful."""
    return any(step.text != step.original for _, step in spec.plan.steps())


def _make_clean_counterpart(spec: Conversation) -> Conversation:
    """Return the conversation, which has no turns yet, with every question unaltered."""
    probes = tuple(replace(probe, steps=tuple(map(_restore_step, probe.steps))) for probe in spec.plan.probes)
    return replace(spec, plan=replace(spec.plan, probes=probes), variant=ReferenceRun.CLEAN)


def _restore_step(step: Step) -> Step:
    return replace(step, text=step.original, perturbed=None, perturbation=None)


def _make_control(spec: Conversation, name: ReferenceRun) -> Conversation:
    """Return the conversation, which has no turns yet, with a control instead of the bot."""
    return replace(spec, chatters=(spec.chatters[0], name.value), variant=name)
