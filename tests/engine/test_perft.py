"""Counting all legal ways to go on from a position, against rules written a second time.

The count of continuations, and the points that side 0 takes over all of them, change with nearly
any mistake in what may be led, followed, asked for or dropped, and in who wins a trick. In
auctions they change with any mistake in who speaks when, and when it is over.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.kit import support
from tests.kit.random_play import offered
from tests.kit.support import Options
from tests.kit.tiers import is_thorough, scaled, some
from tests.reference_engine.auction import is_over, legal_calls, next_caller
from tests.reference_engine.count import points_taken
from tests.reference_engine.game import Game
from tests.reference_engine.moves import moves
from tests.reference_engine.table import Table
from tricklog.core import variants
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import play
from tricklog.schemas.actions import parse_action


@dataclass(frozen=True)
class Ending:
    """Hands before a lead. In Twenty-Nine `maker` alone knows the trumps while they are hidden."""

    trumps: str
    """As a log names them; "seventh" for the suit of `seventh`, which lies under the pile."""
    hands: tuple[str, ...]
    leader: int = 0
    maker: int = 0
    shown: bool = True
    seventh: str = ""


def changed(variant: str, number: str, **options: Any) -> tuple[str, tuple[str, Options, int]]:  # noqa: ANN401 - of any policy
    """Return the name of a system with an option, and the system."""
    return f"{variant}-{number}", (variant, options, 4)


KNOWN: Options = {"plain_void": "must-trump-once-known"}
SYSTEMS: dict[str, tuple[str, Options, int]] = {
    **{variant: (variant, {}, 4) for variant in variants()},
    **dict(
        (
            changed("pedro", "O11", plain_follow="follow"),
            changed("pedro", "O12", plain_follow="any"),
            changed("pedro", "O16", plain_void="must-trump"),
            changed("pedro", "O17", low_to="winner"),
            changed("pedro", "O88", house_rules=["O88"]),
            changed("king-pedro", "C17", trumpless_trick="highest-of-suit"),
            changed("king-pedro", "O86", buried_wins=True),
            changed("king-pedro", "O84", drop_out="when-trump-led"),
            changed("sixty-three", "O27", joker=True, points={"K": 25, "joker": 15}),
            changed("sixty-three", "O32", low_to="player"),
            changed("twenty-nine", "O33", direction="anticlockwise"),
            changed("twenty-nine", "O35", last_trick_points=1),
            changed("twenty-nine", "O37", no_trump="joker"),
            changed("twenty-nine", "O38", twos="no-trump-reversed"),
            changed("twenty-nine", "O39", twos="suit-reversed"),
            changed("twenty-nine", "O41", seventh_card=True),
            changed("twenty-nine", "O41-O48", seventh_card=True, ask="optional"),
            changed("twenty-nine", "O48", ask="optional"),
            changed("twenty-nine", "O49", ask="end-of-trick"),
            changed("twenty-nine", "O55", pair="with-a-ruff"),
            changed("twenty-nine", "O63", pair="after-reveal"),
            changed("twenty-nine", "O71", **KNOWN),
            changed("twenty-nine", "O71-O48", **KNOWN, ask="optional"),
            changed("twenty-nine", "O74", pair="at-once"),
            changed("twenty-nine", "O75", pair="at-once-with-a-trick"),
            changed("twenty-nine", "O83", ask="optional-thrown-dead"),
        )
    ),
    "sancho-5": ("sancho", {}, 5),
    "snoozer-7": ("snoozer", {}, 7),
}

LARGE = some([*SYSTEMS], 5)
"""Those of which endings of three tricks are counted, too."""


def game_of(name: str) -> Game:
    variant, options, seats = SYSTEMS[name]
    return Game(support.ruleset_for(variant, options).values, seats)


def size_of(ending: Ending) -> int:
    return max(len(hand.split()) for hand in ending.hands)


# --- Endings: the rules a second time, and the engine
def counted_by_hand(name: str, ending: Ending) -> tuple[int, int]:
    """Return the number of ways to play an ending out, and the points of side 0 over all."""
    game = game_of(name)
    hands = [frozenset(hand.split()) for hand in ending.hands]
    suit = ending.seventh[1] if ending.seventh else ending.trumps.removesuffix("-reversed")
    table = Table(
        game,
        support.DEALER,
        hands,
        rest_dealt=True,
        standing=game.values["min_bid"],
        maker=ending.maker,
        trump=suit if suit in "SHDC" else "",
        trump_word=ending.trumps,
        seventh=ending.seventh,
        shown=ending.shown,
        at_play=tuple(hands),
        number=game.hand_size - size_of(ending),
    )
    table.next_trick(ending.leader)
    results = list(continuations_by_hand(table))
    return len(results), sum(results)


def continuations_by_hand(table: Table) -> Iterator[int]:
    """Yield side 0's points at the end of every legal way to play on."""
    found = moves(table)
    if table.over():
        yield points_taken(table)[0]
    for text in found:
        following = table.copy()
        following.do(text)
        yield from continuations_by_hand(following)


