"""The opening of a conversation when `init_conv_randomly` is on: a greeting and a first sentence."""

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
    """How strong its feeling is, 0 (none) to 100, as rated by its writer."""


@cache
def openers(affect: Affect | None, topic: Topic | None) -> tuple[Opener, ...]:
    """The shipped openers for a feeling and a topic, weakest first.

    affect, topic: `None` for openers without a feeling or a topic. Openers on the topic without a feeling are always
    included, with strength 0. Raises `KeyError` for an unknown feeling or topic.
    """
    tables = read_data("openers")
    chosen = [
        Opener(text, int(strength))
        for feeling in dict.fromkeys(["none", affect or "none"])
        for strength, texts in tables[feeling][topic or "none"].items()
        for text in texts
    ]
    return tuple(sorted(chosen, key=lambda opener: opener.strength))


def opening(affect: Affect | None, knob: int, topic: Topic | None, rng: Random, model: str | None = None) -> list[str]:
    """The turns before the first round: the greeting, then a sentence with a feeling and on a topic.

    affect, topic: `None` for none. knob: how strong the feeling is, 0 (none) to 100; it has no effect without a
    feeling. rng: the only source of randomness. model: name or folder of a causal language model of transformers that
    writes the sentence (see `steering`); `None` draws a shipped opener whose strength is near the knob. Raises
    `ChatterError` if the model cannot be loaded, `ModelError` if it writes no sentence.
    """
    if model is not None:
        from chattest.planning.steering import steered_sentence

        return [GREETING, steered_sentence(model, affect, knob, topic, rng)]
    known = openers(affect, topic)
    if affect is None:
        return [GREETING, rng.choice(known).text]
    reach = min(abs(opener.strength - knob) for opener in known) + NEAR
    near = [opener for opener in known if abs(opener.strength - knob) <= reach]
    return [GREETING, rng.choice(near).text]
