"""The local browser app behind `chattest view`: it reads run folders, shows them, and calls what the commands call."""
