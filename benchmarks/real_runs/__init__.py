"""Verdicts of whole runs against real bots, read blind by people, and how often the judges agree with the readers."""
