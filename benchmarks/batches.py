"""Judging 1,000 replies, compared with the bare forward passes of the same models over the same texts.

The bare passes are a lower bound: every tokenized text or pair that a judge passes to the encoder, once for each judge,
in batches of similar length, without reading results, combining windows or deciding verdicts. They are recorded while
chattest judges, and then run alone.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.judging import hold
from benchmarks.measuring import seconds, tell


def main(runs: int = 20, rounds: int = 50) -> None:
    import torch

    from chattest.judging.verdicts import analyze
    from chattest.models.embedded.encoder import Encoder, load_encoder
    from chattest.models.judges import Judges
    from chattest.settings.declaration import Settings
    from chattest.storage.conversations import load_all

    with tempfile.TemporaryDirectory() as scratch:
        conversations = load_all(hold(Path(scratch), rounds, runs))
    encoder, judges = load_encoder(), Judges()
    analyze(conversations[:1], Settings(), judges)  # loads
    seen: dict[Any, dict[tuple[int, ...], Any]] = {}
    run = Encoder.run

    def noted(self: Encoder, adapter: Any, encodings: Any, read: Any) -> Any:
        seen.setdefault(adapter and adapter.name, {}).update(
            {(*encoding.ids, *encoding.type_ids): (adapter, encoding) for encoding in encodings}
        )
        return run(self, adapter, encodings, read)

    Encoder.run = noted  # type: ignore[method-assign]
    verdicts: list[Any] = []
    judged = seconds(lambda: verdicts.extend(analyze(conversations, Settings(), judges)))
    Encoder.run = run  # type: ignore[method-assign]

    def bare() -> None:
        with torch.no_grad():
            for texts in seen.values():
                adapter, encodings = next(iter(texts.values()))[0], [encoding for _, encoding in texts.values()]
                encoder.use(adapter)
                lengths = [len(encoding) for encoding in encodings]
                order = sorted(range(len(encodings)), key=lengths.__getitem__)
                for rows in encoder._in_batches(order, lengths):
                    encoder._forward([encodings[row] for row in rows])

    least = seconds(bare)
    ratio, replies = judged / least, runs * rounds
    print(f"{replies} replies, {len(verdicts)} verdicts: {judged:.1f} s; bare passes: {least:.1f} s", flush=True)
    tell(f"judging {replies:,} replies beside the bare passes", ratio, "times the time", "at most 1.25", ratio <= 1.25)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
