"""Measure the judges that ship, and compare each figure with its aim.

    python -m training.figures --data FOLDER [--json FILE]

Every figure is of the judges as they ship, through the scorers, rules and calibration included, on replies that no
weight was trained on: the project's labelled replies (`tests/data/judging`, so it runs in the root of a checkout), the
rows of writers who are held out, and the public sets in FOLDER. The table goes to docs/judges.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.files.atomic import write_whole
from chattest.models.embedded.coherence import TURN
from chattest.models.judges import Judges
from chattest.records.conversation import Speaker, Turn
from chattest.scorers.base import Item, scorers
from chattest.scorers.same_answer import AnswerPair, sameness
from chattest.settings.declaration import Settings
from chattest.text.format import align
from chattest.validation.labelled import Closed, Labelled, read_cases
from chattest.validation.measured import Validation
from chattest.validation.reliability import simulate_calibration_error
from chattest.validation.validate import validate
from training.labelled_rows import labelled_rows
from training.match import read_evouna
from training.toxicity import area_under_roc
from training.toxicity_data import read_jigsaw, read_madlibs
from training.trunk.measures import rated_turns
from training.trunk.pairs import Pair
from training.trunk.talk import rated_threads
from training.written_rows import read_written
from training.yes_no import READINGS, read_circa

LABELLED = Path("tests/data/judging")
FILES = (
    "open-held-out",
    "closed-held-out",
    "toxicity",
    "coherence",
    "repeated-question-held-out",
    "stutter-held-out",
)
CONTRADICTIONS = Path("tests/data/contradictions.jsonl")
OPEN_GROUPS = {
    "open answer, in other words": {"paraphrased-right", "paraphrase", "words", "synonym", "inflected", "slang"},
    "open answer, beside a rejected one": {"contrast", "rejected-other", "rejected", "rejected-for-another"},
    "open answer, denied": {"negated", "denied", "taken-back"},
    "open answer, with a typo": {"typo"},
}
"""Name -> the tags of the rows it is measured on."""
PER_TERM = 60
"""Sentences of bias-madlibs measured for each identity word."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure and its aim."""

    name: str
    """What is measured."""
    on: str
    """On which set."""
    cases: int
    """How many replies."""
    value: float
    """What was measured."""
    wanted: float | None
    """The aim; `None` where there is none."""
    at_most: bool = False
    """Whether less is better."""
    by_chance: float | None = None
    """Of a calibration error: what 95 % of judges whose probabilities hold would have less of, on so many replies."""

    @property
    def met(self) -> bool | None:
        """True if the aim is met; `None` without one."""
        if self.wanted is None:
            return None
        return self.value <= self.wanted if self.at_most else self.value >= self.wanted


AIMS: dict[str, tuple[float | None, float | None]] = {
    "open": (0.93, None),
    "consistency": (0.90, None),
    "closed": (0.94, None),
    "toxicity": (0.88, 0.94),
    "coherence": (0.85, 0.92),
    "prompt_coherence": (None, None),
    "repeated_question": (0.93, None),
    "stutter": (0.95, None),
}
"""Kind of figures -> the accuracy and the area under the ROC curve that are aimed at."""
NO_PROBABILITY = frozenset({"stutter"})
"""The kinds whose score is a share of words and not a probability, so that they have no calibration error."""


def of_validation(validation: Validation, on: str) -> Iterator[Figure]:
    """Yield accuracy, area under the curve and calibration error of a kind."""
    figures = validation.figures()
    accuracy, area = AIMS.get(validation.kind, (None, None))
    yield Figure(f"{validation.kind}, accuracy", on, figures["n"], figures["accuracy"], accuracy)
    yield Figure(f"{validation.kind}, ROC AUC", on, figures["n"], figures["roc_auc"], area)
    error = figures["calibration_error"]
    if validation.kind not in NO_PROBABILITY:
        name, by_chance = f"{validation.kind}, calibration error", simulate_calibration_error(validation.values)
        yield Figure(name, on, figures["n"], error, 0.05, True, by_chance)


def of_groups(validation: Validation, on: str) -> Iterator[Figure]:
    """Yield the accuracy on kinds of replies to open questions."""
    for name, tags in OPEN_GROUPS.items():
        rows = zip(validation.cases, validation.predicted, strict=True)
        right = [predicted == case.label for case, predicted in rows if tags & set(case.tags)]
        if right:
            yield Figure(name, on, len(right), sum(right) / len(right), 0.80 if name.endswith("words") else 0.90)


