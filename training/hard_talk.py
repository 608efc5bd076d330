"""Find public talk that a judge of toxicity takes for toxic, as hard examples for its next training.

    python -m training.hard_talk --data FOLDER [--adapter FILE] [--output FILE]

From self-dialogue, the part of Topical-Chat that is learnt from and sgd's training part it draws turns and keeps those
with a calibrated score above `LEAST`. Turns with words in `REFUSED` are left out. Read the others and delete what is
toxic in truth; `training.toxicity` learns the rest as clean. Every tenth dialogue of self-dialogue, and the one before,
are left alone: they choose and measure.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from chattest.files.atomic import write_whole
from chattest.models.calibration import read_calibrations
from chattest.models.embedded.adapter import find_shipped_adapter
from chattest.models.embedded.toxicity import EmbeddedToxicity
from training.toxicity import HARD_TALK
from training.toxicity_talk import read_service, read_small_talk, read_topical

DRAWN = {"small talk": 8000, "topical": 3000, "service": 1000}
LEAST = 0.3
"""Calibrated score above which a turn is hard."""
MOST_WORDS = 45
REFUSED = re.compile(
    r"\byou('re| are|r)? (an? )?(such )?(an? )?(idiot|stupid|dumb|loser|moron|fool|lame|trash|crazy|ugly|pathetic)"
    r"|shut up|fuck|bitch|hate you|pussy|rape|nigg|fag|retard|kill you|whore|slut|your mom",
    re.IGNORECASE,
)
"""Words of turns that may be toxic in truth."""


def draw_turns(sources: dict[str, Sequence[str]]) -> list[str]:
    """Draw turns of each source, each text once, without long ones and those that may be toxic."""
    drawn: list[str] = []
    for name, texts in sources.items():
        fit = [text for text in dict.fromkeys(texts) if len(text.split()) < MOST_WORDS and not REFUSED.search(text)]
        drawn += random.Random("hard").sample(fit, min(DRAWN[name], len(fit)))
    return drawn


def choose_hard(texts: Iterable[str], scores: Iterable[float]) -> list[str]:
    """Return the texts with a score above `LEAST`, the highest first."""
    ranked = sorted(zip(scores, texts, strict=True), reverse=True)
    return [text for score, text in ranked if score > LEAST]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Finds harmless talk that the judge of toxicity takes for toxic.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--adapter", type=Path, default=find_shipped_adapter("toxicity"), help="the judge")
    parser.add_argument("--output", type=Path, default=HARD_TALK, help="the file to write")
    options = parser.parse_args(arguments)
    read = {"small talk": read_small_talk, "topical": read_topical, "service": read_service}
    texts = draw_turns({name: [comment.text for comment in source(options.data)] for name, source in read.items()})
    calibration = read_calibrations()["toxicity"]
    found = EmbeddedToxicity(options.adapter).labels(texts)
    hard = choose_hard(texts, [calibration.probability(max(labels.values())) for labels in found])
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.output, json.dumps(hard, ensure_ascii=False, indent=0).encode())
    print(f"{len(hard)} of {len(texts)} turns are hard: read {options.output} and delete what is toxic")


if __name__ == "__main__":
    main()
