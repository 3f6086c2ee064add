"""Where the score of a hand, or of many, came from."""
