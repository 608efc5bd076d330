"""Measure how well the judges know when they err, on replies that no judge learnt from: deferral, risk, calibration.

    python -m training.deferral [--json FILE] [--curves FILE] [--reliability FILE] [--cache FILE]

It measures the judges as they ship on the project's labelled replies and on the rows of writers who are held out, like
`training.figures`, and runs in the root of a checkout. For each judge it says

- how right it is when the verdicts it is least sure of go to a judge that is never wrong, and the area under its risk
  over coverage,
- the calibration error (ECE) of its models' own values, of these under Platt scaling and under isotonic regression.
  Both are fitted on the labelled replies for tuning and on the written rows of part "choosing", and measured on those
  held out. What rules decide is left out here.

--curves and --reliability are SVG files. The table goes to docs/chat-judges.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.judges import Judges
from chattest.scorers.base import Scorer
from chattest.settings.declaration import Settings
from chattest.text.format import align
from chattest.validation.labelled import Labelled, read_cases
from chattest.validation.plots import format_deferral, write_curves, write_diagram
from chattest.validation.reliability import compute_calibration_error
from chattest.validation.validate import list_measured_scorers, select_cases, validate
from training.calibration import Judged, calibrated, fit, judged_cases
from training.figures import FILES, LABELLED
from training.labelled_rows import labelled_rows

TUNING = ("open-tune", "closed-tune", "abstention-tune")
OF_A_RULE = "stutter-held-out"
"""A rule has no sureness by which to defer."""
HELD_OUT = (*(name for name in FILES if name != OF_A_RULE), "abstention-held-out")


def held_out() -> list[Labelled]:
    """Read the labelled replies that only measure."""
    return [*read_cases([LABELLED / f"{name}.jsonl" for name in HELD_OUT]), *labelled_rows("held-out")]


def tuning() -> list[Labelled]:
    """Read the labelled replies that calibrations are fitted on."""
    return [*read_cases([LABELLED / f"{name}.jsonl" for name in TUNING]), *labelled_rows("choosing")]


def calibration_errors(scorer: Scorer, learnt: Sequence[Judged], kept: Sequence[Judged]) -> dict[str, Any]:
    """Compute the calibration error, 0 to 1, of each way to calibrate, with the numbers of cases.

    Args:
        scorer: The scorer of the cases.
        learnt: Cases to fit on.
        kept: Cases to measure on.

    Raises:
        ValueError: The labels of `learnt` are all alike.
    """
    from sklearn.isotonic import IsotonicRegression

    labels = [case.label for case in kept]
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    isotonic.fit([_value(case) for case in learnt], [case.label for case in learnt])
    platt = calibrated(scorer, kept, fit(scorer, learnt))
    values = {
        "own": [_value(case) for case in kept],
        "platt": [score.value or 0.0 for score in platt],
        "isotonic": [float(value) for value in isotonic.predict([_value(case) for case in kept])],
    }
    errors = {name: compute_calibration_error(labels, of_way) for name, of_way in values.items()}
    return {"fitted_on": len(learnt), "measured_on": len(kept), **errors}


def _value(case: Judged) -> float:
    return min(1.0, max(0.0, case.score.value or 0.0))


def measure(judges: Judges) -> dict[str, dict[str, Any]]:
    """Compute the calibration errors of each kind of figures."""
    learnt, kept = tuning(), held_out()
    found = {}
    for kind, scorer in list_measured_scorers().items():
        parts = [judged_cases(scorer, cases, judges) if select_cases(scorer, cases) else [] for cases in (learnt, kept)]
        if all(len({case.label for case in part}) == 2 for part in parts):
            found[kind] = calibration_errors(scorer, *parts)
    return found


def table(errors: dict[str, dict[str, Any]]) -> list[str]:
    """Return the table of calibration errors that is printed."""
    rows: list[tuple[str, ...]] = [("kind", "fitted on", "measured on", "ECE", "Platt", "isotonic")]
    for kind, of_kind in errors.items():
        shown = [f"{of_kind[name]:.3f}" for name in ("own", "platt", "isotonic")]
        rows.append((kind, str(of_kind["fitted_on"]), str(of_kind["measured_on"]), *shown))
    return align(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Measures what the judges' own sureness is worth.")
    parser.add_argument("--json", type=Path, help="writes the figures into this file")
    parser.add_argument("--curves", type=Path, help="draws deferral and risk over coverage into this SVG file")
    parser.add_argument("--reliability", type=Path, help="draws the reliability diagrams into this SVG file")
    parser.add_argument("--cache", type=Path, help="keeps the models' scores in this file, for another run")
    options = parser.parse_args(arguments)
    judges = Judges()
    if options.cache:
        judges.use_cache(options.cache)
    validations = validate(held_out(), Settings(), judges)
    errors = measure(judges)
    print("\n".join([*format_deferral(validations), "", *table(errors)]))
    if options.curves:
        write_curves(validations, options.curves)
    if options.reliability:
        write_diagram(validations, options.reliability)
    if options.json:
        deferral = {validation.kind: validation.deferral() for validation in validations}
        content = {"deferral": deferral, "calibration": errors}
        write_whole(options.json, (json.dumps(content, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
