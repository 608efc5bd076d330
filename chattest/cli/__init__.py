"""The command line: one function for each command, and what it shows."""
