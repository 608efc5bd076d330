"""The base of every mutation operator: a way of altering a weight matrix of the bot in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chattest.registry import Registry

if TYPE_CHECKING:
    from torch import Generator, Tensor

Alter = Callable[["Tensor", float, "Generator"], None]
"""Takes the matrix (neurons x their inputs, `weights[i]` being what feeds neuron i), the dose, which is at least 0, and
a torch generator, its only source of chance."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A registered operator."""

    name: str
    """What the report calls it."""
    dose: Literal["sigma", "share"]
    """Which option of `mutants` is its dose: noise in standard deviations, or a share of the neurons."""
    alter: Alter
    """Alters a matrix in place."""


operators: Registry[Operator] = Registry(
    "mutation operator", "chattest.mutation_operators", "chattest.mutation.operators"
)


def operator(name: str, dose: Literal["sigma", "share"] = "share") -> Callable[[Alter], Alter]:
    """Decorator that makes a function known as the operator `name`. dose: the option of `mutants` that it is given."""

    def decorate(alter: Alter) -> Alter:
        operators.add(name, Operator(name, dose, alter), alter.__module__)
        return alter

    return decorate
