"""Talk: hold conversations and ask single questions, with real chatters."""
