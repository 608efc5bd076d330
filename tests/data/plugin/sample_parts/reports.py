"""`codes.txt`: the codes of the checks, a line each."""

from pathlib import Path

from chattest.records.report import Report


def write(report: Report, folder: Path) -> Path:
    """Writes the file."""
    path = folder / "codes.txt"
    path.write_text("\n".join(sorted({result.check for result in report.results})) + "\n", encoding="utf-8")
    return path
