"""The codes of the warehouse: every hand comes back, and SQL reads them as Python does."""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ingest.store import record_codec
from ingest.store.publishing import create_tables
from schemas import codes
from schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    Action,
    Verb,
    action_cards,
    format_action,
    parse_action,
)
from schemas.cards import CARD_NAMES, card_name, mask_of, parse_cards
from schemas.hand import Claimed, Hand, decode_hand, encode_hand
from tests.kit.any_hand import CARDS, HANDS, action_texts, maybe
from tests.kit.log_lines import line

ACTIONS = st.lists(action_texts(), max_size=30)
SEATS = st.integers(4, 7)


@pytest.fixture(scope="module")
def empty() -> Iterator[DuckDBPyConnection]:
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection


# --- Cards


def test_every_card_has_a_character_of_its_own() -> None:
    names = [*CARD_NAMES, "?", "*"]
    code = codes.card_codes(" ".join(names))
    assert len(set(code)) == len(names) == 55
    assert codes.card_codes("AS ? 2H *") == "</=."
    assert codes.card_codes("2S JO") == "0d"
    assert codes.cards_of_code(code) == " ".join(names)


@given(CARDS)
def test_cards_come_back_in_their_order(text: str) -> None:
    assert codes.cards_of_code(codes.card_codes(text)) == text


@given(maybe(st.lists(CARDS, min_size=4, max_size=7)), maybe(CARDS), maybe(CARDS))
def test_what_was_dealt_comes_back(
    deal: list[str] | UnsetType, stock: str | UnsetType, kitty: str | UnsetType
) -> None:
    assert codes.deal_of_code(codes.deal_code(deal, stock, kitty)) == (deal, stock, kitty)


# --- Actions


@given(ACTIONS, SEATS)
def test_actions_come_back(actions: list[str], seats: int) -> None:
    actions = [text for text in actions if int(text[0]) < seats]
    assert codes.actions_of_code(codes.deeds_code(actions, seats), seats) == actions


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        (["0 bid 7"], "e07"),
        (["6 bid 49", "6 bid 50", "6 bid 999"], "k0ak010k0Ca"),
        (["0 bid 28-56", "0 bid 83-double"], "e0D1e0YQ"),
        (["2 trump H", "2 trump *", "2 trump seventh"], "g43g40g4<"),
        (["3 rob 6H QS", "3 discard ? ?"], "h:A:h6//"),
        (["1 pass", "1 decided"], "f1fJ"),
        (["2 play AH", "3 play 2H", "1 play 9H"], "rI=qD"),
        (["3 play ?", "0 pass", "0 play JO"], "s/e1pd"),
    ],
)
def test_the_code_of_actions(actions: list[str], code: str) -> None:
    assert codes.deeds_code(actions, 4) == code
    assert codes.actions_of_code(code, 4) == actions


def test_every_bid_comes_back() -> None:
    amounts = [*range(1, 1000), BID_28_56, *range(BID_DOUBLE + 1, BID_DOUBLE + 1000)]
    bids = [format_action(1, Verb.BID, amount) for amount in amounts]
    assert codes.actions_of_code(codes.deeds_code(bids, 5), 5) == bids


def test_the_characters_stay_apart() -> None:
    cards = {*codes.card_codes(" ".join([*CARD_NAMES, "?", "*"]))}
    assert max(cards) < chr(codes.FIRST_SEAT)
    assert chr(codes.FIRST_SEAT + 6) < chr(codes.FIRST_PLAYER)
    assert not cards & {" ", ",", codes.NOT_RECORDED}
    assert codes.number_code(0) == codes.card_codes("2S") == "0"
    assert codes.pair_code(0) == "00"
    assert codes.pair_code(6240) == "~~"


# --- The line


@given(HANDS, st.none() | st.builds(Claimed, *[st.lists(st.integers(-9, 9), min_size=2)] * 3))
def test_a_line_comes_back_byte_for_byte(hand: Hand, confirmed: Claimed | None) -> None:
    actions = [text for text in hand.actions if int(text[0]) < len(hand.players)]
    hand = replace(hand, actions=actions)
    assert record_codec.line_of(columns(hand, confirmed)) == encode_hand(hand)
    if confirmed:
        claiming = replace(hand, claimed=confirmed)
        row = columns(claiming, confirmed)
        assert row[9].startswith('"claimed":~')
        assert record_codec.line_of(row) == encode_hand(claiming)


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        ("2026-11-20T19:03:00Z", "~Z"),
        ("2026-11-20T19:03:00.250000-09:30", "~-09:30"),
        ("2026-11-20T23:30:00-00:00", "~-00:00"),
        ("0001-01-01T23:30:00+05:45", "~+05:45"),
        ("2026-11-20t19:03:00z", '"2026-11-20t19:03:00z"'),
        ("2026-11-20T19:03:00.25Z", '"2026-11-20T19:03:00.25Z"'),
    ],
)
def test_a_time_comes_back_as_it_was_written(text: str, tail: str) -> None:
    ends = ("claimed", "status", "times", "notes", "ext")
    hand = decode_hand(line(started_at=text, **dict.fromkeys(ends, ...)))
    row = columns(hand, None)
    assert row[9] == f'"started_at":{tail}'
    assert record_codec.line_of(row) == encode_hand(hand)


