"""When a run knows enough: narrow intervals, gates that are decided, and the words for it."""

from collections.abc import Sequence
from typing import Any

import pytest

from chattest.records.conversation import Conversation, Session
from chattest.records.plan import ProbePlan
from chattest.records.report import Gate
from chattest.records.result import Result, Tally, Verdict
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import compute_clustered_interval
from chattest.statistics.confidence_sequences import compute_always_valid_interval
from chattest.tally.estimates import ALWAYS_VALID, estimate_rates
from chattest.tally.gates import decide_gate
from chattest.tally.rates import tally_by_check
from chattest.tally.stopping import describe_progress, make_table, measure_precision
from chattest.tally.stopping_targets import NO_TARGETS, StoppingTargets, read_targets

P, F, E, N = Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.NOT_APPLICABLE


def rows(code: str, *talks: Sequence[Verdict]) -> list[Result]:
    """Rows of conversations 1, 2, ..., each with these verdicts."""
    return [
        Result(code, run, f"run-{run:03d}", place, verdict)
        for run, talk in enumerate(talks, start=1)
        for place, verdict in enumerate(talk)
    ]


def effort(held: int, most: int = 40, **widths: float) -> StoppingTargets:
    named = {code.replace("_", "-"): width for code, width in widths.items()}
    return StoppingTargets(named, most, {run: run for run in range(1, held + 1)})


def test_a_rate_is_known_once_its_interval_is_narrow() -> None:
    wide = measure_precision(rows("ML-U3", *[[P, P]] * 5), [], effort(5, ML_U3=0.15))
    assert not wide[0].enough
    assert describe_progress(wide, effort(5, ML_U3=0.15)).startswith(
        "held 5 of 40 conversations: ML-U3 is known to ±0.3"
    )
    narrow = measure_precision(rows("ML-U3", *[[P, P]] * 15), [], effort(15, ML_U3=0.15))
    assert narrow[0].enough
    assert narrow[0].interval == compute_always_valid_interval([2] * 15, [2] * 15, 0.15)
    assert (
        describe_progress(narrow, effort(15, ML_U3=0.15))
        == "stopped after 15 of 40 conversations: ML-U3 is known to ±0.13"
    )
    assert describe_progress(narrow, effort(15, 15, ML_U3=0.15)).startswith("held all 15 conversations: ")


def test_nothing_is_known_where_nothing_was_decided() -> None:
    (found,) = measure_precision(rows("ML-U3", [N], [E]), [], effort(2, ML_U3=0.1))
    assert (found.interval, found.half, found.enough) == (None, 0.5, False)
    assert make_table([found], effort(2, ML_U3=0.1)).rows == (("ML-U3", 0.1, 0.5, None, None, "no"),)


@pytest.mark.parametrize(("talk", "least", "decided"), [([P, P], 0.5, True), ([F, F], 0.5, True), ([P, F], 0.5, False)])
def test_a_gate_is_decided_on_either_side(talk: list[Verdict], least: float, decided: bool) -> None:
    gates = [Gate("ML-U*", least), Gate("ML-I1", 0.9)]
    (found,) = measure_precision(rows("ML-U3", *[talk] * 12), gates, effort(12, ML_U3=0.01))
    assert [each.gate for each in found.gates] == gates[:1]
    assert found.enough is decided
    assert ("gate ML-U* is decided: " in found.words) is decided


def test_all_gates_on_a_case_have_to_be_decided() -> None:
    both = [Gate("ML-U3", 0.2), Gate("understanding.*", 0.99)]
    (found,) = measure_precision(rows("ML-U3", *[[P, P]] * 12), both, effort(12, ML_U3=0.01))
    assert [each.decided for each in found.gates] == [True, False]
    assert not found.enough


def test_a_gate_counts_errors_as_it_does_in_the_report() -> None:
    seen = rows("ML-U3", *[[P, E]] * 12)
    for errors, best in (("miss", 0.8), ("ignore", 1.0)):
        gate = Gate("ML-U3", 0.5, errors=errors)
        (found,) = measure_precision(seen, [gate], effort(12, ML_U3=0.01))
        bounds = found.gates[0].interval
        assert bounds is not None
        assert (bounds[1] < best) is (errors == "miss")
        names = {"ML-U3": "understanding.typing_mistakes"}
        shown = decide_gate(gate, tally_by_check(seen), names, seen, effort=effort(12, ML_U3=0.01))
        assert shown.interval == bounds


