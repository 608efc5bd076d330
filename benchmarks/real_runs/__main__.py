"""Judge the labelled replies of real bots again, and print how often the judges agree with the readers.

    python -m benchmarks.real_runs [FILE_OR_FOLDER ...] [--conversations] [--markdown]

reads `rows/` beside this file, or with `--conversations` the whole conversations of `conversations/`, and further files
or folders of these forms (README.md). Rows that were drawn with
unequal probability count for as many verdicts as they stand for.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.real_runs.judging import rejudge
from benchmarks.real_runs.rows import CONVERSATIONS, ROWS, RowError, read_roles, read_rows
from benchmarks.real_runs.table import (
    DOCS_HEAD,
    HEAD,
    describe_left_out,
    make_docs_table,
    make_table,
    to_markdown,
    to_text,
)
from chattest.models.judges import Judges
from chattest.settings.declaration import Settings

WEIGHTED = "Each row counts 1 / probability_drawn times: for as many verdicts as it stands for."


def main(arguments: list[str]) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_runs", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files or folders of labelled replies, beside those kept")
    parser.add_argument("--only", action="store_true", help="leave out the rows that are kept in rows/")
    parser.add_argument(
        "--conversations", action="store_true", help="whole conversations, kept in conversations/, instead"
    )
    parser.add_argument("--markdown", action="store_true", help="write the table for the docs")
    options = parser.parse_args(arguments)
    try:
        kept = CONVERSATIONS if options.conversations else ROWS
        rows = read_rows([*([] if options.only else [kept]), *options.files])
        settings = Settings()
        rejudged = rejudge(rows, settings, Judges(settings.models))
    except RowError as error:
        print(error, file=sys.stderr)
        return 2
    roles = read_roles()
    if options.markdown:
        print(to_markdown(DOCS_HEAD, make_docs_table(rejudged, roles)))
    else:
        print(to_text(HEAD, make_table(rejudged, roles)))
    print("", WEIGHTED, *describe_left_out(rejudged), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
