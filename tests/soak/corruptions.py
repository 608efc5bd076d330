"""Damages every kind of file in a run's folder, and asks all readers of finished runs: none may answer otherwise than
for the sound run without a word, and none may end in a traceback.

    python -m tests.soak.corruptions [--each 500] [--seed 1]
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.support.corrupted_run import make_run
from tests.support.corruptions import KINDS, Corruption


def main(arguments: list[str]) -> None:
    """Prints the figures; exit code 1 when something was silent or ended in a traceback."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args(arguments)
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        project, folder = make_run(Path(work) / "project")
        corruption = Corruption(project, folder, Path(work), given.seed)
        for kind in KINDS:
            for number in range(given.each):
                corruption.damage(kind, number)
            found = corruption.outcomes
            print(f"{kind}: {found.told} told, {found.same} the same, so far", flush=True)
    found = corruption.outcomes
    for line in (*found.silent, *found.tracebacks):
        print(line)
    print(
        f"{given.each} corruptions of each of {len(KINDS)} kinds of file: {found.told} readings told, {found.same} the "
        f"same, {found.edited} of edited labels or tags, {len(found.silent)} silent differences, "
        f"{len(found.tracebacks)} tracebacks; {time.monotonic() - began:.0f} s"
    )
    sys.exit(bool(found.silent or found.tracebacks))


if __name__ == "__main__":
    main(sys.argv[1:])
