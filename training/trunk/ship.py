"""Turn a trained trunk into the files that ship, and fit the weights of coherence and same question.

    python -m training.trunk.ship --data FOLDER [--cases FILE] NAME=TRUNK...

NAME is one of `SHARED`, TRUNK the file that `python -m training.trunk` wrote for the judges that share it. Its changes
go into one file, each of its heads into its judge's. The features of coherence are weighed by a logistic regression on
replies that no judge was trained on: the written rows that choose, the end of ToxiChat's training part (two bots'
replies, judged by people) and the small talk kept out of the network's training. Each of the three sets has the same
weight, and so have fitting and unfitting replies in each. `--cases` writes the last two as labelled cases, for
`training.calibration`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from chattest.files.atomic import write_whole
from chattest.models.embedded import same_question
from chattest.models.embedded.adapter import SHARED, SHARES, Adapter, find_shipped_adapter, read_adapter
from chattest.models.embedded.coherence import FEATURES, TURN, measure_coherence_features
from chattest.models.embedded.encoder import load_encoder
from chattest.models.logistic import BIAS
from training.adapters import write_adapter
from training.coherence import kept_out_talk
from training.trunk.apart import measured
from training.trunk.talk import CHOOSING, rated_threads
from training.weights import rounded_weights
from training.written_rows import read_written

PLAIN = ("match", "yes_no", "inference", "same_question", "equivalence")
"""The judges that are a head on the trunk and nothing else."""


def split(trunks: Mapping[str, Adapter]) -> None:
    """Write the changes of each trunk, the plain heads, and the coherence judge's head with its network."""
    for name, trunk in trunks.items():
        write_adapter(
            find_shipped_adapter(name), Adapter(f"embedded/{name}", 1.0, {}, trunk.changes, {}), in_bytes=True
        )
    for kind in PLAIN:
        head = {name: trunks[SHARED[kind]].head[f"{kind}.{name}"] for name in ("weight", "bias")}
        write_adapter(find_shipped_adapter(kind), Adapter(f"embedded/{kind}", 1.0, {SHARES: SHARED[kind]}, {}, head))
    before = read_adapter(find_shipped_adapter("coherence"))
    talk = trunks[SHARED["coherence"]]
    head = before.head | {f"trunk.{name}": talk.head[f"coherence.{name}"] for name in ("weight", "bias")}
    settings = {"weights": dict.fromkeys((BIAS, *FEATURES), 0.0)} | before.settings | {SHARES: SHARED["coherence"]}
    write_adapter(find_shipped_adapter("coherence"), Adapter("embedded/coherence", 1.0, settings, {}, head))


UNRELATED, UNRELATED_COUNTS = 6, 3.0
"""Unrelated pairs of questions for each written one, and how much one of them counts."""


def labelled_talk(data: Path) -> dict[str, list[tuple[str, str, bool]]]:
    """Return set -> (context with a turn a line, reply, whether it fits); none of it was trained on."""
    return {
        "written": [
            ("\n".join([*row["context"], row["prompt"]]), row["reply"], row["label"])
            for row in read_written("coherence", "choosing")
        ],
        "toxichat": list(_threads(data / "second")),
        "small talk": [("\n".join(fit.context), fit.reply, fit.true) for fit in kept_out_talk()],
    }


def _threads(second: Path) -> Iterator[tuple[str, str, bool]]:
    for pair in list(rated_threads(second, "train"))[-CHOOSING:]:
        yield "\n".join(pair.left.split(TURN)), pair.right, pair.target[0] >= 0.5


def weigh(data: Path) -> dict[str, float]:
    """Fit the weights, write them into the coherence judge's file, and print how each feature does alone."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    adapter = read_adapter(find_shipped_adapter("coherence"))
    rows: list[list[float]] = []
    labels: list[bool] = []
    importance: list[float] = []
    for name, cases in labelled_talk(data).items():
        contexts, replies, truth = (list(column) for column in zip(*cases, strict=True))
        features = measure_coherence_features(load_encoder("auto"), adapter, contexts, replies)
        columns = {feature: [row[feature] for row in features] for feature in FEATURES}
        print(name, len(cases), {f: round(roc_auc_score(truth, column), 3) for f, column in columns.items()})
        rows += [list(row.values()) for row in features]
        labels += truth
        importance += [0.5 / sum(label == other for other in truth) for label in truth]
    scale = len(rows) / sum(importance)
    model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, labels, [scale * value for value in importance])
    weights = rounded_weights(model, FEATURES).numbers()
    changed = Adapter(adapter.name, adapter.scale, adapter.settings | {"weights": weights}, {}, adapter.head)
    write_adapter(find_shipped_adapter("coherence"), changed)
    return weights


def weigh_questions(data: Path) -> dict[str, float]:
    """Fit the weights of the same-question judge, and write them into its file.

    They are fitted on the written pairs that choose, which are hard, and on pairs that one side of a dialogue asked and
    that have nothing to do with each other. A bot that asks thirty questions asks 435 pairs, nearly all of that kind;
    so they have more weight.
    """
    from sklearn.linear_model import LogisticRegression

    path = find_shipped_adapter("same_question")
    adapter, rows = read_adapter(path), read_written("same-question", "choosing")
    pairs = [(row["first"], row["second"], row["label"]) for row in rows]
    pairs += [(*pair, False) for pair in measured(data, UNRELATED * len(rows), random.Random(1))]
    first, second, labels = (list(column) for column in zip(*pairs, strict=True))
    features = same_question.measure_question_features(load_encoder("auto"), adapter, first, second)
    importance = [1.0] * len(rows) + [UNRELATED_COUNTS] * (len(pairs) - len(rows))
    model = LogisticRegression(C=10.0, max_iter=1000)
    model.fit([list(row.values()) for row in features], labels, importance)
    weights = rounded_weights(model, list(features[0])).numbers()
    write_adapter(path, Adapter(adapter.name, adapter.scale, adapter.settings | {"weights": weights}, {}, adapter.head))
    return weights


def write_cases(path: Path, data: Path) -> None:
    """Write the replies of bots and the small talk as labelled cases for `chattest validate`."""
    lines = []
    for name, cases in labelled_talk(data).items():
        for context, reply, label in cases if name != "written" else ():
            *turns, prompt = context.split("\n")
            case = {"kind": "coherence", "context": turns, "prompt": prompt, "reply": reply}
            lines.append(json.dumps(case | {"label": label, "tags": [name]}, ensure_ascii=False) + "\n")
    write_whole(path, "".join(lines).encode())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Writes the files of the judges that share the trunk.")
    parser.add_argument("trunks", nargs="+", metavar="NAME=TRUNK", help="a trunk for each of the shared changes")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--cases", type=Path, help="also write what coherence is calibrated on into this file")
    options = parser.parse_args(arguments)
    if options.cases:
        write_cases(options.cases, options.data)
    given = dict(each.partition("=")[::2] for each in options.trunks)
    if given.keys() != set(SHARED.values()):
        parser.error(f"give one trunk for each of {', '.join(sorted(set(SHARED.values())))}")
    split({name: read_adapter(Path(path)) for name, path in given.items()})
    print(json.dumps({"coherence": weigh(options.data), "same_question": weigh_questions(options.data)}, indent=2))


if __name__ == "__main__":
    main()
