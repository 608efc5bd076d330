"""Train the coherence judge's network further, on written conversations and on replies of real bots.

    python -m training.coherence_talk --data FOLDER [--output FILE] [--work FOLDER]

`training.coherence` makes the network that this begins with. The encoder is not changed.

| source | licence | replies |
|---|---|---|
| written rows that are trained on | own | as labelled, and fitting ones of other conversations as misfits |
| ToxiChat's training part, without its end, which chooses | CC BY-SA 4.0 | two bots', as people found them |
| self-dialogue, synthetic-persona-chat, Topical-Chat | BSD, CC BY 4.0, CDLA-Sharing 1.0 | next turns, others |
| small talk that is not kept out | own | as `fits` describes them |

The epoch whose mean of three areas under the ROC curve is highest is kept: written rows that choose, the end of
ToxiChat's training part, and the small talk kept out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.coherence import ADAPTER, TURN
from chattest.models.embedded.coherence_network import run_network
from chattest.models.embedded.device import pick_fast_precision
from chattest.models.embedded.encoder import load_encoder
from training.adapters import write_adapter
from training.coherence import BATCH, Bank, Cases, Network, kept_out_talk
from training.fits import Fit, read_small_talk, small_talk_fits
from training.trunk.pairs import Pair
from training.trunk.talk import CHOOSING, CONTEXTS, rated_threads, turns_of_collection
from training.written_rows import Part, read_written

EPOCHS, RATE, DROPPED, ALONE = 6, 7e-4, 0.35, 0.2
"""Epochs, highest learning rate, dropout rate, and the share of the contexts that are reduced to the prompt."""


def learnt(data: Path, seed: int) -> list[Fit]:
    """Return the training data. The folder of the public data has the second collection in `second`."""
    rng, second = random.Random(seed), data / "second"
    written = written_fits("train")
    right = [fit for fit in written if fit.true]
    fits = [*written, *(Fit(fit.context, rng.choice(right).reply, False, "other") for fit in right)]
    fits += as_fits(list(rated_threads(second, "train"))[:-CHOOSING])
    for name in CONTEXTS:
        fits += _next_turns(list(turns_of_collection(second, name, seed)), rng)
    return [*fits, *small_talk_fits(read_small_talk(kept_out=False), 2, rng)]


def choosing(data: Path) -> dict[str, list[Fit]]:
    """Return the sets that choose the epoch."""
    threads = as_fits(list(rated_threads(data / "second", "train"))[-CHOOSING:])
    return {"written": written_fits("choosing"), "toxichat": threads, "small talk": kept_out_talk()}


def written_fits(part: Part) -> list[Fit]:
    """Return the written rows of a part."""
    rows = read_written("coherence", part)
    return [Fit((*row["context"], row["prompt"]), row["reply"], row["label"], "written") for row in rows]


def as_fits(pairs: Sequence[Pair]) -> list[Fit]:
    """Turn pairs of the trunk's coherence head into fits."""
    return [Fit(tuple(pair.left.split(TURN)), pair.right, pair.target[0] >= 0.5, "bot") for pair in pairs]


def _next_turns(dialogues: Sequence[Sequence[str]], rng: random.Random) -> Iterator[Fit]:
    turns = [turn for dialogue in dialogues for turn in dialogue]
    for dialogue in dialogues:
        for at in range(1, len(dialogue)):
            context = tuple(dialogue[max(0, at - 4) : at])
            yield Fit(context, dialogue[at], True, "true")
            yield Fit(context, rng.choice(turns), False, "random")


def train(adapter: Adapter, cases: Cases, measured: dict[str, Cases], bank: Bank, seed: int) -> Adapter:
    """Return the adapter with the network of the best epoch."""
    torch.manual_seed(seed)
    network = Network(DROPPED)
    network.load_state_dict({name: v for name, v in adapter.head.items() if not name.startswith("trunk.")})
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.05)
    count = len(cases.truth)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, EPOCHS * -(-count // BATCH))
    best, kept = areas(adapter.head, measured, bank), adapter
    print("before:", best, flush=True)
    for epoch in range(EPOCHS):
        for rows in torch.split(torch.randperm(count), BATCH):
            part = cases[rows].last_turns(torch.rand(len(rows)) < ALONE)
            logit = network(bank.rows, part.contexts, part.replies, part.again)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, part.truth)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
        head = adapter.head | {name: value.detach().clone() for name, value in network.state_dict().items()}
        found = areas(head, measured, bank)
        print(f"epoch {epoch}:", found, flush=True)
        if found["mean"] > best["mean"]:
            best, kept = found, Adapter(adapter.name, adapter.scale, adapter.settings, adapter.changes, head)
    return kept


def areas(head: dict[str, torch.Tensor], measured: dict[str, Cases], bank: Bank) -> dict[str, float]:
    """Return the area under the ROC curve on each set, and their mean."""
    from sklearn.metrics import roc_auc_score

    found = {}
    for name, cases in measured.items():
        with torch.no_grad():
            scores = run_network(head, bank.rows, cases.contexts, cases.replies, cases.again)
        found[name] = round(float(roc_auc_score(cases.truth, scores)), 4)
    return found | {"mean": round(sum(found.values()) / len(found), 4)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Trains the coherence judge's network further.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--output", type=Path, default=ADAPTER, help="the adapter's file")
    parser.add_argument("--work", type=Path, help="existing folder in which to save the embeddings")
    parser.add_argument("--seed", type=int, default=7, help="seed of the data and the network")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    bank = Bank(load_encoder(options.device, pick_fast_precision(options.device)), options.work)
    measured = {name: bank.cases(fits) for name, fits in choosing(options.data).items()}
    cases = bank.cases(learnt(options.data, options.seed))
    kept = train(read_adapter(ADAPTER), cases, measured, bank, options.seed)
    # What is built on the trunk keeps no changes of its own.
    write_adapter(options.output, Adapter(kept.name, kept.scale, kept.settings, {}, kept.head))


if __name__ == "__main__":
    main()
