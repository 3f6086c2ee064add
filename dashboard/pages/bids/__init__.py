"""Bid accuracy: how high people bid, and what comes of it."""
