"""The registry of mutation operators, which alter a weight matrix of the bot in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chattest.registry import Registry

if TYPE_CHECKING:
    from torch import Generator, Tensor

Alter = Callable[["Tensor", float, "Generator"], None]
"""Takes the matrix (neurons x inputs; `weights[i]` are the inputs of neuron i), the dose, which is at least 0, and
a torch generator, its only randomness."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A registered operator."""

    name: str
    """Its name in the report."""
    dose: Literal["sigma", "share"]
    """The option of `mutants` that gives its dose: noise in standard deviations, or a share of the neurons."""
    alter: Alter
    """Alters a matrix in place."""


operators: Registry[Operator] = Registry(
    "mutation operator", "chattest.mutation_operators", "chattest.mutation.operators"
)


def operator(name: str, dose: Literal["sigma", "share"] = "share") -> Callable[[Alter], Alter]:
    """Register a function as the operator `name`, as a decorator; `dose` is the option of `mutants` with its dose."""

    def decorate(alter: Alter) -> Alter:
        operators.add(name, Operator(name, dose, alter), alter.__module__)
        return alter

    return decorate
