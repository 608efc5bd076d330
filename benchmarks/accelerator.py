"""Replies per second on an accelerator, by batch size, and the share of the chip's peak that they use.

The models that ship (the toxicity judge's pass over the encoder) and the architectures that the reference names, with
random weights, in bfloat16. The work is counted as 2 operations for every weight and token, plus 4 for every layer,
value and pair of tokens in attention; padding is not counted. On a machine without an accelerator there is nothing to
measure, and it says so; `python -m benchmarks.accelerator cpu` tries the code out there with tiny models.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from benchmarks.checkpoints import make
from benchmarks.measuring import seconds, tell

PEAKS = {"H200": 989, "H100": 989, "A100": 312, "L40": 181, "L4": 121, "A10": 125}
"""Part of the chip's name -> its dense bfloat16 peak in 10^12 operations a second, from its maker's data sheet."""
BATCHES = (1024, 4096, 16384, 65536)
"""Tokens that go through a model at once."""
TEXT = "the cat sat on a mat and told its keeper what it had seen of the sea that day before dinner was ready"
WORDS = TEXT.split()


def replies(number: int) -> list[str]:
    """Different texts of 5 to 60 words, about what chatbots say at once."""
    chance = Random("accelerator")
    return [" ".join(chance.choices(WORDS, k=chance.randint(5, 60))) + f" {place}." for place in range(number)]


def work(config: Any, lengths: Sequence[int]) -> float:
    """Operations of one pass over texts of so many tokens."""
    wide, layers = config.hidden_size, config.num_hidden_layers
    weights = layers * (4 * wide * wide + 2 * wide * config.intermediate_size)
    return float(sum(2 * weights * length + 4 * layers * wide * length**2 for length in lengths))


def best(judge: Callable[[], object], synchronize: Callable[[], object]) -> float:
    """Seconds of the fastest of three passes, after one to warm up."""

    def whole() -> None:
        judge()
        synchronize()

    whole()
    return min(seconds(whole) for _ in range(3))


def main(device: str = "cuda") -> None:
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        print("This machine has no accelerator that PyTorch can use: nothing is measured.")
        return
    from chattest.models.embedded.adapter import read_adapter
    from chattest.models.embedded.encoder import Encoder
    from chattest.models.embedded.toxicity import ADAPTER
    from chattest.models.reference import pretrained
    from chattest.models.reference.pretrained import Pretrained

    chip = torch.cuda.get_device_name() if device == "cuda" else "processor"
    peak = next((tera * 1e12 for part, tera in PEAKS.items() if part in chip), None)
    texts = replies(20_000 if device == "cuda" else 200)
    synchronize = torch.cuda.synchronize if device == "cuda" else lambda: None
    print(f"{len(texts)} replies on {chip}, {torch.__version__}")

    def told(name: str, config: Any, lengths: Sequence[int], took: dict[int, float]) -> None:
        for batch, time in took.items():
            share = f", {work(config, lengths) / time / peak:.1%} of the peak" if peak else ""
            print(f"{name}, {batch} tokens at once: {len(texts) / time:.0f} replies a second{share}")
        tell(f"{name} on {chip}: at best", len(texts) / min(took.values()), "replies a second", "no aim", True)

    encoder, adapter = Encoder(device, "bfloat16"), read_adapter(ADAPTER)
    encodings = encoder.tokenize(texts)
    took = {}
    for batch in BATCHES:
        encoder.batch_tokens = batch
        took[batch] = best(lambda: encoder.run(adapter, encodings, lambda each: list(each.pooled())), synchronize)
    told("the encoder that ships", SimpleNamespace(**encoder.model.config), [len(one) for one in encodings], took)
    with tempfile.TemporaryDirectory() as scratch:
        models = make(Path(scratch), tiny=device != "cuda")
        for kind, task in (
            ("toxicity", "AutoModelForSequenceClassification"),
            ("coherence", "AutoModelForNextSentencePrediction"),
            ("reader", "AutoModelForQuestionAnswering"),
        ):
            model = Pretrained(kind, models[kind], task, device, precision="bfloat16")
            encodings = model.tokenize(texts)
            took = {}
            for batch in BATCHES:
                pretrained.BATCH_TOKENS = batch
                took[batch] = best(lambda: model.run(encodings, lambda _, each: each), synchronize)  # noqa: B023
            told(f"the reference's {kind}", model.model.config, [len(one) for one in encodings], took)


if __name__ == "__main__":
    main(*sys.argv[1:])
