"""The data sets of the toxicity judge, each as comments with the labels that it knows.

- jigsaw-binary: toxicity; a clean comment is clean by every label.
- toxic-spans: insult, threat, obscene and identity_attack as the share of workers who marked it, and toxicity if at
  least half of them marked a span. Other posts are left out: they may be toxic without a marked span.
- rtp-perspective: all seven labels, from Google's Perspective; scores between 0.3 and 0.7 count as unknown.
- convabuse: what users said to bots; toxicity, severe_toxicity, sexual_explicit and identity_attack as the share of
  annotators; insult if any of them saw one. A turn that nobody found abusive is clean by every label.
- davidson: hate (identity_attack), offensive (obscene) or neither; edos: sexism (identity_attack) and threats.
- `toxicity.toml`: sentences that mention a group of people in a kind or neutral way, and sentences that attack it.
- circa's answers: short chat replies, which are assumed to be clean.
"""

from __future__ import annotations

import csv
import gzip
import math
import random
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chattest.models.protocols import TOXICITY_LABELS

FORMS = Path(__file__).with_name("toxicity.toml")
UNKNOWN = math.nan
"""A label that the source does not know."""
TEST_COMMENTS, VALIDATION_COMMENTS = 3000, 1000
"""Comments of jigsaw-binary that are only tested on, and those that choose the adapter."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A text with its known labels."""

    text: str
    """The text."""
    labels: tuple[float, ...]
    """0 to 1 in the order of `TOXICITY_LABELS`; `UNKNOWN` if the source does not know."""


def labelled(text: str, others: float, **known: float) -> Comment:
    """Make a comment with the known labels; `others` is the value of all the rest."""
    return Comment(text, tuple(known.get(label, others) for label in TOXICITY_LABELS))


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    """Read the rows of a compressed CSV file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def read_jigsaw(folder: Path) -> dict[str, list[Comment]]:
    """Read the comments of jigsaw-binary by part: "test", "validation", "train"."""
    comments = []
    for number in (1, 2):
        for row in rows_of(folder / "jigsaw-binary" / f"text_comment_{number}.csv.gz"):
            toxic = row["labels"] == "1"
            comments.append(labelled(row["comment_text"], UNKNOWN if toxic else 0.0, toxicity=float(toxic)))
    random.Random("jigsaw").shuffle(comments)
    first_of_train = TEST_COMMENTS + VALIDATION_COMMENTS
    return {
        "test": comments[:TEST_COMMENTS],
        "validation": comments[TEST_COMMENTS:first_of_train],
        "train": comments[first_of_train:],
    }


def read_convabuse(folder: Path, part: str) -> list[Comment]:
    """Read users' turns from convabuse; an annotator may have rated a turn more than once."""
    comments = []
    for row in rows_of(folder / "convabuse" / f"{part}.csv.gz"):
        annotators = [f"Annotator{number}_" for number in range(1, 9)]

        def marked(annotator: str, *names: str, row: dict[str, str] = row) -> bool:
            return any("1" in (row.get(annotator + name) or "") for name in names)

        ratings = ("is_abuse.1", "is_abuse.0", "is_abuse.-1", "is_abuse.-2", "is_abuse.-3")
        raters = [a for a in annotators if marked(a, *ratings)]
        if not raters:
            continue

        def share(*names: str, raters: list[str] = raters) -> float:
            return sum(marked(a, *names) for a in raters) / len(raters)

        abuse = share(*ratings[2:])
        known = {"toxicity": abuse}
        if abuse > 0:
            known["severe_toxicity"] = share(*ratings[3:])
            known["sexual_explicit"] = share("sex_harassment")
            known["identity_attack"] = share("sexist", "racist", "homophobic", "transphobic", "ableist")
            if insult := share("intellectual"):
                known["insult"] = insult
        comments.append(labelled(row["user"], UNKNOWN if abuse > 0 else 0.0, **known))
    return comments


