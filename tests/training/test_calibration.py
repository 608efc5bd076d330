"""The fit of the calibration: what it learns from, that it finds what is there, and the thresholds it proposes."""

import random
from functools import partial
from math import inf
from pathlib import Path

import pytest

from chattest.errors import InputError
from chattest.models import calibration as shipped
from chattest.models.calibration import Calibration, read_calibrations
from chattest.scorers.base import scorers
from chattest.statistics.judges import Accuracy, compute_corrected_variance, correct_rate
from chattest.validation.labelled import Closed, Consistent, Labelled, Open, SameQuestion, ToxicText
from tests.support.stand_ins import ROOT, StandIns
from training import calibration
from training.labelled_rows import group_of, labelled_rows
from training.written_rows import read_written

LOSS = partial(compute_corrected_variance, rate=0.8, replies=200)


def toxic(number: int, rng: random.Random) -> tuple[list[Labelled], StandIns]:
    """Texts whose model is too sure: its log-odds are twice those of the truth."""
    cases: list[Labelled] = []
    scores = {}
    for index in range(number):
        true = rng.random()
        scores[f"text {index}"] = {"insult": Calibration(2.0).probability(true)}
        cases.append(ToxicText(kind="toxicity", text=f"text {index}", label=rng.random() < true))
    return cases, StandIns(toxic=scores)


def test_the_fit_finds_the_slope_that_was_hidden_and_the_error_falls() -> None:
    cases, judges = toxic(3000, random.Random(1))
    found, left_out = calibration.fit_all([cases], judges, LOSS)
    figures = found["toxicity"]
    assert figures.calibration.slope == pytest.approx(0.5, abs=0.05)
    assert figures.calibration.biases == {"true": pytest.approx(0, abs=0.1)}
    assert figures.error_before is not None
    assert figures.error_after is not None
    assert figures.error_before > 0.08 > 0.03 > figures.error_after
    assert any(line.startswith("open stays as it was") for line in left_out)
    row = calibration.lines(found)[1].split()
    assert row[:2] == ["toxicity", "3000"]
    assert row[4] == f"{figures.threshold:.2f}"


def test_the_proposed_threshold_is_the_most_precise_one() -> None:
    cases, judges = toxic(1000, random.Random(2))
    scorer = scorers.get("toxicity")
    judged = calibration.judged_cases(scorer, cases, judges)
    figures = calibration.fitted(scorer, judged, LOSS)
    scores = calibration.calibrated(scorer, judged, figures.calibration)

    def at(bar: float) -> Accuracy:
        passed = [(score.value or 0) <= bar for score in scores]
        right = [not case.label for case in judged]
        hits = sum(good and passes for good, passes in zip(right, passed, strict=True))
        misses = sum(not good and not passes for good, passes in zip(right, passed, strict=True))
        return Accuracy(sum(right), hits, len(right) - sum(right), misses)

    assert figures.threshold is not None
    assert figures.accuracy == at(figures.threshold)
    assert LOSS(figures.accuracy) == min(LOSS(at(hundredths / 100)) for hundredths in range(1, 100))


def test_the_variance_is_that_of_the_corrected_rate() -> None:
    """The half interval of `correct_rate`, where the reported rate is the expected one, is near 1.96 deviations."""
    judge = Accuracy(2000, 1800, 2000, 1700)
    reported = 0.8 * 0.9 + 0.2 * 0.15
    found = correct_rate(reported * 500, 500, judge)
    assert (found.high - found.low) / 2 == pytest.approx(
        1.96 * compute_corrected_variance(judge, 0.8, 500) ** 0.5, rel=0.02
    )
    assert compute_corrected_variance(judge, 0.8, 500) > compute_corrected_variance(judge, 0.8, 5000)
    assert compute_corrected_variance(Accuracy(10, 5, 10, 5), 0.8, 500) == inf


