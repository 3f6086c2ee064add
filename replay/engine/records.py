"""The two records the rules work on: the state of a hand, and the rules of the table.

Both hold nothing but integers, lists of integers and lists of such lists, so that the same rule
functions run on these objects in plain Python and on numpy records of the same field names when
they are compiled. Sets of cards are bit masks (``tricklog.schemas.cards``), seats are counted
clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from tricklog.schemas.cards import CARD_COUNT
from tricklog.schemas.limits import MAX_SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from _typeshed import DataclassInstance

SEATS: Final = MAX_SEATS
MAX_PHASES: Final = 20
MAX_COUNTED: Final = 16
TRUMPS: Final = 5
"""Trump suits 0 to 3, and 4 for a hand or a moment without trumps."""
NO_TRUMPS: Final = 4
"""Index of the tables of ``Rules`` for a hand or a moment in which no suit is trumps."""
NOT_PLAYED: Final = -3
"""In place of a card: nothing played yet. Cards the record does not name are -1 and -2."""


def zeros(count: int) -> Callable[[], list[int]]:
    """Return what makes a list of so many zeros, for the field of a record."""
    return lambda: [0] * count


_per_seat = zeros(SEATS)
_per_trump = zeros(TRUMPS)


def _none_per_seat() -> list[int]:
    return [NOT_PLAYED] * SEATS


def _per_card() -> list[list[int]]:
    return [[0] * CARD_COUNT for _ in range(TRUMPS)]


@dataclass(slots=True)
class Rules:
    """A resolved ruleset as the engine reads it. Policy fields hold members of ``policies``."""

    seats: int = 4
    step: int = 1
    """Added to a seat to get the next one in the direction of play."""
    call_step: int = 1
    """Added to a seat to get the next one in the direction of the calls."""
    sides: int = 0
    side_count: int = 2
    pack: int = 0
    """Every card of the pack."""
    pack_size: int = 52
    packet: int = 9
    """Cards a seat holds during the auction."""
    dealt: int = 9
    """Cards a seat is dealt in all."""
    kitty_size: int = 0
    hand_size: int = 6
    phases: list[int] = field(default_factory=lambda: [15] * MAX_PHASES)
    """Members of ``Phase`` in order; ``OVER`` from the last one on."""
    high_low: int = 0
    game_point: int = 0
    odd_card: int = 0
    weak_start: int = 0
    first_caller: int = 0
    auction: int = 0
    pass_final: int = 1
    top_bid: int = 0
    min_bid: int = 7
    max_bid: int = 14
    equal_bid: int = 0
    ditto: int = 0
    special_bid: int = 0
    tenny: int = 0
    all_pass: int = 0
    forced_bid: int = 7
    trump_call: int = 0
    no_trump: int = 0
    twos: int = 0
    seventh_card: int = 0
    doubling: int = 0
    auto_double: int = 0
    """Bids of this or more double the stake by themselves; 0 = none do."""
    fold: int = 0
    discard: int = 0
    discards_shown: int = 0
    discarded_points: int = 0
    discards_claimed: int = 0
    discard_changeable: int = 0
    surplus: int = 0
    surplus_points: int = 0
    buried_wins: int = 0
    refill: int = 0
    first_drawer: int = 0
    empty_stock: int = 0
    rob: int = 0
    search_discards: int = 0
    rob_keeps_points: int = 0
    surplus_shown: int = 0
    solo: int = 0
    certain_solo: int = 1
    solo_trump: int = 0
    bare_seventh: int = 0
    weak_defence: int = 0
    four_jacks: int = 0
    first_leader: int = 0
    first_lead: int = 0
    plain_follow: int = 0
    plain_void: int = 0
    trumpless_trick: int = 0
    drop_out: int = 0
    low_to: int = 0
    ask: int = 0
    pair: int = 0
    pair_shift: int = 0
    pair_from: int = 0
    """The makers' pair counts for bids of this or more."""
    pair_cap: int = 0
    """What the defenders' pair raises the need to, at the most."""
    early_end: int = 0
    made: int = 0
    failed: int = 0
    defenders: int = 0
    slam: int = 0
    solo_stake: int = 0
    tenny_stake: int = 0
    stake_two_from: int = 0
    stake_three_from: int = 0
    """Bids of this or more are worth two, or three, game points; 0 = none are."""
    half_rule: int = 0
    sweep: int = 0
    unshown: int = 0
    last_trick_points: int = 0
    all_points: int = 0
    """Card points in a hand when every point card is in play."""
    target: int = 62
    won_by: int = 0
    both_over: int = 0
    goes_out_at: int = 0
    """Both sides at this or more before a hand: makers who make their bid win; 0 = no such rule."""
    lose_at: int = 0
    """A side at this or less has lost; 0 = no such rule."""
    clamp: int = 0
    """1 when scores stop at the target and at ``lose_at``."""
    match_score: int = 0
    count_order: list[list[int]] = field(
        default_factory=lambda: [[-1] * MAX_COUNTED for _ in range(TRUMPS)]
    )
    """By trump: the point cards in the order in which they are counted out, then -1."""
    trump_cards: list[int] = field(default_factory=_per_trump)
    """By trump: the cards that are trumps, off five and off jack included."""
    point_cards: list[int] = field(default_factory=_per_trump)
    """By trump: the cards that carry points."""
    low_card: list[int] = field(default_factory=lambda: [-1] * TRUMPS)
    """By trump: the two of trumps, -1 where no seat has a claim to it of its own."""
    pair_cards: list[int] = field(default_factory=_per_trump)
    """By trump: king and queen of trumps."""
    suit: list[list[int]] = field(default_factory=_per_card)
    """By trump and card: the suit the card belongs to in play."""
    strength: list[list[int]] = field(default_factory=_per_card)
    """By trump and card: rank within its suit in play, higher wins."""
    points: list[list[int]] = field(default_factory=_per_card)
    """By trump and card: card points."""
    suit_cards: list[list[int]] = field(default_factory=lambda: [[0] * 4 for _ in range(TRUMPS)])
    """By trump and suit: the cards that belong to the suit in play."""


