"""What a judge's sureness is worth: worked out by hand, and by trying every order."""

from itertools import permutations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chattest.judging.who_judges import least_sure
from chattest.scorers.base import Item
from chattest.settings.declaration import Settings
from chattest.validation.labelled import CoherentReply
from chattest.validation.measured import Validation
from chattest.validation.plots import format_deferral, write_curves
from chattest.validation.selective import compute_selective
from chattest.validation.validate import validate
from tests.support.calibrations import calibrate
from tests.support.named_judges import Fits, NamedJudges

RIGHT = (True, True, False, True, False)
SURE = (0.9, 0.8, 0.7, 0.6, 0.5)


def test_the_curves_worked_out_by_hand() -> None:
    found = compute_selective(RIGHT, SURE)
    assert found.risks == pytest.approx((0, 0, 1 / 3, 1 / 4, 2 / 5))
    assert found.area == pytest.approx((1 / 3 + 1 / 4 + 2 / 5) / 5)
    assert found.with_better == pytest.approx((0.6, 0.8, 0.8, 1, 1, 1))
    assert found.best_risks == pytest.approx((0, 0, 0, 1 / 4, 2 / 5))
    assert [found.accuracy(share) for share in (0, 0.2, 0.6, 1)] == pytest.approx([0.6, 0.8, 1, 1])
    assert [found.share_for(accuracy) for accuracy in (0.5, 0.7, 0.9, 1)] == pytest.approx([0, 0.2, 0.6, 0.6])


def test_verdicts_that_are_equally_sure_count_as_in_every_order() -> None:
    right, sure = (True, False, True, False), (0.9, 0.6, 0.6, 0.6)
    orders = [[right[0], *(right[at] for at in order)] for order in permutations((1, 2, 3))]
    apart = [compute_selective(order, (0.9, 0.8, 0.7, 0.6)) for order in orders]
    found = compute_selective(right, sure)
    assert found.risks == pytest.approx([sum(one.risks[at] for one in apart) / 6 for at in range(4)])
    assert found.with_better == pytest.approx([sum(one.with_better[at] for one in apart) / 6 for at in range(5)])


@pytest.mark.parametrize("order", [SURE, SURE[::-1], (0.5,) * 5, (0.1, 0.9, 0.3, 0.3, 0.2)])
def test_both_curves_keep_their_ends_and_no_order_beats_the_best(order: tuple[float, ...]) -> None:
    found = compute_selective(RIGHT, order)
    assert (found.risks[-1], found.with_better[0], found.with_better[-1]) == pytest.approx((0.4, 0.6, 1))
    assert list(found.with_better) == sorted(found.with_better)
    assert found.area >= found.least_area - 1e-12


@pytest.mark.parametrize(("right", "sure"), [((), ()), ((True,), ())])
def test_nothing_to_show_is_refused(right: tuple[bool, ...], sure: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="one at least"):
        compute_selective(right, sure)


@pytest.fixture(autouse=True)
def calibrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, prompt_coherence=1.0, coherence=1.0)


REPLIES = {"a": (0.9, True), "b": (0.7, True), "c": (0.6, False), "d": (0.2, False), "e": (0.45, True)}
"""Reply -> what the embedded judge says, and whether it fits."""


def measured(models: object = "embedded", **settings: object) -> tuple[list[Validation], NamedJudges]:
    embedded = Fits("embedded", {reply: fit for reply, (fit, _) in REPLIES.items()})
    right = Fits("right", {reply: float(label) for reply, (_, label) in REPLIES.items()})
    judges = NamedJudges(models, embedded, right, Fits("wrong", lambda reply: 1 - right.fits(reply)))
    cases = [
        CoherentReply(kind="coherence", context=(), prompt="Hm?", reply=reply, label=label)
        for reply, (_, label) in REPLIES.items()
    ]
    bars = {"threshold_coherence_prompt": 0.5, "threshold_coherence_conversation": 0.5}
    given = Settings(models=models, **bars, **settings)
    return validate(cases, given, judges), judges


@pytest.mark.parametrize(
    ("models", "settings", "accuracy"),
    [
        ("embedded", {}, 0.6),
        ({"coherence": "right"}, {}, 1.0),
        ({"coherence": "right"}, {"defer": 0.2}, 0.8),
        ({"coherence": "right"}, {"defer": 0.4}, 1.0),
        ({"coherence": ["right", "wrong", "embedded"]}, {}, 0.6),
        ({"coherence": ["right", "wrong"]}, {"panel_rule": "all"}, 0.4),
    ],
)
def test_panels_and_deferral_are_measured_like_any_judge(
    models: object, settings: dict[str, object], accuracy: float
) -> None:
    assert [found.accuracy for found in measured(models, **settings)[0]] == pytest.approx([accuracy] * 2)


def test_the_curve_says_what_deferring_to_a_judge_that_is_never_wrong_gives() -> None:
    """Both choose the same verdicts: what is drawn is what `defer` does."""
    alone = measured()[0][0]
    assert alone.deferral()["accuracy"] == 0.6
    for share in (0.2, 0.4, 0.6):
        (found, _), _ = measured({"coherence": "right"}, defer=share)
        assert found.accuracy == pytest.approx(alone.selective().accuracy(share))
    items = [Item("Hm?", reply) for reply in REPLIES]
    assert least_sure(items, alone.sure, 0.4) == [2, 4]


def test_the_table_and_the_picture(tmp_path: Path) -> None:
    found = measured()[0]
    head, *rows = format_deferral(found)
    assert head.split()[:3] == ["kind", "n", "accuracy"]
    assert rows[0].split() == ["coherence", "5", "0.600", "0.800", "0.800", "1.000", "1.000", "0.130", "0.130"]
    write_curves(found, tmp_path / "curves.svg")
    drawn = ElementTree.parse(tmp_path / "curves.svg").getroot()
    assert len(drawn.findall("{*}g")) == 2 * len(found)
    assert "prompt_coherence: accuracy" in [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
