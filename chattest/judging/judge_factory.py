"""The judges of a run, made as its settings say."""

from pathlib import Path

from chattest.models.judges import Judges
from chattest.settings.declaration import Settings

CACHE = ".scores.sqlite"
"""The file of scores that all runs of a folder share."""


def made_judges(settings: Settings, reports: Path) -> Judges:
    """The judges, of which none is loaded yet. reports: the parent of the run's folder, where scores are cached."""
    judges = Judges(settings.models)
    judges.configure(settings.history_tokens, settings.precision)
    if settings.score_cache:
        judges.use_cache(reports / CACHE)
    return judges
