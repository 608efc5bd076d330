"""A whole run, from checked settings to the written report."""
