"""One conversation of 50 rounds with every case on: chattest's judges, compared with a stand-in for the reference's.

Every side judges the same saved conversation in a process of its own. The time includes loading the models, but not
importing torch and transformers. The score cache is off. Ratios are from a single run of all sides.
"""

import json
import sys
import tempfile
from pathlib import Path
from threading import Event
from time import process_time

from benchmarks.measuring import ROOT, Silent, apart, peak, seconds, tell

SIDES = ("stand-in", "reference", "embedded 512", "embedded", "bfloat16", "reference bfloat16")
"""The stand-in; chattest with the same architectures, and with the models that ship, both told to look at a history of
up to 512 tokens, as the stand-in does (the coherence judge that ships takes its last eight turns at most); chattest as
it comes; and with precision = "bfloat16", these models and the reference's architectures."""


def hold(folder: Path, rounds: int, runs: int = 1, seed: int = 3) -> Path:
    """Conversations of the two classic bots with probes of every case; gives their folder."""
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run
    from chattest.settings.declaration import Settings

    settings = Settings(conversation_length=rounds, max_runs=runs, is_analyze_conversation=False, seed=seed)
    return run(prepare(settings, ROOT), folder, Silent(), Event()).folder / "conversations"  # type: ignore[arg-type]


def side(name: str, conversations: str, models: str) -> None:
    """One side in this process."""
    import torch  # noqa: F401 - excluded from the time
    import transformers.models.bert.modeling_bert
    import transformers.models.roberta.modeling_roberta  # noqa: F401
    from transformers.utils import logging

    if name in ("stand-in", "reference", "reference bfloat16"):
        import sentence_transformers  # noqa: F401 - the models that ship do without

    from chattest.judging.verdicts import analyze
    from chattest.models.judges import Judges
    from chattest.settings.declaration import Settings
    from chattest.storage.conversations import load_all

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    (conversation,) = load_all(Path(conversations))
    given = json.loads(models)

    def judge() -> object:
        if name == "stand-in":
            from benchmarks.stand_in import StandIn

            return StandIn(given).judge(conversation)
        judges = Judges(given if name.startswith("reference") else "embedded")
        tokens = 512 if name in ("reference", "reference bfloat16", "embedded 512") else None
        judges.configure(tokens, "bfloat16" if name.endswith("bfloat16") else "float32")
        return analyze([conversation], Settings(), judges)

    before = process_time()
    took = seconds(judge)
    print(json.dumps({"seconds": took, "processor": process_time() - before, "megabytes": peak()}))


def main(rounds: int = 50, tiny: bool = False) -> None:
    from benchmarks.checkpoints import make

    with tempfile.TemporaryDirectory() as scratch:
        conversations = hold(Path(scratch) / "reports", rounds)
        models = make(Path(scratch) / "models", tiny)
        sides = {name: apart("judging", "side", name, str(conversations), json.dumps(models)) for name in SIDES}
    for name, figures in sides.items():
        times = f"{figures['seconds']:.1f} s, processor {figures['processor']:.1f} s"
        print(f"{name}: {times}, {figures['megabytes']:.0f} MB", flush=True)
    slow, memory = sides["stand-in"]["seconds"], sides["stand-in"]["megabytes"]
    same, full, usual, half, same_half = (slow / sides[name]["seconds"] for name in SIDES[1:])
    share = sides["embedded 512"]["megabytes"] / memory
    beside = "judging 50 rounds beside a stand-in for the reference"
    tell(f"{beside}: embedded models, history of 512 tokens", full, "times faster", "12", full >= 12, sides=sides)
    tell(f"{beside}: memory", share, "of the memory", "at most 0.333", share <= 1 / 3)
    tell(f"{beside}: embedded models as they come", usual, "times faster", "30", usual >= 30)
    tell(f"{beside}: the same in bfloat16", half, "times faster", "more than without", half > usual)
    tell(f"{beside}: the same architectures", same, "times faster", "2", same >= 2)
    tell(f"{beside}: the same architectures in bfloat16", same_half, "times faster", "2", same_half >= 2)


if __name__ == "__main__":
    if sys.argv[1:2] == ["side"]:
        side(*sys.argv[2:])
    else:
        main(*([int(sys.argv[1]), True] if sys.argv[1:] else []))
