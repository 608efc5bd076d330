"""The families of checks by single questions, one in a file."""
