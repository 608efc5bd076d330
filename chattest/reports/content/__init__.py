"""Content that several report writers share."""
