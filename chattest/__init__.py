"""chattest tests chatbots by talking to them."""

from chattest.chatter import Chatter
from chattest.dialogue import Reply

__all__ = ["Chatter", "Reply"]
__version__ = "0.1.0"
