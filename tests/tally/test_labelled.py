"""A person's labels in the rates of a report, and in its gates."""

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from chattest.records.label import Label, Opinion
from chattest.records.report import Estimate, Gate
from chattest.records.result import Result, Verdict
from chattest.settings.declaration import Settings
from chattest.statistics.judges import Accuracy
from chattest.storage.judge_accuracy import Measured
from chattest.storage.labels import make_row_keys
from chattest.tally.estimates import estimate_rates
from chattest.tally.gates import decide_gate
from chattest.tally.labelled import LabelledRows, correct_by_labels, explain_unusable
from chattest.tally.rates import tally_by_check
from tests.support.labelled_rows import NOW, at_random, bot, label, seen

KNOWN = {"toxicity": Measured(Accuracy(400, 380, 400, 380), Settings().threshold("threshold_toxicity"), ("a-bot",))}


def test_a_bot_that_the_judge_misreads_gets_its_true_rate() -> None:
    covered = 0
    for seed in range(10):
        rows, truth = bot(seed)
        found = estimate_rates(rows, Settings(), KNOWN, seen(rows, at_random(rows, truth, 60, seed)))["ML-P1"].corrected
        assert found is not None
        assert found.labels == 60
        covered += found.interval[0] <= 0.8 <= found.interval[1]
        assert found.interval[1] - found.interval[0] < 0.25
    assert covered >= 8
    # The figures measured on others' replies promise a rate that is far off, and are sure of it.
    wrong = estimate_rates(rows, Settings(), KNOWN)["ML-P1"].corrected
    assert wrong is not None
    assert wrong.labels == 0
    assert wrong.interval[1] < 0.65


def test_several_people_and_those_who_cannot_tell() -> None:
    rows, truth = bot(3)
    chosen = Random(1).sample(range(len(rows)), 42)
    labels = label(rows, truth, chosen[:40], 0.07)
    other = Label(key=labels[0].key, case="ML-P1", verdict=Opinion.CANNOT_TELL, by="ben", at=NOW)
    split = Label(key=labels[1].key, case="ML-P1", verdict=Opinion.FAIL if truth[chosen[1]] else Opinion.PASS,
                  by="ben", at=NOW)  # fmt: skip
    key = make_row_keys(rows, ())[chosen[41]]
    unsure = Label(key=key, case="ML-P1", verdict=Opinion.CANNOT_TELL, by="anna", at=NOW, probability=0.07)
    assert seen(rows, [*labels, other]).of(["ML-P1"]).drawn == 40
    assert seen(rows, [*labels, split]).of(["ML-P1"]).drawn == 39
    assert seen(rows, [*labels, unsure]).of(["ML-P1"]).drawn == 40
    changed = Label(key=labels[0].key, case="ML-P1", verdict=Opinion.CANNOT_TELL, by="anna", at=NOW + timedelta(1))
    assert seen(rows, [*labels, changed]).of(["ML-P1"]).drawn == 39


def test_few_labels_do_not_correct() -> None:
    rows, truth = bot(3)
    found = estimate_rates(rows, Settings(), KNOWN, seen(rows, at_random(rows, truth, 9)))["ML-P1"]
    assert found.corrected is not None
    assert found.corrected.labels == 0
    assert "Only 9 labels drawn at random; at least 10 are needed to correct the rate." in found.notes
    some = estimate_rates(rows, Settings(), KNOWN, seen(rows, at_random(rows, truth, 12)))["ML-P1"]
    assert "12 labels drawn at random; at least 30" in some.notes[-1]


def test_labels_of_replies_that_have_changed_do_not_correct() -> None:
    rows, truth = bot(3)
    later, _ = bot(8)  # another version: other replies are right
    labels = at_random(rows, truth, 60)
    known = seen(later, labels)
    assert 0 < known.of(["ML-P1"]).drawn < 54
    assert "not in this run" in explain_unusable(known.of(["ML-P1"]), "ML-P1")
    assert correct_by_labels(known.of(["ML-P1"]), ["ML-P1"]) is None
    again = seen(rows, [*labels, *at_random(*bot(90, check="ML-P1"), 60)])  # two runs' labels in one file
    assert explain_unusable(again.of(["ML-P1"]), "ML-P1") == ""


