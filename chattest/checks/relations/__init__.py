"""The metamorphic relations, one relation in a file."""
