"""The records that the steps pass to each other."""
