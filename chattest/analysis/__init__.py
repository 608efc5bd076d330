"""Tally: results become rates, curves, gates and the record that reports are written from."""
