"""Checks what a wheel holds, and prints its size: `python .ci/wheel_content.py WHEEL`."""

import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
SHIPPED = "chattest/shipped/"
MOST = 60_000_000
"""Bytes that a wheel may have; more than that and something is in it that nobody meant to ship. The five
networks that judge have 11 MB each."""
WANTED = {
    "chattest/py.typed",
    "chattest/models/weights/reader/reader.safetensors",
    "chattest/models/weights/calibration.json",
    "chattest/reports/page/page.html",
    "chattest/web/templates/layout.html",
    "chattest/web/static/view.js",
    "chattest/cli/project/workflow.yml",
    "chattest/text/data/synonyms.txt",
    f"{SHIPPED}config.py",
}
KEPT_BACK = (
    "__pycache__",
    ".pyc",
    "/training/",
    "tests/",
    "benchmarks/",
    "docs/",
    "requirements",
    "/reports/first-run",
)


def wrong(wheel: Path) -> list[str]:
    """What is missing in the wheel, and what should not be there."""
    names = ZipFile(wheel).namelist()
    ours = [path for folder in ("chatters", "testsets") for path in (ROOT / folder).rglob("*") if path.is_file()]
    ours = [path for path in ours if "__pycache__" not in path.parts]
    wanted = WANTED | {SHIPPED + path.relative_to(ROOT).as_posix() for path in ours}
    wanted |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "chattest/models/weights").rglob("*.safetensors")}
    found = [f"{name} is missing" for name in sorted(wanted - set(names))]
    found += [f"{name} should not be there" for name in names if any(part in f"/{name}" for part in KEPT_BACK)]
    if wheel.stat().st_size > MOST:
        found.append(f"{wheel.stat().st_size} bytes; at most {MOST} are expected")
    return found


def main() -> None:
    """Exit code 1 and a line for each thing that is wrong."""
    wheel = Path(sys.argv[1])
    problems = wrong(wheel)
    for problem in problems:
        print(f"{wheel.name}: {problem}", file=sys.stderr)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {len(ZipFile(wheel).namelist())} files")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
