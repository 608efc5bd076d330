"""A slow bot."""

import time

from benchmarks.workers import LATENCY
from chattest import Chatter


class SlowBot(Chatter):
    """Always gives the same reply, after half a second."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """Waits, and answers."""
        time.sleep(LATENCY)
        return "I see."


class SlowTalker(Chatter):
    """Says something else each time, after half a second."""

    remembers = False

    def get_response(self, conv_array: list[str]) -> str:
        """Waits, and answers."""
        time.sleep(LATENCY)
        said = conv_array[-1].strip(" .?!") if conv_array else "nothing"
        return f"You said: {said}. I would say so too, {len(conv_array)} times."
