"""Plans what is said in a conversation, from the seed and before the first word."""
