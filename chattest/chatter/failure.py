"""Describe exceptions of chatters in words that any file can hold."""

from chattest.credentials import mask_secrets

LONGEST_ERROR = 2000
"""Characters that are kept of an exception's text."""


def whole(text: str) -> str:
    """Return the text without halves of surrogate pairs, which no file can hold; matching halves are joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def message(error: BaseException) -> str:
    """Return an exception's text in one line, without keys, even if its own `__str__` fails."""
    try:
        text = str(error)
    except Exception as fault:
        text = f"(its text cannot be had: {type(fault).__name__})"
    return " ".join(whole(mask_secrets(text)[:LONGEST_ERROR]).split())


def describe(error: BaseException) -> str:
    """Return an exception in one line, its class first: `ValueError: no such key`."""
    text = message(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
