"""Every family of checks there is: its controls, and a run by the command on two of the bots that ship."""

import json
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from chattest.checks.base import CheckContext, families
from chattest.records.result import Verdict
from chattest.settings.declaration import GateSetting, Settings
from chattest.settings.file import read_settings
from tests.support import warm
from tests.support.asking import rows
from tests.support.family_controls import CONTROLS
from tests.support.stand_ins import ROOT

FAMILIES = families.names()


def test_every_family_has_controls() -> None:
    assert sorted(CONTROLS) == sorted(FAMILIES), "add the family's controls in tests/support/family_controls.py"


@pytest.mark.slow
@pytest.mark.parametrize("able", [True, False])
@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_made_to_pass_passes_and_what_is_made_to_fail_fails(tmp_path: Path, name: str, able: bool) -> None:
    control = CONTROLS[name]
    root = control.root(tmp_path / "sets", able)
    found = rows(tmp_path, control.bot(able), name, judges=control.judges(), root=root, **control.settings)
    by_check: dict[str, list[Verdict]] = {}
    for row in found:
        by_check.setdefault(row.check, []).append(row.verdict)
    decided = {check: verdicts for check, verdicts in by_check.items() if {Verdict.PASS, Verdict.FAIL} & set(verdicts)}
    assert len(decided) > 0.9 * len(by_check)
    assert Verdict.ERROR not in {row.verdict for row in found}
    failing = {check for check, verdicts in decided.items() if Verdict.FAIL in verdicts}
    assert failing == (set() if able else set(decided))


def some_of(name: str) -> list[str]:
    """At most three checks of a family, spread over it."""
    codes = [check.code for check in families.get(name).checks(CheckContext(ROOT, Settings()))]
    return codes[:: -(-len(codes) // 3)]


@pytest.fixture(scope="module", params=["alice", "reader"])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A run of `main.py check` over all families, with few questions: the exit code, the rows and the gates.

    The bots that say the same to everything are judged beside one of the two alone: they answer any bot's questions.
    """
    folder = tmp_path_factory.mktemp(request.param)
    checks = [code for name in FAMILIES for code in some_of(name)]
    options = [f'chatters=["eliza", "{request.param}"]', "check_questions=2", "check_articles_drawn=5"]
    options += ["check_floor=false"] if request.param == "reader" else []
    arguments = [*(part for one in options for part in ("--set", one)), "check", *checks]
    done = warm.main(folder, *arguments, program=ROOT / "main.py")
    assert done.returncode in (0, 1), done.stderr
    lines = (folder / "reports" / "check-1" / "results.jsonl").read_text().splitlines()
    return {"code": done.returncode, "told": done.stdout, "rows": list(map(json.loads, lines)), "checks": checks}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_the_command_decides_rows_of_every_family(ran: dict[str, Any], name: str) -> None:
    own = [row for row in ran["rows"] if row["check"].startswith(f"{name}.")]
    assert {row["check"] for row in own} == {code for code in ran["checks"] if code.startswith(f"{name}.")}
    counts = Counter(row["verdict"] for row in own)
    assert counts["PASS"] + counts["FAIL"] > 0
    assert counts["ERROR"] == 0
    assert all(row["reason"] for row in own)


@pytest.mark.slow
def test_gates_are_counted_and_are_the_exit_code(ran: dict[str, Any]) -> None:
    gates = [
        gate
        for gate in read_settings(ROOT / "config.py").gates
        if isinstance(gate, GateSetting) and any(fnmatchcase(code, gate.pattern) for code in ran["checks"])
    ]
    assert gates
    blocked = False
    for gate in gates:
        verdicts = Counter(
            row["verdict"] for row in ran["rows"] if fnmatchcase(row["check"], gate.pattern) and row["dose"] != 0
        )
        total = verdicts["PASS"] + verdicts["FAIL"] + verdicts["ERROR"]
        missed = not total or verdicts["PASS"] / total < gate.min_pass_rate
        blocked |= missed and gate.blocking
        assert (f"gate {gate.pattern} MISSED" in ran["told"]) is missed, gate
    assert ran["code"] == int(blocked)
