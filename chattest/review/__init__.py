"""A person reviews verdicts: which rows to look at, the session, the labels that result. Nothing here is a terminal."""
