"""Words in random order, which mean nothing and fit nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence

SHUFFLED = 0.5
"""Share of the jumbles that are a text's own words in another order; the others are drawn from all words."""
SHORTEST, LONGEST = 5, 13
"""Words of a jumble."""


class Jumble:
    """Draws jumbles of the words of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Take the texts. At least one must have `SHORTEST` words or more."""
        self.texts = [words for text in texts if len(words := text.split()) >= SHORTEST]
        self.words = sorted({word.strip('.,!?;:"()').lower() for words in self.texts for word in words} - {""})

    def draw(self, rng: random.Random) -> str:
        """Draw `SHORTEST` to `LONGEST` words in random order, mostly with a capital and a full stop."""
        if rng.random() < SHUFFLED:
            words = [word.strip(".,!?;:").lower() for word in rng.choice(self.texts)[:LONGEST]]
            rng.shuffle(words)
        else:
            # A few words only, as a bot with a small vocabulary says, or any.
            of = rng.sample(self.words, min(len(self.words), rng.choice((18, 60, len(self.words)))))
            words = [rng.choice(of) for _ in range(rng.randint(SHORTEST, LONGEST))]
        text = " ".join(words)
        return f"{text[:1].upper()}{text[1:]}." if rng.random() < 0.7 else text
