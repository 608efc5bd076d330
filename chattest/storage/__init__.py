"""Conversations and answers on disk: written while they are said, read again to be judged."""
