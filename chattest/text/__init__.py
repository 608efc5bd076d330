"""Text: words, edits, grammar, values."""
