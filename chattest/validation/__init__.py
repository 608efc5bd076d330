"""Validation: how often the judges are right, measured on labelled replies."""
