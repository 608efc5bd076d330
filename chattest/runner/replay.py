"""A replay: judges saved conversations and answers again without asking a chatter."""

from dataclasses import dataclass
from threading import Event

from chattest.files.home import home
from chattest.models.judges import Judges
from chattest.runner.base import Gathered, Prepared
from chattest.runner.observer import Observer
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.changes import check_run
from chattest.storage.run_folder import RunFolder


@dataclass(frozen=True, kw_only=True)
class Replay(Prepared):
    """A run that judges the conversations and answers of an earlier run."""

    source_id: str = ""
    """The id of that run; empty for a folder of conversations that tells of no run."""

    @property
    def default_name(self) -> str:
        """The name of the run that is judged again."""
        folder = (home() / self.settings.load_conv_folder).resolve()
        folder = folder.parent if folder.name == "conversations" else folder
        return folder.name or str(Settings.model_fields["save_analysis_name"].default)  # the root folder has no name

    def gather(self, folder: RunFolder, observer: Observer, stop: Event, judges: Judges) -> Gathered:
        """Returns the conversations loaded by `prepare`, and the saved answers. Raises `InputError`.

        A `ReplacedError` if the run that was prepared has been replaced by another meanwhile.
        """
        talked = home() / self.settings.load_conv_folder
        check_run(talked.parent if talked.name == "conversations" else talked, self.source_id)
        reference_runs = {reference.variant: reference.specs for reference in self.reference_runs}
        return Gathered(self.specs, reference_runs, read_answers(talked / FILE))
