"""Writes the golden files: `python -m tests.golden.write`.

Read what changes with `git diff` before you commit it: every line is a bot asked, judged or counted differently.
"""

import shutil
import tempfile
from pathlib import Path

from tests.golden.runs import make_golden_project, run_all
from tests.support.paths import DATA, ROOT

GOLDEN = DATA / "golden"


def golden(name: str) -> Path:
    """The file that a text is compared with: judging a run again gives what the run gave."""
    return GOLDEN / name.replace("judged/", "talk/")


def main() -> None:
    """Runs everything and replaces the golden files."""
    with tempfile.TemporaryDirectory() as folder:
        texts = dict(run_all(make_golden_project(Path(folder) / "project")))
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for name, text in texts.items():
        if (path := golden(name)) != GOLDEN / name:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(text)} bytes")


if __name__ == "__main__":
    main()
