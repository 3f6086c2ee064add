"""Every policy a variant file may set, one row each: its question, values, topic, usual answer.

One table for reading variant files, for checking house rules, for the published schema and for
the pages that put a ruleset into words.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from tricklog.core.engine import policies
from tricklog.core.engine.policies import Answer, value_name
from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.schemas.cards import RANKS

_RANKS: Final = RANKS[::-1]
OFF_CARDS: Final = {"off_five": "5", "off_jack": "J"}
"""By policy, the rank of the card of the other suit of the trump colour that may be a trump."""
CARD_KINDS: Final = [*_RANKS, *OFF_CARDS, "joker"]
"""How files name a card of the trump suit: its rank, the off cards, the joker."""


class BadValue(ValueError):
    """A value that a policy does not take; the message says which it takes."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy: ``key`` in section ``section``, and the question it answers."""

    is_list: ClassVar[bool] = False
    """Whether a value is itself a list."""

    key: str
    question: str
    section: str = field(default="", kw_only=True)
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
    """Where the question arises, see ``tricklog.core.rulesets.relevance``; else in every game."""

    def check(self, value: object) -> Any:  # noqa: ANN401 - what it takes
        """Return ``value`` when the policy takes it; raise ``BadValue`` otherwise."""
        is_taken, allowed = _judged(self, value)
        if is_taken:
            return value
        names = self.names() if isinstance(self, Choice) and isinstance(value, str) else []
        raise BadValue(f"is {value!r}{did_you_mean(value, names)}, allowed {allowed}")

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

    def member(self, value: object) -> Answer:
        """Return the member of a name, the integer that the engine reads."""
        return self.values[str(value).upper().replace("-", "_")]


