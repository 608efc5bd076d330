"""Writes to one folder of runs by two `view` servers at once: tags, labels, the trash. What they acknowledge is kept.

python -m tests.soak.two_servers [--rounds 20]
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.support.two_servers import copies, label_at_once, tag_at_once, trash_at_once
from tests.support.web_process import viewing
from tests.support.web_runs import make_project

LABELS = 15
"""Rows that each person labels in a run."""


def main(arguments: list[str]) -> None:
    """Prints the figures; ends with an exception when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args(arguments)
    began = time.monotonic()
    tags = labels = 0
    with tempfile.TemporaryDirectory() as work:
        project = make_project(Path(work) / "project")
        runs = copies(project / "reports" / "first", given.rounds)
        with viewing(project) as first, viewing(project) as second:
            servers = [first, second]
            for folder in runs:
                acknowledged, kept = tag_at_once(servers, folder)
                assert acknowledged == kept, f"{folder.name}: lost the tags {sorted(acknowledged - kept)}"
                given_labels, kept_labels = label_at_once(servers, folder, LABELS)
                assert given_labels == kept_labels, f"{folder.name}: {given_labels} labels given, {kept_labels} kept"
                trash_at_once(servers, folder)
                tags, labels = tags + len(kept), labels + kept_labels
    print(
        f"{tags} tags and {labels} labels acknowledged by two servers, all kept; {given.rounds} runs moved to the "
        f"trash by both at once, no ghosts, all restored; {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
