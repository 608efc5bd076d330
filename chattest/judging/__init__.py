"""Judge: saved replies become results."""
