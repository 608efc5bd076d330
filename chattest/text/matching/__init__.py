"""Values in a reply: numbers, dates, and the words they are mentioned with."""
