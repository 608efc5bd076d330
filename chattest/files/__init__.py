"""Writing files atomically, and telling where in a file something is wrong."""
