"""Plan: what is said in a conversation, drawn from the seed before the first word."""