def counted_by_engine(name: str, ending: Ending) -> tuple[int, int]:
    variant, options, seats = SYSTEMS[name]
    rules = support.rules_of(variant, options, seats=seats)
    state = support.table_in(rules, Phase.PLAY, ending.trumps, dict(enumerate(ending.hands)))
    state.maker = ending.maker
    state.revealed = int(ending.shown)
    if ending.seventh:
        state.seventh = support.card_set(ending.seventh)
        state.trump = "SHDC".index(ending.seventh[1])
    play.start_play(state, rules, ending.leader)
    state.trick = rules.hand_size - size_of(ending) + 1
    results = list(continuations(state, rules))
    return len(results), sum(results)


def continuations(state: State, rules: Rules) -> Iterator[int]:
    """Yield side 0's points at the end of every legal way to play on."""
    if not state.pending and not state.show_due:
        yield state.points[0]
        return
    if state.phase == Phase.OVER:
        yield state.points[0]
    for text in offered(state, rules):
        following = copy_state(state)
        assert engine.apply(following, rules, parse_action(text)) == 0
        yield from continuations(following, rules)


def some_ending(name: str, chance: random.Random, size: int) -> Ending:
    """Return an ending rich in trumps, with few plain suits, so that following matters."""
    game = game_of(name)
    suit = chance.choice("SHDC")
    suits = [suit, *chance.sample([other for other in "SHDC" if other != suit], 2)]
    pack = {card for card in game.pack if card[1] in suits or card == "JO"}
    pack.update(game.off_cards[suit].values())
    cards = chance.sample(sorted(pack), game.seats * size)
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(game.seats)]
    maker = chance.randrange(game.seats)
    shown = not game.secret or chance.random() < 0.4
    trumps, seventh = chance.choice(trump_words(game, suit)), ""
    if trumps == "seventh":
        seventh = hands[maker].pop()
        shown = False
    texts = tuple(" ".join(hand) for hand in hands)
    return Ending(trumps, texts, chance.randrange(game.seats), maker, shown, seventh)


def trump_words(game: Game, suit: str) -> list[str]:
    words = {
        (game.has("no_trump", "joker"), "NT"),
        (game.has("twos", "no-trump-reversed"), "NT-reversed"),
        (game.has("twos", "suit-reversed"), f"{suit}-reversed"),
        (bool(game.values["seventh_card"]), "seventh"),
    }
    return sorted(word for there_is, word in words if there_is) or [suit]


@pytest.mark.parametrize("name", SYSTEMS)
def test_small_endings_have_as_many_continuations_as_rules_written_twice(name: str) -> None:
    chance = random.Random(name)
    seats = SYSTEMS[name][2]
    counts = set()
    many, large = (scaled(4, most=40), scaled(name in LARGE, most=6)) if seats == 4 else (3, 0)
    for size in (1, *[2] * many, *[3] * large):
        ending = some_ending(name, chance, size)
        counted = counted_by_hand(name, ending)
        assert counted_by_engine(name, ending) == counted, ending
        counts.add(counted)
    assert len(counts) >= 3


def with_seventh(hand: str) -> Ending:
    """Return an ending in which seat 1 has the seven of spades under the pile."""
    hands = (hand, "8D", "9H QH", "JH 8H")
    return Ending("seventh", hands, maker=1, shown=False, seventh="7S")