def test_gates_of_single_questions_and_of_corrected_rates_wait_for_the_end() -> None:
    gates = [Gate("*", 0.5), Gate("ML-U3", 0.5, level="corrected_lower")]
    seen, wanted = rows("ML-U3", *[[P, P]] * 12), effort(12, ML_U3=0.01)
    assert not measure_precision(seen, gates, wanted, ["mft.names"])[0].gates
    assert [each.gate for each in measure_precision(seen, gates, wanted)[0].gates] == gates[:1]


def test_a_gate_on_an_experimental_case_is_decided_only_if_it_names_the_case() -> None:
    gates = [Gate("ML-*", 0.5), Gate("ML-I2", 0.5), Gate("intelligence.conversation_coherence", 0.5)]
    (found,) = measure_precision(rows("ML-I2", *[[P, P]] * 12), gates, effort(12, ML_I2=0.01))
    assert [each.gate for each in found.gates] == gates[1:]
    assert found.enough


def test_sessions_of_a_group_count_once() -> None:
    seen = rows("ML-M8", *[[P]] * 20)
    paired = StoppingTargets({"ML-M8": 0.1}, 40, {run: run - (run - 1) % 2 for run in range(1, 21)})
    assert paired.tally_by_unit(seen) == [Tally(2, 2)] * 10
    assert measure_precision(seen, [], paired)[0].interval == compute_always_valid_interval([2] * 10, [2] * 10, 0.1)


def test_conversations_count_in_the_order_in_which_they_were_held() -> None:
    seen = rows("ML-U3", [P], [F], [N], [P, F])
    assert effort(4, ML_U3=0.1).tally_by_unit(reversed(seen)) == [
        Tally(1, 1),
        Tally(0, 1),
        Tally(0, 0, 1),
        Tally(1, 2),
    ]


def test_what_a_run_asks_for_stands_in_its_settings() -> None:
    def talk(run: int, group: int | None = None) -> Conversation:
        place = None if group is None else Session(group, 0, "a")
        return Conversation(run, f"1/{run}", ("a", "b"), (), ProbePlan(2), {}, session=place)

    talks = [talk(1), talk(2, 2), talk(3, 2)]
    found = read_targets({"stop_when": {"ML-I1": 0.1}, "max_runs": 9}, talks)
    assert found == StoppingTargets({"ML-I1": 0.1}, 9, {1: 1, 2: 2, 3: 2})
    assert read_targets({"stop_when": {"ML-I1": 0.1}}, talks).most == 5
    assert read_targets({"max_runs": 9}, talks) is NO_TARGETS
    assert read_targets({}, talks).find_smallest_half_width(["ML-I1"]) is None
    targets = StoppingTargets({"ML-I1": 0.1, "ML-U3": 0.05, "ML-U4": 0.01})
    assert targets.find_smallest_half_width(["ML-I1", "ML-U3"]) == 0.05


def test_only_the_cases_that_are_named_get_another_interval() -> None:
    talks: Any = [[P, P, F], [P, P, P], [P, F, P]] * 4
    seen = [*rows("ML-U3", *talks), *rows("ML-U4", *talks)]
    found = estimate_rates(seen, Settings(), {}, effort=effort(12, ML_U3=0.1))
    passed, totals = [sum(each is P for each in talk) for talk in talks], [3] * 12
    assert found["ML-U4"] == estimate_rates(seen, Settings(), {})["ML-U4"]
    assert found["ML-U4"].interval == compute_clustered_interval(passed, totals)
    stopped = found["ML-U3"]
    assert (stopped.interval, stopped.always_valid) == (compute_always_valid_interval(passed, totals, 0.1), True)
    assert stopped.notes[0] == ALWAYS_VALID
    assert not any("needed for a reliable" in note for note in stopped.notes)
    wide, narrow = (found[code].interval or (0.0, 0.0) for code in ("ML-U3", "ML-U4"))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
