"""Train the judge that decides whether a reply fits the conversation before it.

    python -m training.coherence --data FOLDER

True next turns fit; turns from elsewhere do not. Half of the contexts are the last turn only, half the last two to
eight turns, as in judging. The sources are SGD's training part (task dialogues; `sgd` describes the wrong turns), small
talk written for chattest (`fits` describes its replies), circa (polar questions and answers), FriendsQA (talk among
friends) and the questions and statements of `match.toml` (facts about the user, which a bot is asked for).

SGD's dev and test parts and a fifth of the small talk are only tested on. `--cases` writes that fifth and a part of
SGD's dev as labelled cases, which the default thresholds were checked with. Other turns than the true next turn can fit
too ("Anything else?" often does), so no judge can reach 1 here. The encoder is not changed: a small network learns
which embeddings follow each other, in minutes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from chattest.files.atomic import whole_file, write_whole
from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.coherence import ADAPTER
from chattest.models.embedded.coherence_network import WIDTH, embed_texts, measure_repetition, number_turns, run_network
from chattest.models.embedded.device import pick_fast_precision
from chattest.models.embedded.encoder import Encoder, load_encoder
from training.adapters import write_adapter
from training.fits import (
    Fit,
    about_user_fits,
    read_pairs,
    read_small_talk,
    run_fits,
    small_talk_fits,
    told_fits,
)
from training.sgd import WRONG, Corpus, sgd_fits, words

EVERY_SORT = ("random", "hard", "hard", "twin")
"""Wrong turns drawn for each position of SGD; an epoch uses two of them."""
DIALOGUES = 3000
"""Dialogues used of SGD's training part; each of their turns is embedded once."""
POSITIONS, CIRCA, FRIENDS, ABOUT_USER = 24000, 3000, 2000, 1500
"""True next turns of each source in an epoch."""
TALK_TIMES = 4
"""How many times an epoch uses the small talk."""
SPACE, HIDDEN, DROPPED = 192, 128, 0.2
"""Sizes of the common space of context and reply and of the hidden layer, and the dropout rate."""
BATCH = 512
"""Replies of a batch."""
FITTING = 0.95
"""Assumed share of a bot's replies that fit; training weights fitting and unfitting replies equally."""
MEASURED = 600
"""Positions tested in each part of SGD."""
ALLOWED = 0.05
"""Share of the fitting small talk that may be judged unfitting; determines the thresholds."""


class Network(torch.nn.Module):
    """The judge's weights, run by `chattest.models.embedded.coherence_network.run_network`."""

    def __init__(self, dropped: float = DROPPED) -> None:
        """Create the layers. `dropped` is the dropout rate."""
        super().__init__()
        self.dropped = dropped
        self.context_in = torch.nn.Linear(2 * WIDTH, WIDTH)
        self.context_out = torch.nn.Linear(WIDTH, SPACE)
        self.reply_in = torch.nn.Linear(WIDTH, WIDTH)
        self.reply_out = torch.nn.Linear(WIDTH, SPACE)
        self.hidden = torch.nn.Linear(SPACE + 5 * WIDTH + 2 + 3, HIDDEN)
        self.out = torch.nn.Linear(HIDDEN + SPACE, 1)

    def forward(self, texts: Tensor, contexts: Tensor, replies: Tensor, again: Tensor) -> Tensor:
        """Return one logit for each case, with dropout."""
        return run_network(
            dict(self.named_parameters()),
            texts,
            contexts,
            replies,
            again,
            lambda x: torch.dropout(x, self.dropped, True),
        )


@dataclass(frozen=True, slots=True)
class Cases:
    """Replies with their contexts, as tensors for the network."""

    contexts: Tensor
    """Cases x `MAX_TURNS`: numbers of the turns."""
    replies: Tensor
    """Number of each reply."""
    again: Tensor
    """Cases x 3: how far each reply repeats earlier turns."""
    truth: Tensor
    """1 if the reply fits, else 0."""

    def __getitem__(self, rows: Tensor) -> Cases:
        """Return the cases of these rows."""
        return Cases(self.contexts[rows], self.replies[rows], self.again[rows], self.truth[rows])

    def last_turns(self, alone: Tensor) -> Cases:
        """Return the same cases; contexts marked by `alone` are reduced to their last turn."""
        contexts, again = self.contexts.clone(), self.again.clone()
        contexts[alone, :-1] = 0
        again[alone, -1] = 0.0  # there is no earlier turn to repeat
        return Cases(contexts, self.replies, again, self.truth)


