"""The four operators that ship.

Source: S. Chen, S. Jin, X. Xie, Validation on Machine Reading Comprehension Software without Annotated Labels,
ESEC/FSE 2021, research question 4, which takes them from DeepMutation (L. Ma et al., ISSRE 2018). Our choices where the
papers are silent: noise has mean 0, and its standard deviation is `sigma` times that of the matrix, since matrices of
different models differ in scale; the other three operators pick a share of the neurons of every matrix, at least one
unless the share is 0.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from chattest.mutation.base import operator

if TYPE_CHECKING:
    from torch import Generator, Tensor


@operator("gaussian fuzzing", dose="sigma")
def gaussian_fuzzing(weights: Tensor, sigma: float, generator: Generator) -> None:
    """Add noise to every weight."""
    import torch

    noise = torch.randn(weights.shape, generator=generator)
    weights += (noise * (sigma * weights.float().std().item())).to(weights)


@operator("weight shuffling")
def weight_shuffling(weights: Tensor, share: float, generator: Generator) -> None:
    """Shuffle the input weights of each picked neuron."""
    import torch

    for neuron in _pick_neurons(len(weights), share, generator).tolist():
        order = torch.randperm(weights.shape[1], generator=generator).to(weights.device)
        weights[neuron] = weights[neuron][order]


@operator("neuron effect blocking")
def neuron_effect_blocking(weights: Tensor, share: float, generator: Generator) -> None:
    """Set the effect of picked neurons of the previous layer to 0: columns, a share of the inputs."""
    weights[:, _pick_neurons(weights.shape[1], share, generator).to(weights.device)] = 0


@operator("neuron switch")
def neuron_switch(weights: Tensor, share: float, generator: Generator) -> None:
    """Swap picked neurons in pairs: each gets the input weights of the other."""
    picked = _pick_neurons(len(weights), share, generator, even=True).to(weights.device)
    weights[picked] = weights[picked.flip(0)]


def _pick_neurons(neurons: int, share: float, generator: Generator, even: bool = False) -> Tensor:
    """Pick a share of the neurons, rounded up; `even` rounds to an even number if there are enough neurons."""
    import torch

    count = min(neurons, ceil(round(share * neurons, 9)))
    if even and count % 2:
        count += 1 if count < neurons else -1
    return torch.randperm(neurons, generator=generator)[:count]
