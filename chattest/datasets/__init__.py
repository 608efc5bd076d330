"""Reads the folder `testsets/` and files of the user: test sets, questions, articles, groups and templates."""
