"""Published benchmarks of memory, read from their files as they are."""
