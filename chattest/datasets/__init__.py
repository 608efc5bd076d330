"""Reads the user's `testsets/` folder and data files: test sets, questions, articles, groups and templates."""
