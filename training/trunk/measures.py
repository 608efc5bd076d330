"""Measures of the trunk on data that it was not trained on, by head and by set."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from chattest.models.embedded.coherence import join_turns
from chattest.text.format import ALTERNATIVES
from training.match import Case, read_evouna
from training.trunk.answers import as_match, written_open
from training.trunk.pairs import HEADS, READINGS, Pair, either, json_rows, one_of
from training.trunk.readings import written_answers, written_closed, written_consistency
from training.trunk.talk import CHOOSING, rated_threads, written_coherence
from training.written_rows import Part, read_written
from training.yes_no import VALIDATION, read_circa

Judge = Callable[[Sequence[Pair]], list[list[float]]]
"""Gives the chance of each output for pairs of the same head."""
LABELLED = Path("tests/data/judging")
"""The project's own labelled replies, from the root of a checkout."""


class Measures:
    """The sets that are measured on."""

    def __init__(self, data: Path) -> None:
        """Read the sets. The folder of the public data has the second collection in `second`."""
        circa, evouna, second = read_circa(data), read_evouna(data), data / "second"
        self.circa = {
            part: [one_of("yes_no", a.question, a.reply, a.reading, READINGS) for a in answers if a.reading]
            for part, answers in (("validation", circa["dev"][:VALIDATION]), ("test", circa["test"]))
        }
        self.evouna = {part: [as_match(case) for case in evouna[part]] for part in ("validation", "test")}
        self.threads = {
            "validation": list(rated_threads(second, "train"))[-CHOOSING:],
            "test": [*rated_threads(second, "dev"), *rated_threads(second, "test")],
        }
        self.wild = list(rated_turns(second))

    def choosing(self, judge: Judge, heads: Collection[str] = HEADS) -> dict[str, float]:
        """Compute the figures that choose the weights for these heads, and `score`, their mean."""
        public: dict[str, Callable[[], tuple[str, float]]] = {
            "yes_no": lambda: ("circa", accuracy(judge, self.circa["validation"])),
            "match": lambda: ("evouna", accuracy(judge, self.evouna["validation"])),
            "coherence": lambda: ("toxichat", area(judge, self.threads["validation"])),
        }
        figures = dict(measured() for head, measured in public.items() if head in heads)
        figures |= written_figures(judge, "choosing", heads)
        return {"score": sum(figures.values()) / len(figures)} | figures

    def held_out(self, judge: Judge) -> dict[str, float]:
        """Compute the figures on sets that choose nothing."""
        return {
            "circa": accuracy(judge, self.circa["test"]),
            "evouna": accuracy(judge, self.evouna["test"]),
            "toxichat": area(judge, self.threads["test"]),
            "convai2-wild": area(judge, self.wild),
            "own coherence": area(judge, list(own_coherence())),
            "own coherence, prompt": area(judge, list(own_coherence(alone=True))),
            "own closed": accuracy(judge, list(own_closed())),
            "own open": area(judge, list(own_open())),
        } | written_figures(judge, "held-out")


def written_figures(judge: Judge, part: Part, heads: Collection[str] = HEADS) -> dict[str, float]:
    """Compute accuracy, and the area under the curve of heads with one output, on the written rows of a part.

    Only the named heads are measured.
    """
    open_pairs = [as_match(case) for case in written_open(part)]
    talk, questions = list(written_coherence(part)), list(questions_of(part))
    sets: dict[str, list[Pair]] = {
        "written closed": list(written_closed(part)),
        "written consistency": list(written_consistency(part)),
        "written open": open_pairs,
        "written coherence": talk,
        "written same question": questions,
        "written answers": list(written_answers(part)),
    }
    sets = {name: pairs for name, pairs in sets.items() if pairs and pairs[0].head in heads}
    figures = {name: accuracy(judge, pairs) for name, pairs in sets.items()}
    return figures | {f"{name} (area)": area(judge, p) for name, p in sets.items() if HEADS[p[0].head] == 1}


def accuracy(judge: Judge, pairs: Sequence[Pair]) -> float:
    """Compute the share of pairs with the right likeliest output; the threshold of a single output is 0.5."""
    right = 0
    for pair, row in zip(pairs, judge(pairs), strict=True):
        wanted = pair.target.index(max(pair.target)) if len(row) > 1 else pair.target[0] >= 0.5
        right += (row.index(max(row)) if len(row) > 1 else row[0] >= 0.5) == wanted
    return round(right / len(pairs), 4)


def area(judge: Judge, pairs: Sequence[Pair]) -> float:
    """Compute the area under the ROC curve of a head with one output."""
    from sklearn.metrics import roc_auc_score

    rows = judge(pairs)
    return round(float(roc_auc_score([pair.target[0] >= 0.5 for pair in pairs], [row[0] for row in rows])), 4)


def questions_of(part: Part) -> Iterator[Pair]:
    """Return the written pairs of questions."""
    for row in read_written("same-question", part):
        yield either("same_question", row["first"], row["second"], row["label"])


def rated_turns(folder: Path) -> Iterator[Pair]:
    """Read convai2-wild's turns of bots that people rated 1 or 0, each after at least one turn of a person."""
    for name in ("data_intermediate", "data_volunteers"):
        for row in json_rows(folder / "convai2-wild" / f"{name}.jsonl.gz"):
            turns = row["turns"]
            for index in range(1, len(turns)):
                speaker, text, rating = turns[index]
                if speaker == "Bot" and rating in (0, 1):
                    context = [before for _, before, _ in turns[max(0, index - 8) : index]]
                    yield either("coherence", join_turns(context), " ".join(text.split()), rating == 1)


def own_coherence(alone: bool = False) -> Iterator[Pair]:
    """Read the project's labelled replies to a conversation, or to its last turn alone."""
    for row in _own("coherence"):
        turns = [row["prompt"]] if alone else [*row["context"], row["prompt"]]
        yield either("coherence", join_turns(turns), row["reply"], row["label"])


def own_closed() -> Iterator[Pair]:
    """Read the project's labelled replies to closed questions that are held out."""
    for row in _own("closed-held-out"):
        reading = next(tag.removeprefix("reading-") for tag in row["tags"] if tag.startswith("reading-"))
        yield one_of("yes_no", row["question"], row["reply"], reading, READINGS)


def own_open() -> Iterator[Pair]:
    """Read the project's labelled replies to open questions that are held out."""
    for row in _own("open-held-out"):
        expected = row["expected"] if isinstance(row["expected"], str) else ALTERNATIVES.join(row["expected"])
        yield as_match(Case(row["question"], expected, row["reply"], row["label"]))


def _own(name: str) -> Iterator[dict[str, Any]]:
    with (LABELLED / f"{name}.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)
