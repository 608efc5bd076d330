"""Matches a reply with an expected answer: by numbers, dates and names, and by the words around them."""
