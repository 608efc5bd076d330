"""Tests of the metamorphic relations."""
