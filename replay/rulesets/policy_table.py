"""Every policy a variant file may set, one row each: question, values, topic, usual answer.

One table for reading variant files, for checking house rules, for the published schema and for
the pages that put a ruleset into words.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeGuard

from tricklog.core.engine import policies
from tricklog.core.engine.policies import Answer, value_name
from tricklog.core.rulesets.suggestions import did_you_mean

OFF_CARDS: Final = {"off_five": "5", "off_jack": "J"}
"""By policy, the rank of the card of the other suit of the trump colour that may be a trump."""
CARD_KINDS: Final = [*"AKQJT98765432", *OFF_CARDS, "joker"]
"""How files name a card of the trump suit: its rank, the off cards, the joker."""
TOPICS: Final = (
    *("players", "pack", "trumps", "points", "deal", "kitty", "auction", "trump-call", "fold"),
    *("exchange", "surplus", "refill", "rob", "lead", "follow", "trick", "drop-out", "ask", "pair"),
    *("score", "game"),
)
"""What chapters of docs/rules have a part about."""


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
    topic: str = field(default="", kw_only=True)
    """Where a chapter of docs/rules treats it, and so what it cites: ``made`` of a game of chapter
    7 rests on ``7.score``, to which the game may add rulings, such as ``S46``."""
    rests_on: str = field(default="", kw_only=True)
    """What one without a topic rests on, in every game."""
    ruling: str = field(default="", kw_only=True)
    """The number of a ruling that it rests on besides, in every game."""
    usual: object = field(default=None, kw_only=True)
    """What a shipped game answers that does not know the question and builds on no other."""
    idle: object = field(default=None, kw_only=True)
    """The usual answer where it says that there is no such thing."""
    added: bool = field(default=False, kw_only=True)
    """Whether people had written rules of their own before the question was added. Rules that do
    not mention it have the usual answer, which leaves their hash as it was."""
    asked: str = field(default="", kw_only=True)
    """Where the question arises, see ``tricklog.core.rulesets.conditions``; else in every game."""

    @abstractmethod
    def check(self, value: object) -> object:
        """Return ``value`` when the policy takes it; raise ``BadValue`` otherwise."""

    @property
    def common(self) -> object:
        """The usual answer, ``None`` where each game has to say it."""
        return self.usual if self.idle is None else self.idle


@dataclass(frozen=True, slots=True)
class Choice(Policy):
    """A policy whose values are the members of an enum."""

    values: type[Answer]

    def names(self) -> list[str]:
        """Return the values as files write them."""
        return [value_name(member) for member in self.values]

    def check(self, value: object) -> str:
        """Return the name of a member."""
        names = self.names()
        if isinstance(value, str) and value in names:
            return value
        near = did_you_mean(value, names) if isinstance(value, str) else ""
        raise BadValue(f"is {value!r}{near}, allowed are {', '.join(names)}")

    def member(self, value: object) -> Answer:
        """Return the member of a name, the integer that the engine reads."""
        return self.values[str(value).upper().replace("-", "_")]


def _is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


@dataclass(frozen=True, slots=True)
class Number(Policy):
    """A policy that is a whole number from ``low`` to ``high``."""

    low: int
    high: int

    def check(self, value: object) -> int:
        """Return the number."""
        if _is_whole(value, self.low, self.high):
            return value
        raise BadValue(f"is {value!r}, allowed are whole numbers from {self.low} to {self.high}")


@dataclass(frozen=True, slots=True)
class Switch(Policy):
    """A policy that is true or false."""

    def check(self, value: object) -> bool:
        """Return the truth value."""
        if isinstance(value, bool):
            return value
        raise BadValue(f"is {value!r}, allowed are true and false")


@dataclass(frozen=True, slots=True)
class Numbers(Policy):
    """A policy that is a list of whole numbers from ``low`` to ``high``."""

    is_list: ClassVar[bool] = True

    low: int
    high: int

    def check(self, value: object) -> list[int]:
        """Return the list."""
        if isinstance(value, list) and value:
            numbers = [item for item in value if _is_whole(item, self.low, self.high)]
            if len(numbers) == len(value):
                return numbers
        raise BadValue(
            f"is {value!r}, allowed is a list of whole numbers from {self.low} to {self.high}"
        )


@dataclass(frozen=True, slots=True)
class Ranks(Policy):
    """A policy that lists the ranks of a suit from high to low, each at most once."""

    def check(self, value: object) -> str:
        """Return the ranks."""
        ranks = value if isinstance(value, str) else ""
        if re.fullmatch("[AKQJT98765432]+", ranks) and len(set(ranks)) == len(ranks):
            return ranks
        raise BadValue(f"is {value!r}, allowed are ranks out of AKQJT98765432, each once")


@dataclass(frozen=True, slots=True)
class Points(Policy):
    """A policy that gives point cards their worth, by their kinds."""

    def check(self, value: object) -> dict[str, int]:
        """Return the points by card."""
        if isinstance(value, dict) and value:
            worths = {
                str(card): worth
                for card, worth in value.items()
                if card in CARD_KINDS and _is_whole(worth, 1, 100)
            }
            if len(worths) == len(value):
                return worths
        raise BadValue(
            f"is {value!r}, allowed is a table of points from 1 to 100 "
            f"by rank (A K Q J T 9 to 2), {', '.join(OFF_CARDS)} or joker"
        )


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


@dataclass(frozen=True, slots=True)
class Phases(Policy):
    """A policy that lists the phases of a hand in order."""

    is_list: ClassVar[bool] = True

    def names(self) -> list[str]:
        """Return the phases as files write them."""
        return [value_name(phase) for phase in policies.Phase if phase != policies.Phase.OVER]

    def check(self, value: object) -> list[str]:
        """Return the names of the phases."""
        names = self.names()
        if isinstance(value, list) and all(item in names for item in value):
            phases = [str(item) for item in value]
            in_frame = phases[:1] == ["auction"] and phases[-1:] == ["play"]
            if in_frame and "trump" in phases and len(set(phases)) == len(phases):
                return phases
        raise BadValue(
            f"is {value!r}, allowed is a list from auction to play, each phase once and trump "
            f"among them, out of {', '.join(names)}"
        )


# A row has the question and its values, and below them what else is known of it.
# fmt: off
_POLICIES: Final[tuple[Policy, ...]] = (
    Numbers("players", "table", "How many play?", 4, 7, topic="players"),
    Choice("sides", "table", "Who scores together?", policies.Sides, topic="players"),
    Choice("direction", "table", "Which way does play go round?", policies.Direction, topic="deal"),
    Ranks("ranks", "pack", "How do the cards of a suit rank, high to low?", topic="trumps"),
    Switch("off_five", "pack", "Is the other five of the trump colour a trump?",
           topic="trumps", usual=False, asked="ranks has 5"),
    Switch("off_jack", "pack", "Is the other jack of the trump colour a trump?",
           topic="trumps", idle=False, added=True),
    Switch("joker", "pack", "Is there a joker, the lowest trump?", topic="pack", idle=False),
    Choice("points_in", "pack", "Which cards carry points?", policies.PointsIn, topic="points"),
    Points("points", "pack", "What are the point cards worth?", topic="points"),
    Choice("high_low", "pack", "Which trumps are high and low?", policies.HighLow,
           topic="points", usual="ace-and-two", asked="points_in = trumps"),
    Choice("game_point", "pack", "What is the point called game?", policies.GamePoint,
           topic="points", usual="card", asked="points_in = trumps"),
    Choice("low_to", "pack", "Who scores the two of trumps?", policies.LowTo,
           topic="points", asked="points_in = trumps, points has 2"),
    Number("last_trick_points", "pack", "What is the last trick worth?", 0, 10,
           topic="points", idle=0),
    Choice("deal", "deal", "How much of the pack is dealt?", policies.Deal,
           topic="deal", idle="packets"),
    Numbers("packets", "deal", "How many cards is a seat dealt, packet by packet?", 1, 13,
            topic="deal", asked="deal = packets"),
    Number("kitty_size", "deal", "How many cards go to the kitty?", 0, 8, topic="kitty", idle=0),
    Choice("odd_card", "deal", "Who gets a card that is left over?", policies.OddCard,
           topic="deal", usual="nobody"),
    Number("hand_size", "deal", "With how many cards does a seat play?", 4, 13,
           topic="exchange", asked="deal = packets"),
    Choice("weak_start", "deal", "What if one of the first two has no points?", policies.WeakStart,
           topic="deal", idle="played"),
    Choice("call_direction", "auction", "Which way do calls go round?", policies.CallDirection,
           topic="auction", idle="with-play", added=True),
    Choice("first_caller", "auction", "Who speaks first?", policies.FirstCaller, topic="auction"),
    Choice("auction", "auction", "How long does the auction go on?", policies.Auction,
           topic="auction"),
    Switch("pass_final", "auction", "Is a pass final?", topic="auction", asked="auction = rounds"),
    Choice("top_bid", "auction", "What if the highest bid is made?", policies.TopBid,
           topic="auction", idle="goes-on", added=True, ruling="S05"),
    Number("min_bid", "auction", "What is the lowest bid?", 1, 999, topic="auction"),
    Number("max_bid", "auction", "What is the highest bid?", 1, 999, topic="auction"),
    Choice("equal_bid", "auction", "Who may bid the standing number?", policies.EqualBid,
           topic="auction", usual="nobody"),
    Choice("ditto", "auction", "Who may hold a bid by saying ditto?", policies.Ditto,
           topic="auction", idle="nobody"),
    Choice("special_bid", "auction", "Is there a bid above the highest?", policies.SpecialBid,
           topic="auction", idle="none"),
    Switch("tenny", "auction", "May a player undertake all tricks on the first cards?",
           topic="auction", idle=False),
    Choice("all_pass", "auction", "What if nobody bids?", policies.AllPass, topic="auction"),
    Number("forced_bid", "auction", "What is the forced bid?", 1, 999,
           topic="auction",
           asked="all_pass = dealer-forced | dealer-at-least | first-forced | first-opens"),
    Choice("trump_call", "auction", "Is the trump suit named openly?", policies.TrumpCall,
           topic="trump-call", usual="open"),
    Choice("no_trump", "auction", "May there be no trumps?", policies.NoTrump,
           topic="trump-call", idle="never", asked="trump_call = secret"),
    Choice("twos", "auction", "What does a two mean as the hidden card?", policies.Twos,
           topic="trump-call", idle="suit", asked="trump_call = secret"),
    Switch("seventh_card", "auction", "May the last card but one decide the trump suit?",
           topic="trump-call", idle=False),
    Choice("doubling", "auction", "How far may the stake be raised?", policies.Doubling,
           topic="score", idle="none"),
    Number("auto_double", "auction", "From what bid on is the stake doubled by itself?", 0, 999,
           topic="score", idle=0),
    Phases("phases", "exchange", "What happens in which order?", rests_on="0.order"),
    Choice("fold", "exchange", "May a player fold before the tricks?", policies.Fold,
           topic="fold", idle="never"),
    Choice("discard", "exchange", "What is laid off before play?", policies.Discard,
           topic="exchange", idle="nothing"),
    Choice("discards_shown", "exchange", "Which discards are shown?", policies.Shown,
           topic="exchange", idle="none", asked="discard != nothing"),
    Choice("discarded_points", "exchange", "Who scores a discarded point card?",
           policies.DiscardedPoints, topic="exchange", usual="nobody", asked="discard != nothing"),
    Switch("discards_claimed", "exchange", "May an opponent take a discarded trump?",
           topic="exchange", idle=False, asked="discard != nothing"),
    Switch("discard_changeable", "exchange", "May a discard be changed before drawing?",
           topic="exchange", idle=False, asked="discard != nothing"),
    Choice("surplus", "exchange", "What becomes of surplus trumps?", policies.Surplus,
           topic="surplus", asked="discard != nothing"),
    Choice("surplus_points", "exchange", "May surplus hold a point card?", policies.SurplusPoints,
           topic="surplus", usual="none", asked="discard != nothing"),
    Switch("buried_wins", "exchange", "May a card buried under the first trick win it?",
           topic="surplus", idle=False, added=True, asked="discard != nothing"),
    Choice("refill", "exchange", "Who is dealt new cards?", policies.Refill,
           topic="refill", idle="nobody"),
    Choice("first_drawer", "exchange", "Who is dealt new cards first?", policies.FirstDrawer,
           topic="refill", usual="next-to-dealer", asked="refill != nobody"),
    Choice("empty_stock", "exchange", "What if the stock runs out?", policies.EmptyStock,
           topic="refill", usual="short", asked="refill != nobody"),
    Choice("rob", "exchange", "What does the dealer take from the rest?", policies.Rob,
           topic="rob", idle="nothing", asked="refill = others"),
    Switch("search_discards", "exchange", "Does the dealer take trumps from the discards too?",
           topic="rob", idle=False,
           asked="rob = all-trumps | to-size | whole-stock | whole-stock-first"),
    Switch("rob_keeps_points", "exchange", "Must the dealer take point cards from the rest?",
           topic="rob", idle=False, asked="rob = to-size"),
    Switch("surplus_shown", "exchange", "Does the dealer show trumps left in the stock?",
           topic="rob", idle=False, asked="rob = to-size"),
    Choice("solo", "play", "May a player undertake all tricks alone?", policies.Solo,
           topic="players", idle="none"),
    Switch("certain_solo", "play", "Even with a hand that cannot lose?",
           topic="players", usual=True, asked="solo != none"),
    Switch("solo_trump", "play", "With a trump that its player chooses instead?",
           topic="players", usual=False, added=True, asked="solo != none"),
    Choice("bare_seventh", "play", "What if the maker's other trumps lack points?",
           policies.ThrowIn, topic="deal", usual="played", asked="seventh_card = true"),
    Choice("weak_defence", "play", "What if the defenders have no trump but the lowest?",
           policies.ThrowIn, topic="deal", idle="played"),
    Choice("four_jacks", "play", "What if one hand has all four jacks?", policies.ThrowIn,
           topic="deal", idle="played", added=True),
    Choice("first_leader", "play", "Who leads to the first trick?", policies.FirstLeader,
           topic="lead"),
    Choice("first_lead", "play", "What may be led first?", policies.FirstLead,
           topic="lead", usual="any"),
    Choice("plain_follow", "play", "What may be played to a plain lead?", policies.PlainFollow,
           topic="follow"),
    Choice("plain_void", "play", "And without the suit?", policies.PlainVoid,
           topic="follow", asked="plain_follow = follow-or-trump | follow"),
    Choice("trumpless_trick", "play", "Who wins a trick without trumps?", policies.TrumplessTrick,
           topic="trick", asked="plain_follow != trumps-only"),
    Choice("drop_out", "play", "Does a player without trumps stay in?", policies.DropOut,
           topic="drop-out", usual="never", asked="trump_call = open"),
    Choice("ask", "play", "When is the hidden trump shown?", policies.Ask,
           topic="ask", usual="must", asked="trump_call = secret"),
    Choice("pair", "play", "Do king and queen of trumps change the contract?", policies.Pair,
           topic="pair", idle="none"),
    Number("pair_shift", "play", "By how much?", 0, 20,
           topic="pair", usual=0, asked="pair != none"),
    Number("pair_from", "play", "From what bid on for the makers?", 0, 999,
           topic="pair", idle=0, asked="pair != none"),
    Number("pair_cap", "play", "To what at the most for the defenders?", 0, 999,
           topic="pair", usual=0, asked="pair != none"),
    Choice("early_end", "play", "May play stop early?", policies.EarlyEnd,
           rests_on="S08", idle="never"),
    Choice("made", "score", "What does a contract made score?", policies.Made, topic="score"),
    Choice("failed", "score", "What does a contract set cost?", policies.Failed, topic="score"),
    Choice("defenders", "score", "What do the defenders score?", policies.Defenders, topic="score"),
    Choice("slam", "score", "What does the highest bid score?", policies.Slam,
           topic="score", idle="nothing-extra"),
    Number("solo_stake", "score", "What does it count to play alone?", 0, 20,
           topic="score", usual=0, asked="solo != none"),
    Number("tenny_stake", "score", "What does it count to play the first cards alone?", 0, 20,
           topic="score", usual=0, asked="tenny = true"),
    Number("stake_two_from", "score", "From what bid on is the stake two?", 0, 999,
           topic="score", idle=0, added=True),
    Number("stake_three_from", "score", "From what bid on is the stake three?", 0, 999,
           topic="score", idle=0, added=True),
    Choice("half_rule", "score", "Does a contract missed by far cost double?", policies.HalfRule,
           topic="score", idle="none"),
    Choice("sweep", "score", "What if one side takes every trick?", policies.Sweep,
           topic="score", idle="nothing-extra", added=True),
    Choice("unshown", "score", "What if trumps are never shown?", policies.Unshown,
           topic="score", idle="void", added=True),
    Number("target", "game", "At what score is the game won?", 1, 10_000, topic="game"),
    Choice("won_by", "game", "On what hand can it be won?", policies.WonBy,
           topic="game", usual="any-hand"),
    Choice("both_over", "game", "And with both sides there?", policies.BothOver, topic="game"),
    Cards("count_order", "game", "In what order are points counted out?",
          topic="game", usual=[], asked="both_over = count-order"),
    Number("goes_out_at", "game", "From what score on does the maker go out?", 0, 10_000,
           topic="game", idle=0),
    Number("lose_at", "game", "At what score is the game lost?", -10_000, 0, topic="game", idle=0),
    Switch("clamp", "game", "Do scores stop at the limits of the game?", topic="game", idle=False),
    Choice("match_score", "game", "What does a game count in a match?", policies.MatchScore,
           topic="game", idle="none"),
)
# fmt: on

POLICIES: Final[dict[str, Policy]] = {policy.key: policy for policy in _POLICIES}
ADDED: Final = {policy.key: policy.common for policy in _POLICIES if policy.added}
"""Questions that rules written before them do not mention, and their old answer."""
COMMON: Final = {policy.key: policy.common for policy in _POLICIES if policy.common is not None}
"""What a shipped game answers that does not know the question and builds on no other."""
SECTIONS: Final[tuple[str, ...]] = tuple(dict.fromkeys(policy.section for policy in _POLICIES))


def cites_of_chapter(
    chapter: int, topics: Mapping[str, str], rulings: Mapping[str, str]
) -> dict[str, str]:
    """Return by policy what it rests on in a game that one chapter treats.

    ``topics``: by topic, the part of the chapter that treats it, where it has none of that name.
    ``rulings``: by policy, numbers to be added, separated by spaces.
    """
    cites = {}
    for key, policy in POLICIES.items():
        own = policy.rests_on or f"{chapter}.{topics.get(policy.topic, policy.topic)}"
        cites[key] = " ".join(filter(None, (own, policy.ruling, rulings.get(key))))
    return cites
