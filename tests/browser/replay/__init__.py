"""The page of one hand in a real browser."""
