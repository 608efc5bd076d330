"""The metamorphic relations, one in a file."""
