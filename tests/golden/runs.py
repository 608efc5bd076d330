"""Small runs with fixed seeds, through the command line, and the part of what they leave that must never change.

Plans, conversations, verdicts, scores and figures are kept; seconds, and sentences that may be worded better one day,
are not.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.support import warm
from tests.support.paths import ROOT

TALK = {"chatters": ["companion", "reader"], "density": 0.33, "max_runs": 2, "workers": 2}
PAIRED = {"chatters": ["eliza", "alice"], "max_runs": 1, "paired": True, "controls": True, "affect": "joy"}
SAME = {"max_runs": 2, "same_plan": True, "n_aug": 2}
CHECKS = ["accuracy.judged", "directional.negation", "invariance.letter_typo", "metamorphic.negation", "mft.arithmetic"]
FEW = {"check_questions": 3, "check_articles_drawn": 3}

RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "talk": ("", TALK),
    "paired": ("", PAIRED | {"init_conv_randomly": True}),
    "same-reader": ("", SAME | {"chatters": ["predefined", "reader"]}),
    "same-eliza": ("", SAME | {"chatters": ["predefined", "eliza"]}),
    "judged": ("judge reports/talk", TALK),
    "check": ("check", {"chatters": ["eliza", "reader"], "checks": CHECKS} | FEW),
}
"""Name of a run -> its command and settings. They run in this order: one is judged from what another left."""

ALWAYS = {
    "seed": 7,
    "conversation_length": 24,
    "density": 1.0,
    "score_cache": False,
    "p": dict.fromkeys(
        ("ML-U3", "ML-U4", "ML-U5", "ML-U6", "ML-I1", "ML-I4", "ML-I5", "ML-I6", "ML-I7", "ML-I13"), 0.09
    ),
}

COMPARED = ("same-reader", "same-eliza")


def make_golden_project(folder: Path) -> Path:
    """A project in `folder` that runs the code of this checkout."""
    folder.mkdir(parents=True)
    for name in ("chattest", "chatters", "testsets"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "main.py", folder)
    return folder


def run_all(project: Path) -> Iterator[tuple[str, str]]:
    """Runs everything; file name -> text of what must never change, as each run ends."""
    for name, (command, settings) in RUNS.items():
        known = ALWAYS | settings | {"save_analysis_name": name}
        (project / "config.py").write_text("".join(f"{key} = {value!r}\n" for key, value in known.items()))
        _main(project, *command.split())
        yield from kept(project / "reports" / name)
    yield "compared.jsonl", _lines(_compared(_main(project, "compare", *(f"reports/{name}" for name in COMPARED))))


def kept(folder: Path) -> Iterator[tuple[str, str]]:
    """File name -> text of what must never change of a run that left this folder."""
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    conversations = [
        json.loads(path.read_bytes()) | {"variant": path.parent.name}
        for path in sorted((folder / "conversations").rglob("run-*.json"))
    ]
    yield f"{folder.name}/scores.jsonl", _lines([row["check"], *_scores(row)] for row in rows)
    yield f"{folder.name}/results.jsonl", _lines(_result(row) for row in rows)
    yield f"{folder.name}/report.jsonl", _lines(_table_rows((folder / "report.md").read_text(encoding="utf-8")))
    yield f"{folder.name}/junit.jsonl", _lines(_suites(folder / "junit.xml"))
    if conversations:
        yield f"{folder.name}/conversations.jsonl", _lines(map(_conversation, conversations))


def _main(project: Path, *arguments: str) -> str:
    """What `main.py` prints; a missed gate is no failure here."""
    environment = os.environ | {"COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    ended = warm.main(project, *arguments, environment=environment)
    assert ended.returncode in (0, 1), ended.stderr
    return ended.stdout


def _lines(records: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _conversation(conversation: dict[str, Any]) -> dict[str, Any]:
    """Plan and turns; how long a turn took differs, and how sure a model was is no matter of the plan."""
    turns = [
        {key: value for key, value in turn.items() if key not in ("seconds", "confidence") and value is not None}
        for turn in conversation["turns"]
    ]
    kept = ("run", "seed", "chatters", "variant", "plan")
    return {key: conversation[key] for key in kept} | {"turns": turns}


def _result(row: dict[str, Any]) -> dict[str, Any]:
    """A row without its score, which is a number, and its reason, which is a sentence; what is empty is left out."""
    filled = {key: value for key, value in row.items() if value not in ("", None) and value is not False}
    kept = {key: value for key, value in filled.items() if key not in ("score", "reason")}
    return kept | {"interpretation": row["score"]["interpretation"]}


def _scores(row: dict[str, Any]) -> list[float | None]:
    parts = row["score"]["parts"]
    return [row["score"]["value"], *(parts[name] for name in sorted(parts))]


def _table_rows(markdown: str) -> Iterator[list[str]]:
    """The rows of each table: what they are about, and their figures."""
    body = False
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            body = False
        elif set(line) <= set("|-: "):
            body = True
        elif body:
            yield [cells[0], *(cell for cell in cells[1:] if re.match(r"[-–+]?\d|–", cell))]


def _suites(path: Path) -> Iterator[list[Any]]:
    """Each suite with its counts and each test case with its outcome."""
    for suite in ElementTree.parse(path).getroot():
        yield [suite.get("name"), *(int(suite.get(count, 0)) for count in ("tests", "failures", "errors", "skipped"))]
        for case in suite:
            yield [str(case.get("name")).partition(" ")[0], [part.tag for part in case if part.tag != "system-out"]]


def _compared(printed: str) -> Iterator[list[str]]:
    """The figures of each check, in the table that `compare` prints."""
    for line in printed.splitlines():
        cells = re.split(r" {2,}", line)
        if re.fullmatch(r"ML-[A-Z]\d+", cells[0]) and len(cells) > 5:
            yield [cells[0], *(cell for cell in cells[1:] if re.match(r"[-+]?\d", cell))]
