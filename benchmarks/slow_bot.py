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
