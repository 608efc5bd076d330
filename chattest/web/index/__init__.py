"""What the pages look up quickly: an index of runs and results that can be deleted at any time."""
