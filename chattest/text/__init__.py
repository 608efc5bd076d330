"""Words, tokens and edits: what judges and alterations share."""
