"""How two values compare."""

from enum import Enum


class Agreement(Enum):
    """How a text's value compares with the expected one."""

    SAME = "same"
    """The text gives the expected value."""
    DIFFERENT = "different"
    """The text gives another value of the same sort, or only a part of the expected one."""
    UNKNOWN = "unknown"
    """A side has no known value, or the text gives both the expected value and another."""
