"""Judge: turns saved replies into results."""
