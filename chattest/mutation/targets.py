"""Find the weights that mutants alter: those of queries, keys and values, and of the gates of LSTM cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from torch.nn import Module, Parameter

    from chattest.mutation.base import Alter

ATTENTION = frozenset(
    ["query", "key", "value", "q", "k", "v", "q_proj", "k_proj", "v_proj", "q_lin", "k_lin", "v_lin", "query_proj",
     "key_proj", "value_proj", "c_attn", "query_key_value", "qkv_proj", "qkv", "Wqkv"]
)  # fmt: skip
"""Names of the layers of queries, keys and values in models of the transformers library; the last five hold all three
in one matrix."""

GATES = ("input", "forget", "modulation", "output")
"""The gates of an LSTM cell, in the order of their weights in torch."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One weight matrix that a mutant alters."""

    name: str
    """Where it is in the model: `encoder.layer.0.attention.self.query`, `lstm.weight_hh_l0, forget gate`."""
    parameter: Parameter
    """The parameter that the matrix is part of."""
    weights: Tensor
    """A view of the parameter, neurons x inputs: writing to it alters the parameter."""


def find_matrices(module: Module) -> list[Matrix]:
    """Return all matrices of a model that mutants alter, in the model's order; empty if it has no such layers."""
    return list(_matrices(module))


def _matrices(module: Module) -> Iterator[Matrix]:
    from torch import nn

    for path, layer in module.named_modules():
        own = dict(layer.named_parameters(recurse=False))
        if isinstance(layer, nn.LSTM | nn.LSTMCell):
            for name, parameter in own.items():
                if name.startswith(("weight_ih", "weight_hh")):
                    for gate, rows in zip(GATES, parameter.data.chunk(len(GATES)), strict=True):
                        yield Matrix(f"{path}.{name}, {gate} gate".lstrip("."), parameter, rows)
        elif isinstance(layer, nn.MultiheadAttention):
            for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
                if name in own:
                    yield Matrix(f"{path}.{name}".lstrip("."), own[name], own[name].data)
        elif path.rpartition(".")[2] in ATTENTION and "weight" in own and own["weight"].ndim == 2:
            weights = own["weight"].data
            # GPT-2's layers, called Conv1D, store their weights transposed.
            yield Matrix(path, own["weight"], weights.T if type(layer).__name__ == "Conv1D" else weights)


@contextmanager
def mutate(module: Callable[[], Any], operator: Alter, amount: float, generator: Generator) -> Iterator[bool]:
    """Alter all matrices of a model; on exit, every weight is exactly what it was before.

    Args:
        module: Returns the model; called before its weights are altered and before they are restored.
        operator: Alters a matrix.
        amount: Its dose, sigma or share.
        generator: The operator's only randomness.

    Yields:
        Whether any weight changed.
    """
    import torch

    altered = find_matrices(module())
    originals = {id(matrix.parameter): (matrix.parameter, matrix.parameter.detach().clone()) for matrix in altered}
    try:
        with torch.no_grad():
            for matrix in altered:
                operator(matrix.weights, amount, generator)
        yield not all(torch.equal(parameter, before) for parameter, before in originals.values())
    finally:
        module()
        with torch.no_grad():
            for parameter, before in originals.values():
                parameter.copy_(before)
