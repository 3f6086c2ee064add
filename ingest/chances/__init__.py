"""Chances to win a game: what each hand changed of them, and which hands decided it."""

from tricklog.ingest.chances.hands import Chances, chances_of
from tricklog.ingest.chances.table import ChanceTable

__all__ = ["ChanceTable", "Chances", "chances_of"]
