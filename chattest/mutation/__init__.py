"""Mutation analysis: do the checks detect slight alterations of a bot's model? If not, they would miss real faults too.

`targets` finds the weights, `operators` alters them, `analysis` asks and judges every mutant, `report` shows results.
"""
