"""The judges that ship: one small encoder, and an adapter for each judge."""
