"""Evenings and seasons: what was played, who won, records, pairs."""
