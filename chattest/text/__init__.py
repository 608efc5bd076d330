"""What is known of text: words, edits, grammar, values."""
