"""How a conversation opens when `init_conv_randomly` is on: a greeting and a first sentence."""

from functools import cache
from random import Random
from typing import NamedTuple

from chattest.planning.affect import read_data
from chattest.settings.declaration import Affect, Topic

GREETING = "Hey"

NEAR = 10
"""Openers up to this much further from the requested strength than the nearest one may be drawn too."""


class Opener(NamedTuple):
    """A first sentence."""

    text: str
    strength: int
    """How strong the feeling in it is, 0 (none) to 100, as its writer rated it."""


@cache
def openers(affect: Affect | None, topic: Topic | None) -> tuple[Opener, ...]:
    """The openers that ship for a feeling and a topic, weakest first; `None`: of no feeling, of no topic.

    Those without feeling on the same topic are among them, as the feeling's strength 0. Raises `KeyError` for names
    that the settings do not know.
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

    affect, topic: `None` leaves that open. knob: how strong the feeling is, 0 (none) to 100; without a feeling it has
    no effect. rng: all chance comes from it. model: a causal language model of transformers, by name or folder, that
    writes the sentence (see `steering`); `None` draws one from the openers that ship, among those whose strength is
    nearest to the knob. Raises `ChatterError` if the model cannot be loaded, `ModelError` if it writes no sentence.
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
