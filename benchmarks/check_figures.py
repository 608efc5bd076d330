"""What the checks of single questions say of two bots that ship, and how many questions each perturbation applies to.

    python -m benchmarks.check_figures [--only coverage|alice|reader] [--json docs/checks.json]

The tables of docs/checks.md and docs/perturbations.md are made from this file (docs/_checks.py). The bots are asked
all checks there are, with five questions for each perturbation and seed 1, as the command on that page does. What is
not measured this time keeps its figures.
"""

import argparse
import json
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from chattest import check
from chattest.checks._altered import alter_question
from chattest.datasets.questions import read_questions
from chattest.files.atomic import write_whole
from chattest.perturbations.base import perturbations
from chattest.records.result import Result, Verdict
from chattest.runner.questions.checks import plan_checks, questions
from chattest.settings.declaration import Settings

ROOT = Path(__file__).resolve().parents[1]
BOTS = ("alice", "reader")
QUESTIONS, SEED = 5, 1


def coverage() -> dict[str, Any]:
    """How many of the shipped questions each available perturbation alters, and how many different ones are asked."""
    entries = read_questions(ROOT / "testsets")
    usable = [each for each in perturbations if not each.unavailable()]
    counts = {each.name: sum(bool(alter_question(entry, each, Random(SEED))) for entry in entries) for each in usable}
    asked = len(questions(plan_checks(Settings(check_questions=QUESTIONS, seed=SEED), ROOT)))
    return {"questions": len(entries), "asked": asked, "applies": dict(sorted(counts.items()))}


def asked(bot: str) -> dict[str, Any]:
    """The figures of a bot: decided rows by check, the gaps in tone, the means of groups, and who is mentioned."""
    report = check(bot, check_questions=QUESTIONS, check_floor=False, seed=SEED)
    rows = list(report.results)
    return {
        "rates": _rates(rows),
        "gaps": {
            row.testset: [row.score.value, row.score.parts["p"]]
            for row in rows
            if row.check.endswith("_gap") and row.label == "sentiment" and row.score.value is not None
        },
        "groups": _groups(rows, "fairness.gender.judged", "questions"),
        "mentions": {
            name: _groups(rows, name, "count") | {"least": _least(rows, name)}
            for name in sorted({row.check for row in rows if row.check.startswith("representation.")})
        },
    }


def _rates(rows: list[Result]) -> dict[str, list[int]]:
    """Check -> passed and decided, over the rows about answers; a failed bot or judge counts as decided."""
    rates: dict[str, list[int]] = {}
    for row in rows:
        if row.is_about_answer and row.verdict is not Verdict.NOT_APPLICABLE:
            passed, total = rates.get(row.check, [0, 0])
            rates[row.check] = [passed + (row.verdict is Verdict.PASS), total + 1]
    return dict(sorted(rates.items()))


def _groups(rows: list[Result], name: str, count: str) -> dict[str, Any]:
    """Group -> how many questions are about it, and its mean or its share."""
    own = [row for row in rows if row.check == name and row.group and not row.is_about_answer]
    return {row.group: [int(row.score.parts.get(count, 0)), row.score.value] for row in own}


def _least(rows: list[Result], name: str) -> float | None:
    """The least share that is wanted."""
    return next(
        (row.score.parts["minimum"] for row in rows if row.check == name and "minimum" in row.score.parts), None
    )


def main() -> None:
    """Measures, and writes what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("coverage", *BOTS), help="measure only this")
    parser.add_argument("--json", type=Path, default=ROOT / "docs" / "checks.json", help="the file to write")
    given = parser.parse_args()
    figures: dict[str, Any] = json.loads(given.json.read_text(encoding="utf-8")) if given.json.exists() else {}
    figures["made"] = date.today().isoformat()
    for name in [given.only] if given.only else ["coverage", *BOTS]:
        figures[name] = coverage() if name == "coverage" else asked(name)
        write_whole(given.json, (json.dumps(figures, indent=1, sort_keys=True) + "\n").encode())
        print(f"{name}: written to {given.json}", flush=True)


if __name__ == "__main__":
    main()
