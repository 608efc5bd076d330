"""Larger public models as judges: well-known defaults, or any model of their kind from the hub or a folder."""