@dataclass(slots=True)
class State:
    """Everything that is so at one moment of a hand."""

    phase: int = 0
    step: int = 0
    """Index into ``Rules.phases``."""
    turn: int = -1
    """The seat expected to act, -1 when nobody is."""
    owed: int = 0
    """Seats that others acted ahead of: they may still act without another finding."""
    dealer: int = 0
    holding: list[int] = field(default_factory=_per_seat)
    unknown: list[int] = field(default_factory=_per_seat)
    """How many cards each seat holds besides ``holding`` that the record does not name."""
    reserve: list[int] = field(default_factory=_per_seat)
    """Cards of the later packets, not yet dealt."""
    reserve_unknown: list[int] = field(default_factory=_per_seat)
    stock: list[int] = field(default_factory=lambda: [-1] * CARD_COUNT)
    """Undealt cards in drawing order, -1 where the record does not name one."""
    stock_size: int = 0
    stock_next: int = 0
    """Index of the next card to be drawn."""
    stock_set: int = 0
    """Cards that can still be in the stock."""
    kitty: int = 0
    kitty_unknown: int = 0
    discarded: list[int] = field(default_factory=_per_seat)
    discarded_unknown: list[int] = field(default_factory=_per_seat)
    declined: int = 0
    """Seats that have let their turn pass in this phase of the exchange."""
    laid_off: int = 0
    """Seats that have laid cards off."""
    filled: int = 0
    """Seats that have drawn or robbed."""
    undrawn: int = 0
    """Cards of the stock that a draw left out although they were due."""
    disordered: int = 0
    """1 once cards were drawn in another order, or number, than the stock had them due."""
    will_play: list[int] = field(default_factory=_per_seat)
    """Cards the record shows each seat putting to a trick: proof of what it held."""
    hidden_plays: list[int] = field(default_factory=_per_seat)
    """How many cards each seat has still to play that the record does not name."""
    discards_ahead: list[int] = field(default_factory=_per_seat)
    """How often the record shows each seat laying off before it draws or is given cards."""
    late_discards: list[int] = field(default_factory=_per_seat)
    """How often the record shows each seat laying off after that."""
    robs_first: int = 0
    """1 while the dealer is shown to lay off only after robbing what had to go before, then 2."""
    rob_ahead: int = 0
    """1 while the record shows somebody taking from the rest of the stock."""
    redraws: list[int] = field(default_factory=_per_seat)
    """How often the record shows each seat drawing again, to go on with the same draw."""
    cut_draw: int = -1
    """The seat with whose draw the record stops, so that a short one might have gone on; or -1."""
    drawing: int = -1
    """The seat whose draw goes on, -1 for none."""
    split_discards: list[int] = field(default_factory=_per_seat)
    """Bit by bit for the discards each seat makes: is it the same lay-off that goes on next?"""
    buries_ahead: list[int] = field(default_factory=_per_seat)
    """How often the record shows each seat putting surplus under the first trick."""
    gifts_ahead: int = 0
    """Seats that the record shows giving cards to the partner."""
    given_ahead: list[int] = field(default_factory=_per_seat)
    """How many cards the record shows each seat giving to the partner in all, before the rob."""
    late_gift: int = 0
    """1 while the record shows the dealer giving cards to the partner after the rob."""
    folds_ahead: int = 0
    """Seats that the record shows folding."""
    spoken: int = 0
    passed: int = 0
    passes: int = 0
    """Passes in succession."""
    high_bid: int = 0
    maker: int = -1
    forced: int = 0
    low_caller: int = -1
    """The seat whose bid did not go over the standing one, until they call again or somebody goes
    on as the maker; -1 for none."""
    low_bid: int = 0
    """What they bid."""
    thrown_in: int = 0
    trump: int = -1
    """Trump suit, -1 not named, -2 named but not known to the record."""
    revealed: int = 0
    unasked: int = 0
    """1 once a player played on where the trump had to be asked for or shown."""
    asker: int = -1
    """The seat that has asked for the trump and waits to play."""
    pending: int = 0
    """Seats that may still do something in this phase of the exchange, or play to the trick."""
    active: int = 0
    """Seats still in the hand."""
    at_play: list[int] = field(default_factory=_per_seat)
    """Holdings when the first trick begins."""
    trick: int = 0
    """Number of the trick on the table, from 1; 0 before play."""
    leader: int = -1
    played: int = 0
    """Cards played to the trick on the table."""
    led_suit: int = -1
    led_card: int = -1
    trick_cards: list[int] = field(default_factory=_none_per_seat)
    """By seat: the card played to the trick on the table, below 0 when the record names none."""
    on_table: int = 0
    """Those of them that the record names, as a set."""
    seen: int = 0
    """Cards that have been played or buried."""
    buried: list[int] = field(default_factory=_per_seat)
    """By seat: surplus cards put under the first trick."""
    buriers: int = 0
    """Seats that have put surplus under the first trick."""
    winner: int = -1
    """Winner of the last complete trick, -1 when no card of it is recorded."""
    unsure: int = 0
    """1 when a card of the last complete trick is not recorded, so that another may have won it."""
    trick_points: int = 0
    """Points of the last complete trick that went to its winner."""
    high_stand_in: int = -1
    """The trump that counts as high because the ace is not in play, -1 for none."""
    low_stand_in: int = -1
    """The trump that counts as low because the two is not in play, -1 for none."""
    low_seat: int = -1
    """The seat the two of trumps scores for, -1 when its taker."""
    points: list[int] = field(default_factory=_per_seat)
    """By side: card points so far."""
    tricks_won: list[int] = field(default_factory=_per_seat)
    pair_side: int = -1
    """The side that has declared king and queen of trumps."""
    holders: int = 0
    """Seats that made the standing bid: who named it, then who held it at the same number."""
    bid_suits: int = 0
    """Suits of which the bidder of 28-56 may hold ace, king and two, as a bit mask."""
    no_contract: int = 0
    """1 when nobody bid and the dealer plays without a number to reach."""
    doubles: int = 0
    """How often the stake was raised: 1 doubled, 2 redoubled, 3 super."""
    folded: int = 0
    """Seats that have folded."""
    fold_due: int = 0
    """Seats that had to fold and have not."""
    gave: int = 0
    """Seats that have given cards to their partner."""
    discard_points: list[int] = field(default_factory=_per_seat)
    """By side: points of discarded cards that it scores."""
    credited: int = 0
    """Those discarded cards."""
    shown: int = 0
    """Trumps the dealer has shown among what was left in the stock."""
    reversed: int = 0
    """1 when ranks are reversed once the trump is shown."""
    seventh: int = 0
    """The card under the pile that decides the trump suit; not in its owner's holding."""
    seventh_unknown: int = 0
    """1 when the card under the pile is one that the record does not name."""
    seventh_called: int = 0
    """1 when the maker called the seventh card."""
    last_but_one: list[int] = field(default_factory=_none_per_seat)
    """By seat: the last card but one it is dealt, below 0 when the record does not name it."""
    will_show: int = -1
    """The trumps that the record shows later, a code; -1 when it shows none."""
    will_raise: int = -1
    """Calls about the stake that the record has still to come; -1 for a hand that is no record."""
    reveal_trick: int = 0
    """Number of the trick in which the trump was shown; 0 before."""
    shown_for: int = -1
    """The seat at whose turn the trump was shown in its trick: asker or maker; -1 for nobody."""
    show_due: int = 0
    """1 while the maker may say what trumps are because a trick is over (O49)."""
    perhaps_shown: int = 0
    """First trick that may have brought the trump out, for all the record tells (O49); 0 before."""
    dead: int = 0
    """Trumps thrown to the trick of the showing before it, where they are none in it (O83)."""
    must_trump: int = -1
    """The seat that has asked in this trick and has to trump, where asking obliges."""
    won_any: int = 0
    """Sides, as a bit mask, that have won a trick."""
    won_since_shown: int = 0
    """Sides, as a bit mask, that have won a trick since trumps were shown, that one included."""
    solo: int = -1
    """The seat that plays alone, -1 without."""
    tenny: int = 0
    """1 when the one who plays alone does so on the first cards."""
    due_thrown_in: int = 0
    """Whether the rules call for throwing the deal in: a value of ``rules.throw_in``."""
    decided: int = 0
    """1 when play was stopped because the contract was decided."""
    taken: list[int] = field(default_factory=_per_seat)
    """By side: point cards scored so far."""
    counted: list[int] = field(default_factory=_per_seat)
    """By side: cards taken as the point called game counts them."""
    doubt_cards: int = 0
    """Cards that would have made something illegal, had they been among those not named."""
    doubt: int = 0
    """1 once an unknown card could have changed legality or score."""