class Bank:
    """Embeddings of texts, each computed once, and saved if a folder is given."""

    def __init__(self, encoder: Encoder, folder: Path | None) -> None:
        self.encoder, self.path = encoder, folder / "embeddings.pt" if folder else None
        self.number: dict[str, int] = {}
        """Text -> its row; row 0 stands for no text."""
        self.rows = torch.zeros(1, WIDTH)
        if self.path and self.path.exists():
            texts, rows = torch.load(self.path)
            self.number = {text: row for row, text in enumerate(texts, start=1)}
            self.rows = torch.cat([self.rows, rows.float()])

    def cases(self, fits: Sequence[Fit]) -> Cases:
        """Turn fits into tensors; new texts are embedded."""
        texts = dict.fromkeys(text for fit in fits for text in (*fit.context, fit.reply))
        if new := [text for text in texts if text not in self.number]:
            vectors = torch.stack([row for row, _ in embed_texts(self.encoder, new)]).half()
            self.number |= {text: row for row, text in enumerate(new, start=len(self.rows))}
            self.rows = torch.cat([self.rows, vectors.float()])
            if self.path:
                with whole_file(self.path) as temporary:
                    torch.save((list(self.number), self.rows[1:].half()), temporary)
        return Cases(
            number_turns([fit.context for fit in fits], self.number),
            torch.tensor([self.number[fit.reply] for fit in fits]),
            torch.tensor([measure_repetition([words(turn) for turn in fit.context], words(fit.reply)) for fit in fits]),
            torch.tensor([float(fit.true) for fit in fits]),
        )


