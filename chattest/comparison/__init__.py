"""Two or more finished runs beside each other."""
