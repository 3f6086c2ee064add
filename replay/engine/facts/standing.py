"""How a side stood in the game. Source: 0.record."""

from __future__ import annotations

from collections.abc import Sequence

from replay.engine.records import Rules


def lead_of(rules: Rules, scores: Sequence[int], side: int) -> int:
    """Return the running score of a side less the best of the others."""
    best = scores[1] if side == 0 else scores[0]
    for other in range(rules.side_count):
        if other != side and scores[other] > best:
            best = scores[other]
    return scores[side] - best
