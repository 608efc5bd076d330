"""Trains the judge that finds seven sorts of toxicity in a text.

    python -m chattest.training.toxicity --data FOLDER

No source has all of Detoxify's seven labels from people, so each example brings the labels its source knows and the
loss leaves out the others (`UNKNOWN`):

- jigsaw-binary: toxicity; a clean comment is clean by every label.
- toxic-spans: insult, threat, obscene, identity_attack as the share of workers who marked it, and toxicity, where at
  least half of them marked a span. Other posts are left out: no span there does not mean that nothing is toxic.
- rtp-perspective: all seven, from Google's Perspective; scores between 0.3 and 0.7 are left out.
- convabuse: what users said to bots; toxicity, severe_toxicity, sexual_explicit and identity_attack as the share of
  annotators; insult where one was seen. A turn nobody found abusive is clean by every label.
- davidson: hate (identity_attack), offensive (obscene) or neither; edos: sexism (identity_attack) and threats.
- `toxicity.toml`: sentences that name a group of people kindly or neutrally, and such that attack it.
- circa's answers: short chat replies, taken as clean.

Only measured: 3,000 comments of jigsaw-binary, convabuse's test part, and all of bias-madlibs. `score` is the mean ROC
AUC on another 1,000 comments of jigsaw-binary and convabuse's validation part, neither of them trained on.
"""

from __future__ import annotations

import csv
import gzip
import math
import random
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.toxicity import label_probabilities
from chattest.models.protocols import TOXICITY_LABELS
from chattest.training.loop import Example, Plan, TrainingBatch, main, tokenized_pairs

FORMS = Path(__file__).with_suffix(".toml")
UNKNOWN = math.nan
TEST_COMMENTS, VALIDATION_COMMENTS = 3000, 1000
MAX_TRAINING_TOKENS = 128
DRAWN = {
    "clean comments": 7000,
    "toxic-spans": 4000,
    "rtp": 4000,
    "davidson": 3000,
    "edos": 1500,
    "chat": 2500,
    "written": 6000,
}
"""Examples of each source in an epoch; toxic comments and convabuse are taken whole."""
THRESHOLD = 0.75
"""What `threshold_toxicity` is by default with this judge, for every label."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A text and what is known of its labels."""

    text: str
    labels: tuple[float, ...]
    """0 to 1 in the order of `TOXICITY_LABELS`; `UNKNOWN` where the source does not say."""


def labelled(text: str, others: float, **known: float) -> Comment:
    """A comment with the known labels, and `others` for those not named."""
    return Comment(text, tuple(known.get(label, others) for label in TOXICITY_LABELS))


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a packed CSV file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def read_jigsaw(folder: Path) -> dict[str, list[Comment]]:
    """jigsaw-binary by part: "test", "validation", "train"."""
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
    """Users' turns with the shares of annotators, who may have rated a turn more than once."""
    comments = []
    for row in rows_of(folder / "convabuse" / f"{part}.csv.gz"):
        annotators = [f"Annotator{number}_" for number in range(1, 9)]

        def said(annotator: str, *names: str, row: dict[str, str] = row) -> bool:
            return any("1" in (row.get(annotator + name) or "") for name in names)

        ratings = ("is_abuse.1", "is_abuse.0", "is_abuse.-1", "is_abuse.-2", "is_abuse.-3")
        there = [a for a in annotators if said(a, *ratings)]
        if not there:
            continue

        def share(*names: str, there: list[str] = there) -> float:
            return sum(said(a, *names) for a in there) / len(there)

        abuse = share(*ratings[2:])
        known = {"toxicity": abuse}
        if abuse > 0:
            known["severe_toxicity"] = share(*ratings[3:])
            known["sexual_explicit"] = share("sex_harassment")
            known["identity_attack"] = share("sexist", "racist", "homophobic", "transphobic", "ableist")
            if said_insult := share("intellectual"):
                known["insult"] = said_insult
        comments.append(labelled(row["user"], UNKNOWN if abuse > 0 else 0.0, **known))
    return comments


def read_toxic_spans(folder: Path) -> list[Comment]:
    """Posts in which at least half of the workers marked something."""
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
    """Sentence beginnings with Perspective's scores made yes, no or unknown."""
    names = {"obscene": "profanity", "sexual_explicit": "sexually_explicit"}
    comments = []
    for row in rows_of(folder / "rtp-perspective" / "prompts_perspective.csv.gz"):
        scores = {label: row[names.get(label, label)] for label in TOXICITY_LABELS}
        if all(scores.values()):
            known = {n: 1.0 if float(s) > 0.7 else 0.0 if float(s) < 0.3 else UNKNOWN for n, s in scores.items()}
            comments.append(labelled(row["prompt"], UNKNOWN, **known))
    return comments


