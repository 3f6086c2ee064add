"""The record of what a seat knows at a moment of the play, see ``replay.study.knowledge``."""

from __future__ import annotations

from dataclasses import dataclass, field

from replay.engine.records import Rules
from replay.rulesets.ruleset import Ruleset
from schemas.actions import Action


@dataclass(frozen=True, slots=True)
class Leave:
    """Cards that another seat put away face down, which nobody else has seen."""

    action: int
    seat: int
    size: int
    may: int
    """The cards that may be among them, unless all that the seat kept were trumps."""
    left: int
    """How many cards the seat had left after it."""
    may_when_full: int
    """The cards that may be among them when all that it kept were trumps; 0 where that cannot be.
    """
    robbed: bool
    """Whether the dealer may have taken cards out of them later."""


@dataclass(frozen=True, slots=True)
class Loose:
    """Where a card may be that the seat has seen and cannot place.

    It gave it away, laid it off before the dealer looked through the discards, or saw it shown.
    """

    seat: int
    """Who may hold it, or have laid it off again."""
    since: int
    """Index of the action after which they had it."""
    pool: bool
    """Whether it may lie among the discards all the same."""


@dataclass(slots=True)
class Known:
    """What a seat knows: nothing else goes into the deals it can think of."""

    ruleset: Ruleset
    rules: Rules
    seat: int
    dealer: int
    dealt: tuple[int, int]
    """The seat's own first packet, and its cards dealt later, as sets."""
    last_but_one: int
    """The last card but one of its own deal, below 0 where the rules do not ask for it."""
    actions: tuple[Action, ...] = ()
    """All there was until now, without the cards that the seat did not see."""
    trump: int | None = None
    """The trump suit, or none of the suits; ``None`` while it is hidden from the seat."""
    unseen: int = 0
    """The cards it has not seen, or cannot place."""
    hidden: dict[int, int] = field(default_factory=dict)
    """By other seat: cards it holds, or held when it went out, that the seat has not seen."""
    may_hold: dict[int, int] = field(default_factory=dict)
    """By other seat: the cards that may be among them."""
    shown: dict[int, int] = field(default_factory=dict)
    """By other seat: the cards it has played or put under the first trick."""
    needs_trump: int = 0
    """Seats, as a bit mask, that have a trump besides those they have shown."""
    had_trump: int = 0
    """Seats, as a bit mask, that had at least one trump at the deal."""
    leaves: tuple[Leave, ...] = ()
    kept: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat that laid cards off: how many it had left before it drew any, and which they may be.
    """
    given: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat that was given cards the seat has not seen: how many, and which of them are certain.
    """
    drew: dict[int, int] = field(default_factory=dict)
    """By seat that drew or robbed: index of the action with which it first did."""
    in_hand: int = 0
    """Seats, as a bit mask, that have not folded or gone out."""
    maker: int = -1
    secret_maker: int = -1
    """The seat of another that has put a card aside in secret for its suit; -1 without."""
    first_only: bool = False
    """Whether only the first packet was dealt (O52)."""
    rest: int = 0
    """How many cards lie in the stock that the seat has not seen."""
    may_rest: int = 0
    """The cards that may lie there."""
    rest_seen: int = 0
    """The cards left in the stock that the seat has seen there."""
    loose: dict[int, Loose] = field(default_factory=dict)
    """By card that the seat has seen and cannot place: where it may be."""
    under: bool = False
    """Whether another seat has its seventh card under the pile."""
    shown_under: int = 0
    """The seventh card of another that was shown, as a set."""
    pooled: bool = False
    """Whether the dealer has taken cards out of the stock and discards together."""
