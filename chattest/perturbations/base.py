"""The base classes of the perturbations, their registry, and `resolve`, which parses their names."""

import ast
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import product
from math import inf, isinf
from random import Random
from typing import Any, TypeVar

from chattest.errors import InputError, Problem, suggest
from chattest.records.dose import Dose, DoseRange, Level
from chattest.records.plan import Perturbed
from chattest.registry import Registry
from chattest.text.edits import protect

C = TypeVar("C", bound="Perturbation")


class Effect(StrEnum):
    """What a perturbation does to the meaning."""

    KEEPS = "keeps"
    """The answer should stay (invariance)."""
    FLIPS = "flips"
    """A yes should become a no."""
    MOVES = "moves"
    """A score should rise or fall (direction)."""
    CHANGES = "changes"
    """The meaning changes, so that another answer may be right; nothing more is known."""


class Perturbation(ABC):
    """A way of altering a text. Stateless; all randomness comes from the `rng` passed in.

    A subclass implements `alter` and never sees `keep`: protected stretches reach it as single private-use
    characters, and a result that lost one is dropped. Options are the fields of a frozen dataclass.
    """

    name: str
    """Name in settings and on the command line; set by the decorator `perturbation`."""
    family: str
    """`understanding`, `azimuth`, `robustness`, `bias`, `grammar` or `noise`."""
    kinds: tuple[str, ...]
    """The kinds of alteration that it can make."""
    drawn: tuple[str, ...] = ()
    """The kinds that `draw` chooses from; empty for all."""
    effect: Effect = Effect.KEEPS
    """What it does to the meaning."""
    dose_unit: str = "edits"
    """What the dose counts."""
    dose_step: float = 1.0
    """Width of a bin of the dose curve."""
    dose_max: float | None = None
    """Largest possible dose; `None` if it grows with the text."""
    understood_to: float = inf
    """Largest dose at which a person still understands; infinite if a person understands any."""
    keeps_meaning_to: float = inf
    """Largest dose of `variants`, whose meaning has to stay as `effect` says; infinite if any dose may be."""
    needs: str = ""
    """What must be installed or named besides this package, in words; empty if nothing. The docs show it."""
    whole: bool = False
    """Whether a context and its question are altered as one text: it adds to the beginning or end of what is said, or
    changes all of it or nothing."""
    reverse: Mapping[str, tuple[str, str]] = {}
    """Kind -> the perturbation and kind that always restore the text. Kinds without such an inverse are left out."""

    @property
    def line(self) -> float | None:
        """`understood_to` as a report shows it: `None` if a person understands any dose."""
        return None if isinf(self.understood_to) else self.understood_to

    @property
    def spelled(self) -> str:
        """The name as `resolve` reads it, with the options that differ from their defaults: `letter_typo(number=3)`."""
        options: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(self) if dataclasses.is_dataclass(self) else ()
        changed = [option.name for option in options if getattr(self, option.name) != option.default]
        given = ", ".join(f"{option}={getattr(self, option)!r}" for option in changed)
        return f"{self.name}({given})" if given else self.name

    @abstractmethod
    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        """Return the altered text and the number of changes made to it; `None` if `kind` does not apply to the text."""

    def dose(self, edits: int, text: str) -> float:
        """Return the dose of `edits` changes to this text, in `dose_unit`; twice as many changes are twice the dose."""
        return float(edits)

    def variants(self, text: str, rng: Random, keep: Sequence[str] = (), dose: Dose = Level.MEDIUM) -> list[Perturbed]:
        """Return one altered text for each kind that applies; empty if none applies. No variant equals `text`.

        Args:
            text: Any Unicode text.
            rng: The only source of randomness.
            keep: Stretches of the text that must not change; they are matched as whole words, in any letter case.
            dose: How strongly to alter, for a perturbation with a strength.
        """
        apply, doses = self.apply, replace(DoseRange.of(dose, self.understood_to), least=1)
        doses = replace(doses, high=min(doses.high, self.keeps_meaning_to))
        if not keep:
            altered_by_kind = [(kind, apply(text, kind, rng, doses)) for kind in self.kinds]
        else:
            protected, restore = protect(text, keep)
            altered_by_kind = [(kind, restored(apply(protected, kind, rng, doses), restore)) for kind in self.kinds]
        return [
            Perturbed(altered[0], kind, altered[1], self.dose(altered[1], text))
            for kind, altered in altered_by_kind
            if altered is not None and altered[0] != text
        ]

    def draw(self, text: str, rng: Random, keep: Sequence[str] = (), dose: Dose = Level.MEDIUM) -> Perturbed:
        """Return one altered text of random kind and dose; kind `none` and dose 0 if the text did not change.

        The dose is a level, or a range from which it is drawn.
        """
        doses = DoseRange.of(dose, self.understood_to)
        protected, restore = protect(text, keep) if keep else (text, None)
        kinds = self.drawn or self.kinds
        while kinds:
            index = int(rng.random() * len(kinds))
            kind = kinds[index]
            altered = self.apply(protected, kind, rng, doses)
            if restore:
                altered = restored(altered, restore)
            if altered is not None:
                new, edits = altered
                return Perturbed(text, "none") if new == text else Perturbed(new, kind, edits, self.dose(edits, text))
            kinds = (*kinds[:index], *kinds[index + 1 :])
        return Perturbed(text, "none")

    def apply(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        """Alter the text as `alter` does; a perturbation with a strength alters by a dose of the range."""
        return self.alter(text, kind, rng)

    def unavailable(self) -> str:
        """Return why it cannot be used on this machine ("WordNet is not installed: ..."); empty if it can be used."""
        return ""


def restored(altered: tuple[str, int] | None, restore: Callable[[str], str | None]) -> tuple[str, int] | None:
    """Return the result of `alter` with the protected stretches restored; `None` if one of them was lost."""
    text = restore(altered[0]) if altered else None
    return None if altered is None or text is None else (text, altered[1])


class Composite(Perturbation):
    """Applies several perturbations in order, as in `typo+uppercase`."""

    family = "composed"

    def __init__(self, parts: Sequence[Perturbation]) -> None:
        self.parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)
        self.kinds = tuple("+".join(kinds) for kinds in product(*(part.kinds for part in parts)))
        effects = [part.effect for part in parts if part.effect is not Effect.KEEPS]
        self.needs = " and ".join(dict.fromkeys(part.needs for part in parts if part.needs))
        self.whole = any(part.whole for part in parts)
        self.effect = Effect.MOVES if len(effects) > 1 else effects[0] if effects else Effect.KEEPS

    @property
    def spelled(self) -> str:
        return "+".join(part.spelled for part in self.parts)

    def alter(self, text: str, kind: str, rng: Random) -> tuple[str, int] | None:
        return self.apply(text, kind, rng, DoseRange())

    def apply(self, text: str, kind: str, rng: Random, doses: DoseRange) -> tuple[str, int] | None:
        """Alter by each part's own medium dose: the parts have no unit in common."""
        edits = 0
        for part, part_kind in zip(self.parts, kind.split("+"), strict=True):
            altered = part.alter(text, part_kind, rng)
            if altered is None or altered[0] == text:
                return None
            text, edits = altered[0], edits + altered[1]
        return text, edits