@pytest.mark.slow
def test_the_most_doubtful_replies_are_known_and_do_not_bias() -> None:
    # The judge fails replies that it is unsure of, right or wrong; it is in doubt about one in ten.
    errors = []
    for seed in range(30):
        rows, truth = bot(seed, misread=0.0)
        rng = Random(seed)
        unsure = set(rng.sample(range(len(rows)), 60))
        rows = [
            replace(row, verdict=Verdict.FAIL if place in unsure else row.verdict, in_doubt=place in unsure)
            for place, row in enumerate(rows)
        ]
        drawn = rng.sample(range(len(rows)), 40)
        by_doubt = sorted(unsure - set(drawn))
        labels = label(rows, truth, drawn, 40 / 600) + label(rows, truth, by_doubt, None)
        known = correct_by_labels(seen(rows, labels).of(["ML-P1"]), ["ML-P1"])
        part = correct_by_labels(seen(rows, labels[:-1]).of(["ML-P1"]), ["ML-P1"])  # one is not looked at
        assert known is not None
        assert part is not None
        assert (known.known, part.known) == (len(by_doubt), 0)
        assert known.margin < part.margin
        errors.append(known.rate - sum(truth) / len(truth))
    assert abs(sum(errors) / len(errors)) < 0.01


def test_equal_texts_share_a_label() -> None:
    rows, truth = bot(3, conversations=30)
    twice = [*rows, *(Result(row.check, row.run + 30, f"again-{row.run}", row.round, row.verdict, row.prompt, row.reply)
                      for row in rows)]  # fmt: skip
    labels = at_random(rows, truth, 60)
    one = correct_by_labels(seen(rows, labels).of(["ML-P1"]), ["ML-P1"])
    both = correct_by_labels(seen(twice, labels).of(["ML-P1"]), ["ML-P1"])
    assert one is not None
    assert both is not None
    assert both.labels == one.labels == 60
    assert both.rate == pytest.approx(one.rate)
    assert both.interval[1] - both.interval[0] > 0.9 * (one.interval[1] - one.interval[0])


def gated(rows: list[Result], known: LabelledRows, least: float, **more: Any) -> Any:
    tallies = tally_by_check(rows)
    made = estimate_rates(rows, Settings(), KNOWN, known)
    gate = Gate(more.pop("pattern", "ML-*"), least, level="corrected_lower", **more)
    return decide_gate(gate, tallies, {code: code for code in tallies}, rows, made, known)


def test_gates_on_the_lower_bound_of_the_corrected_rate() -> None:
    rows, truth = bot(3)
    known = seen(rows, at_random(rows, truth, 60))
    found = estimate_rates(rows, Settings(), KNOWN, known)["ML-P1"].corrected
    assert found is not None
    assert gated(rows, known, found.interval[0] - 0.01).met
    missed = gated(rows, known, found.interval[0] + 0.01)
    assert not missed.met
    assert (missed.rate, missed.interval) == (found.rate, found.interval)
    # An error is a miss, unless the gate ignores errors.
    failed = [*rows, *(Result("ML-P1", 99, "run-099", place, Verdict.ERROR) for place in range(200))]
    assert gated(failed, known, 0.01).rate == pytest.approx(0.75 * found.rate)
    assert gated(failed, known, 0.01, errors="ignore").rate == pytest.approx(found.rate)


def test_gates_over_several_checks() -> None:
    rows, truth = bot(3)
    more, true = bot(4, check="ML-I3")
    labels = at_random(rows, truth, 60)
    untold = gated([*rows, *more], seen([*rows, *more], labels), 0.1)
    assert (untold.met, untold.rate) == (False, None)
    assert untold.reason == "ML-I3 cannot be corrected: label some of the replies"
    known = seen([*rows, *more], [*labels, *at_random(more, true, 60)])
    found = gated([*rows, *more], known, 0.1)
    assert found.met
    single = [gated([*rows, *more], known, 0.1, pattern=code).interval for code in ("ML-P1", "ML-I3")]
    assert found.interval[0] > min(low for low, _ in single)
    assert found.interval[1] - found.interval[0] < min(high - low for low, high in single)
    rule = [Result("ML-A6", row.run, row.conversation, row.round, Verdict.PASS, row.prompt, row.reply) for row in rows]
    mixed = gated([*rows, *rule], seen([*rows, *rule], labels), 0.1)
    assert mixed.rate == pytest.approx((gated(rows, seen(rows, labels), 0.1).rate + 1) / 2)


def test_without_labels_nothing_changes() -> None:
    rows, _ = bot(3)
    assert estimate_rates(rows, Settings(), KNOWN, seen(rows, [])) == estimate_rates(rows, Settings(), KNOWN)
    assert isinstance(estimate_rates(rows, Settings(), {}, seen(rows, []))["ML-P1"], Estimate)
