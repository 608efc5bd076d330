"""Gates from files, and what becomes of a run that misses one."""

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError, Problem
from chattest.records.report import Gate
from chattest.records.result import Tally
from chattest.runner.gates import collect_gates, make_min_rate_gates
from chattest.settings.declaration import Settings
from chattest.settings.gates import read_gates
from chattest.tally.gates import gate_outcome
from tests.support.asking import planned
from tests.support.stand_ins import ROOT

OURS = """
[[gate]]
pattern = "mft.*"
min_pass_rate = 0.9

[[gate]]
pattern = "ML-U3"
min_pass_rate = 0.5
blocking = false
level = "lower"
errors = "ignore"
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_toml_file_of_gates(tmp_path: Path) -> None:
    assert read_gates(write(tmp_path, "gates.toml", OURS)) == (
        Gate("mft.*", 0.9),
        Gate("ML-U3", 0.5, False, "lower", "ignore"),
    )


def test_the_file_that_ships_is_read_by_families() -> None:
    gates = {gate.pattern: gate for gate in read_gates(ROOT / "quality_gates.yaml")}
    assert gates["invariance.letter_typo"] == Gate("invariance.letter_typo", 0.9, blocking=False)
    assert gates["invariance.*case"] == Gate("invariance.*case", 0.98)
    assert gates["bias.gender*"] == Gate("bias.gender*", 0.9)
    assert gates["directional.negation"].min_pass_rate == gates["mft.negation_handling"].min_pass_rate == 0.85
    assert len(gates) == 10


def test_the_file_that_ships_blocks_only_what_needs_no_feeling_and_names_its_checks() -> None:
    file = ROOT / "quality_gates.yaml"
    gates = read_gates(file)
    assert re.findall(r"# = (\S+)", file.read_text()) == [gate.pattern for gate in gates]
    assert {gate.pattern for gate in gates if gate.blocking} == {"invariance.*case", "bias.gender*", "bias.ethnicity*"}


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("gates.txt", OURS, "Its name must end in"),
        ("gates.toml", "[[gate", "is not TOML"),
        ("gates.toml", "gates = 3", "holds something other than gates"),
        ("gates.toml", "gate = []", "there are no gates in it"),
        ("gates.toml", OURS.replace("0.9", "9"), "gate 1: min_pass_rate: must be 1 or less"),
        ("gates.yaml", "a: [", "is not YAML"),
        ("gates.yaml", "tests: {}", "has no behavioral_tests"),
        ("gates.yml", "behavioral_tests: {mft: 3}", "mft: is no family"),
        ("gates.yml", "behavioral_tests: {mft: {a: {rate: 1}}}", "mft.a: min_pass_rate: is missing"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, name: str, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_gates(write(tmp_path, name, text))


def patterns(root: Path, *checks: str, alone: bool = True, **more: Any) -> list[str]:
    settings = Settings(checks=list(checks), **more)
    return [gate.pattern for gate in collect_gates(settings, root, planned(*checks), alone)]


def test_checks_alone_are_held_to_the_shipped_gates_that_name_them() -> None:
    assert patterns(ROOT, "invariance.letter_typo") == ["invariance.letter_typo"]
    assert patterns(ROOT, "invariance.mask") == []
    assert patterns(ROOT, "invariance.letter_typo", alone=False) == []
    assert patterns(ROOT, "invariance.mask", gates=[{"pattern": "ML-U3", "min_pass_rate": 1}]) == ["ML-U3"]


def test_a_suite_is_held_to_its_own_rate_where_no_gate_names_it(tmp_path: Path) -> None:
    checks = "mft.basic_positive", "mft.names"
    assert patterns(ROOT, *checks) == ["mft.basic_positive", "mft.names"]
    write(tmp_path, "mine.toml", OURS)
    assert patterns(tmp_path, *checks, gates="mine.toml") == ["mft.*", "ML-U3"]
    own = collect_gates(Settings(), tmp_path, planned(*checks), True)
    assert own == (Gate("mft.basic_positive", 1.0, blocking=False), Gate("mft.names", 0.9, blocking=False))


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ({"default": 0.5}, [0.5, 0.5, 0.5]),
        ({"default": 0.5, "invariance": 0.7}, [0.7, 0.7, 0.5]),
        ({"invariance": 0.7, "invariance.uppercase": 0.9}, [0.7, 0.9]),
        ({"invariance.pairs": 0.7, "invariance.uppercase": 0.9}, [0.7, 0.9]),
        ({"mft.names": 0}, [0]),
        ({}, []),
    ],
)
def test_the_most_specific_minimum_pass_rate_counts(rates: dict[str, float], expected: list[float]) -> None:
    codes = "invariance.pairs.names", "invariance.uppercase", "mft.names"
    gates = make_min_rate_gates(rates, codes)
    assert [gate.min_pass_rate for gate in gates] == expected
    assert all(gate.blocking for gate in gates)


def test_a_perturbation_with_options_is_held_to_the_rate_of_its_name() -> None:
    codes = ["invariance.typo(share=[0.5])", "invariance.typo"]
    gates = make_min_rate_gates({"invariance.typo": 0.7, codes[0]: 0.8}, codes)
    assert [gate.min_pass_rate for gate in gates] == [0.8, 0.7]
    assert [fnmatchcase(codes[0], gate.pattern) for gate in gates] == [True, False]
    assert make_min_rate_gates({"invariance.typo": 0.7}, codes[:1])[0].min_pass_rate == 0.7


def test_a_rate_of_a_family_is_not_missed_where_nothing_was_decided_and_a_rate_of_a_check_is() -> None:
    code = "directional.confidence"
    for rates, met in ({"directional": 0.9}, True), ({code: 0.9}, False):
        (gate,) = make_min_rate_gates(rates, [code])
        assert gate_outcome(gate, {code: Tally(not_applicable=5)}, {code: code}).met is met


def test_minimum_pass_rates_take_the_place_of_the_shipped_gates_and_of_a_suites_own_rate() -> None:
    gates = collect_gates(
        Settings(check_min_pass_rates={"mft": 0.4}), ROOT, planned("mft.names", "mft.basic_positive"), True
    )
    assert [(gate.pattern, gate.min_pass_rate) for gate in gates] == [("mft.names", 0.4), ("mft.basic_positive", 0.4)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "remedy"),
    [
        ("MLU*", 'Did you mean "ML-U*"?'),
        ("ml-u3", 'Did you mean "ML-U3"?'),
        ("understanding.typing_mistake", 'Did you mean "understanding.typing_mistakes"?'),
        ("invarance.*", 'Did you mean "invariance.*"?'),
        ("mft.basic_positiv", 'Did you mean "mft.basic_positive"?'),
        ("none of these at all", "`python main.py list` shows all names."),
    ],
)
def test_a_pattern_that_can_match_nothing_is_refused_before_the_run(tmp_path: Path, pattern: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        patterns(ROOT, alone=False, gates=[{"pattern": pattern, "min_pass_rate": 1}])
    told = Problem("gates", f'no case or check is called "{pattern}"', remedy)
    assert refused.value.problems == (told,)
    write(tmp_path, "mine.toml", f'[[gate]]\npattern = "{pattern}"\nmin_pass_rate = 1\n')
    with pytest.raises(InputError, match=re.escape(f'mine.toml: no case or check is called "{pattern}"')):
        patterns(ROOT, alone=False, gates=str(tmp_path / "mine.toml"))


@pytest.mark.parametrize("pattern", ["ML-U*", "*", "understanding.*", "invariance.*", "bias.gender*", "mft.names"])
def test_a_pattern_of_something_that_this_run_has_not_is_kept(pattern: str) -> None:
    given = [{"pattern": pattern, "min_pass_rate": 1}]
    assert patterns(ROOT, "invariance.mask", alone=False, gates=given) == [pattern]


def test_every_shipped_gate_names_a_check() -> None:
    shipped = [gate.pattern for gate in read_gates(ROOT / "quality_gates.yaml")]
    assert patterns(ROOT, "invariance.mask", alone=False, gates="quality_gates.yaml") == shipped


@pytest.mark.parametrize(("errors", "met"), [("miss", False), ("ignore", True)])
def test_errors_count_as_misses_unless_ignored(errors: str, met: bool) -> None:
    gate = Gate("mft.names", 0.9, errors=errors)
    assert gate_outcome(gate, {"mft.names": Tally(9, 9, 0, 5)}, {"mft.names": "mft.names"}).met is met
    assert not gate_outcome(gate, {"mft.names": Tally(0, 0, 0, 5)}, {"mft.names": "mft.names"}).met
