"""The judges that ship: a small encoder, with an adapter for each judge."""
