"""Tally: turns results into rates, curves, gates and the report record that the writers read."""
