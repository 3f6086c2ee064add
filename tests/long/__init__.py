"""Long runs, by hand: python -m tests.long.NAME."""