def columns(hand: Hand, confirmed: Claimed | None) -> tuple[Any, ...]:
    """What the warehouse gives back of a hand, in the order of ``lines.COLUMNS``."""
    moment = record_codec.moment_of(hand)
    return (
        hand.id,
        hand.game or None,
        hand.hand or None,
        record_codec.rules_of(hand),
        [
            {"id": each.id, "name": each.name or None, "kind": each.kind or None}
            for each in hand.players
        ],
        hand.dealer,
        None if hand.scores is UNSET else hand.scores,
        codes.deal_code(hand.deal, hand.stock, hand.kitty),
        codes.deeds_code(hand.actions, len(hand.players)),
        record_codec.tail_of(hand, moment, confirmed),
        moment and moment.started_at,
        *([confirmed.points, confirmed.change, confirmed.scores] if confirmed else [None] * 3),
    )


# --- SQL


@given(ACTIONS, SEATS)
def test_sql_takes_deeds_apart(empty: DuckDBPyConnection, actions: list[str], seats: int) -> None:
    actions = [text for text in actions if int(text[0]) < seats]
    found = empty.execute(
        "SELECT [[deed.seat, deed.verb, bid_amount(deed.argument)] FOR deed IN deeds], "
        "[deed.argument FOR deed IN deeds] FROM (SELECT deeds_of($1, $2) AS deeds)",
        [codes.deeds_code(actions, seats), seats],
    ).fetchall()
    numbers, arguments = found[0]
    assert len(numbers) == len(actions)
    for text, (seat, verb, amount), argument in zip(actions, numbers, arguments, strict=True):
        action = parse_action(text)
        assert (seat, verb) == action[:2]
        if verb == Verb.BID:
            assert amount == action.amount
        elif action.size:
            assert codes.cards_of_code(argument) == " ".join(map(card_name, action_cards(text)))


@given(CARDS)
def test_sql_names_the_known_cards(empty: DuckDBPyConnection, text: str) -> None:
    code = codes.card_codes(text)
    found = empty.execute("SELECT card_names($1)", [code]).fetchall()
    known = {card for card in parse_cards(text) if card >= 0}
    assert found[0][0] == [CARD_NAMES[card] for card in sorted(known)]
    assert codes.mask_code(mask_of(parse_cards(text))) == "".join(
        sorted({each for each in code if each >= "0"})
    )


@given(st.integers(0, 6240))
def test_sql_reads_pairs(empty: DuckDBPyConnection, number: int) -> None:
    found = empty.execute("SELECT pair_at($1, 2)", ["x" + codes.pair_code(number)]).fetchall()
    assert found == [(number,)]


@given(
    st.integers(0, 52),
    st.integers(0, 5300),
    st.integers(1, 14),
    st.integers(0, 6),
    st.integers(0, 6),
)
def test_sql_reads_tricks_and_captures(
    empty: DuckDBPyConnection, card: int, points: int, number: int, seat: int, other: int
) -> None:
    trick = codes.trick_code(seat, other + 1, points)
    assert empty.execute(
        "SELECT trick_winner($1::INTEGER), trick_size($1::INTEGER), trick_points($1::INTEGER)",
        [trick],
    ).fetchall() == [(seat, other + 1, points)]
    capture = codes.capture_code(card, points, number, seat, other)
    parts = ("card", "points", "trick", "from", "by")
    query = ", ".join(f"captured_{part}($1::INTEGER)" for part in parts)
    assert empty.execute(f"SELECT {query}", [capture]).fetchall() == [
        (card, points, number, seat, other)
    ]


# --- Details


def plays(*texts: str) -> list[Action]:
    return [parse_action(text) for text in texts]


def test_details_are_empty_where_the_deeds_tell() -> None:
    done = plays("0 bid 7", "1 pass", "0 bury 2S", "0 play AS", "1 play ?")
    assert codes.calls_code([(0, 0, Verb.BID, 7), (1, 1, Verb.PASS, 0)], done) == ""
    assert codes.plays_code([(3, 0, 12), (4, 1, -1)], done) == ""
    assert codes.plays_code([(3, 0, 12)], done) == ""
    assert codes.at_play_code([1 | 1 << 12, 0], done) == ""
    assert codes.details_code("", "", "", "") == ""


def test_details_say_what_the_deeds_do_not() -> None:
    done = plays("0 bid 7", "1 ditto", "0 pass", "0 play AS", "1 play ?")
    called = [(0, 0, Verb.BID, 7), (1, 1, Verb.DITTO, 7)]
    assert codes.calls_code(called, done) == "000007011207"
    assert codes.plays_code([(3, 0, 12), (4, 1, 50)], done) == "030<041b"
    assert codes.at_play_code([1 | 1 << 12, 1 << 52], done) == "0< d"
    assert codes.details_code("", "0<", "", "") == ",0<,,"