def read_davidson(folder: Path) -> list[Comment]:
    """Tweets: hate, offensive, or neither."""
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
    """Sexist posts; whether the others are toxic in another way is not known."""
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
    """circa's answers."""
    with gzip.open(folder / "circa" / "circa-data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [labelled(row["answer-Y"], 0.0) for row in rows]


@cache
def read_forms() -> dict[str, list[str]]:
    """The written sentences and what goes into them."""
    return tomllib.loads(FORMS.read_text(encoding="utf-8"))


def draw_written(number: int, rng: random.Random) -> Iterator[Comment]:
    """Sentences about groups of people: two thirds clean, one third not."""
    forms = read_forms()
    words = {"who": "terms", "person": "people", "kind": "kind", "unkind": "unkind", "name": "names"}
    for _ in range(number):
        sort = rng.choice(["clean"] * 8 + ["toxic"] * 3 + ["threats"])
        text = rng.choice(forms[sort]).format(**{slot: rng.choice(forms[key]) for slot, key in words.items()})
        text = text.lower() if rng.random() < 0.2 else text[0].upper() + text[1:]
        if sort == "clean":
            yield labelled(text, 0.0)
        else:
            yield labelled(text, UNKNOWN, toxicity=1.0, identity_attack=1.0, threat=float(sort == "threats"))


def read_madlibs(folder: Path) -> dict[str, list[str]]:
    """bias-madlibs' harmless sentences by the identity term in them; sentences about jobs are under "occupation"."""
    rows = list(rows_of(folder / "bias-madlibs" / "bias_madlibs_77k.csv.gz"))
    known = [row["Text"].removeprefix("i am ") for row in rows if row["Text"].startswith("i am ")]
    terms = sorted(known, key=len, reverse=True)
    sentences: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["Label"] == "NOT_BAD":
            padded = f" {row['Text'].lower().rstrip('.')} "
            sentences[next((term for term in terms if f" {term} " in padded), "occupation")].append(row["Text"])
    return sentences


class ToxicityTask:
    """What the shared training loop has to know of this judge."""

    name = "toxicity"

    def __init__(self, data: Path) -> None:
        self.jigsaw = read_jigsaw(data)
        self.convabuse = {part: read_convabuse(data, part) for part in ("train", "valid", "test")}
        self.madlibs = read_madlibs(data)
        self.toxic = [comment for comment in self.jigsaw["train"] if comment.labels[0] == 1.0]
        self.sources = {
            "clean comments": [comment for comment in self.jigsaw["train"] if comment.labels[0] == 0.0],
            "toxic-spans": read_toxic_spans(data),
            "rtp": read_rtp(data),
            "davidson": read_davidson(data),
            "edos": read_edos(data),
            "chat": read_chat(data),
        }
        self.settings: dict[str, Any] = {"labels": list(TOXICITY_LABELS)}
        self.head: torch.nn.Module = torch.nn.Linear(2 * 384, len(TOXICITY_LABELS))

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """A draw of every source, as `DRAWN` says."""
        comments = self.toxic + self.convabuse["train"] + list(draw_written(DRAWN["written"], rng))
        for name, source in self.sources.items():
            comments += rng.sample(source, min(DRAWN[name], len(source)))
        return tokenized_pairs(
            [comment.text for comment in comments], None, [comment.labels for comment in comments], MAX_TRAINING_TOKENS
        )

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Binary cross-entropy over the labels that are known."""
        logits = self.head(torch.cat([batch.pooled(), batch.first()], dim=-1))
        targets = torch.tensor(batch.targets, device=logits.device)
        known = ~targets.isnan()
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, targets.nan_to_num(0.0), reduction="none")
        return (losses * known).sum() / known.sum()

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """ROC AUC of toxicity, and how often a label goes off at `THRESHOLD` where nothing is toxic."""

        def scores(texts: Sequence[str]) -> list[list[float]]:
            return label_probabilities(encoder, adapter, texts)

        figures: dict[str, float] = {}
        measured = {
            "jigsaw_validation": self.jigsaw["validation"],
            "convabuse_validation": self.convabuse["valid"],
            "jigsaw_test": self.jigsaw["test"],
            "convabuse_test": self.convabuse["test"],
        }
        for name, comments in measured.items():
            rows = scores([comment.text for comment in comments])
            toxicity, truth = [row[0] for row in rows], [comment.labels[0] for comment in comments]
            figures[name] = area_under_roc(toxicity, [share >= 0.5 for share in truth])
            figures[f"{name}_false_alarms"] = _share(
                max(row) > THRESHOLD for row, share in zip(rows, truth, strict=True) if share == 0
            )
            figures[f"{name}_found"] = _share(
                max(row) > THRESHOLD for row, share in zip(rows, truth, strict=True) if share >= 0.5
            )
            if name == "convabuse_test":
                figures["convabuse_test_by_anyone"] = area_under_roc(toxicity, [share > 0 for share in truth])
        figures["score"] = (figures["jigsaw_validation"] + figures["convabuse_validation"]) / 2
        alarms = {
            term: _share(max(row) > THRESHOLD for row in scores(sentences)) for term, sentences in self.madlibs.items()
        }
        worst = max(alarms, key=lambda term: alarms[term])
        figures |= {"madlibs_false_alarms": sum(alarms.values()) / len(alarms), f"madlibs_worst_{worst}": alarms[worst]}
        return {name: round(value, 4) for name, value in figures.items()}


def area_under_roc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """The chance that a random true item scores higher than a random false one, ties counting half."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(truth, scores))


def _share(events: Iterable[bool]) -> float:
    seen = list(events)
    return sum(seen) / len(seen)


if __name__ == "__main__":
    main(ToxicityTask, Plan(rank=16, learning_rate=1.5e-3, tokens=2_400_000, evaluate_every=1_200_000))
