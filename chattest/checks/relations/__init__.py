"""The metamorphic relations, one per file."""
