"""The local browser app, which `chattest view` starts."""
