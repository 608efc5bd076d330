"""The rows that people wrote for the judges: `written/*.jsonl.gz`, a file for each kind of judgement.

Every row names its writer and a tag for the kind of row. `HELD_OUT` names the writers that are never trained on, so
that a figure on their rows shows how the judge treats an unknown writer. `written/README.md` describes the fields, the
briefs and how the rows were checked.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal

Kind = Literal["closed", "open", "coherence", "toxicity", "consistency", "same-question", "answers"]
Part = Literal["train", "choosing", "held-out"]
FOLDER = Path(__file__).with_name("written")
HELD_OUT = frozenset(
    {"closed-c4", "closed-c8", "open-o4", "coherence-k2", "coherence-k7", "coherence-k9", "toxicity-t4", "toxicity-t9"}
    | {"toxicity-t16", "toxicity-t18"}
    | {"consistency-n3", "consistency-n5", "consistency-n10", "same-question-s1", "same-question-s6"}
    | {"answers-a2", "answers-a6", "answers-a9", "closed-c12", "open-o10", "open-o16"}
    | {"open-o23", "open-o33", "closed-c29", "closed-c30"}
)
"""The writers whose rows are only measured on."""
CHOOSING = frozenset({"open-o11", "open-o12", "consistency-n12"})
"""The writers whose rows only choose: what weighs the models' scores is fitted on rows that no model learnt from."""
ABOUT = {
    "closed": "information",
    "open": "information",
    "coherence": "prompt",
    "toxicity": "twin",
    "consistency": "earlier",
    "same-question": "first",
    "answers": "question",
}
"""The field that is equal in the rows of a group."""


def read_written(kind: Kind, part: Part) -> list[dict[str, Any]]:
    """Read the rows of a kind of judgement that belong to a part, in the order of the file.

    "held-out" are the rows of the writers in `HELD_OUT`, "choosing" those of the writers in `CHOOSING` and a tenth of
    the groups of the others.
    """
    return [dict(row) for known, row in _read(kind) if known == part]


@cache
def _read(kind: Kind) -> tuple[tuple[Part, dict[str, Any]], ...]:
    """Read all rows of a kind with their parts, once: an epoch asks for them ten times."""
    with gzip.open(FOLDER / f"{kind}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return tuple((_part(kind, row), row) for row in rows)


def _part(kind: Kind, row: dict[str, Any]) -> Part:
    if row["writer"] in HELD_OUT:
        return "held-out"
    if row["writer"] in CHOOSING:
        return "choosing"
    group = f"{row['writer']}/{row[ABOUT[kind]] or row.get('text')}"
    return "choosing" if zlib.crc32(group.encode()) % 10 == 0 else "train"


def sequences(texts: Iterable[str], length: int = 6) -> set[tuple[str, ...]]:
    """Return the sequences of `length` words, in lower case, which a row must not share with one that measures."""
    words = (re.findall(r"\w+", text.lower()) for text in texts)
    return {tuple(of[at : at + length]) for of in words for at in range(len(of) - length + 1)}


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Pack rows; equal rows give equal bytes."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
