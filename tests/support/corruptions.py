"""Files of a run folder damaged in every way, and what the readers make of them: the same, or an error that says so."""

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from chattest.errors import ChattestError
from chattest.models.judges import Judges
from chattest.review.rows import load
from chattest.runner.prepare import prepare
from chattest.runner.report import load_report
from chattest.settings.declaration import Settings
from chattest.storage.finished_run import read_run
from chattest.storage.labels import read_labels
from chattest.storage.run_folder import RunFolder, read_run_settings
from chattest.storage.tags import read_tags
from chattest.web.rejudging import make_rejudge_settings
from tests.support.small_runs import Silent

Damage = Callable[[random.Random, Path, Path], None]
"""Damages a file. The second path is another file of the same kind, or of another where there is none."""


def flip_a_bit(chance: random.Random, path: Path, other: Path) -> None:
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def change_a_digit(chance: random.Random, path: Path, other: Path) -> None:
    """What still has the right form is the worst: a digit or a letter becomes another."""
    content = bytearray(path.read_bytes())
    places = [number for number, byte in enumerate(content) if chr(byte).isalnum()]
    place = chance.choice(places)
    content[place] = ord(chance.choice("0123456789" if chr(content[place]).isdigit() else "abcdefghijklmnop"))
    path.write_bytes(content)


def cut_short(chance: random.Random, path: Path, other: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content))])


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def double_a_line(chance: random.Random, path: Path, other: Path) -> None:
    lines = _lines(path)
    place = chance.randrange(len(lines))
    path.write_bytes(b"".join([*lines[: place + 1], *lines[place:]]))


def lose_a_line(chance: random.Random, path: Path, other: Path) -> None:
    lines = _lines(path)
    del lines[chance.randrange(len(lines))]
    path.write_bytes(b"".join(lines))


def swap_lines(chance: random.Random, path: Path, other: Path) -> None:
    lines = _lines(path)
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    path.write_bytes(b"".join(lines))


def delete(chance: random.Random, path: Path, other: Path) -> None:
    path.unlink()


def empty(chance: random.Random, path: Path, other: Path) -> None:
    path.write_bytes(b"")


def garbage(chance: random.Random, path: Path, other: Path) -> None:
    path.write_bytes(chance.randbytes(chance.randrange(1, 3000)))


def zeros(chance: random.Random, path: Path, other: Path) -> None:
    """What a power cut leaves of a file that was never synchronised."""
    path.write_bytes(bytes(path.stat().st_size))


def exchange(chance: random.Random, path: Path, other: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)


def copy_beside(chance: random.Random, path: Path, other: Path) -> None:
    shutil.copyfile(path, path.with_name(f"{path.stem}0{path.suffix}"))


DAMAGES: tuple[Damage, ...] = (
    flip_a_bit, change_a_digit, change_a_digit, cut_short, double_a_line, lose_a_line, swap_lines, delete, empty,
    garbage, zeros, exchange, copy_beside,
)  # fmt: skip
EDITED = ("labels.jsonl", "tags.json")
"""Files that people may edit: what they say then is what they say, so only a traceback is a fault."""
KINDS = {
    "run.json": "report.json",
    "results.jsonl": "answers.jsonl",
    "report.json": "run.json",
    "answers.jsonl": "results.jsonl",
    "conversations/run-001.json": "conversations/run-002.json",
    "conversations/clean/run-001.json": "conversations/clean/run-002.json",
    "labels.jsonl": "results.jsonl",
    "tags.json": "run.json",
}
"""A file of each kind in a run's folder -> the one that it is exchanged with."""


def _rows(folder: Path, project: Path) -> Any:
    return read_run(folder).results


def _report(folder: Path, project: Path) -> Any:
    return load_report(folder).record


def _reviewed(folder: Path, project: Path) -> Any:
    return load(folder).units


def _judged(folder: Path, project: Path) -> Any:
    """All that judging again reads; the same of it gives the same verdicts."""
    settings = make_rejudge_settings(Settings(), folder, read_run_settings(folder), {})
    prepared = prepare(settings, project)
    gathered = prepared.gather(RunFolder(folder), Silent(), Event(), Judges("embedded"))
    kept = settings.model_dump(exclude={"load_conv_folder"})
    asked = [trial for planned in prepared.checks for trial in planned.trials]
    return kept, tuple(gathered.conversations), gathered.reference_runs, gathered.answers, asked


def _labels(folder: Path, project: Path) -> Any:
    return read_labels(folder / "labels.jsonl"), read_tags(folder)


READERS = {"rows": _rows, "report": _report, "review": _reviewed, "judge": _judged, "labels and tags": _labels}


@dataclass
class Outcomes:
    """What came of damaged files."""

    same: int = 0
    told: int = 0
    edited: int = 0
    """Other labels or tags, which a person could have written so."""
    silent: list[str] = field(default_factory=list)
    """Where a reader gave something else without a word."""
    tracebacks: list[str] = field(default_factory=list)


class Corruption:
    """A sound run, and copies of it that are damaged."""

    def __init__(self, project: Path, folder: Path, work: Path, seed: int) -> None:
        self._project, self._folder, self._copy = project, folder, work / folder.name
        self._chance = random.Random(seed)
        self.outcomes = Outcomes()
        self._anew()
        self._sound = {name: read(self._copy, project) for name, read in READERS.items()}

    def damage(self, kind: str, number: int) -> None:
        """Damages a file of a kind in the next way, and asks every reader."""
        self._anew()
        damage = DAMAGES[number % len(DAMAGES)]
        damage(self._chance, self._copy / kind, self._copy / KINDS[kind])
        where = f"{kind}, {damage.__name__}, number {number}"
        for name, read in READERS.items():
            try:
                outcome = read(self._copy, self._project)
            except ChattestError:
                self.outcomes.told += 1
                continue
            except Exception as error:
                self.outcomes.tracebacks.append(f"{where}, {name}: {type(error).__name__}: {error}")
                continue
            if outcome == self._sound[name]:
                self.outcomes.same += 1
            elif kind in EDITED or name == "labels and tags":
                self.outcomes.edited += 1
            else:
                self.outcomes.silent.append(f"{where}, {name}")

    def _anew(self) -> None:
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self._folder, self._copy)
