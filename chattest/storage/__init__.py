"""Saves conversations and answers while a run talks, and loads them to be judged."""
