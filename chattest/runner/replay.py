"""Judging saved conversations and answers again. No chatter is asked."""

from dataclasses import dataclass
from pathlib import Path
from threading import Event

from chattest.models.judges import Judges
from chattest.runner.base import Gathered, Prepared
from chattest.runner.observer import Watcher
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.run_folder import RunFolder


@dataclass(frozen=True, kw_only=True)
class Replay(Prepared):
    """The conversations and answers of an earlier run."""

    @property
    def default_name(self) -> str:
        """The name of what is judged."""
        judged = Path(self.settings.load_conv_folder).resolve()
        judged = judged.parent if judged.name == "conversations" else judged
        return judged.name or str(Settings.model_fields["save_analysis_name"].default)  # the root of a disk has no name

    def gather(self, folder: RunFolder, observer: Watcher, stop: Event, judges: Judges) -> Gathered:
        """What was loaded when the run was prepared, and the answers beside it. Raises `InputError`."""
        reference_runs = {reference.variant: reference.specs for reference in self.reference_runs}
        return Gathered(self.specs, reference_runs, read_answers(Path(self.settings.load_conv_folder) / FILE))
