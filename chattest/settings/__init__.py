"""The settings: their declaration, the file they are read from, and the gates."""
