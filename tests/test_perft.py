"""Counting all legal ways to go on from a position, against rules written a second time.

The count of continuations, and the points that side 0 takes over all of them, change with nearly
any mistake in what may be led, followed, asked for or dropped, and in who wins a trick. In
auctions they change with any mistake in who speaks when, and when it is over.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from replay import engine
from replay.policies import Phase
from replay.records import Rules, State, copy_state
from schemas.actions import parse_action
from tests.offered import offered
from tests.second.auction import is_over, legal_calls, next_caller
from tests.second.count import points_taken
from tests.second.game import MATE, Game
from tests.second.moves import moves
from tests.second.table import Table
from tests.support import DEALER, Options, auction_table, play_table, rules_of, ruleset_for


@dataclass(frozen=True)
class Ending:
    """Hands before a lead. In Twenty-Nine `maker` alone knows the trumps while they are hidden."""

    trumps: str
    hands: tuple[str, ...]
    leader: int = 0
    maker: int = 0
    shown: bool = True


SYSTEMS: dict[str, tuple[str, Options]] = {
    "pedro": ("pedro", {}),
    "pedro-O11": ("pedro", {"plain_follow": "follow"}),
    "pedro-O12": ("pedro", {"plain_follow": "any"}),
    "pedro-O16": ("pedro", {"plain_void": "must-trump"}),
    "pedro-O17": ("pedro", {"low_to": "winner"}),
    "pidro": ("pidro", {}),
    "king-pedro": ("king-pedro", {}),
    "king-pedro-C17": ("king-pedro", {"trumpless_trick": "highest-of-suit"}),
    "twenty-nine": ("twenty-nine", {}),
    "twenty-nine-O33": ("twenty-nine", {"direction": "anticlockwise"}),
    "twenty-nine-O35": ("twenty-nine", {"last_trick_points": 1}),
}


def game_of(name: str) -> Game:
    variant, options = SYSTEMS[name]
    return Game(ruleset_for(variant, options).values, 4)


# --- Endings: the rules a second time


def counted_by_hand(name: str, ending: Ending) -> tuple[int, int]:
    """Return the number of ways to play an ending out, and the points of side 0 over all."""
    table = second_table(name, ending)
    results = list(continuations_by_hand(table))
    return len(results), sum(results)


def second_table(name: str, ending: Ending) -> Table:
    game = game_of(name)
    hands = [frozenset(hand.split()) for hand in ending.hands]
    table = Table(
        game=game,
        dealer=DEALER,
        hands=hands,
        reserve=[[] for _ in hands],
        last_but_one=["" for _ in hands],
        stock=[],
        kitty=frozenset(),
        rest_dealt=True,
        discards=[frozenset() for _ in hands],
        standing=game.values["min_bid"],
        maker=ending.maker,
        trump=ending.trumps,
        trump_word=ending.trumps,
        shown=ending.shown,
        at_play=tuple(hands),
        number=game.hand_size - max(map(len, hands)),
    )
    table.next_trick(ending.leader)
    return table


def continuations_by_hand(table: Table) -> Iterator[int]:
    found = moves(table)
    if not found:
        yield points_taken(table)[0]
    for text in found:
        following = table.copy()
        following.do(text)
        yield from continuations_by_hand(following)


# --- Endings: the engine


def counted_by_engine(name: str, ending: Ending) -> tuple[int, int]:
    variant, options = SYSTEMS[name]
    rules = rules_of(variant, options)
    size = max(len(hand.split()) for hand in ending.hands)
    state = play_table(
        rules,
        ending.trumps,
        dict(enumerate(ending.hands)),
        leader=ending.leader,
        trick=rules.hand_size - size + 1,
        shown=ending.shown,
    )
    state.maker = ending.maker
    results = list(continuations(state, rules))
    return len(results), sum(results)


def continuations(state: State, rules: Rules) -> Iterator[int]:
    """Yield side 0's points at the end of every legal way to play on."""
    if engine.to_act(state) < 0:
        yield state.points[0]
        return
    for text in offered(state, rules):
        following = copy_state(state)
        assert engine.apply(following, rules, parse_action(text)) == 0
        yield from continuations(following, rules)


