"""Read a published benchmark by name, and draw the questions to ask."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from chattest.errors import InputError, Problem, suggest
from chattest.published import locomo, longmemeval
from chattest.published.record import Benchmark, Dialogue

_READERS: dict[str, tuple[Callable[[Path], list[Dialogue]], dict[str, str]]] = {
    "locomo": (locomo.read, locomo.CATEGORIES),
    "longmemeval": (longmemeval.read, longmemeval.CATEGORIES),
}
NAMES = tuple(_READERS)


def read_benchmark(name: str, path: Path) -> Benchmark:
    """Read a benchmark from its published file.

    Args:
        name: one of `NAMES`.
        path: the file.

    Raises:
        InputError: there is no such benchmark, or a record of the file is wrong (all are named); nothing of such a file
            is used.
    """
    if name not in _READERS:
        raise InputError([Problem("benchmark", f'"{name}" cannot be read', suggest(name, NAMES))])
    read, categories = _READERS[name]
    dialogues = read(path)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Benchmark(name, digest, tuple(dialogues), categories)


def draw_questions(benchmark: Benchmark, limit: int | None, dialogues: int | None, seed: int) -> Benchmark:
    """Return the benchmark with fewer questions, and without the dialogues that then have none.

    The same seed draws the same questions, and their order stays.

    Args:
        benchmark: with all questions.
        limit: how many questions to draw; `None` for all.
        dialogues: take questions from so many of the first dialogues only; `None` for all.
        seed: of the draw.
    """
    kept = benchmark.dialogues[:dialogues]
    places = [(dialogue.id, question.id) for dialogue in kept for question in dialogue.questions]
    if limit is not None and limit < len(places):
        places = Random(f"{seed}/benchmark/{benchmark.name}").sample(places, limit)
    chosen = set(places)
    fewer = [
        replace(dialogue, questions=tuple(q for q in dialogue.questions if (dialogue.id, q.id) in chosen))
        for dialogue in kept
    ]
    return replace(benchmark, dialogues=tuple(dialogue for dialogue in fewer if dialogue.questions))
