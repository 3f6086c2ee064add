"""Laying off: in several goes, changed, face up, and whose points it costs."""

import random

import pytest
from msgspec.structs import replace

from tests.kit.exchange_tables import Table
from tests.kit.random_play import walk_on
from tests.kit.sound_hands import pedro
from tests.kit.support import Options
from tricklog import Hand, card_name, replay, ruleset_of
from tricklog.core.engine import engine
from tricklog.core.engine.rules.scoring import points_of
from tricklog.core.judging.setup import first_state
from tricklog.schemas.actions import parse_action

O23: Options = {"discarded_points": "makers"}


# --- Whose points
WITH_TEN = [
    "AS KS QS JS 9S 2S 2C 3C 4C",
    "TS 8S 5S 2H 3H 4H 5H 6H 7H",
    "7S 6S 5C 2D 3D 4D 5D 6D 7D",
    "4S 3S 6C 7C 8C 9C TC JC QC",
]


def after_discards(variant: str, options: Options, *discards: str) -> Table:
    """Play on to the first trick after these discards of seats 0 and 1, by rule otherwise."""
    stock = str(pedro().stock)
    table = Table(variant, WITH_TEN, options=options, stock=stock)
    for text in discards:
        table.found(text)
    table.ok("2 discard 2D 3D 4D 5D 6D 7D", "3 discard 6C 7C 8C 9C TC JC QC")
    left = stock.split()
    for seat in range(3):
        need = 6 - table.state.holding[seat].bit_count()
        if need:
            table.ok(" ".join([f"{seat} draw", *left[:need]]))
            left = left[need:]
    table.ok(" ".join(["3 rob", *left[:4]]))
    assert table.phase == "PLAY"
    return table


KEEPS_ALL = "0 discard 2C 3C 4C"
ALL_PLAIN = "1 discard 2H 3H 4H 5H 6H 7H"


def test_c20_s61_the_two_that_is_laid_off_counts_for_its_side() -> None:
    deal = [
        "AS KS JS TS 9S 5S 2S AH KH QH JH TH 8H",
        "QS 8S 7S AD KD QD JD TD 9D 8D 7D 6D 5D",
        "6S 4S 4D 3D 2D 9H 7H 6H 5H 4H 3H 2H AC",
        "5C 3S KC QC JC TC 9C 8C 7C 6C 4C 3C 2C",
    ]
    table = Table("ukrainian", deal, maker=1)
    table.ok("0 discard-up AH KH QH JH TH 8H 2S")
    table.ok("1 discard AD KD QD JD TD 9D 8D", "2 discard 4D 3D 2D 9H 7H 6H 5H")
    table.ok("3 discard KC QC JC TC 9C 8C 7C")
    assert table.phase == "PLAY"
    assert [points_of(table.state, side) for side in (0, 1)] == [1, 0]
    assert table.state.low_seat == 0


# --- Points of cards laid off are captures, too
@pytest.mark.parametrize(
    ("options", "discards", "captured"),
    [
        (
            {"discarded_points": "opponents"},
            ["0 discard 2C 3C 4C JS 2S"],
            [("2S", 0, 1), ("JS", 0, 1)],
        ),
        ({"discarded_points": "opponents"}, ["1 discard 2H 3H 4H 5H 6H 7H TS"], [("TS", 1, 0)]),
        (O23, ["1 discard 2H 3H 4H 5H 6H 7H TS"], [("TS", 1, 0)]),
        (O23, ["0 discard 2C 3C 4C JS"], []),
        ({}, ["1 discard 2H 3H 4H 5H 6H 7H TS"], []),
    ],
)
def test_o07_o23_s18_captures_have_the_points_of_cards_laid_off(
    options: Options, discards: list[str], captured: list[tuple[str, int, int]]
) -> None:
    rows = {"0": KEEPS_ALL, "1": ALL_PLAIN} | {text[0]: text for text in discards}
    table = after_discards("pedro", options, rows["0"], rows["1"])
    hand = replace(table.hand, actions=table.actions)
    replayed = replay(played_out(hand))
    assert replayed.outcome is not None
    laid_off = [
        (card_name(item.card), item.from_seat, item.by_seat)
        for item in replayed.captures
        if card_name(item.card) in " ".join(discards)
    ]
    assert laid_off == captured
    for side in (0, 1):
        points = sum(item.points for item in replayed.captures if item.side == side)
        assert points == replayed.outcome.points[side]


def played_out(hand: Hand) -> Hand:
    """Return the hand played on by anybody's legal choice to its end."""
    ruleset = ruleset_of(hand)
    actions = [*hand.actions]
    state, rules, _ = first_state(hand, ruleset, [])
    engine.start(state, rules)
    for text in actions:
        engine.apply(state, rules, parse_action(text))
    actions += [text for _, _, text in walk_on(state, rules, random.Random(1))]
    return replace(hand, actions=actions)