def test_the_three_readings_are_fitted_together() -> None:
    """The model says yes too often: half of its log-odds for yes over no are a bias."""
    rng = random.Random(3)
    cases: list[Labelled] = []
    readings = {}
    for index in range(1500):
        yes, no, neither = (rng.expovariate(1) for _ in range(3))
        parts = {"yes": yes, "no": no, "neither": neither}
        said = rng.choices(list(parts), list(parts.values()))[0]
        model = Calibration(1.0, {"yes": 1.5}).probabilities(
            {name: part / (yes + no + neither) for name, part in parts.items()}
        )
        reply = f"reply {index}"
        readings[reply] = (model["yes"], model["no"], model["neither"])
        cases += [
            Closed(kind="closed", question=reply, expected=answer, reply=reply, label=said == answer)
            for answer in ("yes", "no")
        ]
    found, _ = calibration.fit_all([cases], StandIns(readings=readings), LOSS)
    figures = found["closed"]
    assert figures.calibration.slope == pytest.approx(1, abs=0.15)
    assert figures.calibration.biases["yes"] == pytest.approx(-1.5, abs=0.3)
    assert figures.calibration.biases["no"] == pytest.approx(0, abs=0.3)
    assert figures.threshold is None


def test_a_judge_that_is_wrong_more_often_than_right_keeps_its_order() -> None:
    cases: list[Labelled] = [
        ToxicText(kind="toxicity", text=f"{value} {n}", label=value < 0.5) for value in (0.2, 0.8) for n in range(20)
    ]
    judges = StandIns(toxic={case.text: {"insult": float(case.text[:3])} for case in cases})  # type: ignore[union-attr]
    scorer = scorers.get("toxicity")
    assert calibration.fit(scorer, calibration.judged_cases(scorer, cases, judges)).slope > 0


def test_the_written_rows_come_in_the_labelled_forms_and_none_is_held_out() -> None:
    cases = labelled_rows("choosing")
    by_kind = {kind: [case for case in cases if case.kind == kind] for kind in {case.kind for case in cases}}
    assert set(by_kind) == {"open", "closed", "coherence", "toxicity", "consistency", "same_question"}
    assert len(by_kind["closed"]) == 2 * len(read_written("closed", "choosing"))
    assert len(by_kind["open"]) == len(read_written("open", "choosing"))
    for kind, chosen in by_kind.items():
        assert {case.label for case in chosen} == {True, False}, kind
        assert len({group_of(case) for case in chosen}) >= calibration.FOLDS, kind
    replies = {case.reply for case in by_kind["consistency"] if isinstance(case, Consistent)}
    assert replies == {row["reply"] for row in read_written("consistency", "choosing") if row["speaker"] == "bot"}
    held_out = {row["second"] for row in read_written("same-question", "held-out")}
    assert not held_out & {case.second for case in by_kind["same_question"] if isinstance(case, SameQuestion)}


def test_some_closed_questions_are_answered_by_replies_to_others() -> None:
    cases = labelled_rows("choosing")
    replies = [case.reply for case in cases if isinstance(case, Open)]
    made = calibration.with_strangers(cases, replies)
    closed = [case for case in cases if isinstance(case, Closed)]
    added = made[len(cases) :]
    assert made[: len(cases)] == cases
    assert len(added) == len(closed) // calibration.STRANGERS
    assert all(isinstance(case, Closed) and case.reply in replies and not case.label for case in added)
    assert {case.expected for case in added if isinstance(case, Closed)} == {"yes", "no"}
    assert made == calibration.with_strangers(cases, replies)


def test_files_that_only_measure_are_refused() -> None:
    folder = ROOT / "tests" / "data" / "judging"
    assert calibration.read_files([folder / "open-tune.jsonl"])
    assert calibration.read_files([]) == []
    with pytest.raises(InputError, match="held out"):
        calibration.read_files([folder / "open-tune.jsonl", folder / "closed-held-out.jsonl"])


def test_the_command_fits_prints_and_keeps_what_it_did_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases, judges = toxic(200, random.Random(4))
    monkeypatch.setattr(calibration, "labelled_rows", lambda part: cases if part == "choosing" else pytest.fail(part))
    monkeypatch.setattr(calibration, "Judges", lambda models: judges)
    before = shipped.FILE.read_bytes()
    path = tmp_path / "calibration.json"
    shipped.write_calibrations({"open": Calibration(0.7)}, path)
    calibration.main(["--fit", "--output", str(path)])
    assert set(read_calibrations(path)) == {"open", "toxicity"}
    assert read_calibrations(path)["open"] == Calibration(0.7)
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].startswith("toxicity")
    assert printed[-1] == f"Stored in {path}"
    calibration.main(["--fit", "--kinds", "closed", "--output", str(path)])
    assert capsys.readouterr().out.splitlines()[1].startswith("closed stays as it was")
    assert shipped.FILE.read_bytes() == before
