"""chattest tests chatbots by talking to them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chattest.chatter import Chatter
    from chattest.dialogue import Reply

__all__ = ["Chatter", "Reply"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Imports a public class when first asked for: `main.py --help` needs neither, and pydantic is slow to load."""
    if name == "Chatter":
        from chattest.chatter import Chatter

        return Chatter
    if name == "Reply":
        from chattest.dialogue import Reply

        return Reply
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
