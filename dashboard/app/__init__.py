"""What the server runs: the frame around every page, its start and its guard."""