@dataclass(frozen=True, slots=True)
class Number(Policy):
    """A policy that is a whole number from ``low`` to ``high``."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Numbers(Policy):
    """A policy that is a list of whole numbers from ``low`` to ``high``."""

    is_list: ClassVar[bool] = True

    low: int
    high: int


class Switch(Policy):
    """A policy that is true or false."""


class Ranks(Policy):
    """A policy that lists the ranks of a suit from high to low, each at most once."""


class Points(Policy):
    """A policy that gives point cards their worth, by their kinds."""


class Cards(Policy):
    """A policy that lists kinds of point cards in order, each at most once; it may be empty."""

    is_list: ClassVar[bool] = True


class Phases(Policy):
    """A policy that lists the phases of a hand in order."""

    is_list: ClassVar[bool] = True

    def names(self) -> list[str]:
        """Return the phases as files write them."""
        return [value_name(phase) for phase in policies.Phase if phase != policies.Phase.OVER]


def _judged(policy: Policy, value: Any) -> tuple[bool, str]:  # noqa: ANN401 - whatever a file says
    """Return whether a policy takes a value, and what it takes."""
    items = value if isinstance(value, list) else []
    match policy:
        case Choice():
            return value in policy.names(), f"are {', '.join(policy.names())}"
        case Numbers(low=low, high=high):
            is_taken = items != [] and all(_is_whole(each, low, high) for each in items)
            return is_taken, f"is a list of whole numbers from {low} to {high}"
        case Number(low=low, high=high):
            return _is_whole(value, low, high), f"are whole numbers from {low} to {high}"
        case Switch():
            return isinstance(value, bool), "are true and false"
        case Ranks():
            is_taken = isinstance(value, str) and _are_once([*value], [*_RANKS]) and value != ""
            return is_taken, f"are ranks out of {_RANKS}, each once"
        case Points():
            worths = value.items() if isinstance(value, dict) else ()
            is_taken = all(key in CARD_KINDS and _is_whole(worth, 1, 100) for key, worth in worths)
            return is_taken and len(worths) > 0, (
                "is a table of points from 1 to 100 by rank (A K Q J T 9 to 2), "
                f"{', '.join(OFF_CARDS)} or joker"
            )
        case Cards():
            is_taken = isinstance(value, list) and _are_once(items, CARD_KINDS)
            return is_taken, f"is a list out of {', '.join(CARD_KINDS)}"
    assert isinstance(policy, Phases)
    is_taken = _are_once(items, policy.names()) and "trump" in items
    return is_taken and items[0] == "auction" and items[-1] == "play", (
        "is a list from auction to play, each phase once and trump among them, out of "
        f"{', '.join(policy.names())}"
    )


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _are_once(items: list[Any], known: list[str]) -> bool:
    return all(each in known and items.count(each) == 1 for each in items)


def _choice(values: type[Answer], key: str = "", question: str = "", **rest: Any) -> Choice:  # noqa: ANN401
    """Return a row whose key and question are those of its enum, where it says none of its own."""
    named = re.sub("(?<=[a-z])(?=[A-Z])", "_", values.__name__).lower()
    return Choice(key or named, question or str(values.__doc__), values, **rest)


# A row has the question and its values, and below them what else is known of it. Its topic is the
# name of its section where it says none of its own.
# fmt: off
_ROWS: Final[dict[str, tuple[Policy, ...]]] = {
    "table": (
        Numbers("players", "How many play?", 4, 7, topic="players"),
        _choice(policies.Sides, topic="players", usual="partners"),
        _choice(policies.Direction, topic="deal", usual="clockwise"),
    ),
    "pack": (
        Ranks("ranks", "How do the cards of a suit rank, high to low?", topic="trumps"),
        Switch("off_five", "Is the other five of the trump colour a trump?", topic="trumps",
               usual=False, asked="ranks has 5"),
        Switch("off_jack", "Is the other jack of the trump colour a trump?", topic="trumps",
               idle=False, added=True),
        Switch("joker", "Is there a joker, the lowest trump?", idle=False),
        _choice(policies.PointsIn, topic="points"),
        Points("points", "What are the point cards worth?", topic="points"),
        _choice(policies.HighLow, topic="points", usual="ace-and-two", asked="points_in = trumps"),
        _choice(policies.GamePoint, topic="points", usual="card", asked="points_in = trumps"),
        _choice(policies.LowTo, topic="points", asked="points_in = trumps, points has 2"),
        Number("last_trick_points", "What is the last trick worth?", 0, 10, topic="points", idle=0),
    ),
    "deal": (
        _choice(policies.Deal, idle="packets"),
        Numbers("packets", "How many cards is a seat dealt, packet by packet?", 1, 13,
                asked="deal = packets"),
        Number("kitty_size", "How many cards go to the kitty?", 0, 8, topic="kitty", idle=0),
        _choice(policies.OddCard, usual="nobody"),
        Number("hand_size", "With how many cards does a seat play?", 4, 13, topic="exchange",
               asked="deal = packets"),
        _choice(policies.WeakStart, idle="played"),
    ),
    "auction": (
        _choice(policies.CallDirection, idle="with-play", added=True),
        _choice(policies.FirstCaller, usual="next-to-dealer"),
        _choice(policies.Auction),
        Switch("pass_final", "Is a pass final?", asked="auction = rounds"),
        _choice(policies.TopBid, idle="goes-on", added=True, ruling="S05"),
        Number("min_bid", "What is the lowest bid?", 1, 999),
        Number("max_bid", "What is the highest bid?", 1, 999),
        _choice(policies.EqualBid, usual="nobody"),
        _choice(policies.Ditto, idle="nobody"),
        _choice(policies.SpecialBid, idle="none"),
        Switch("tenny", "May a player undertake all tricks on the first cards?", idle=False),
        _choice(policies.AllPass, usual="dealer-forced"),
        Number("forced_bid", "What is the forced bid?", 1, 999,
               asked="all_pass = dealer-forced | dealer-at-least | first-forced | first-opens"),
        _choice(policies.TrumpCall, topic="trump-call", usual="open"),
        _choice(policies.NoTrump, topic="trump-call", idle="never", asked="trump_call = secret"),
        _choice(policies.Twos, topic="trump-call", idle="suit", asked="trump_call = secret"),
        Switch("seventh_card", "May the last card but one decide the trump suit?",
               topic="trump-call", idle=False),
        _choice(policies.Doubling, topic="score", idle="none"),
        Number("auto_double", "From what bid on is the stake doubled by itself?", 0, 999,
               topic="score", idle=0),
    ),
    "exchange": (
        Phases("phases", "What happens in which order?", rests_on="0.order"),
        _choice(policies.Fold, topic="fold", idle="never"),
        _choice(policies.Discard, idle="nothing"),
        _choice(policies.DiscardsShown, idle="none", asked="discard != nothing"),
        _choice(policies.DiscardedPoints, usual="nobody", asked="discard != nothing"),
        Switch("discards_claimed", "May an opponent take a discarded trump?", idle=False,
               asked="discard != nothing"),
        Switch("discard_changeable", "May a discard be changed before drawing?", idle=False,
               asked="discard != nothing"),
        _choice(policies.Surplus, topic="surplus", asked="discard != nothing"),
        _choice(policies.SurplusPoints, topic="surplus", usual="none", asked="discard != nothing"),
        Switch("buried_wins", "May a card buried under the first trick win it?", topic="surplus",
               idle=False, added=True, asked="discard != nothing"),
        _choice(policies.Refill, topic="refill", idle="nobody"),
        _choice(policies.FirstDrawer, topic="refill", usual="next-to-dealer",
                asked="refill != nobody"),
        _choice(policies.EmptyStock, topic="refill", usual="short", asked="refill != nobody"),
        _choice(policies.Rob, topic="rob", idle="nothing", asked="refill = others"),
        Switch("search_discards", "Does the dealer take trumps from the discards too?",
               topic="rob", idle=False,
               asked="rob = all-trumps | to-size | whole-stock | whole-stock-first"),
        Switch("rob_keeps_points", "Must the dealer take point cards from the rest?", topic="rob",
               idle=False, asked="rob = to-size"),
        Switch("surplus_shown", "Does the dealer show trumps left in the stock?", topic="rob",
               idle=False, asked="rob = to-size"),
    ),
    "play": (
        _choice(policies.Solo, topic="players", idle="none"),
        Switch("certain_solo", "Even with a hand that cannot lose?", topic="players", usual=True,
               asked="solo != none"),
        Switch("solo_trump", "With a trump that its player chooses instead?", topic="players",
               usual=False, added=True, asked="solo != none"),
        _choice(policies.ThrowIn, "bare_seventh", "What if the maker's other trumps lack points?",
                topic="deal", usual="played", asked="seventh_card = true"),
        _choice(policies.ThrowIn, "weak_defence",
                "What if the defenders have no trump but the lowest?", topic="deal", idle="played"),
        _choice(policies.ThrowIn, "four_jacks", "What if one hand has all four jacks?",
                topic="deal", idle="played", added=True),
        _choice(policies.FirstLeader, topic="lead"),
        _choice(policies.FirstLead, topic="lead", usual="any"),
        _choice(policies.PlainFollow, topic="follow"),
        _choice(policies.PlainVoid, topic="follow", usual="any",
                asked="plain_follow = follow-or-trump | follow"),
        _choice(policies.TrumplessTrick, topic="trick", usual="highest-of-suit",
                asked="plain_follow != trumps-only"),
        _choice(policies.DropOut, topic="drop-out", usual="never", asked="trump_call = open"),
        _choice(policies.Ask, topic="ask", usual="must", asked="trump_call = secret"),
        _choice(policies.Pair, topic="pair", idle="none"),
        Number("pair_shift", "By how much?", 0, 20, topic="pair", usual=0, asked="pair != none"),
        Number("pair_from", "From what bid on for the makers?", 0, 999, topic="pair", idle=0,
               asked="pair != none"),
        Number("pair_cap", "To what at the most for the defenders?", 0, 999, topic="pair", usual=0,
               asked="pair != none"),
        _choice(policies.EarlyEnd, rests_on="S08", idle="never"),
    ),
    "score": (
        _choice(policies.Made),
        _choice(policies.Failed),
        _choice(policies.Defenders),
        _choice(policies.Slam, idle="nothing-extra"),
        Number("solo_stake", "What does it count to play alone?", 0, 20, usual=0,
               asked="solo != none"),
        Number("tenny_stake", "What does it count to play the first cards alone?", 0, 20, usual=0,
               asked="tenny = true"),
        Number("stake_two_from", "From what bid on is the stake two?", 0, 999, idle=0, added=True),
        Number("stake_three_from", "From what bid on is the stake three?", 0, 999, idle=0,
               added=True),
        _choice(policies.HalfRule, idle="none"),
        _choice(policies.Sweep, idle="nothing-extra", added=True),
        _choice(policies.Unshown, idle="void", added=True),
    ),
    "game": (
        Number("target", "At what score is the game won?", 1, 10_000),
        _choice(policies.WonBy, usual="any-hand"),
        _choice(policies.BothOver),
        Cards("count_order", "In what order are points counted out?", usual=[],
              asked="both_over = count-order"),
        Number("goes_out_at", "From what score on does the maker go out?", 0, 10_000, idle=0),
        Number("lose_at", "At what score is the game lost?", -10_000, 0, idle=0),
        Switch("clamp", "Do scores stop at the limits of the game?", idle=False),
        _choice(policies.MatchScore, idle="none"),
    ),
}
# fmt: on

POLICIES: Final[dict[str, Policy]] = {
    row.key: replace(row, section=section, topic=row.topic or ("" if row.rests_on else section))
    for section, rows in _ROWS.items()
    for row in rows
}
COMMON: Final = {key: each.common for key, each in POLICIES.items() if each.common is not None}
"""What a shipped game answers that does not know the question and builds on no other."""
ADDED: Final = {key: each.common for key, each in POLICIES.items() if each.added}
"""Questions that rules written before them do not mention, and their old answer."""
SECTIONS: Final[tuple[str, ...]] = tuple(_ROWS)
TOPICS: Final = tuple(dict.fromkeys(each.topic for each in POLICIES.values() if each.topic))
"""What chapters of docs/rules have a part about."""
