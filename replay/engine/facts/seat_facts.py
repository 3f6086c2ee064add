"""The facts of one hand, seat by seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tricklog.core.engine.records import SEATS

NOT_KNOWN: Final = -(1 << 31)
"""In place of a number that the record leaves open."""


def _none_per_seat() -> list[int]:
    return [0] * SEATS


@dataclass(slots=True)
class SeatFacts:
    """What figures count of each seat. Lists have one entry per seat, in the order of the seats.

    The fields are those of column ``seat_facts`` of the warehouse, in the same order. Of a hand
    without an outcome nothing of the play is noted: what was trumps is not known there.
    """

    trumps_held: list[int] = field(default_factory=_none_per_seat)
    points_held: list[int] = field(default_factory=_none_per_seat)
    trump_ranks: list[int] = field(default_factory=_none_per_seat)
    lead_before: list[int] = field(default_factory=_none_per_seat)
    lead_after: list[int] = field(default_factory=_none_per_seat)
    turns: list[int] = field(default_factory=_none_per_seat)
    bids: list[int] = field(default_factory=_none_per_seat)
    leads: list[int] = field(default_factory=_none_per_seat)
    trump_leads: list[int] = field(default_factory=_none_per_seat)
    point_leads: list[int] = field(default_factory=_none_per_seat)
    leads_won: list[int] = field(default_factory=_none_per_seat)
    tricks_won: list[int] = field(default_factory=_none_per_seat)
    point_tricks_won: list[int] = field(default_factory=_none_per_seat)
    trumps_drawn: list[int] = field(default_factory=_none_per_seat)
    cinch_chances: list[int] = field(default_factory=_none_per_seat)
    cinches: list[int] = field(default_factory=_none_per_seat)
    own_points: list[int] = field(default_factory=_none_per_seat)
    asks: list[int] = field(default_factory=_none_per_seat)
    reveals: list[int] = field(default_factory=_none_per_seat)
    pairs: list[int] = field(default_factory=_none_per_seat)
    doubles: list[int] = field(default_factory=_none_per_seat)
