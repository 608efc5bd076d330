"""Talk: conversations and single questions, asked of real chatters."""