def highest_first(members: int) -> Iterator[int]:
    """Yield the members of a set, a bit mask, from the highest to the lowest."""
    while members:
        member = members.bit_length() - 1
        members &= ~(1 << member)
        yield member


def lowest_first(members: int) -> Iterator[int]:
    """Yield the members of a set, a bit mask, from the lowest to the highest."""
    while members:
        yield (members & -members).bit_length() - 1
        members &= members - 1


def union(sets: Iterable[int]) -> int:
    """Return all members of some sets, as a bit mask."""
    members = 0
    for each in sets:
        members |= each
    return members


def dtype_of(record: DataclassInstance, number: str = "int64") -> np.dtype[np.void]:
    """Return the numpy record type with the fields and shapes of ``record``, all of one type."""
    import numpy as np

    return np.dtype(
        [(item.name, number, np.shape(getattr(record, item.name))) for item in fields(record)],
        align=True,
    )


def pack(record: DataclassInstance, row: np.void) -> None:
    """Copy ``record`` into ``row``, a numpy record of ``dtype_of(record)``."""
    for item in fields(record):
        row[item.name] = getattr(record, item.name)


def cells_of(value: DataclassInstance | list[Any] | int) -> list[int]:
    """Return the numbers of a record in the order in which a row of numpy has them."""
    if isinstance(value, int):
        return [value]
    parts = value if isinstance(value, list) else [getattr(value, f.name) for f in fields(value)]
    return [cell for each in parts for cell in cells_of(each)]


def places_in(kind: type[DataclassInstance]) -> dict[str, Any]:
    """Return where in ``cells_of`` a record each field is: an index, or for a list a slice."""
    new, places, at = kind(), dict[str, Any](), 0
    for item in fields(kind):
        size = len(cells_of(getattr(new, item.name)))
        is_list = isinstance(getattr(new, item.name), list)
        places[item.name] = slice(at, at + size) if is_list else at
        at += size
    return places


def copy_state(state: State) -> State:
    """Return an independent copy of ``state``."""
    copy = State.__new__(State)
    for name in State.__slots__:
        value = getattr(state, name)
        setattr(copy, name, value.copy() if isinstance(value, list) else value)
    return copy
