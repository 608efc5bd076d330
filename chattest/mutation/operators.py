"""The four operators that ship.

Source: S. Chen, S. Jin, X. Xie, Validation on Machine Reading Comprehension Software without Annotated Labels,
ESEC/FSE 2021, research question 4, which takes them from DeepMutation (L. Ma et al., ISSRE 2018). What they leave open:
noise has mean 0, and its standard deviation is `sigma` times that of the matrix itself, as matrices of different models
differ in scale; the other three pick a share of the neurons of every matrix, at least one of them unless the share is
0.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from chattest.mutation.base import operator

if TYPE_CHECKING:
    from torch import Generator, Tensor


@operator("gaussian fuzzing", dose="sigma")
def gaussian_fuzzing(weights: Tensor, sigma: float, chance: Generator) -> None:
    """Adds noise to every weight."""
    import torch

    noise = torch.randn(weights.shape, generator=chance)
    weights += (noise * (sigma * weights.float().std().item())).to(weights)


@operator("weight shuffling")
def weight_shuffling(weights: Tensor, share: float, chance: Generator) -> None:
    """Shuffles what feeds a neuron, for each of the neurons picked."""
    import torch

    for neuron in _picked(len(weights), share, chance).tolist():
        order = torch.randperm(weights.shape[1], generator=chance).to(weights.device)
        weights[neuron] = weights[neuron][order]


@operator("neuron effect blocking")
def neuron_effect_blocking(weights: Tensor, share: float, chance: Generator) -> None:
    """Sets to 0 what neurons of the layer before give to this one: columns, a share of the inputs."""
    weights[:, _picked(weights.shape[1], share, chance).to(weights.device)] = 0


@operator("neuron switch")
def neuron_switch(weights: Tensor, share: float, chance: Generator) -> None:
    """Lets neurons change places in pairs: each gets what fed the other."""
    picked = _picked(len(weights), share, chance, even=True).to(weights.device)
    weights[picked] = weights[picked.flip(0)]


def _picked(neurons: int, share: float, chance: Generator, even: bool = False) -> Tensor:
    """Places of a share of the neurons, rounded up; `even`: rounded up to pairs as far as there are any."""
    import torch

    count = min(neurons, ceil(round(share * neurons, 9)))
    if even and count % 2:
        count += 1 if count < neurons else -1
    return torch.randperm(neurons, generator=chance)[:count]
