"""Judge a finished run again, with other thresholds or as another run was judged, in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from chattest.errors import ChattestError, InputError, Problem
from chattest.storage.changes import check_run
from chattest.web.log import log_bug
from chattest.web.project import Project
from chattest.web.run_contents import read_run_settings, read_run_state
from chattest.web.run_table import UNSHOWN

if TYPE_CHECKING:
    from chattest.records.conversation import Conversation, Turn
    from chattest.records.question import Answer
    from chattest.settings.declaration import Settings
    from chattest.settings.trust import Left

LONGEST = 200
"""Longest value of a setting that is shown, in characters."""


@dataclass(frozen=True, slots=True)
class CopiedSettings:
    """The settings of judging that are copied from another run."""

    example: str = ""
    """The other run; empty without one."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Setting -> its value in the other run, for settings of judging that differ and that a comparison needs equal."""
    shown: tuple[tuple[str, str, str], ...] = ()
    """Setting, its value in this run, its value in the other one, as text. Options may be secret and are left out."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """The thresholds among the settings, as numbers."""

    left: tuple[Left, ...] = ()
    """The settings that are not copied, because a run's folder does not choose them; see `chattest.settings.trust`."""

    @property
    def can_preview(self) -> bool:
        """Whether only thresholds are copied, so that the saved scores show what would flip."""
        return bool(self.values) and len(self.thresholds) == len(self.values)

    def without(self, chosen: Mapping[str, float]) -> dict[str, Any]:
        """Return the copied settings without the thresholds that the visitor chose otherwise."""
        return {
            name: value
            for name, value in self.values.items()
            if name not in chosen or chosen[name] == self.thresholds.get(name)
        }


def copy_settings(project: Project, name: str, example: str) -> CopiedSettings:
    """Return the settings of judging in which a run differs from another one, with the other one's values.

    Raises:
        NotThereError: one of the runs is not there.
        InputError: one of the runs cannot be read.
    """
    from chattest.comparison.plans import find_judging_differences
    from chattest.settings.thresholds import THRESHOLDS
    from chattest.settings.trust import take_settings

    if not example:
        return CopiedSettings()
    folders = project.run(name), project.run(example)
    before, after = (read_run_state(folder)[1] for folder in folders)
    received_values = take_settings(folders[1], after, own=project.settings())
    differing, now = find_judging_differences(before, after), find_judging_differences(after, before)
    left = tuple(left for left in received_values.left if left.name in differing)
    kept = {left.name for left in left}
    values = {key: value for key, value in differing.items() if key not in kept}
    shown = tuple((key, _shorten(key, now[key]), _shorten(key, value)) for key, value in differing.items())
    others = read_run_settings(folders[1])
    names = [key for key in values if key in THRESHOLDS["embedded"]] if others is not None else []
    thresholds = {key: others.threshold(key) for key in names} if others is not None else {}
    return CopiedSettings(example, values, shown, thresholds, left)


def _shorten(name: str, value: Any) -> str:
    text = ("other options" if value else "none") if name in UNSHOWN else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def make_rejudge_settings(
    settings: Settings, folder: Path, saved: Mapping[str, Any], changed: Mapping[str, Any], root: Path = Path()
) -> Settings:
    """Return the settings of a new run that judges a finished run again.

    Who talked, what was asked and how it was judged stay as in the run, so that the new run can be compared with runs
    of the same plan. Settings that a run's folder does not choose are the project's own; see `find_left_out`.

    Args:
        settings: those of the project.
        folder: the run's folder.
        saved: the settings of the run, as plain values.
        changed: setting -> its new value.
        root: the folder that relative paths begin at.

    Raises:
        InputError: a value is not possible.
    """
    from pydantic import ValidationError

    from chattest.files.schema_errors import list_problems
    from chattest.settings.declaration import ASKED, JUDGING, Settings
    from chattest.settings.trust import take_settings
    from chattest.storage.source import find_judged_run

    judged = take_settings(folder, saved, ASKED | JUDGING, settings).values
    # A run that judged the conversations of another has none itself.
    talked = str(find_judged_run(folder, saved, root)) if saved.get("is_load_conversation") else str(folder)
    fixed = {
        "is_load_conversation": True,
        "is_analyze_conversation": True,
        "load_conv_folder": talked,
        "save_analysis_name": Settings.model_fields["save_analysis_name"].default,
    }
    values = settings.model_dump() | dict(judged) | dict(changed) | fixed
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = list_problems(error, values)
        raise InputError(Problem(str(folder), str(problem), "Choose another value.") for problem in problems) from error