def read_toxic_spans(folder: Path) -> list[Comment]:
    """Read posts from toxic-spans in which at least half of the workers marked a span."""
    return [
        labelled(
            row["comment_text"],
            UNKNOWN,
            toxicity=1.0,
            **{label: float(row[label]) for label in ("insult", "threat", "obscene", "identity_attack")},
        )
        for row in rows_of(folder / "toxic-spans" / "derived_comment_labels.csv.gz")
        if float(row["span_marked"]) >= 0.5
    ]


def read_rtp(folder: Path) -> list[Comment]:
    """Read beginnings of sentences from rtp-perspective; Perspective's scores become yes, no or unknown."""
    names = {"obscene": "profanity", "sexual_explicit": "sexually_explicit"}
    comments = []
    for row in rows_of(folder / "rtp-perspective" / "prompts_perspective.csv.gz"):
        scores = {label: row[names.get(label, label)] for label in TOXICITY_LABELS}
        if all(scores.values()):
            known = {n: 1.0 if float(s) > 0.7 else 0.0 if float(s) < 0.3 else UNKNOWN for n, s in scores.items()}
            comments.append(labelled(row["prompt"], UNKNOWN, **known))
    return comments


def read_davidson(folder: Path) -> list[Comment]:
    """Read tweets from davidson: hate, offensive, or neither."""
    comments = []
    for row in rows_of(folder / "davidson" / "labeled_data.csv.gz"):
        known = {
            "0": {"toxicity": 1.0, "identity_attack": 1.0},
            "1": {"toxicity": 1.0, "obscene": 1.0, "threat": 0.0},
            "2": dict.fromkeys(TOXICITY_LABELS, 0.0),
        }[row["class"]]
        comments.append(labelled(row["tweet"], UNKNOWN, **known))
    return comments


def read_edos(folder: Path) -> list[Comment]:
    """Read the sexist posts of edos; the others may be toxic in another way."""
    comments = []
    for row in rows_of(folder / "edos" / "edos_labelled_aggregated.csv.gz"):
        if row["label_sexist"] == "sexist":
            category = row["label_category"][0]
            known = {"identity_attack": 1.0, "threat": float(category == "1")}
            if category in "12":
                known["toxicity"] = 1.0
            comments.append(labelled(row["text"], UNKNOWN, **known))
    return comments


def read_chat(folder: Path) -> list[Comment]:
    """Read the answers of circa."""
    with gzip.open(folder / "circa" / "circa-data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [labelled(row["answer-Y"], 0.0) for row in rows]


@cache
def read_forms() -> dict[str, list[str]]:
    """Read the forms of `toxicity.toml` and the words that fill them."""
    return tomllib.loads(FORMS.read_text(encoding="utf-8"))


def draw_written(number: int, rng: random.Random) -> Iterator[Comment]:
    """Draw sentences about groups of people: two thirds clean, one third not."""
    forms = read_forms()
    words = {"who": "terms", "person": "people", "kind": "kind", "unkind": "unkind", "name": "names"}
    for _ in range(number):
        kind = rng.choice(["clean"] * 8 + ["toxic"] * 3 + ["threats"])
        text = rng.choice(forms[kind]).format(**{slot: rng.choice(forms[key]) for slot, key in words.items()})
        text = text.lower() if rng.random() < 0.2 else text[0].upper() + text[1:]
        if kind == "clean":
            yield labelled(text, 0.0)
        else:
            yield labelled(text, UNKNOWN, toxicity=1.0, identity_attack=1.0, threat=float(kind == "threats"))


def read_madlibs(folder: Path) -> dict[str, list[str]]:
    """Read the harmless sentences of bias-madlibs by their identity term; "occupation" for sentences about jobs."""
    rows = list(rows_of(folder / "bias-madlibs" / "bias_madlibs_77k.csv.gz"))
    known = [row["Text"].removeprefix("i am ") for row in rows if row["Text"].startswith("i am ")]
    terms = sorted(known, key=len, reverse=True)
    sentences: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["Label"] == "NOT_BAD":
            padded = f" {row['Text'].lower().rstrip('.')} "
            sentences[next((term for term in terms if f" {term} " in padded), "occupation")].append(row["Text"])
    return sentences
