"""Bots, and the complete games they play."""
