"""Chances to win a game: what each hand changed of them, and which hands decided it.

Chances come from what hands came to under the same rules, see ``outcomes``; how a game ends is
asked of the engine, see ``ending``.
"""

from tricklog.ingest.chances.hands import Chances, Slope, chances_of, hand_chances
from tricklog.ingest.chances.table import ChanceTable

__all__ = ["ChanceTable", "Chances", "Slope", "chances_of", "hand_chances"]
