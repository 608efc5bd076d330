"""Sanity: what bots pass that understand nothing, and a bot that fits, held against bounds."""
