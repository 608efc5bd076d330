"""Statistics of rates, differences and repeats. These modules only know numbers, no records."""
