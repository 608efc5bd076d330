"""What several report writers show alike."""