def of_neither(validation: Validation, on: str) -> Iterator[Figure]:
    """Yield the share of passes among replies to closed questions that mean neither yes nor no."""
    rows = [
        (case, passed)
        for case, passed in zip(validation.cases, validation.predicted, strict=True)
        if isinstance(case, Closed)
    ]
    labels: dict[tuple[str, str], list[bool]] = {}
    for case, _ in rows:
        labels.setdefault((case.question, case.reply), []).append(case.label)
    # Asked for twice, with yes and with no as the right answer, and neither is right.
    neither = {text for text, of_text in labels.items() if len(of_text) == 2 and not any(of_text)}
    passes = [passed for case, passed in rows if (case.question, case.reply) in neither]
    if passes:
        yield Figure(
            "closed, passes of replies that answer neither", on, len(passes), sum(passes) / len(passes), 0.03, True
        )


def written(judges: Judges) -> Iterator[Figure]:
    """Measure on the labelled replies of the project, and on the rows of writers who are held out."""
    cases: dict[str, Sequence[Labelled]] = {
        "own": read_cases([LABELLED / f"{name}.jsonl" for name in FILES]),
        "held-out writers": labelled_rows("held-out"),
    }
    for on, of_set in cases.items():
        for validation in validate(of_set, Settings(), judges):
            yield from of_validation(validation, on)
            if validation.kind == "open":
                yield from of_groups(validation, on)
            if validation.kind == "closed":
                yield from of_neither(validation, on)
    yield contradictions(judges)
    yield from free_contradictions(judges)
    yield from same_answers(judges)


def contradictions(judges: Judges) -> Figure:
    """Measure how well a contradiction is distinguished from an agreeing or unrelated statement."""
    from training.trunk.readings import written_consistency

    pairs = list(written_consistency("held-out"))
    relations = judges.inference.relations([pair.left for pair in pairs], [pair.right for pair in pairs])
    area = area_under_roc([relation.contradicts for relation in relations], [pair.target[2] == 1.0 for pair in pairs])
    return Figure("contradiction, ROC AUC", "held-out writers", len(pairs), area, 0.80)


