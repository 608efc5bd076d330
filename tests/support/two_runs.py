"""Runs made of rows, for comparing them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chattest.records.report import Report
from chattest.records.result import Result, Verdict
from chattest.reports.writers import jsonl
from chattest.settings.declaration import Settings
from chattest.storage.finished_run import Run
from tests.support.judged_rows import with_scorer

P, F, N, E = Verdict.PASS, Verdict.FAIL, Verdict.NOT_APPLICABLE, Verdict.ERROR


def row(run: int, verdict: Verdict, round: int = 3, check: str = "ML-U3", **more: Any) -> Result:
    known: dict[str, Any] = {
        "testset": "cat-name",
        "dose": 0.1,
        "prompt": "Waht is my cat called?",
        "reply": f"{verdict} reply",
    }
    made = Result(check, run, f"run-{run:03d}", round, verdict, **(known | more))
    return with_scorer(made) if verdict in (P, F) else made


def held(name: str, rows: Sequence[Result], **settings: Any) -> Run:
    known = Settings(save_analysis_name=name, chatters=("eliza", name), **settings)
    return Run(Path("reports") / name, known.resume_key(), tuple(rows))


def written(folder: Path, rows: Sequence[Result], **settings: Any) -> Path:
    folder.mkdir()
    known = Settings(chatters=("eliza", folder.name), **settings).resume_key()
    (folder / "run.json").write_text(json.dumps({"state": "finished", "settings": known}))
    jsonl.write(Report(folder.name, ("eliza", folder.name), 1, (), tuple(rows), (), {}, {}, {}, {}, ()), folder)
    return folder


def all_runs(*verdicts: Verdict, **more: Any) -> list[Result]:
    return [row(run, verdict, **more) for run, verdict in enumerate(verdicts, start=1)]
