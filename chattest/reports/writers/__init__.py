"""The report writers, one per file; a writer is named after its file."""