def drawn_fits(data: Path, seed: int) -> tuple[list[Fit], list[Fit]]:
    """Draw the training data: fits at positions of SGD, and all others."""
    rng, chat = random.Random(seed), read_pairs(data)
    sgd = sgd_fits(Corpus(data / "sgd" / "train.jsonl.gz", DIALOGUES, seed), POSITIONS, EVERY_SORT, rng)
    pairs = random.Random(seed).sample(chat["circa"], min(CIRCA, len(chat["circa"])))
    rest = [*run_fits(pairs, CIRCA, rng), *run_fits(chat["friends"], FRIENDS, rng)]
    rest += [*about_user_fits(ABOUT_USER, rng), *told_fits(ABOUT_USER // 2, rng)]
    for _ in range(TALK_TIMES):
        rest += small_talk_fits(read_small_talk(kept_out=False), 2, rng)
    return sgd, rest


def train(fits: tuple[list[Fit], list[Fit]], bank: Bank, seed: int, epochs: int) -> Adapter:
    """Train the network.

    An epoch uses every position of SGD with a random wrong turn and one of the harder ones.
    """
    torch.manual_seed(seed)
    cases, group, positions = (
        bank.cases([*fits[0], *fits[1]]),
        1 + len(EVERY_SORT),
        len(fits[0]) // (1 + len(EVERY_SORT)),
    )
    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.05)
    first, rest = torch.arange(positions) * group, torch.arange(positions * group, len(cases.truth))
    examples = 3 * positions + len(rest)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, epochs * -(-examples // BATCH))
    for epoch in range(epochs):
        harder = torch.randint(2, group, (positions,))
        total = 0.0
        for rows in torch.split(torch.cat([first, first + 1, first + harder, rest])[torch.randperm(examples)], BATCH):
            part = cases[rows].last_turns(torch.rand(len(rows)) < 0.5)
            with torch.autocast("cpu", torch.bfloat16):
                logit = network(bank.rows, part.contexts, part.replies, part.again).float()
            share = part.truth.mean().clamp(0.01, 0.99)
            weight = torch.where(part.truth == 1.0, 0.5 / share, 0.5 / (1 - share))
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, part.truth, weight)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            total += float(loss.detach()) * len(rows)
        print(f"epoch {epoch}: loss {total / examples:.4f}", flush=True)
    head = {name: value.detach().clone() for name, value in network.state_dict().items()}
    head["out.bias"] += math.log(FITTING / (1 - FITTING))
    return Adapter("embedded/coherence", 1.0, {}, {}, head)


def evaluate(data: Path, bank: Bank, adapter: Adapter) -> dict[str, float]:
    """Measure how well true turns are distinguished from wrong ones, with the last turn or up to eight turns.

    Returns:
        The ROC AUC on SGD's dev and test parts against each kind of wrong turns, and on the held-out small talk against
        each kind and all kinds. `threshold_*` is the threshold that `ALLOWED` of the fitting small talk misses, and
        `found_*` the share of the unfitting small talk below it. `prompt` in a name means the last turn only, `history`
        up to eight.
    """
    from sklearn.metrics import roc_auc_score

    figures: dict[str, float] = {}
    for part in ("dev", "test", "talk"):
        fits = kept_out_talk() if part == "talk" else measured_fits(Corpus(data / "sgd" / f"{part}.jsonl.gz"))
        cases = bank.cases(fits)
        for length in ("prompt", "history"):
            alone = torch.full((len(fits),), length == "prompt")
            seen = cases.last_turns(alone)
            with torch.no_grad():
                scores = run_network(adapter.head, bank.rows, seen.contexts, seen.replies, seen.again).sigmoid()
            fitting = scores[cases.truth == 1.0]
            sorts = dict.fromkeys(fit.sort for fit in fits if not fit.true)
            for sort in sorts:
                unfit = scores[torch.tensor([fit.sort == sort for fit in fits])]
                truth = [1] * len(fitting) + [0] * len(unfit)
                figures[f"{part}_{length}_{sort}"] = roc_auc_score(truth, torch.cat([fitting, unfit]))
            if part == "talk":
                figures[f"talk_{length}"] = roc_auc_score(cases.truth, scores)
                threshold = fitting.sort().values[int(ALLOWED * len(fitting))]
                figures[f"threshold_{length}"] = float(threshold)
                figures[f"found_{length}"] = float((scores[cases.truth == 0.0] < threshold).float().mean())
    return {name: round(float(value), 4) for name, value in figures.items()}


def measured_fits(corpus: Corpus) -> list[Fit]:
    """Return true turns and a wrong one of each kind, always at the same positions."""
    return sgd_fits(corpus, MEASURED, WRONG, random.Random("measured"))


def kept_out_talk() -> list[Fit]:
    """Return the small talk that is not trained on, always with the same replies."""
    return list(small_talk_fits(read_small_talk(kept_out=True), 1, random.Random("measured")))


def write_cases(path: Path, data: Path) -> None:
    """Write the held-out small talk and a part of SGD's dev as labelled cases for `chattest validate`."""
    sgd = sgd_fits(Corpus(data / "sgd" / "dev.jsonl.gz"), MEASURED // 4, WRONG, random.Random("measured"))
    lines = [
        {"kind": "coherence", "context": fit.context[:-1], "prompt": fit.context[-1], "reply": fit.reply}
        | {"label": fit.true, "tags": [source, f"{source} {fit.sort}"]}
        for source, fits in (("talk", kept_out_talk()), ("sgd", sgd))
        for fit in fits
    ]
    write_whole(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Trains the embedded coherence judge from public data.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--output", type=Path, default=ADAPTER, help="the adapter's file")
    parser.add_argument("--work", type=Path, help="existing folder in which to save the embeddings")
    parser.add_argument("--cases", type=Path, help="only write the labelled cases for the thresholds to this file")
    parser.add_argument("--seed", type=int, default=7, help="seed of the data and the network")
    parser.add_argument("--epochs", type=int, default=6, help="number of epochs")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--evaluate-only", action="store_true", help="evaluate the adapter at --output, train nothing")
    options = parser.parse_args(arguments)
    if options.cases:
        write_cases(options.cases, options.data)
        return
    torch.set_num_threads(options.threads)
    # Where bfloat16 is faster, the cosine similarity of its embeddings to those of float32 is 0.9999.
    bank = Bank(load_encoder(options.device, pick_fast_precision(options.device)), options.work)
    if not options.evaluate_only:
        write_adapter(options.output, train(drawn_fits(options.data, options.seed), bank, options.seed, options.epochs))
    print(json.dumps(evaluate(options.data, bank, read_adapter(options.output)), indent=2))


if __name__ == "__main__":
    main()
