"""The command line: the commands and what they print."""
