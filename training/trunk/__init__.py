"""Training of the trunk: MiniLM's weights for all judges that read pairs of texts, with a head for each judge."""
