"""The report writers, one in a file; the file's stem is the writer's name."""