def free_contradictions(judges: Judges) -> Iterator[Figure]:
    """Measure how many planted contradictions are found, and how many fitting replies are taken for one."""
    dialogues = [json.loads(line) for line in CONTRADICTIONS.read_text(encoding="utf-8").splitlines()]
    told = [[text for texts in row["rounds"] for text in texts] for row in dialogues if row["part"] == "held-out"]
    fitting = [
        [*row["context"], row["prompt"], row["reply"]] for row in read_written("coherence", "held-out") if row["label"]
    ]
    for name, of_set, aim in (("found", told, 0.8), ("false alarms", fitting, 0.01)):
        items = [
            Item(
                before[-1],
                reply,
                turns=tuple(Turn(at // 2, _speaker(before, at), text) for at, text in enumerate(before)),
            )
            for *before, reply in of_set
        ]
        scores = scorers.get("free_contradiction").scores(items, judges)
        bar = Settings().threshold("threshold_free_contradiction")
        share = sum((score.value or 0) >= bar for score in scores) / len(scores)
        on = "own dialogues, held out" if name == "found" else "held-out writers"
        yield Figure(f"free contradiction, {name}", on, len(scores), share, aim, name != "found")


def _speaker(before: Sequence[str], at: int) -> Speaker:
    """Return the speaker of a text; the last text before the reply is the driver's."""
    return Speaker.DRIVER if (len(before) - at) % 2 else Speaker.SUBJECT


LONG_ADVICE = "answers-a6"
"""The writer of pairs of long advice, which are told apart less well than others."""


def same_answers(judges: Judges) -> Iterator[Figure]:
    """Measure how well two answers with the same meaning are distinguished from two others."""
    rows = read_written("answers", "held-out")
    for name, long in (("same answer", False), ("same answer, long advice", True)):
        own = [row for row in rows if (row["writer"] == LONG_ADVICE) == long]
        pairs = [AnswerPair(row["question"], row["altered"], row["first"], row["second"]) for row in own]
        values, labels = [found.value for found in sameness(pairs, judges)], [row["label"] for row in own]
        right = sum((value >= 0.5) == label for value, label in zip(values, labels, strict=True))
        yield Figure(f"{name}, accuracy", "held-out writers", len(own), right / len(own), 0.95)
        yield Figure(f"{name}, ROC AUC", "held-out writers", len(own), area_under_roc(values, labels), None)


def public(judges: Judges, data: Path) -> Iterator[Figure]:
    """Measure on the public sets."""
    answers = [answer for answer in read_circa(data)["test"] if answer.reading]
    readings = judges.yes_no.read([a.question for a in answers], [a.reply for a in answers])
    right = [
        max(READINGS, key=lambda r: getattr(found, r)) == a.reading for found, a in zip(readings, answers, strict=True)
    ]
    yield Figure("closed, three readings", "circa test", len(right), sum(right) / len(right), 0.87)
    cases = read_evouna(data)["test"]
    chances = judges.match.match([c.question for c in cases], [c.expected for c in cases], [c.reply for c in cases])
    hits = [(chance >= 0.5) == case.right for chance, case in zip(chances, cases, strict=True)]
    yield Figure("answer match alone", "EVOUNA NQ, held-out questions", len(hits), sum(hits) / len(hits), 0.93)
    second = data / "second"
    talk = {
        "convai2-wild, rated bot turns": (list(rated_turns(second)), 0.574),
        "ToxiChat dev and test": ([*rated_threads(second, "dev"), *rated_threads(second, "test")], 0.630),
    }
    for on, (pairs, aim) in talk.items():
        yield Figure("coherence of real bots, ROC AUC", on, len(pairs), coherence_area(judges, pairs), aim)
    comments = read_jigsaw(data)["test"]
    area = area_under_roc(toxicity(judges, [c.text for c in comments]), [c.labels[0] >= 0.5 for c in comments])
    yield Figure("toxicity, ROC AUC", "jigsaw-binary, held out", len(comments), area, 0.97)
    bar = Settings().threshold("threshold_toxicity")
    alarms = {
        term: sum(value > bar for value in toxicity(judges, sentences[:PER_TERM])) / len(sentences[:PER_TERM])
        for term, sentences in read_madlibs(data).items()
    }
    worst = max(alarms, key=lambda term: alarms[term])
    on = f"bias-madlibs, worst of {len(alarms)} terms ({worst})"
    yield Figure("toxicity, false alarms", on, PER_TERM, alarms[worst], 0.05, at_most=True)


def coherence_area(judges: Judges, pairs: Sequence[Pair]) -> float:
    """Return the area under the ROC curve of the coherence with the conversation."""
    items = []
    for pair in pairs:
        *history, prompt = pair.left.split(TURN)
        items.append(Item(prompt, pair.right, history=tuple(history)))
    scores = scorers.get("conversation_coherence").scores(items, judges)
    judged = [
        (score.value, pair.target[0] >= 0.5)
        for score, pair in zip(scores, pairs, strict=True)
        if score.value is not None
    ]
    return area_under_roc([value for value, _ in judged], [fits for _, fits in judged])


def toxicity(judges: Judges, texts: Sequence[str]) -> list[float]:
    """Return the toxicity of each text by the scorer."""
    return [score.value or 0.0 for score in scorers.get("toxicity").scores([Item("", text) for text in texts], judges)]


def table(figures: Sequence[Figure]) -> list[str]:
    """Return the table that is printed."""
    rows = [("figure", "on", "cases", "measured", "aim", "")]
    for figure in figures:
        aim = "" if figure.wanted is None else f"{'<=' if figure.at_most else '>='} {figure.wanted:.3f}"
        met = {True: "met", False: "missed", None: ""}[figure.met]
        rows.append((figure.name, figure.on, str(figure.cases), f"{figure.value:.3f}", aim, met))
    return align(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Measures the judges that ship, beside what is aimed at.")
    parser.add_argument("--data", type=Path, help="folder of the public data sets; without it, they are left out")
    parser.add_argument("--json", type=Path, help="writes the figures into this file")
    options = parser.parse_args(arguments)
    judges = Judges()
    figures = [*written(judges), *(public(judges, options.data) if options.data else ())]
    print("\n".join(table(figures)))
    if options.json:
        rows: list[dict[str, Any]] = [
            {**{f: getattr(x, f) for f in x.__dataclass_fields__}, "met": x.met} for x in figures
        ]
        write_whole(options.json, (json.dumps(rows, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
