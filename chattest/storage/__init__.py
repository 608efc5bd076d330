"""Save conversations and answers while a run talks, and load them for judging."""
