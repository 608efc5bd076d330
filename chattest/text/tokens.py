"""About how many tokens a text has, where no model counts them."""

LETTERS = 4
"""Bytes of English text that are taken for a token."""


def about_tokens(text: str) -> int:
    """Return about how many tokens a text has: its bytes over `LETTERS`, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // LETTERS)


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has; never fewer than its words, so that a budget is not passed unseen."""
    return max(about_tokens(text), len(text.split()))
