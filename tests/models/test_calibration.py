"""Calibrations: what they do to probabilities, and which files are taken."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chattest.errors import ModelError
from chattest.models import calibration
from chattest.models.calibration import Calibration, read_calibrations, write_calibrations
from chattest.models.judges import Judges

PROBABILITIES = st.floats(0, 1)
SLOPES, BIASES = st.floats(0.05, 20), st.floats(-10, 10)
PLATT = st.builds(lambda slope, bias: Calibration(slope, {"true": bias}), SLOPES, BIASES)
NAMES = ("yes", "no", "neither")
VECTOR = st.builds(
    lambda slope, yes, no, neither: Calibration(slope, {"yes": yes, "no": no, "neither": neither}),
    SLOPES,
    BIASES,
    BIASES,
    BIASES,
)
READINGS = st.tuples(*[st.integers(0, 1000)] * 3).filter(any).map(lambda counts: [n / sum(counts) for n in counts])


@given(PLATT, PROBABILITIES, PROBABILITIES)
def test_the_order_stays_and_so_do_0_and_1(made: Calibration, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert made.probability(0) == 0
    assert 0 <= made.probability(low) <= made.probability(high) + 1e-12 <= 1 + 1e-12
    assert made.probability(1) == 1


@given(PROBABILITIES)
def test_slope_1_without_a_bias_changes_nothing(value: float) -> None:
    assert Calibration().probability(value) == pytest.approx(value, abs=1e-12)


@given(VECTOR, READINGS)
def test_readings_add_up_to_1_and_none_appears_from_nothing(made: Calibration, given: list[float]) -> None:
    parts = made.probabilities(dict(zip(NAMES, given, strict=True)))
    assert list(parts) == list(NAMES)
    assert sum(parts.values()) == pytest.approx(1)
    assert all(parts[name] == 0 for name, value in zip(NAMES, given, strict=True) if not value)


@given(VECTOR, st.integers(1, 998), st.integers(1, 998))
def test_a_reading_that_is_more_likely_is_so_afterwards(made: Calibration, one: int, other: int) -> None:
    """The two other readings share what is left alike."""
    low, high = sorted((one / 1000, other / 1000))
    yes = [made.probabilities({"yes": p, "no": (1 - p) / 2, "neither": (1 - p) / 2})["yes"] for p in (low, high)]
    assert yes[0] <= yes[1] + 1e-12


def test_a_slope_below_1_draws_to_the_middle_and_a_bias_moves() -> None:
    # Log-odds of 0.8 are log 4: half of them are log 2, and log 2 more is log 4 again.
    assert Calibration(0.5).probability(0.8) == pytest.approx(2 / 3)
    assert Calibration(0.5, {"true": 0.6931471805599453}).probability(0.8) == pytest.approx(0.8)


@pytest.mark.parametrize("value", [-3.0, 1.0000001, 7.0])
def test_what_is_no_probability_is_cut(value: float) -> None:
    assert Calibration(0.5).probability(value) in (0, 1)


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    made = {"open": Calibration(0.75, {"true": -0.5}), "closed": Calibration(2.0, {"yes": 0.1, "no": 0.0})}
    write_calibrations(made, tmp_path / "new.json")
    assert read_calibrations(tmp_path / "new.json") == made
    assert read_calibrations(tmp_path / "none.json") == {}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"open": {"slope": 0}}',
        '{"open": {"slope": -1}}',
        '{"open": {"slope": NaN}}',
        '{"open": {"biases": {"true": Infinity}}}',
        '{"open": {"biases": {"perhaps": 1}}}',
        '{"open": {"slop": 1}}',
    ],
)
def test_a_file_that_holds_something_else_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(content)
    with pytest.raises(ModelError, match=r"calibration\.json does not hold slopes and biases"):
        read_calibrations(path)
    monkeypatch.setattr(calibration, "FILE", path)
    assert any("calibration.json" in reason for reason in Judges().unusable())


def test_what_ships_can_be_read() -> None:
    assert all(each.slope > 0 for each in read_calibrations().values())