def some_ending(game: Game, chance: random.Random, size: int) -> Ending:
    """Return an ending rich in trumps, with few plain suits, so that following matters."""
    trumps = chance.choice("SHDC")
    suits = [trumps, *chance.sample([suit for suit in "SHDC" if suit != trumps], 2)]
    pack = {card for card in game.pack if card[1] in suits}
    if game.values["off_five"]:
        pack.add("5" + MATE[trumps])
    cards = chance.sample(sorted(pack), 4 * size)
    hands = tuple(" ".join(cards[seat * size : (seat + 1) * size]) for seat in range(4))
    return Ending(
        trumps,
        hands,
        leader=chance.randrange(4),
        maker=chance.randrange(4),
        shown=not game.secret or chance.random() < 0.4,
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_small_endings_have_as_many_continuations_as_rules_written_anew(name: str) -> None:
    chance = random.Random(name)
    counts = set()
    for size in (1, *[2] * 30, *[3] * 5):
        ending = some_ending(game_of(name), chance, size)
        counted = counted_by_hand(name, ending)
        assert counted_by_engine(name, ending) == counted, ending
        counts.add(counted)
    assert len(counts) > 10


PINNED = (
    # Plain leads may be followed or trumped; the off five calls for trumps.
    ("pedro", Ending("S", ("AS 5C 2H", "KS 3S 4H", "9H TH 2D", "5S 2S 8H")), 368, 1798),
    ("pedro-O11", Ending("S", ("AS 5C 2H", "KS 3S 4H", "9H TH 2D", "5S 2S 8H")), 112, 532),
    ("pedro-O12", Ending("S", ("AS 5C 2H", "KS 3S 4H", "9H TH 2D", "5S 2S 8H")), 624, 3054),
    ("pedro-O16", Ending("S", ("AS 5C 2H", "KS 3S 4D", "9H TH 2D", "5S 2S 8H")), 200, 1070),
    # Two trumps, one, none, three: the lead passes on.
    ("pidro", Ending("H", ("AH 5D 9S", "KH 3S 4S", "9C TC 2D", "5H 2H 8H")), 12, 42),
    ("king-pedro", Ending("H", ("AH 5D 9S", "KH 3S 4S", "9C 3H 2D", "5H 2H 8S")), 192, 3027),
    # Seat 1 cannot follow hearts and asks; a lead of spades shows nothing.
    (
        "twenty-nine",
        Ending("S", ("JH 7S 8D", "9S 9C 7D", "TH KS AD", "QH 8S JC"), maker=2, shown=False),
        34,
        186,
    ),
    (
        "twenty-nine",
        Ending("C", ("JH 7S 8D", "9S 9C 7D", "TH KS AD", "QH 8S JC"), maker=1, shown=False),
        30,
        86,
    ),
)


@pytest.mark.parametrize(("name", "ending", "count", "points"), PINNED)
def test_pinned_counts(name: str, ending: Ending, count: int, points: int) -> None:
    """Continuations, and the points that side 0 takes over all of them together."""
    assert counted_by_engine(name, ending) == (count, points)
    assert counted_by_hand(name, ending) == (count, points)


# --- Auctions

AUCTIONS: tuple[tuple[str, Options, int], ...] = (
    # Each speaks once. k of the four bid, rising through n numbers, in C(4, k) * C(n, k) ways;
    # but the dealer, when all others have passed, has one bid. n = 2: 3 * 2 + 1 + 6 * 1.
    ("pedro", {"min_bid": 13}, 13),
    # n = 8: 3 * 8 + 1 + 6 * 28 + 4 * 56 + 1 * 70.
    ("pedro", {}, 487),
    # With slam the forced dealer may bid 14 as well.
    ("pedro", {"min_bid": 13, "slam": "double-if-made"}, 14),
    # He is free to bid either number, or to pass.
    ("pedro", {"min_bid": 13, "all_pass": "no-contract"}, 15),
    # The dealer may say the same: the others leave him 13 in 3 ways and 14 in 3 + 3.
    ("pedro", {"min_bid": 13, "equal_bid": "dealer"}, 13 + 9),
    ("pedro", {"min_bid": 13, "equal_bid": "dealer-at-maximum"}, 13 + 6),
    # Rounds, passes final, one number: all pass, or one of the four bids and the others pass.
    ("king-pedro", {"min_bid": 44}, 5),
    # Two numbers: all pass; 44 at once, by any; or 43, after p passes, and then 44 by any of the
    # 3 - p others or by nobody: 1 + 4 + (4 + 3 + 2 + 1).
    ("king-pedro", {"min_bid": 43}, 15),
    # Rounds, a pass is not final: after 27 each of three may say 28, whoever has passed before.
    # Bid after 0, 1, 2 passes: 3 * (4 + 1), and the forced bid, which ends it at once.
    ("twenty-nine", {"min_bid": 27, "forced_bid": 27}, 16),
    # Passes final: (4 + 3 + 2) + 3 and the forced bid.
    ("twenty-nine", {"min_bid": 27, "forced_bid": 27, "pass_final": True}, 13),
    # One number: held by one of three or by nobody, 3 * 4, and the forced bid.
    ("twenty-nine", {"min_bid": 28, "forced_bid": 28, "ditto": "anyone"}, 13),
    # A duel over one number: one of P1, P3, P2 bids it and the others pass, or all three pass.
    ("bangladesh", {"min_bid": 28}, 4),
    # Over two. P1 28: 1. P1 27: P2 or P4 may say 28, which P1 or P3 may hold, 3 + 3; if neither
    # does, P3 may say it or not, 2. P1 passes: P3 28: 1; P3 27: 28 by P2 or P4, held by P3 or
    # not, 2 + 2, or by neither, 1; P3 passes as well: P2 says 28, or 27
    # with or without 28 by P4, or passes: 4.
    ("bangladesh", {"min_bid": 27}, 1 + 8 + 10),
)


def spoken_by_engine(state: State, rules: Rules) -> int:
    """Return in how many ways an auction can go on until it is over."""
    if state.phase != Phase.AUCTION:
        return 1
    count = 0
    for text in offered(state, rules):
        following = copy_state(state)
        assert engine.apply(following, rules, parse_action(text)) == 0
        count += spoken_by_engine(following, rules)
    return count


def spoken_by_hand(table: Table) -> int:
    if is_over(table):
        return 1
    count = 0
    for call in legal_calls(table):
        following = table.copy()
        following.do(f"{next_caller(table)} {call}")
        count += spoken_by_hand(following)
    return count


def silent_table(variant: str, options: Options) -> Table:
    """Return a table before the auction at which nobody's cards are known."""
    game = Game(ruleset_for(variant, options).values, 4)
    nothing: list[frozenset[str]] = [frozenset() for _ in range(4)]
    return Table(game, DEALER, nothing, [[]] * 4, [""] * 4, [], frozenset(), discards=nothing)


@pytest.mark.parametrize(("variant", "options", "count"), AUCTIONS)
def test_auctions_have_as_many_courses_as_counted_by_hand(
    variant: str, options: Options, count: int
) -> None:
    rules = rules_of(variant, options)
    assert spoken_by_hand(silent_table(variant, options)) == count
    assert spoken_by_engine(auction_table(rules), rules) == count
