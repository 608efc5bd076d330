"""Text processing: words, edits, grammar and values."""
