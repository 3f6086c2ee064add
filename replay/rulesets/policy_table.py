"""Every policy a variant file may set: its section, what values it takes, where it goes.

One table for reading variant files, for checking house rules, for the published schema and for
the pages that put a ruleset into words.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Final

from replay.engine import policies
from replay.engine.policies import value_name
from replay.rulesets.suggestions import did_you_mean

OFF_CARDS: Final = {"off_five": "5", "off_jack": "J"}
"""By policy, the rank of the card of the other suit of the trump colour that may be a trump."""
CARD_KINDS: Final = [*"AKQJT98765432", *OFF_CARDS, "joker"]
"""How files name a card of the trump suit: its rank, the off cards, the joker."""


class BadValue(ValueError):
    """A value that a policy does not take; the message says which it takes."""


@dataclass(frozen=True, slots=True)
class Policy(ABC):
    """One policy: ``key`` in section ``section``, and the question it answers."""

    is_list: ClassVar[bool] = False
    """Whether a value is itself a list."""

    key: str
    section: str
    question: str

    @abstractmethod
    def check(self, value: object) -> object:
        """Return ``value`` when the policy takes it; raise ``BadValue`` otherwise."""

    @abstractmethod
    def schema(self) -> dict[str, object]:
        """Return the JSON Schema of the value."""


@dataclass(frozen=True, slots=True)
class Choice(Policy):
    """A policy whose values are the members of an enum."""

    values: type[IntEnum]

    def names(self) -> list[str]:
        """Return the values as files write them."""
        return [value_name(member) for member in self.values]

    def check(self, value: object) -> str:
        """Return the name of a member."""
        if isinstance(value, str) and value in self.names():
            return value
        names = self.names()
        near = did_you_mean(value, names) if isinstance(value, str) else ""
        raise BadValue(f"is {value!r}{near}, allowed are {', '.join(names)}")

    def schema(self) -> dict[str, object]:
        """Return an enum of names."""
        return {"enum": self.names()}

    def member(self, value: object) -> int:
        """Return the integer the engine reads for a name."""
        return int(self.values[str(value).upper().replace("-", "_")])


@dataclass(frozen=True, slots=True)
class Number(Policy):
    """A policy that is a whole number from ``low`` to ``high``."""

    low: int
    high: int

    def check(self, value: object) -> int:
        """Return the number."""
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.low <= value <= self.high
        ):
            return value
        raise BadValue(f"is {value!r}, allowed are whole numbers from {self.low} to {self.high}")

    def schema(self) -> dict[str, object]:
        """Return a bounded integer."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Switch(Policy):
    """A policy that is true or false."""

    def check(self, value: object) -> bool:
        """Return the truth value."""
        if isinstance(value, bool):
            return value
        raise BadValue(f"is {value!r}, allowed are true and false")

    def schema(self) -> dict[str, object]:
        """Return a boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Numbers(Policy):
    """A policy that is a list of whole numbers from ``low`` to ``high``."""

    is_list: ClassVar[bool] = True

    low: int
    high: int

    def check(self, value: object) -> list[int]:
        """Return the list."""
        if isinstance(value, list) and value:
            numbers = [
                item
                for item in value
                if isinstance(item, int)
                and not isinstance(item, bool)
                and self.low <= item <= self.high
            ]
            if len(numbers) == len(value):
                return numbers
        raise BadValue(
            f"is {value!r}, allowed is a list of whole numbers from {self.low} to {self.high}"
        )

    def schema(self) -> dict[str, object]:
        """Return a list of bounded integers."""
        item = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"type": "array", "minItems": 1, "items": item}


@dataclass(frozen=True, slots=True)
class Ranks(Policy):
    """A policy that lists the ranks of a suit from high to low, each at most once."""

    def check(self, value: object) -> str:
        """Return the ranks."""
        ranks = value if isinstance(value, str) else ""
        if re.fullmatch("[AKQJT98765432]+", ranks) and len(set(ranks)) == len(ranks):
            return ranks
        raise BadValue(f"is {value!r}, allowed are ranks out of AKQJT98765432, each once")

    def schema(self) -> dict[str, object]:
        """Return a pattern."""
        return {"type": "string", "pattern": "^[AKQJT98765432]{1,13}$"}


@dataclass(frozen=True, slots=True)
class Points(Policy):
    """A policy that gives point cards their worth, by their kinds."""

    def check(self, value: object) -> dict[str, int]:
        """Return the points by card."""
        names = CARD_KINDS
        if isinstance(value, dict) and value:
            worths = {
                str(card): worth
                for card, worth in value.items()
                if card in names
                and isinstance(worth, int)
                and not isinstance(worth, bool)
                and 1 <= worth <= 100
            }
            if len(worths) == len(value):
                return worths
        raise BadValue(
            f"is {value!r}, allowed is a table of points from 1 to 100 "
            f"by rank (A K Q J T 9 to 2), {', '.join(OFF_CARDS)} or joker"
        )

    def schema(self) -> dict[str, object]:
        """Return a table of bounded integers."""
        return {
            "type": "object",
            "propertyNames": {"enum": CARD_KINDS},
            "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 100},
            "minProperties": 1,
        }


@dataclass(frozen=True, slots=True)
class Cards(Policy):
    """A policy that lists kinds of point cards in order, each at most once; it may be empty."""

    is_list: ClassVar[bool] = True

    def check(self, value: object) -> list[str]:
        """Return the kinds of card."""
        if isinstance(value, list) and all(item in CARD_KINDS for item in value):
            kinds = [str(item) for item in value]
            if len(set(kinds)) == len(kinds):
                return kinds
        raise BadValue(f"is {value!r}, allowed is a list out of {', '.join(CARD_KINDS)}")

    def schema(self) -> dict[str, object]:
        """Return a list of kinds of card."""
        return {"type": "array", "items": {"enum": CARD_KINDS}, "uniqueItems": True}


@dataclass(frozen=True, slots=True)
class Phases(Policy):
    """A policy that lists the phases of a hand in order."""

    is_list: ClassVar[bool] = True

    def check(self, value: object) -> list[str]:
        """Return the names of the phases."""
        names = [value_name(phase) for phase in policies.Phase if phase != policies.Phase.OVER]
        if isinstance(value, list) and all(item in names for item in value):
            phases = [str(item) for item in value]
            in_frame = phases[:1] == ["auction"] and phases[-1:] == ["play"]
            if in_frame and "trump" in phases and len(set(phases)) == len(phases):
                return phases
        raise BadValue(
            f"is {value!r}, allowed is a list from auction to play, each phase once and trump "
            f"among them, out of {', '.join(names)}"
        )

    def schema(self) -> dict[str, object]:
        """Return a list of names."""
        names = [value_name(phase) for phase in policies.Phase if phase != policies.Phase.OVER]
        return {"type": "array", "items": {"enum": names}, "uniqueItems": True, "minItems": 3}


_POLICIES: Final[tuple[Policy, ...]] = (
    Numbers("players", "table", "How many play?", 4, 7),
    Choice("sides", "table", "Who scores together?", policies.Sides),
    Choice("direction", "table", "Which way does play go round?", policies.Direction),
    Ranks("ranks", "pack", "How do the cards of a suit rank, high to low?"),
    Switch("off_five", "pack", "Is the other five of the trump colour a trump?"),
    Switch("off_jack", "pack", "Is the other jack of the trump colour a trump?"),
    Switch("joker", "pack", "Is there a joker, the lowest trump?"),
    Choice("points_in", "pack", "Which cards carry points?", policies.PointsIn),
    Points("points", "pack", "What are the point cards worth?"),
    Choice("high_low", "pack", "Which trumps are high and low?", policies.HighLow),
    Choice("game_point", "pack", "What is the point called game?", policies.GamePoint),
    Choice("low_to", "pack", "Who scores the two of trumps?", policies.LowTo),
    Number("last_trick_points", "pack", "What is the last trick worth?", 0, 10),
    Choice("deal", "deal", "How much of the pack is dealt?", policies.Deal),
    Numbers("packets", "deal", "How many cards is a seat dealt, packet by packet?", 1, 13),
    Number("kitty_size", "deal", "How many cards go to the kitty?", 0, 8),
    Choice("odd_card", "deal", "Who gets a card that is left over?", policies.OddCard),
    Number("hand_size", "deal", "With how many cards does a seat play?", 4, 13),
    Choice("weak_start", "deal", "What if one of the first two has no points?", policies.WeakStart),
    Choice("call_direction", "auction", "Which way do calls go round?", policies.CallDirection),
    Choice("first_caller", "auction", "Who speaks first?", policies.FirstCaller),
    Choice("auction", "auction", "How long does the auction go on?", policies.Auction),
    Switch("pass_final", "auction", "Is a pass final?"),
    Choice("top_bid", "auction", "What if the highest bid is made?", policies.TopBid),
    Number("min_bid", "auction", "What is the lowest bid?", 1, 999),
    Number("max_bid", "auction", "What is the highest bid?", 1, 999),
    Choice("equal_bid", "auction", "Who may bid the standing number?", policies.EqualBid),
    Choice("ditto", "auction", "Who may hold a bid by saying ditto?", policies.Ditto),
    Choice("special_bid", "auction", "Is there a bid above the highest?", policies.SpecialBid),
    Switch("tenny", "auction", "May a player undertake all tricks on the first cards?"),
    Choice("all_pass", "auction", "What if nobody bids?", policies.AllPass),
    Number("forced_bid", "auction", "What is the forced bid?", 1, 999),
    Choice("trump_call", "auction", "Is the trump suit named openly?", policies.TrumpCall),
    Choice("no_trump", "auction", "May there be no trumps?", policies.NoTrump),
    Choice("twos", "auction", "What does a two mean as the hidden card?", policies.Twos),
    Switch("seventh_card", "auction", "May the last card but one decide the trump suit?"),
    Choice("doubling", "auction", "How far may the stake be raised?", policies.Doubling),
    Number("auto_double", "auction", "From what bid on is the stake doubled by itself?", 0, 999),
    Phases("phases", "exchange", "What happens in which order?"),
    Choice("fold", "exchange", "May a player fold before the tricks?", policies.Fold),
    Choice("discard", "exchange", "What is laid off before play?", policies.Discard),
    Choice("discards_shown", "exchange", "Which discards are shown?", policies.Shown),
    Choice(
        "discarded_points",
        "exchange",
        "Who scores a discarded point card?",
        policies.DiscardedPoints,
    ),
    Switch("discards_claimed", "exchange", "May an opponent take a discarded trump?"),
    Switch("discard_changeable", "exchange", "May a discard be changed before drawing?"),
    Choice("surplus", "exchange", "What becomes of surplus trumps?", policies.Surplus),
    Choice("surplus_points", "exchange", "May surplus hold a point card?", policies.SurplusPoints),
    Switch("buried_wins", "exchange", "May a card buried under the first trick win it?"),
    Choice("refill", "exchange", "Who is dealt new cards?", policies.Refill),
    Choice("first_drawer", "exchange", "Who is dealt new cards first?", policies.FirstDrawer),
    Choice("empty_stock", "exchange", "What if the stock runs out?", policies.EmptyStock),
    Choice("rob", "exchange", "What does the dealer take from the rest?", policies.Rob),
    Switch("search_discards", "exchange", "Does the dealer take trumps from the discards too?"),
    Switch("rob_keeps_points", "exchange", "Must the dealer take point cards from the rest?"),
    Switch("surplus_shown", "exchange", "Does the dealer show trumps left in the stock?"),
    Choice("solo", "play", "May a player undertake all tricks alone?", policies.Solo),
    Switch("certain_solo", "play", "Even with a hand that cannot lose?"),
    Switch("solo_trump", "play", "With a trump that its player chooses instead?"),
    Choice(
        "bare_seventh",
        "play",
        "What if the maker's other trumps lack points?",
        policies.ThrowIn,
    ),
    Choice(
        "weak_defence",
        "play",
        "What if the defenders have no trump but the lowest?",
        policies.ThrowIn,
    ),
    Choice("four_jacks", "play", "What if one hand has all four jacks?", policies.ThrowIn),
    Choice("first_leader", "play", "Who leads to the first trick?", policies.FirstLeader),
    Choice("first_lead", "play", "What may be led first?", policies.FirstLead),
    Choice("plain_follow", "play", "What may be played to a plain lead?", policies.PlainFollow),
    Choice("plain_void", "play", "And without the suit?", policies.PlainVoid),
    Choice("trumpless_trick", "play", "Who wins a trick without trumps?", policies.TrumplessTrick),
    Choice("drop_out", "play", "Does a player without trumps stay in?", policies.DropOut),
    Choice("ask", "play", "When is the hidden trump shown?", policies.Ask),
    Choice("pair", "play", "Do king and queen of trumps change the contract?", policies.Pair),
    Number("pair_shift", "play", "By how much?", 0, 20),
    Number("pair_from", "play", "From what bid on for the makers?", 0, 999),
    Number("pair_cap", "play", "To what at the most for the defenders?", 0, 999),
    Choice("early_end", "play", "May play stop early?", policies.EarlyEnd),
    Choice("made", "score", "What does a contract made score?", policies.Made),
    Choice("failed", "score", "What does a contract set cost?", policies.Failed),
    Choice("defenders", "score", "What do the defenders score?", policies.Defenders),
    Choice("slam", "score", "What does the highest bid score?", policies.Slam),
    Number("solo_stake", "score", "What does it count to play alone?", 0, 20),
    Number("tenny_stake", "score", "What does it count to play the first cards alone?", 0, 20),
    Number("stake_two_from", "score", "From what bid on is the stake two?", 0, 999),
    Number("stake_three_from", "score", "From what bid on is the stake three?", 0, 999),
    Choice("half_rule", "score", "Does a contract missed by far cost double?", policies.HalfRule),
    Choice("sweep", "score", "What if one side takes every trick?", policies.Sweep),
    Choice("unshown", "score", "What if trumps are never shown?", policies.Unshown),
    Number("target", "game", "At what score is the game won?", 1, 10_000),
    Choice("won_by", "game", "On what hand can it be won?", policies.WonBy),
    Choice("both_over", "game", "And with both sides there?", policies.BothOver),
    Cards("count_order", "game", "In what order are points counted out?"),
    Number("goes_out_at", "game", "From what score on does the maker go out?", 0, 10_000),
    Number("lose_at", "game", "At what score is the game lost?", -10_000, 0),
    Switch("clamp", "game", "Do scores stop at the limits of the game?"),
    Choice("match_score", "game", "What does a game count in a match?", policies.MatchScore),
)

POLICIES: Final[dict[str, Policy]] = {policy.key: policy for policy in _POLICIES}
ADDED: Final[dict[str, object]] = {
    "off_jack": False,
    "call_direction": "with-play",
    "top_bid": "goes-on",
    "four_jacks": "played",
    "buried_wins": False,
    "solo_trump": False,
    "stake_two_from": 0,
    "stake_three_from": 0,
    "sweep": "nothing-extra",
    "unshown": "void",
}
"""Questions that were added when people had written rules of their own, and their old answer.

Rules that do not mention them have that answer, and it leaves their hash as it was.
"""
SECTIONS: Final[tuple[str, ...]] = tuple(dict.fromkeys(policy.section for policy in _POLICIES))