FIVES = ("KS 3S 4H", "9H TH 2D", "5S 2S 8H")
PLAIN = ("JH 7S 8D", "9S 9C 7D", "TH KS AD", "QH 8S JC")
SEVENS = ("7C 8C", "9H 3S", "4S 5S", "6D 7D")
HEARTS_AND_A_VOID = Ending("S", ("AH KH", "7S 8D", "9H QH", "JH 8H"), maker=2, shown=False)
PINNED = (
    # Plain leads may be followed or trumped; the off five calls for trumps.
    ("pedro", Ending("S", ("AS 5C 2H", *FIVES)), 368, 1798),
    ("pedro-O11", Ending("S", ("AS 5C 2H", *FIVES)), 112, 532),
    ("pedro-O12", Ending("S", ("AS 5C 2H", *FIVES)), 624, 3054),
    ("pedro-O16", Ending("S", ("AS 5C 2H", "KS 3S 4D", "9H TH 2D", "5S 2S 8H")), 200, 1070),
    # Two trumps, one, none, three: the lead passes on.
    ("pidro", Ending("H", ("AH 5D 9S", "KH 3S 4S", "9C TC 2D", "5H 2H 8H")), 12, 42),
    ("king-pedro", Ending("H", ("AH 5D 9S", "KH 3S 4S", "9C 3H 2D", "5H 2H 8S")), 192, 3027),
    # Seat 1 cannot follow hearts and asks; a lead of spades shows nothing.
    ("twenty-nine", Ending("S", PLAIN, maker=2, shown=False), 34, 186),
    ("twenty-nine", Ending("C", PLAIN, maker=1, shown=False), 30, 86),
    # Seats 0, 2 and 3 have two hearts each, seat 1 asks and may still throw either card: 2 ** 4
    # ways, and the second trick is one. Seat 1 trumps one of the two tricks. Side 0 has the first
    # when seat 1 trumps the second and seat 3 keeps the jack: 3, 1, 2 or 0 points.
    ("twenty-nine", HEARTS_AND_A_VOID, 16, 6),
    # Seat 1 may ask, and then has to trump both: 8 ways without points. Or it throws a card, 16
    # ways, and may ask at the second heart. Of each 4 ways with the jack first, and with the jack
    # kept, side 0 has 6 points in one trick, but for the jack first and the spade in the second.
    ("twenty-nine-O48", HEARTS_AND_A_VOID, 40, 24 + 18),
    # The maker cannot follow, and the suit is not that of the card under the pile: they show it and
    # has two cards to choose from.
    ("twenty-nine-O41", with_seventh("AH KH"), 16, 6),
    # In its suit they may throw the diamond, or show it and must then follow with it. The two
    # higher spades take all 6 points.
    ("twenty-nine-O41", with_seventh("AS KS"), 16, 96),
    # 6 ways to play: the ten led, the nine led with one jack, with the other, for 4, 5 and 4
    # points, each with king or queen. Seat 2 declares both before one of the first three cards,
    # although its side has won no trick, or not at all: 4 times as many.
    ("twenty-nine-O63", Ending("C", ("TH 9S", "JH JC", "KC QC", "7H 7S")), 24, 4 * 2 * (4 + 5 + 4)),
    # A trump only from a hand of nothing else: seats 0, 2 and 3 choose, 9 points for seat 2.
    ("ukrainian", Ending("S", ("AH KC", "3C 6S", "7S 9S", "4D 8D")), 8, 72),
    # Without the suit seat 1 has to trump; in Sixty-Three it may throw the spade as well.
    ("eighty-three", Ending("H", SEVENS), 8, 0),
    ("sixty-three", Ending("H", SEVENS), 16, 0),
    # To the two the joker has to be played, 4 ways for 16 points. To the spade it takes the trick,
    # 4 ways with 1 point later, or falls to the two in the next, 4 ways for 16.
    ("snoozer", Ending("H", ("2H 3S", "JO 9C", "4S 5S", "6D 7D")), 12, 132),
)


@pytest.mark.parametrize(("name", "ending", "count", "points"), PINNED)
def test_pinned_counts(name: str, ending: Ending, count: int, points: int) -> None:
    """Continuations, and the points that side 0 takes over all of them together."""
    assert counted_by_engine(name, ending) == (count, points)
    if is_thorough():
        assert counted_by_hand(name, ending) == (count, points)


