"""Report a mutation analysis: a table for the terminal, and a line of JSON for each mutant."""

import json
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from chattest.files.atomic import write_whole
from chattest.mutation.analysis import ACCURACY, Analysis
from chattest.mutation.base import operators
from chattest.text.format import align


def lines(analysis: Analysis) -> list[str]:
    """Return how many mutants each family detects, by operator, and how that compares with accuracy."""
    doses = analysis.doses
    mutants, each = len(analysis.mutants), doses.each
    head = ("family", "passed before", *operators.names(), "all", "rows broken", "against accuracy")
    rows: list[tuple[str, ...]] = [head]
    for family in sorted(analysis.passed, key=lambda name: name != ACCURACY):
        counts = [f"{analysis.detected([family], operator)} of {each}" for operator in operators.names()]
        verdict, p = analysis.against_accuracy(family)
        compared = "" if family == ACCURACY else f"{verdict} (p {p:.3f})" if p >= 0.001 else f"{verdict} (p < 0.001)"
        share = f"{fmean(analysis.broken(family)):.1%}" if analysis.passed[family] else "–"
        total = f"{analysis.detected([family])} of {mutants}"
        rows.append((family, str(analysis.passed[family]), *counts, total, share, compared))
    counts = [f"{analysis.detected(analysis.passed, operator)} of {each}" for operator in operators.names()]
    rows.append(
        (
            "any",
            str(sum(analysis.passed.values())),
            *counts,
            f"{analysis.detected(analysis.passed)} of {mutants}",
            "",
            "",
        )
    )
    same = sum(not mutant.altered for mutant in analysis.mutants)
    silent = sum(mutant.altered and not mutant.answers for mutant in analysis.mutants)
    after = (
        f"Asked again with its original weights, the bot answered {analysis.unlike} of {analysis.questions} questions "
        "differently from the first time: they do not depend on its weights alone, so the table means little."
        if analysis.unlike
        else "Asked again with its original weights, the bot gave the same answers as the first time."
    )
    return [
        f"{mutants} mutants of {analysis.bot}, seed {analysis.seed}: {len(analysis.matrices)} weight matrices "
        f"({analysis.matrices[0]} ... {analysis.matrices[-1]})",
        f"gaussian fuzzing: noise of sigma {doses.sigma:g} standard deviations of the matrix on every weight",
        f"the other operators: a share of {doses.share:.3g} of the neurons of every matrix",
        f"A family detects a mutant if at least one row that the original bot passed fails ({analysis.questions} "
        "questions).",
        "",
        *align(rows),
        "",
        f"{same} mutants have the same weights as the original bot; {silent} others gave the same answers.",
        after,
    ]


def write_mutants(analysis: Analysis, path: Path) -> None:
    """Write a line of JSON with the doses, then one for each mutant. Raises `StoreError`."""
    about = {"bot": analysis.bot, "seed": analysis.seed, **asdict(analysis.doses), "questions": analysis.questions}
    about |= {"passed": analysis.passed, "matrices": analysis.matrices, "unlike": analysis.unlike}
    write_whole(path, "".join(f"{json.dumps(record)}\n" for record in [about, *map(asdict, analysis.mutants)]).encode())
