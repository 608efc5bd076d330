"""What a chatter is, how it is found and made, and how it is asked for a reply."""
