"""How right the judges are on LoCoMo: their verdicts on answers of bots, beside labels of the same answers.

    python -m benchmarks.locomo_labels draw reports > to-label.txt      question, right answer and reply, no verdict
    python -m benchmarks.locomo_labels agree reports

`reports` holds a folder for each bot, named like it, that `chattest benchmark locomo` wrote. The labels are in
`tests/data/published/locomo-labels.jsonl`: bot, dialogue, number of the question in its dialogue's list of asked ones,
and whether the reply is right. LoCoMo's licence allows no more: questions and replies stay with who has the file.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from chattest.statistics.agreement import compute_cohens_kappa
from chattest.statistics.wilson import wilson

LABELS = Path(__file__).parents[1] / "tests" / "data" / "published" / "locomo-labels.jsonl"
SEED = 17
BOTS = {"retriever": 127, "reader": 23, "alice": 50}
"""Bot -> how many of its answers are labelled: most of the bot whose answers may be right or wrong."""
Key = tuple[str, str, int]


def rows(reports: Path) -> dict[Key, dict[str, Any]]:
    """Bot, dialogue and number -> the result row, for every answer that was judged."""
    found: dict[Key, dict[str, Any]] = {}
    for bot in BOTS:
        for line in (reports / bot / "results.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["verdict"] in ("PASS", "FAIL"):
                found[bot, row["conversation"], row["round"]] = row
    return found


def draw(reports: Path) -> Iterable[str]:
    """The answers to label, in an order of their own, without verdicts."""
    known = rows(reports)
    drawn: list[Key] = []
    for bot, number in BOTS.items():
        mine = [key for key in known if key[0] == bot]
        drawn += Random(f"{SEED}/{bot}").sample(mine, min(len(mine), number))
    for key in sorted(drawn):
        row = known[key]
        expected = row["expected"] or "(never told)"
        yield "\n".join([" ".join(map(str, key)), row["prompt"], f"= {expected}", f"> {row['reply']}", ""])


def agree(reports: Path) -> Iterable[str]:
    """A line for each bot, each scorer and all: how often judge and person agree, and where they do not."""
    known = rows(reports)
    by: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        row = known.get((label["bot"], label["dialogue"], label["number"]))
        if row is None:
            raise SystemExit(f"{label}: no such answer in {reports}; was the benchmark run with another limit or seed?")
        pair = (label["right"], row["verdict"] == "PASS")
        kind = "abstention" if not row["expected"] else "closed" if row["expected"] in ("yes", "no") else "open"
        for name in (label["bot"], kind, "all"):
            by[name].append(pair)
    yield "| answers | number | right, by label | agreement | 95 % | judge passes wrong | fails right | kappa |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in (*BOTS, "open", "closed", "abstention", "all"):
        if pairs := by[name]:
            yield _line(name, pairs)


def _line(name: str, pairs: list[tuple[bool, bool]]) -> str:
    same = sum(person == judge for person, judge in pairs)
    low, high = wilson(same / len(pairs), len(pairs))
    right = [judge for person, judge in pairs if person]
    wrong = [judge for person, judge in pairs if not person]
    kappa = compute_cohens_kappa([(str(person), str(judge)) for person, judge in pairs])
    shown = "–" if kappa is None else f"{kappa:.2f}"
    cells = [name, str(len(pairs)), str(len(right)), f"{same / len(pairs):.1%}", f"{low:.1%} to {high:.1%}"]
    return (
        "| "
        + " | ".join([*cells, f"{sum(wrong)} of {len(wrong)}", f"{right.count(False)} of {len(right)}", shown])
        + " |"
    )


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        print("\n".join(draw(Path(sys.argv[2]))))
    else:
        print("\n".join(agree(Path(sys.argv[2]))))
