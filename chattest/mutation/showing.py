"""Shows what came of mutants: a table for the terminal, and a line of JSON for each."""

import json
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from chattest.files.atomic import write_whole
from chattest.mutation.analysis import ACCURACY, Analysis
from chattest.mutation.base import operators
from chattest.text.format import aligned


def lines(found: Analysis) -> list[str]:
    """How many mutants each family detects, by operator, and how that compares with accuracy."""
    doses = found.doses
    mutants, each = len(found.mutants), doses.each
    head = ("family", "passed before", *operators.names(), "all", "rows broken", "against accuracy")
    rows: list[tuple[str, ...]] = [head]
    for family in sorted(found.passed, key=lambda name: name != ACCURACY):
        counts = [f"{found.detected([family], operator)} of {each}" for operator in operators.names()]
        verdict, p = found.against_accuracy(family)
        compared = "" if family == ACCURACY else f"{verdict} (p {p:.3f})" if p >= 0.001 else f"{verdict} (p < 0.001)"
        share = f"{fmean(found.broken(family)):.1%}" if found.passed[family] else "–"
        total = f"{found.detected([family])} of {mutants}"
        rows.append((family, str(found.passed[family]), *counts, total, share, compared))
    counts = [f"{found.detected(found.passed, operator)} of {each}" for operator in operators.names()]
    rows.append(
        ("any", str(sum(found.passed.values())), *counts, f"{found.detected(found.passed)} of {mutants}", "", "")
    )
    same = sum(not mutant.altered for mutant in found.mutants)
    silent = sum(mutant.altered and not mutant.answers for mutant in found.mutants)
    after = (
        f"Asked again with its weights put back, the bot answered {found.unlike} of {found.questions} questions "
        "otherwise than at first: its answers do not hang on its weights alone, and the table means little."
        if found.unlike
        else "Asked again with its weights put back, the bot gave the same answers as at first."
    )
    return [
        f"{mutants} mutants of {found.bot}, seed {found.seed}: {len(found.matrices)} weight matrices "
        f"({found.matrices[0]} ... {found.matrices[-1]})",
        f"gaussian fuzzing: noise of sigma {doses.sigma:g} standard deviations of the matrix on every weight",
        f"the others: a share of {doses.share:.3g} of the neurons of every matrix",
        f"A family detects a mutant when at least one row that the unmutated bot passed fails ({found.questions} "
        "questions).",
        "",
        *aligned(rows),
        "",
        f"{same} mutants have the same weights as before; {silent} others answered every question as before.",
        after,
    ]


def write_lines(found: Analysis, path: Path) -> None:
    """Writes the doses and each mutant, a line of JSON each. Raises `StoreError`."""
    about = {"bot": found.bot, "seed": found.seed, **asdict(found.doses), "questions": found.questions}
    about |= {"passed": found.passed, "matrices": found.matrices, "unlike": found.unlike}
    write_whole(path, "".join(f"{json.dumps(one)}\n" for one in [about, *map(asdict, found.mutants)]).encode())
