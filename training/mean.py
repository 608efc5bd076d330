"""Average trained adapters of the same shape, weight by weight.

    python -m training.mean OUTPUT FILE... [--weights W...] [--in-bytes]

The mean of adapters that were trained from the same start, on other data or with another seed, is often better than
each of them: "Model soups" (Wortsman et al. 2022, https://arxiv.org/abs/2203.05482).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from torch import Tensor

from chattest.models.embedded.adapter import Adapter, read_adapter
from training.adapters import write_adapter


def mean(adapters: Sequence[Adapter], weights: Sequence[float]) -> Adapter:
    """Compute the weighted mean of the changes and the heads.

    Args:
        adapters: One at least. Name, settings and scale are those of the first.
        weights: One for each, above 0; only their ratios count.

    Raises:
        ValueError: The adapters have other tensors or scales, or a weight is missing or not above 0.
    """
    first, total = adapters[0], sum(weights)
    if len(weights) != len(adapters) or any(weight <= 0 for weight in weights):
        raise ValueError(f"{len(adapters)} adapters need as many weights above 0, not {list(weights)}.")
    for other in adapters[1:]:
        if other.scale != first.scale or other.changes.keys() != first.changes.keys():
            raise ValueError(f"{other.name} and {first.name} have other tensors or another scale: they have no mean.")
        if other.head.keys() != first.head.keys():
            raise ValueError(f"{other.name} and {first.name} have other heads: they have no mean.")
    shares = [weight / total for weight in weights]

    def of(parts: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
        return {
            name: sum((share * part[name].float() for share, part in zip(shares, parts, strict=True)), start=0 * value)
            for name, value in parts[0].items()
        }

    return replace(first, changes=of([a.changes for a in adapters]), head=of([a.head for a in adapters]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Averages trained adapters.")
    parser.add_argument("output", type=Path, help="the file to write")
    parser.add_argument("files", type=Path, nargs="+", help="the adapters")
    parser.add_argument("--weights", type=float, nargs="+", help="how much each counts (default: all alike)")
    parser.add_argument("--in-bytes", action="store_true", help="store the encoder's matrices in one byte a number")
    options = parser.parse_args(arguments)
    adapters = [read_adapter(path) for path in options.files]
    write_adapter(options.output, mean(adapters, options.weights or [1.0] * len(adapters)), options.in_bytes)


if __name__ == "__main__":
    main()
