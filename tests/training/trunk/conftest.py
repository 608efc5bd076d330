"""The data of the trunk's tests."""

from pathlib import Path

import pytest

from tests.training.trunk.little_data import SIZES, first_collection, second_collection
from training.fits import Fit


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a little of every set, and sizes that suit it."""
    monkeypatch.setattr("training.match.TEST_QUESTIONS", 2)
    monkeypatch.setattr("training.match.VALIDATION_QUESTIONS", 1)
    for name in (
        "yes_no.VALIDATION",
        "trunk.readings.VALIDATION",
        "trunk.talk.VALIDATION",
        "trunk.measures.VALIDATION",
    ):
        monkeypatch.setattr(f"training.{name}", 1)
    for name in ("trunk.talk.CHOOSING", "trunk.measures.CHOOSING"):
        monkeypatch.setattr(f"training.{name}", 2)
    for name in (*SIZES, "answers.FROM_WORDNET", "answers.FORMS"):
        monkeypatch.setattr(f"training.trunk.{name}", 3)
    fits = [Fit(("a fact.",), "said back", True, "true"), Fit(("a fact.",), "salad", False, "salad")]
    fits.append(Fit(("Is it number 2?",), "It is 2, said 2.", True, "true"))
    monkeypatch.setattr("training.trunk.talk.drawn_fits", lambda data, seed: (fits, fits))
    written = [["Do you like tea?", "Not in the morning, no."], ["Is it cold out?", "Cold enough for a thick coat."]]
    monkeypatch.setattr("training.trunk.talk.fitting_written", lambda: written)
    first_collection(tmp_path)
    second_collection(tmp_path / "second")
    return tmp_path
