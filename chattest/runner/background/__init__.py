"""Score conversations in a second process while the run still talks."""
