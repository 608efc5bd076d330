"""How sure a figure is: what rates, differences and repeats can and cannot say. Knows numbers alone, no records."""
