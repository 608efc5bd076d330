"""The mean of two adapters, one of which was trained from the other: `python -m chattest.training.mean A B OUTPUT`.

Further training teaches something new but loses a little of the old; the mean of the two keeps most of both (Wortsman
et al. 2022, "Robust fine-tuning of zero-shot models", section 3). The low-rank factors are averaged separately, which
is close to the mean of the changes only if both adapters have the same origin.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.training.adapters import write_adapter


def mean(one: Adapter, other: Adapter) -> Adapter:
    """The mean of two adapters. Raises `ValueError` if they differ in judge, rank or tensors."""
    if one.name != other.name or one.scale != other.scale:
        raise ValueError(f"{one.name} and {other.name} do not have the same origin")
    parts = [(one.changes, other.changes), (one.head, other.head)]
    shapes = [[{name: value.shape for name, value in part.items()} for part in pair] for pair in parts]
    if any(first != second for first, second in shapes):
        raise ValueError("the two adapters do not have the same tensors")
    changes, head = ({name: (a[name] + b[name]) / 2 for name in a} for a, b in parts)
    return replace(one, changes=changes, head=head)


def main() -> None:
    """Reads two adapters and writes their mean."""
    parser = argparse.ArgumentParser(description="The mean of two adapters of the same origin.")
    for name in ("one", "other", "output"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    write_adapter(options.output, mean(read_adapter(options.one), read_adapter(options.other)))


if __name__ == "__main__":
    main()
