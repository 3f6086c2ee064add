"""Measurements with recorded results. They are never part of the tests."""
