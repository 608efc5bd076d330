"""Let a person review verdicts: choose the rows, hold the session, use the labels. Nothing here needs a terminal."""
