"""What a replay gives back: verdict, findings, tricks, captures, outcome, the table at any step.

Seats are 0 to 6 clockwise, sides the index into per-side tuples, cards and sets of cards as in
``tricklog.schemas.cards``, trumps as in ``tricklog.schemas.actions``.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct

from tricklog.schemas.actions import NO_TRUMP, Verb
from tricklog.schemas.languages.messages import Message

Fact: TypeAlias = int | str | list[int]
Result = Literal["made", "set", "void", "thrown_in"]
Mode = Literal["strict", "audit", "salvage"]
Alone = Literal["solo", "tenny"]


class Verdict(StrEnum):
    """What a replay makes of a record (0.record)."""

    VALID = "valid"
    """No finding."""
    IRREGULAR = "irregular"
    """A finding, and yet a defined state to the end."""
    DOUBTFUL = "doubtful"
    """No proven fault, but something not recorded could change legality or score."""
    PARTIAL = "partial"
    """No finding, and the record has gaps: what it covers is in order."""
    INCOMPLETE = "incomplete"
    """The record stops early."""
    REJECTED = "rejected"
    """No state is defined from some action on; what came before it is kept."""


class BadRecord(ValueError):
    """A card list or an action of a log that cannot be read; ``pointer`` says where (RFC 6901)."""

    def __init__(self, pointer: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        super().__init__(f"{pointer}: {message}")
        self.pointer = pointer
        self.message = message


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of a rule, or one claim that does not hold: reported, never scored (S04)."""

    code: str
    action: int | None = field(default=None, kw_only=True)
    """Index into ``Hand.actions``; ``None`` when it hangs on no action."""
    pointer: str
    """JSON pointer into the hand, ``/actions/17``."""
    seat: int | None = field(default=None, kw_only=True)
    facts: dict[str, Fact]
    legal: str = field(default="", kw_only=True)
    """What would have been legal, in log notation; empty where that does not apply."""
    rule: str
    """Citations into ``docs/rules``, separated by spaces."""
    said: Message
    """One sentence for a card player, to be shown in their language."""

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.said.english


class Call(Struct, frozen=True, gc=False):
    """One call of the auction; ``amount`` is 0 for a pass, and for a ditto the bid it holds."""

    action: int
    seat: int
    verb: Verb
    amount: int


class Trick(Struct, frozen=True, gc=False):
    """One complete trick; ``plays`` are (seat, card) in the order played."""

    number: int
    leader: int
    plays: tuple[tuple[int, int], ...]
    buried: int
    """Set of cards put under it as surplus."""
    winner: int | None
    """``None`` when no card of it is recorded."""
    points: int
    """Card points that went to the winner's side."""
    first_action: int
    last_action: int


class Capture(Struct, frozen=True, gc=False):
    """Where the points of one card went."""

    card: int
    points: int
    trick: int
    """Number of the trick; the trick that would have come next for cards never played."""
    from_seat: int
    """Who played it, or laid it off."""
    by_seat: int
    """Who won it; for a two that scores for its holder, the holder, even if it is out of play and
    the lowest trump stands in for it; for a card laid off that scores for the other side, the maker
    or the next opponent."""
    side: int
    """The side the points count for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a hand ended. Tuples hold one entry per side."""

    result: Result
    maker: int | None
    """The seat whose contract was played: who won the auction, or plays alone."""
    bid: int | None
    """A number or the code of a special bid, as ``tricklog.schemas.actions.bid_name`` writes it;
    ``None`` where there was none to make."""
    need: int | None
    """Points the makers had to take; ``None`` without a bid."""
    trump: int | None
    forced: bool
    """Whether the bid was the forced bid of the last to speak."""
    no_contract: bool
    """Whether nobody bid and the dealer played without a number to reach."""
    alone: Alone | None
    """Whether one player undertook all tricks alone, and on which cards."""
    stake: int
    """Game points that were won or lost, 1 where the hand is scored in card points."""
    points: tuple[int, ...]
    taken: tuple[int, ...]
    """Sets of the point cards that count for each side."""
    change: tuple[int, ...]
    """What each side adds to its running score: as ``scores`` has it, where those are known."""
    scores: tuple[int, ...] | None
    """Running scores after the hand; ``None`` when those before it are not recorded.

    Where points are counted out in order, no more is counted once the game is won.
    """
    winner_side: int | None
    """The side that has won the game with this hand, as far as the hand itself can tell."""
    match: tuple[int, ...] | None
    """What the game counts in a match, when the hand has ended it; ``None`` otherwise."""

    @property
    def game_over(self) -> bool:
        """Whether the hand ended the game."""
        return self.winner_side is not None


@dataclass(frozen=True, slots=True)
class KnownOutcome:
    """What a record with gaps lets one know of how its hand ended; ``None`` where it does not.

    The fields are those of ``Outcome``. Where no cards tell, they are what the record claims.
    """

    result: Result | None = None
    maker: int | None = None
    bid: int | None = None
    need: int | None = None
    trump: int | None = None
    forced: bool | None = None
    no_contract: bool | None = None
    alone: Alone | None = None
    stake: int | None = None
    points: tuple[int, ...] | None = None
    change: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    winner_side: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the seat to act may do: verbs, a range of bids, or cards."""

    verbs: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    """Lowest and highest number of the bids; 0 and 0 when there is none."""
    other_bids: tuple[int, ...] = ()
    """Bids possible besides: the highest number, a special bid by its code."""
    must: int = 0
    cards: int = 0
    """Set of cards that may be chosen."""
    least: int = 0
    most: int = 0
    said: Message

    @property
    def sentence(self) -> str:
        """What they may do, in English."""
        return self.said.english


@dataclass(frozen=True, slots=True)
class View:
    """The table before an action, or at the end. Tuples hold one entry per seat unless said."""

    index: int
    phase: str
    turn: int | None
    dealer: int | None
    """``None`` where it is not recorded who dealt."""
    holdings: tuple[int, ...]
    unknown: tuple[int, ...]
    """Cards held that the record does not name."""
    out: tuple[bool, ...]
    """Whether the seat is out: it folded, has no trumps, or its partner plays alone."""
    folded: tuple[bool, ...]
    maker: int | None
    bid: int | None
    no_contract: bool
    """Whether nobody bid and the maker has no number to reach."""
    alone: int | None
    """The seat that plays for all tricks alone."""
    trump: int | None
    trump_public: bool
    doubles: int
    """How often the stake was raised: 1 doubled, 2 redoubled, 3 super."""
    calls: tuple[Call, ...]
    trick_number: int
    trick: tuple[tuple[int, int], ...]
    """(seat, card) on the table; a complete trick stays until the next lead."""
    leader: int | None
    points: tuple[int, ...]
    """Per side."""
    tricks_won: tuple[int, ...]
    stock: int
    """Cards left in the stock."""
    kitty: int
    under: int
    """The seventh card, while it lies under the pile."""
    shown: int
    """Trumps shown among the cards that stay in the stock."""
    buried: int
    discarded: tuple[int, ...]
    choice: Choice

    @property
    def named_trump(self) -> int | None:
        """The trumps of the contract; ``None`` before them, and in a hand alone without (O87)."""
        return None if self.alone is not None and self.trump == NO_TRUMP else self.trump