# --- Auctions
FROM_27: Options = {"min_bid": 27, "forced_bid": 27}
FROM_28: Options = {"min_bid": 28, "forced_bid": 28}
AUCTIONS: tuple[tuple[str, Options, int], ...] = (
    # Each speaks once. k of the four bid, rising through n numbers, in C(4, k) * C(n, k) ways;
    # but the dealer, when all others have passed, has one bid. n = 2: 3 * 2 + 1 + 6 * 1.
    ("pedro", {"min_bid": 13}, 13),
    # n = 8: 3 * 8 + 1 + 6 * 28 + 4 * 56 + 1 * 70.
    ("pedro", {}, 487),
    # With slam the forced dealer may bid 14 as well.
    ("pedro", {"min_bid": 13, "slam": "double-if-made"}, 14),
    # They are free to bid either number, or to pass.
    ("pedro", {"min_bid": 13, "all_pass": "no-contract"}, 15),
    # The dealer may say the same: the others leave them 13 in 3 ways and 14 in 3 + 3.
    ("pedro", {"min_bid": 13, "equal_bid": "dealer"}, 13 + 9),
    ("pedro", {"min_bid": 13, "equal_bid": "dealer-at-maximum"}, 13 + 6),
    # Rounds, passes final, one number: all pass, or one of the four bids and the others pass.
    ("king-pedro", {"min_bid": 44}, 5),
    # Two numbers: all pass; 44 at once, by any; or 43, after p passes, and then 44 by any of the
    # 3 - p others or by nobody: 1 + 4 + (4 + 3 + 2 + 1).
    ("king-pedro", {"min_bid": 43}, 15),
    # Rounds, a pass is not final: after 27 each of three may say 28, whoever has passed before.
    # Bid after 0, 1, 2 passes: 3 * (4 + 1), and the forced bid, which ends it at once.
    ("twenty-nine", FROM_27, 16),
    # Passes final: (4 + 3 + 2) + 3 and the forced bid.
    ("twenty-nine", {**FROM_27, "pass_final": True}, 13),
    # One number: held by one of three or by nobody, 3 * 4, and the forced bid.
    ("twenty-nine", {**FROM_28, "ditto": "anyone"}, 13),
    # The forced dealer may bid either number (O65).
    ("pedro", {"min_bid": 13, "forced_bid": 13, "all_pass": "dealer-at-least"}, 14),
    # The highest bid ends the auction, so that nobody can hold it: 3, and the forced bid (O67).
    ("twenty-nine", {**FROM_28, "ditto": "anyone", "top_bid": "ends"}, 4),
    # The last to speak is free like the others, 4 * (4 + 1), and the first is bound (O70).
    ("twenty-nine", {**FROM_27, "all_pass": "first-forced"}, 21),
    # The last to speak is free, and nobody is bound (O77).
    ("twenty-nine", {"min_bid": 27, "all_pass": "thrown-in-by-all"}, 21),
    # The first to speak opens: after 27 each of three may say 28 (O78).
    ("twenty-nine", {**FROM_27, "all_pass": "first-opens"}, 5),
    # The other way round nothing else changes (O69).
    ("twenty-nine", {**FROM_27, "call_direction": "against-play"}, 16),
    # Two at a time (O68). Over the holder's 27 each challenger passes, or says 28, which is held
    # or not: 1 + 2 * k ways with k challengers left; over 28 everybody passes. An opening by the
    # first, second, third: (1 + 7) + (1 + 5) + (1 + 3), and the forced bid.
    ("twenty-nine", {**FROM_27, "auction": "challenge", "ditto": "holder"}, 19),
    # Not held: 1 + k ways.
    ("twenty-nine", {**FROM_27, "auction": "challenge"}, 5 + 4 + 3 + 1),
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
    game = Game(support.ruleset_for(variant, options).values, 4)
    return Table(game, support.DEALER, [frozenset()] * 4)


@pytest.mark.parametrize(("variant", "options", "count"), AUCTIONS)
def test_auctions_have_the_courses_one_counts(variant: str, options: Options, count: int) -> None:
    rules = support.rules_of(variant, options)
    assert spoken_by_hand(silent_table(variant, options)) == count
    assert spoken_by_engine(support.auction_table(rules), rules) == count
