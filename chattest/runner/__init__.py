"""Runs: from checked settings to the written report."""
