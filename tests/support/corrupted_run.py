"""A small run with every kind of file, made with judges that load nothing."""

from pathlib import Path
from typing import Any

import pytest

from chattest.records.label import Opinion
from chattest.review.rows import load
from chattest.review.session import Session
from chattest.runner import run
from chattest.runner.labels import renew_report
from chattest.storage.tags import change_tags
from tests.support import project
from tests.support.light import Light
from tests.support.small_runs import go


def make_run(folder: Path) -> tuple[Path, Path]:
    """The project's folder and the run's: conversations, clean counterparts, answers, labels and tags."""
    project.make_project(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "Judges", lambda models: Light(models=models))
        asked: dict[str, Any] = {"checks": ("invariance.letter_typo",), "check_questions": 4}
        made = go(folder, folder / "reports", paired=True, **asked).folder
    change_tags(made, ["good"])
    with Session(load(made), "anna", 4) as session:
        while session.current is not None:
            session.label(Opinion.FAIL if session.position % 2 else Opinion.PASS)
    renew_report(session.run, session.labels)
    return folder, made
