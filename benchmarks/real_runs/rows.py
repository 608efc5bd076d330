"""Read labelled replies of real runs; README.md beside this file describes their form."""

import gzip
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ROWS = FOLDER / "rows"
CONVERSATIONS = FOLDER / "conversations"
ROLES = FOLDER / "bots.toml"
CHOOSE, MEASURE = "choose", "measure"
SAYS = {"pass": True, "fail": False, "cannot tell": None}
"""What a reader says -> whether the reply should pass."""
ENDINGS = (".jsonl", ".jsonl.gz")
CODE = re.compile(r"[yn?]{2}[-sub][-t][-a][-k][-gw0]")
"""What a reader writes of a reply of a conversation; README.md says what each place means."""


class RowError(ValueError):
    """A row, or a file of rows, that does not have the form of README.md."""


@dataclass(frozen=True, slots=True)
class Row:
    """A reply of a real bot, and what a reader says of it."""

    bot: str
    case: str
    """Code of the case or check that asked, such as `ML-I2`."""
    kind: str
    """Which texts the row has, as README.md says."""
    right: bool | None
    """Whether the reply should pass; `None` where the reader could not tell."""
    probability: float
    """How likely the row was to be drawn from its run, above 0 and at most 1."""
    error_kind: str
    """The kind of error that the first verdict was; empty where it was right."""
    texts: dict[str, Any]
    """The other fields."""

    @property
    def weight(self) -> float:
        """How many verdicts of the run the row stands for."""
        return 1 / self.probability


def read_rows(paths: Sequence[Path] = (ROWS,)) -> list[Row]:
    """Read the rows of files and folders, in order.

    Raises:
        RowError: Names the file and the line of the first fault, or what is missing.
    """
    rows = [row for path in _list_files(paths) for row in _read_file(path)]
    if not rows:
        raise RowError(f"{', '.join(map(str, paths))}: no rows. Name a file or folder of labelled replies (JSONL).")
    return rows


def read_roles(path: Path = ROLES) -> dict[str, str]:
    """Read what the rows of each bot are for: `choose` or `measure`."""
    roles: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))["roles"]
    unknown = set(roles.values()) - {CHOOSE, MEASURE}
    if unknown:
        raise RowError(f"{path}: {min(unknown)} is no role. Use {CHOOSE} or {MEASURE}.")
    return roles


def select_role(rows: Iterable[Row], role: str, roles: dict[str, str]) -> list[Row]:
    """Keep the rows of bots with a role; a bot that `roles` does not name measures."""
    return [row for row in rows if roles.get(row.bot, MEASURE) == role]


def _list_files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise RowError(f"{path}: does not exist. Name a file or folder of labelled replies (JSONL).")
        found = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS)) if path.is_dir() else [path]
        files.extend(found)
    return files


def _read_file(path: Path) -> Iterator[Row]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.name.endswith(".gz") else content).decode("utf-8")
    # Not splitlines: a text may hold U+2028 and the like, which JSON allows in it.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                fields = json.loads(line)
                yield from _expand(fields) if "turns" in fields else [_make_row(fields)]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
                raise RowError(f"{path}:{number}: {what}") from error


def _make_row(fields: dict[str, Any]) -> Row:
    texts = dict(fields)
    bot, case, kind, says = (texts.pop(name) for name in ("bot", "case", "kind", "reader_says"))
    if says not in SAYS:
        raise ValueError(f"reader_says is {says!r}; it must be one of {', '.join(SAYS)}")
    probability = float(texts.pop("probability_drawn", 1.0))
    if not 0 < probability <= 1:
        raise ValueError(f"probability_drawn is {probability:g}; it must be above 0 and at most 1")
    return Row(bot, case, kind, SAYS[says], probability, texts.pop("error_kind", ""), texts)


def _expand(fields: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of a whole conversation: what two readers say of each reply, by case."""
    before: list[list[str]] = []
    for speaker, text, *codes in fields["turns"]:
        if speaker == "s" and codes:
            wrong = next((code for code in codes if not CODE.fullmatch(code)), None)
            if wrong is not None:
                raise ValueError(f"{wrong!r} is no code of a reader")
            for case, kind, texts, place, passes in _list_judged(before, text):
                said = {passes.get(code[place], False) for code in codes}
                right = said.pop() if len(said) == 1 else None
                yield Row(fields["bot"], case, kind, right, 1.0, "", texts)
        before.append([speaker, text])


def _list_judged(
    before: list[list[str]], reply: str
) -> Iterator[tuple[str, str, dict[str, Any], int, dict[str, bool | None]]]:
    """Return case, kind, texts, place in the readers' code, and what its letters say of whether the reply passes."""
    history, prompt, context = before[:-1], before[-1][1], [text for _, text in before[:-1]]
    own = [text for speaker, text in history if speaker == "s"]
    fits = {"y": True, "n": False, "?": None}
    yield "ML-I2", "coherence", {"context": context, "prompt": prompt, "reply": reply}, 1, fits
    yield "ML-I3", "coherence", {"context": [], "prompt": prompt, "reply": reply}, 0, fits
    yield "ML-P1", "toxicity", {"text": reply}, 3, {"-": True}
    yield "ML-A7", "repeated_question", {"asked_before": own, "reply": reply}, 4, {"-": True}
    yield "ML-M9", "free_contradiction", {"history": history, "prompt": prompt, "reply": reply}, 2, {"-": True}
