"""Look up possible parts of speech in lemminflect's tables without importing it, as it imports numpy.

Plans are made with the tables alone, so that a command that only plans starts without numpy.
"""

import gzip
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_KINDS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r", "aux": "v"}


def word_kinds(low: str) -> frozenset[str]:
    """Return `n`, `v`, `a` and `r` for what a lower-case word may be in any form; empty if it is in no table."""
    return _words().get(low, frozenset())


@cache
def _words() -> dict[str, frozenset[str]]:
    """Map each word of both tables to its kinds. Their lines have the form `word,kind,lemmas`."""
    spec = find_spec("lemminflect")  # finds a package without running it
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "resources"
    table = gzip.decompress((folder / "lemma_lu.csv.gz").read_bytes()).decode()
    lines = [*table.splitlines(), *(folder / "lemma_overrides.csv").read_text(encoding="utf-8").splitlines()]
    rows = (line.split(",") for line in lines if line and not line.startswith("#"))
    found: dict[str, frozenset[str]] = {}
    sets = {frozenset[str](): frozenset[str]()}  # each set of kinds is kept once
    for word, kind, *_ in rows:
        if kind.lower() in _KINDS:
            kinds = found.get(word, frozenset()) | {_KINDS[kind.lower()]}
            found[word] = sets.setdefault(kinds, kinds)
    return found
