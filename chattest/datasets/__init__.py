"""The folder `testsets/` and files of one's own: test sets, questions, articles, groups and templates."""