@dataclass(slots=True)
class RejudgeJob:
    """A run that is being judged again. It is the observer of that run."""

    name: str
    """The run that is judged."""
    words: str = "The judges are loaded."
    example: str = ""
    """The run that the settings are copied from; empty without one."""
    began: float = field(default_factory=monotonic)
    made: str = ""
    """The name of the new run when it is there."""
    problems: Sequence[Problem] = ()
    done: Event = field(default_factory=Event)

    @property
    def seconds(self) -> int:
        """Seconds since the job began."""
        return int(monotonic() - self.began)

    def talking(self, conversations: int, turns: int) -> None:
        """Do nothing: the conversations exist already."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Do nothing: the conversations exist already."""

    def looked(self, words: str) -> None:
        """Do nothing: the conversations exist already."""

    def asking(self, questions: int) -> None:
        """Do nothing: the conversations exist already."""

    def answered(self, answer: Answer) -> None:
        """Do nothing: the conversations exist already."""

    def judging(self, conversations: int) -> None:
        """Note that the judges begin."""
        self.words = f"{conversations:,} conversations are judged." if conversations else "The answers are judged."


class RejudgeQueue:
    """Judge runs again, one at a time."""

    def __init__(self, project: Project) -> None:
        """Begin without a job."""
        self.project = project
        self._lock = Lock()
        self._last: RejudgeJob | None = None

    def of(self, name: str) -> RejudgeJob | None:
        """Return the last job if it judges this run; `None` otherwise."""
        return self._last if self._last is not None and self._last.name == name else None

    def start(
        self, name: str, chosen: Mapping[str, float], example: str = "", agreed: bool = False, run_id: str = ""
    ) -> RejudgeJob:
        """Begin to judge a run again.

        Args:
            name: the run's name.
            chosen: setting -> its new threshold.
            example: the run to copy all other settings of judging from; empty for none.
            agreed: whether the visitor agreed to the project's own settings where the run's folder does not choose.
            run_id: id of the run that is meant; empty for whichever run has the name.

        Raises:
            InputError: nothing is changed, a value is wrong, or another run is being judged.
        """
        from chattest.runner.prepare import prepare

        folder = self.project.run(name)
        check_run(folder, run_id)
        saved = read_run_state(folder)[1]
        before = read_run_settings(folder)
        example_of = copy_settings(self.project, name, example)
        _refuse_left(self.project, name, example_of, agreed)
        copied = example_of.without(chosen)
        moved = {
            key: value for key, value in chosen.items() if before is None or before.threshold(key) != value
        } | copied
        if not moved:
            remedy = f"Move one. To judge the run again as it was: {self.project.program} judge {folder}"
            raise InputError([Problem(name, "nothing is changed, so every verdict would stay", remedy)])
        settings = make_rejudge_settings(self.project.settings(), folder, saved, moved, self.project.root)
        prepared = prepare(settings, self.project.root)
        with self._lock:
            last = self._last
            if last is not None and not last.done.is_set():
                remedy = "Wait until it is done; two at once would only slow each other down."
                raise InputError([Problem(last.name, "is being judged again right now", remedy)])
            job = self._last = RejudgeJob(name, example=example)
        Thread(target=self._judge, args=(prepared, job), daemon=True).start()
        return job

    def _judge(self, prepared: Any, job: RejudgeJob) -> None:
        from chattest.runner import run

        try:
            outcome = run.run(prepared, self.project.reports, job, Event())
            job.made = outcome.folder.name
        except InputError as error:
            job.problems = error.problems
        except ChattestError as error:
            job.problems = [Problem(job.name, str(error), "Nothing of the run itself has changed.")]
        except Exception as error:
            log_bug(error)
            what = f"a bug in chattest: {type(error).__name__}: {error}"
            job.problems = [Problem(job.name, what, "Nothing of the run itself has changed.")]
        finally:
            job.done.set()


def find_left_out(project: Project, name: str) -> tuple[Left, ...]:
    """Return the settings of judging that a run's folder does not choose. The project's own are used in their place."""
    from chattest.settings.declaration import ASKED, JUDGING
    from chattest.settings.trust import take_settings

    folder = project.run(name)
    return take_settings(folder, read_run_state(folder)[1], ASKED | JUDGING, project.settings()).left


def _refuse_left(project: Project, name: str, copied: CopiedSettings, agreed: bool) -> None:
    """Raise `InputError` if the run would be judged otherwise than the visitor may think; see `find_left_out`."""
    from chattest.settings.trust import list_refusals

    if copied.left:
        remedy = f"Set it so in config.py, or start: {project.program} view --trust-run {copied.example}"
        raise InputError(list_refusals(project.run(copied.example), copied.left, remedy))
    left = () if agreed else find_left_out(project, name)
    if left:
        remedy = f"Agree on the page to the project's own values, or start: {project.program} view --trust-run {name}"
        raise InputError(list_refusals(project.run(name), left, remedy))


@lru_cache(maxsize=8)
def open_rejudge_queue(project: Project) -> RejudgeQueue:
    """Return the queue of a project; the same one for all pages."""
    return RejudgeQueue(project)
