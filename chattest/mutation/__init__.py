"""Mutation analysis: does a bot's model, slightly spoilt, fail the checks? If not, the checks find nothing at all.

`targets` finds the weights, `operators` alters them, `analysis` asks and judges every mutant, `showing` tells of it.
"""
