"""Reference runs: conversations beside those under test, to read their results by (clean counterparts and controls).

Each kind has its own folder inside the conversations' folder. Reference runs are held, kept and resumed like any other
conversation. They never count in the bot's rates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chattest.analysis import controls, paired
from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.participants import find_participants
from chattest.errors import InputError, Problem
from chattest.planning.lazy import LazyConversations, runs_of
from chattest.planning.variants import clean_counterpart, control, is_altered
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.report import ExtraTable
from chattest.records.result import Result
from chattest.settings.declaration import Settings

CONTROLS = (ReferenceRun.ORACLE, ReferenceRun.AMNESIAC)
"""The reference runs that another chatter holds in the bot's place; their names are the chatters' names."""


@dataclass(frozen=True, slots=True)
class ReferenceRuns:
    """All reference runs of one kind."""

    variant: str
    specs: Sequence[Conversation]
    """Before their first turn, or the saved ones when they are judged again."""
    participants: tuple[ChatterSpec, ChatterSpec] | None
    """`None` when saved conversations are judged."""

    def load(self) -> None:
        """Loads what the controls share; driver and bot are loaded with the conversations under test."""
        if self.participants is not None and self.variant != ReferenceRun.CLEAN:
            self.participants[1].load()


def reference_runs(
    settings: Settings,
    specs: Sequence[Conversation],
    participants: tuple[ChatterSpec, ChatterSpec],
    folder: Path,
    bots: Mapping[str, type[Chatter]] = {},
) -> tuple[ReferenceRuns, ...]:
    """What the settings `paired` and `controls` ask for.

    specs: the conversations under test, before their first turn. participants: driver and bot. folder: the `chatters/`
    folder. bots: chatters that have no file, by name. Raises `InputError` when a control cannot be found, or a person
    would have to say everything again.
    """
    problems = []
    people = [member.name for member in participants if member.cls.interactive]
    if settings.paired and people:
        problems.append(_again("paired", people[0]))
    if settings.controls and participants[0].cls.interactive:
        problems.append(_again("controls", people[0]))
    if problems:
        raise InputError(problems)
    places = {run: place for place, run in enumerate(runs_of(specs))}

    def beside(runs: Sequence[int], make: Callable[[Conversation], Conversation]) -> LazyConversations:
        return LazyConversations(runs, lambda run: make(specs[places[run]]))

    found = []
    if settings.paired:
        altered = [run for run, place in places.items() if is_altered(specs[place])]
        found.append(ReferenceRuns(ReferenceRun.CLEAN, beside(altered, clean_counterpart), participants))
    for name in CONTROLS if settings.controls else ():
        with_control = settings.model_copy(update={"chatters": (settings.chatters[0], name)})
        played = find_participants(with_control, folder, bots)[1]
        played_frames = beside(list(places), partial(control, name=name))
        found.append(ReferenceRuns(name, played_frames, (participants[0], played)))
    return tuple(found)


def _again(setting: str, person: str) -> Problem:
    what = f'the chatter "{person}" is a person, who would have to hold every conversation again'
    return Problem(setting, what, "Set it to False, or take another chatter.")


def extra_tables(
    conversations: Sequence[Conversation], results: Sequence[Result], rows: Mapping[str, Sequence[Result]]
) -> tuple[ExtraTable, ...]:
    """The tables that the report shows of the reference runs.

    conversations, results: those under test. rows: variant -> the rows of its conversations.
    """
    found = []
    if ReferenceRun.CLEAN in rows:
        seed = conversations[0].settings.get("seed", Settings.model_fields["seed"].default)
        found.append(paired.table(results, rows[ReferenceRun.CLEAN], seed))
    beside = {str(name): rows[name] for name in CONTROLS if name in rows}
    if beside:
        found.append(controls.table(conversations[0].chatters[1], results, beside))
    return tuple(found)
