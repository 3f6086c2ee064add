"""One deal at all its tables."""
