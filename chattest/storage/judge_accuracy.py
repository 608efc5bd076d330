"""The measured accuracy of the shipped judges, taken from the figures of `validate --json`, in a file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole
from chattest.files.reading import LARGEST_WRITTEN, read_bytes
from chattest.scorers.base import scorers
from chattest.statistics.judges import Accuracy

FILE = Path(__file__).parent.parent / "models" / "weights" / "measured.json"
"""The shipped figures: kind of figures -> `Measured`."""
MADE, SANITY = "made", "sanity"
"""What a file of `validate --json` holds besides kinds of figures: how it was made, and what the sanity bots pass."""
CHAT = "chat judges"
"""The key in `made` for chat judges: kind of figures -> the judge's name."""


@dataclass(frozen=True)
class Measured:
    """The accuracy of one scorer on labelled replies."""

    accuracy: Accuracy
    """How many replies that should pass did, and how many that should fail did."""
    threshold: float | None
    """The threshold in force when it was measured; `None` for closed answers, which have none."""
    bots: tuple[str, ...] = ()
    """The bots whose replies these were; empty if people wrote any of the replies. Written replies are hard on purpose,
    so that errors on them tell nothing of the errors on a bot: they correct no rate."""


def read_measured(path: Path | None = None) -> dict[str, Measured]:
    """Return what was measured for each kind of figures, such as `open`; empty if there is no file.

    Args:
        path: `FILE` if not given.

    Raises:
        InputError: the file does not hold such figures.
    """
    path = path or FILE
    if not path.exists():
        return {}
    try:
        return TypeAdapter(dict[str, Measured]).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        remedy = "Write it again: python main.py measured FIGURES"
        raise InputError([Problem(str(path), "does not hold the judges' figures", remedy)]) from error


def save_measured(figures: Sequence[Path], path: Path | None = None) -> dict[str, Measured]:
    """Save the figures of files that `validate --json` wrote; return all figures.

    Figures of kinds that the files do not name stay as they were. A judge no better than chance is returned but not
    saved, because nothing can be corrected with its figures.

    Args:
        figures: the files.
        path: `FILE` if not given.

    Raises:
        InputError: a file holds something else, or a kind measured on replies of one label only.
        StoreError: the file cannot be written.
    """
    path = path or FILE
    all_measured = read_measured(path)
    for source in figures:
        by_models, by_chat = _read_figures(source)
        if by_chat:
            what = f"holds figures of chat judges ({', '.join(sorted({judge for judge, _ in by_chat.values()}))})"
            remedy = f'Name the file in your settings instead: judge_figures = "{source}"'
            raise InputError([Problem(str(source), what, remedy)])
        all_measured |= by_models
    usable = {kind: measured for kind, measured in all_measured.items() if measured.accuracy.usable}
    text = TypeAdapter(dict[str, Measured]).dump_json(usable, indent=1)
    write_whole(path, text + b"\n")
    return all_measured


def read_chat_figures(path: Path) -> dict[str, tuple[str, Measured]]:
    """Return the chat judge of each kind of figures, and what `validate` measured for it.

    Args:
        path: a file of `validate --json`.

    Raises:
        InputError: the file cannot be read, or has no figures of a chat judge.
    """
    _, by_chat = _read_figures(path)
    if not by_chat:
        remedy = "Write it with `python main.py validate FILES --json FIGURES` while `models` names chat judges."
        raise InputError([Problem(str(path), "holds no figures of chat judges", remedy)])
    return by_chat


def _read_figures(source: Path) -> tuple[dict[str, Measured], dict[str, tuple[str, Measured]]]:
    """Return the figures of models by kind, and those of chat judges by kind with the judge's name."""
    given = read_bytes(source, LARGEST_WRITTEN)
    try:
        content = json.loads(given)
        chat = dict(content.get(MADE, {}).get(CHAT, {}))
        measured = {kind: _make_measured(kind, content[kind]) for kind in content if kind not in (MADE, SANITY)}
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        remedy = "Write it with `python main.py validate FILES --json FIGURES`, with both labels in the files."
        raise InputError([Problem(str(source), f"does not hold figures of a validation: {error}", remedy)]) from error
    by_chat = {kind: (str(chat[kind]), figures) for kind, figures in measured.items() if kind in chat}
    return {kind: figures for kind, figures in measured.items() if kind not in chat}, by_chat


def _make_measured(kind: str, figures: dict[str, Any]) -> Measured:
    if figures["recall"] is None or figures["specificity"] is None:
        raise ValueError(f"{kind} was measured on replies of one label only")
    true = int(figures["n_true"])
    false = int(figures["n"]) - true
    right_true, right_false = round(true * figures["recall"]), round(false * figures["specificity"])
    faults = {scorer.labelled.kind for scorer in scorers if scorer.labelled and not scorer.labelled.true_passes}
    if kind in faults:
        accuracy = Accuracy(right=false, passed=right_false, wrong=true, failed=right_true)
    else:
        accuracy = Accuracy(right=true, passed=right_true, wrong=false, failed=right_false)
    return Measured(accuracy, figures["threshold"], tuple(map(str, figures.get("bots", ()))))
