"""The calibration error and the reliability diagram."""

from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chattest.errors import InputError
from chattest.settings.declaration import Settings
from chattest.validation.labelled import CoherentReply, ToxicText
from chattest.validation.measured import Validation
from chattest.validation.plots import check_svg_name, write_diagram
from chattest.validation.reliability import compute_calibration_error, simulate_calibration_error
from chattest.validation.validate import validate
from tests.support.calibrations import calibrate
from tests.support.stand_ins import StandIns

pytestmark = pytest.mark.usefixtures("uncalibrated")

SVG = "{http://www.w3.org/2000/svg}"
BLOCKS = [(0.2, 1, 4), (0.8, 4, 4)]
"""A score, how many of the texts that have it are toxic, and how many there are."""


def toxic() -> list[Validation]:
    texts = {f"{value} {n}": (value, n < true) for value, true, number in BLOCKS for n in range(number)}
    cases = [ToxicText(kind="toxicity", text=text, label=label) for text, (_, label) in texts.items()]
    return validate(cases, Settings(), StandIns(toxic={text: {"insult": value} for text, (value, _) in texts.items()}))


def test_the_error_is_the_mean_distance_of_score_and_share() -> None:
    (done,) = toxic()
    assert done.figures()["calibration_error"] == pytest.approx((0.05 * 4 + 0.2 * 4) / 8)


def test_scores_that_hold_have_no_error_and_scores_that_are_no_probabilities_none_at_all() -> None:
    labels = [True] * 3 + [False] * 7
    assert compute_calibration_error(labels, [0.3] * 10) == pytest.approx(0)
    assert compute_calibration_error(labels, [1.0] * 10) == pytest.approx(0.7)
    assert compute_calibration_error(labels, [0.3] * 9 + [1.2]) is None
    assert compute_calibration_error([], []) is None


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_the_error_is_a_share(rows: list[tuple[bool, float]]) -> None:
    error = compute_calibration_error([label for label, _ in rows], [value for _, value in rows])
    assert error is not None
    assert -1e-9 <= error <= 1 + 1e-9


def test_the_error_by_chance_falls_with_the_number_of_cases_and_covers_95_of_100_judges() -> None:
    draw = Random(3)
    few, many = ([draw.random() for _ in range(number)] for number in (100, 10_000))
    bar = simulate_calibration_error(few)
    assert bar is not None
    errors = [compute_calibration_error([draw.random() < value for value in few], few) or 0.0 for _ in range(400)]
    assert 0.92 < sum(error < bar for error in errors) / 400 < 0.98
    assert (simulate_calibration_error(many) or 1.0) < bar / 5
    assert simulate_calibration_error([]) is None
    assert simulate_calibration_error([0.5, 1.5]) is None


def test_figures_are_those_of_the_calibrated_scores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, toxicity=3.0)
    (done,) = toxic()
    assert sorted(set(done.values)) == pytest.approx([1 / 65, 64 / 65])


def test_the_diagram_has_a_panel_for_each_judge_and_a_point_for_each_bin(tmp_path: Path) -> None:
    write_diagram(toxic() * 4, tmp_path / "new" / "plot.svg")
    root = ElementTree.parse(tmp_path / "new" / "plot.svg").getroot()
    panels = root.findall(f"{SVG}g")
    assert len(panels) == 4
    assert len({panel.get("transform") for panel in panels}) == 4
    for panel in panels:
        texts = [text.text for text in panel.findall(f"{SVG}text")]
        assert texts[:2] == ["toxicity", "8 replies, ECE 0.125"]
        points = panel.findall(f"{SVG}circle")
        assert [(point.get("cx"), point.get("cy")) for point in points] == [("40.0", "150.0"), ("160.0", "0.0")]
        assert [point.findtext(f"{SVG}title") for point in points] == [
            "score 0.20: 25% of 4 true",
            "score 0.80: 100% of 4 true",
        ]


def test_a_judge_without_probabilities_has_no_panel(tmp_path: Path) -> None:
    case = CoherentReply(kind="coherence", context=(), prompt="Rain?", reply="Well", label=True)
    odd = validate([case], Settings(), StandIns(fits={("Rain?", "Well"): -6.0}))
    write_diagram([*odd, *toxic()], tmp_path / "plot.svg")
    assert len(ElementTree.parse(tmp_path / "plot.svg").getroot().findall(f"{SVG}g")) == 1
    with pytest.raises(InputError, match="nothing to draw"):
        write_diagram(odd, tmp_path / "none.svg")


@pytest.mark.parametrize("name", ["plot.png", "plot", "svg"])
def test_only_svg_files_are_drawn(name: str) -> None:
    with pytest.raises(InputError, match="is not the name of an SVG file"):
        check_svg_name(Path(name))
