"""Score sheets against the logs themselves."""