perturbations: Registry[Perturbation] = Registry("perturbation", "chattest.perturbations", "chattest.perturbations")


def perturbation(name: str) -> Callable[[type[C]], type[C]]:
    """Register the decorated perturbation under `name`."""

    def decorate(cls: type[C]) -> type[C]:
        cls.name = name
        return perturbations.register(name)(cls)

    return decorate


def resolve(name: str, where: str = "") -> Perturbation:
    """Return the perturbation for a name, a name with options, or several of these joined by `+`.

    Args:
        text: Such as `typo`, `letter_typo(number=3)`, `contraction+uppercase`.
        where: Where the name comes from, for error messages.

    Raises:
        InputError: A name or option does not exist, an option has the wrong type, the text cannot be parsed, or a
            perturbation is not available on this machine.
    """
    where = where or "perturbation"
    try:
        tree = ast.parse(name.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise _refuse(name, where) from None
    parts: list[Perturbation] = []
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
        parts.insert(0, _single(tree.right, name, where))
        tree = tree.left
    parts.insert(0, _single(tree, name, where))
    return parts[0] if len(parts) == 1 else Composite(parts)


def _refuse(name: str, where: str) -> InputError:
    allowed = "Write a name, name(option=value), or several joined by +."
    return InputError([Problem(where, f'"{name}" is not a perturbation', allowed)])


def _single(node: ast.expr, name: str, where: str) -> Perturbation:
    """Return the perturbation for one of the parts joined by `+`."""
    call = node if isinstance(node, ast.Call) else None
    called = call.func if call else node
    if not isinstance(called, ast.Name) or (call and call.args):
        raise _refuse(name, where)
    part = perturbations.get(called.id, where)
    if call:
        try:
            options = {word.arg or "**": ast.literal_eval(word.value) for word in call.keywords}
        except ValueError:
            raise _refuse(name, where) from None
        part = _with_options(part, options, where)
    why = part.unavailable()
    if why:
        raise InputError([Problem(where, f"{part.name} is not available: {why}")])
    return part


def _with_options(part: Perturbation, options: Mapping[str, object], where: str) -> Perturbation:
    known: list[str] = [field.name for field in dataclasses.fields(part)] if dataclasses.is_dataclass(part) else []
    problems = []
    checked = {}
    for option, value in options.items():
        if option not in known:
            problems.append(Problem(where, f"{part.name} has no option {option}", suggest(option, known)))
            continue
        checked[option] = tuple(value) if isinstance(value, list) else value
        default = getattr(part, option)
        if type(checked[option]) is not type(default):
            allowed = f"Write it like {option}={default!r}."
            problems.append(Problem(where, f"option {option} of {part.name} cannot be {value!r}", allowed))
    if problems:
        raise InputError(problems)
    return type(part)(**checked)
