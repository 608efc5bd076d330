"""Compares two or more finished runs."""
