"""Lists of hands."""
