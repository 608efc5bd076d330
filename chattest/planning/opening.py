"""Open a conversation with a greeting and a first sentence, if `init_conv_randomly` is on."""

from functools import cache
from random import Random
from typing import NamedTuple

from chattest.planning.affect import read_data
from chattest.settings.declaration import Affect, Topic

GREETING = "Hey"

NEAR = 10
"""An opener may be drawn if its distance to the requested strength exceeds the smallest distance by at most this."""


class Opener(NamedTuple):
    """A first sentence."""

    text: str
    strength: int
    """How strong its feeling is, 0 (none) to 100, as its writer rated it."""


@cache
def read_openers(affect: Affect | None, topic: Topic | None) -> tuple[Opener, ...]:
    """Return the shipped openers for a feeling and a topic, weakest first.

    Openers on the topic without a feeling are always included, with strength 0.

    Args:
        affect: `None` for openers without a feeling.
        topic: `None` for openers without a topic.

    Raises:
        KeyError: there is no such feeling or topic.
    """
    tables = read_data("openers")
    chosen = [
        Opener(text, int(strength))
        for feeling in dict.fromkeys(["none", affect or "none"])
        for strength, texts in tables[feeling][topic or "none"].items()
        for text in texts
    ]
    return tuple(sorted(chosen, key=lambda opener: opener.strength))


def draw_opening(
    affect: Affect | None, knob: int, topic: Topic | None, rng: Random, model: str | None = None
) -> list[str]:
    """Return the turns before the first round: the greeting, then a sentence with a feeling and on a topic.

    Args:
        affect: `None` for no feeling.
        knob: how strong the feeling is, 0 (none) to 100; it has no effect without a feeling.
        topic: `None` for no topic.
        rng: the only source of randomness.
        model: name or folder of a causal language model of transformers that writes the sentence (see `steering`);
            `None` draws a shipped opener with a strength near the knob.

    Raises:
        ChatterError: the model cannot be loaded.
        ModelError: the model writes no sentence.
    """
    if model is not None:
        from chattest.planning.steering import write_sentence

        return [GREETING, write_sentence(model, affect, knob, topic, rng)]
    candidates = read_openers(affect, topic)
    if affect is None:
        return [GREETING, rng.choice(candidates).text]
    reach = min(abs(opener.strength - knob) for opener in candidates) + NEAR
    near = [opener for opener in candidates if abs(opener.strength - knob) <= reach]
    return [GREETING, rng.choice(near).text]
