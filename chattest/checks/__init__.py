"""The families of checks that ask single questions, one family in a file."""
