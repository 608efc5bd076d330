"""Run a test from checked settings to the written report."""
