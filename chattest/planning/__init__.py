"""Plan a conversation from the seed, before its first turn."""
