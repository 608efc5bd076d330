"""chattest tests chatbots by talking to them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chattest.chatter.base import Chatter
    from chattest.records.conversation import Reply

__all__ = ["Chatter", "Reply"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Imports a public class when first asked for: `main.py --help` needs neither, and pydantic is slow to load."""
    if name == "Chatter":
        from chattest.chatter.base import Chatter

        return Chatter
    if name == "Reply":
        from chattest.records.conversation import Reply

        return Reply
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
