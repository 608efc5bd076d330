"""How much of the history is needed to judge coherence with the conversation (ML-I2).

    python -m benchmarks.history_window --data FOLDER

Uses positions in SGD's test part, with enough other dialogues before each of them to fill the widest window. Half of
the replies are true next turns and half are turns from elsewhere. They are judged by the code of `main.py validate`.
For each window: accuracy, ROC AUC, and the share of verdicts that agree with the widest window.
"""

import argparse
import random
from pathlib import Path

from chattest.models.judges import Judges
from chattest.settings.declaration import Settings
from chattest.validation.labelled import CoherentReply
from chattest.validation.measured import Validation
from chattest.validation.validate import validate
from training.sgd import Corpus

WINDOWS = (16, 32, 64, 96, 128, 256, 512)
EARLIER = 40
"""Least number of turns from other dialogues before a position."""


def cases(corpus: Corpus, positions: int, sort: str) -> list[CoherentReply]:
    """True turns and wrong ones of a sort (see the training), each with its whole history."""
    rng = random.Random(f"window/{sort}")
    labelled = []
    for _ in range(positions):
        number, place = corpus.draw(rng)
        before: list[str] = []
        while len(before) < EARLIER:
            before += [text for _, text in rng.choice(corpus.dialogues).turns]
        said = [*before, *(text for _, text in corpus.dialogues[number].turns[:place])]
        true = corpus.dialogues[number].turns[place][1]
        for reply, label in ((true, True), (corpus.wrong(sort, number, place, rng), False)):
            case = {"context": tuple(said[:-1]), "prompt": said[-1], "reply": reply, "label": label}
            labelled.append(CoherentReply.model_validate({"kind": "coherence", **case}))
    return labelled


def judged(some: list[CoherentReply], tokens: int) -> Validation:
    judges = Judges()
    judges.configure(tokens)
    return validate(some, Settings(), judges)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="How much history coherence needs.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--positions", type=int, default=300)
    given = parser.parse_args()
    corpus = Corpus(given.data / "sgd" / "test.jsonl.gz")
    for sort in ("random", "hard"):
        some = cases(corpus, given.positions, sort)
        widest = judged(some, WINDOWS[-1])
        print(f"\nwrong turns: {sort}; {len(some)} cases\n")
        print(f"| tokens | accuracy | ROC AUC | same verdict as {WINDOWS[-1]} |\n|---:|---:|---:|---:|")
        for tokens in WINDOWS:
            narrow = judged(some, tokens)
            same = sum(a == b for a, b in zip(narrow.predicted, widest.predicted, strict=True)) / len(some)
            print(f"| {tokens} | {narrow.accuracy:.3f} | {narrow.figures()['roc_auc']:.3f} | {same:.3f} |", flush=True)


if __name__ == "__main__":
    main()
