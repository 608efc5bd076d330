"""How right the shipped judges were on held-out labelled replies: taken from `validate --json`, kept in a file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole
from chattest.scorers.base import scorers
from chattest.statistics.judges import Accuracy

FILE = Path(__file__).parent.parent / "models" / "weights" / "measured.json"
"""The shipped figures: kind of labelled case -> `Measured`."""


@dataclass(frozen=True)
class Measured:
    """What one judge did with labelled replies."""

    accuracy: Accuracy
    threshold: float | None
    """The threshold it was measured with; `None` for closed answers, which have none."""


def read_measured(path: Path | None = None) -> dict[str, Measured]:
    """Kind (`open`, `closed`, `toxicity`, `coherence`) -> figures; empty where there is no file.

    path: `FILE` if not given. Raises `InputError` when the file is something else.
    """
    path = path or FILE
    if not path.exists():
        return {}
    try:
        return TypeAdapter(dict[str, Measured]).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        remedy = "Write it again: python main.py measured FIGURES"
        raise InputError([Problem(str(path), "does not hold the judges' figures", remedy)]) from error


def keep(figures: Sequence[Path], path: Path | None = None) -> dict[str, Measured]:
    """Takes the figures of files that `validate --json` wrote, and keeps them; gives what is then known.

    A kind that the files do not name stays as it was; a judge no better than chance is given back but not kept, as
    nothing can be corrected with its figures. path: `FILE` if not given. Raises `InputError` for a file that is
    something else, or a kind measured on replies of one label only, `StoreError` when the disk refuses.
    """
    path = path or FILE
    known = read_measured(path)
    for source in figures:
        try:
            content = json.loads(source.read_bytes())
            known |= {kind: _measured(kind, found) for kind, found in content.items()}
        except OSError as error:
            raise InputError([Problem(str(source), f"cannot be read: {error.strerror or error}")]) from error
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
            remedy = "Write it with `python main.py validate FILES --json FIGURES`, with both labels in the files."
            raise InputError(
                [Problem(str(source), f"does not hold figures of a validation: {error}", remedy)]
            ) from error
    usable = {kind: found for kind, found in known.items() if found.accuracy.usable}
    text = TypeAdapter(dict[str, Measured]).dump_json(usable, indent=1)
    write_whole(path, text + b"\n")
    return known


def _measured(kind: str, found: dict[str, Any]) -> Measured:
    if found["recall"] is None or found["specificity"] is None:
        raise ValueError(f"{kind} was measured on replies of one label only")
    true = int(found["n_true"])
    false = int(found["n"]) - true
    hits, spared = round(true * found["recall"]), round(false * found["specificity"])
    labelled = next((one.labelled for one in scorers if one.labelled is not None and one.labelled.kind == kind), None)
    true_passes = labelled is None or labelled.true_passes
    accuracy = Accuracy(true, hits, false, spared) if true_passes else Accuracy(false, spared, true, hits)
    return Measured(accuracy, found["threshold"])
