"""The lake: publishing, loading, reading, upkeep."""
