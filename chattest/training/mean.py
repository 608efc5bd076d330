"""The mean of two adapters of which one was trained on from the other: `python -m chattest.training.mean A B OUTPUT`.

Training on teaches something new and spoils a little of what was known; halfway between the two most of both is kept
(Wortsman et al. 2022, "Robust fine-tuning of zero-shot models", section 3). The low-rank factors are averaged one by
one, which is near the mean of the changes only for adapters of one origin.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.training.adapters import write_adapter


def mean(one: Adapter, other: Adapter) -> Adapter:
    """An adapter halfway between two. Raises `ValueError` for adapters of another judge, rank or form."""
    if one.name != other.name or one.scale != other.scale:
        raise ValueError(f"{one.name} and {other.name} are not of one origin")
    parts = [(one.changes, other.changes), (one.head, other.head)]
    shapes = [[{name: value.shape for name, value in part.items()} for part in pair] for pair in parts]
    if any(first != second for first, second in shapes):
        raise ValueError("the two adapters do not have the same tensors")
    changes, head = ({name: (a[name] + b[name]) / 2 for name in a} for a, b in parts)
    return replace(one, changes=changes, head=head)


def main() -> None:
    """Reads two adapters and writes their mean."""
    parser = argparse.ArgumentParser(description="The mean of two adapters of one origin.")
    for name in ("one", "other", "output"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    write_adapter(given.output, mean(read_adapter(given.one), read_adapter(given.other)))


if __name__ == "__main__":
    main()
