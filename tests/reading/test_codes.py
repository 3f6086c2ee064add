"""The codes of the warehouse: every hand comes back, and SQL reads them as Python does."""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import coded
from tests.kit.any_hand import CARDS, HANDS, action_texts
from tests.kit.log_lines import line
from tests.kit.tiers import scaled
from tricklog.core.engine import facts
from tricklog.ingest.sql import filled_in
from tricklog.ingest.store import record_codec
from tricklog.ingest.store.publishing import create_tables
from tricklog.ingest.store.record_codec import actions_of_code, cards_of_code
from tricklog.schemas import codes
from tricklog.schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    MAX_BID,
    Verb,
    action_cards,
    format_action,
    parse_action,
)
from tricklog.schemas.cards import CARD_NAMES, card_name, mask_of, parse_cards
from tricklog.schemas.hand import Claimed, Hand, decode_hand, encode_hand


@pytest.fixture(scope="module")
def empty() -> Iterator[DuckDBPyConnection]:
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection


def in_sql(connection: DuckDBPyConnection, query: str, code: object) -> tuple[Any, ...]:
    """The one row of a query that reads a code."""
    (row,) = connection.execute(f"SELECT {query}", [code]).fetchall()
    return tuple(row)


# --- Cards
def test_every_card_has_a_character_of_its_own_apart_from_others() -> None:
    names = [*CARD_NAMES, "?", "*"]
    code = coded.cards_code(" ".join(names))
    assert len(set(code)) == len(names) == 55
    assert coded.cards_code("AS ? 2H *") == "</=."
    assert coded.cards_code("2S JO") == "0d"
    assert cards_of_code(code) == " ".join(names)
    assert max(code) < chr(codes.FIRST_SEAT)
    assert chr(codes.FIRST_SEAT + 6) < chr(codes.FIRST_PLAYER)
    assert not {*code} & {" ", ",", codes.NOT_RECORDED}
    assert coded.cards_code("2S") == chr(codes.ZERO) == "0"
    assert coded.pair_code(0) == "00"
    assert coded.pair_code(6240) == "~~"


@settings(max_examples=scaled(20))
@given(CARDS)
def test_cards_come_back_in_their_order_and_sql_names_the_known_ones(
    empty: DuckDBPyConnection, text: str
) -> None:
    code = coded.cards_code(text)
    assert cards_of_code(code) == text
    known = {card for card in parse_cards(text) if card >= 0}
    (names,) = in_sql(empty, "card_names($1)", code)
    assert names == [CARD_NAMES[card] for card in sorted(known)]
    assert coded.set_code(mask_of(parse_cards(text))) == "".join(
        sorted({each for each in code if each >= "0"})
    )


# --- Actions
@settings(max_examples=scaled(30))
@given(st.lists(action_texts(), max_size=30), st.integers(4, 7))
def test_actions_come_back_and_sql_takes_them_apart(
    empty: DuckDBPyConnection, actions: list[str], seats: int
) -> None:
    actions = [text for text in actions if int(text[0]) < seats]
    code = coded.deeds_code(actions, seats)
    assert actions_of_code(code, seats) == actions
    numbers, arguments = in_sql(
        empty,
        "[[deed.seat, deed.verb, bid_amount(deed.argument)] FOR deed IN deeds], "
        f"[deed.argument FOR deed IN deeds] FROM (SELECT deeds_of($1, {seats}) AS deeds)",
        code,
    )
    for text, (seat, verb, amount), argument in zip(actions, numbers, arguments, strict=True):
        action = parse_action(text)
        assert (seat, verb) == (action.seat, action.verb)
        if verb == Verb.BID:
            assert amount == action.amount
        elif action.size:
            assert cards_of_code(argument) == " ".join(map(card_name, action_cards(text)))


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
    assert coded.deeds_code(actions, 4) == code
    assert actions_of_code(code, 4) == actions


def test_every_bid_comes_back() -> None:
    amounts = [*range(1, 1000), BID_28_56, *range(BID_DOUBLE + 1, BID_DOUBLE + 1000)]
    bids = [format_action(1, Verb.BID, amount) for amount in amounts]
    for first in range(0, len(bids), 500):
        some = bids[first : first + 500]
        assert actions_of_code(coded.deeds_code(some, 5), 5) == some


# --- The line
@settings(max_examples=scaled(30))
@given(HANDS, st.none() | st.builds(Claimed, *[st.lists(st.integers(-9, 9), min_size=2)] * 3))
def test_a_line_comes_back_byte_for_byte(hand: Hand, confirmed: Claimed | None) -> None:
    hand = at_its_table(hand)
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


def at_its_table(hand: Hand) -> Hand:
    """The hand with nothing in it of seats at which nobody sits."""
    seats = len(hand.players)
    deal = hand.deal if hand.deal is UNSET else (hand.deal + [""] * seats)[:seats]
    actions = [text for text in hand.actions if int(text[0]) < seats]
    return replace(hand, dealer=hand.dealt_by % seats, deal=deal, actions=actions)


def columns(hand: Hand, confirmed: Claimed | None) -> tuple[Any, ...]:
    """What the warehouse gives back of a hand, in the order of ``lines.COLUMNS``."""
    moment = record_codec.moment_of(hand)
    deeds, _, rest = record_codec.deeds_of(hand, coded.workspace(hand))
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
        coded.deal_code(hand),
        deeds,
        rest + record_codec.tail_of(hand, moment, confirmed),
        moment and moment.started_at,
        *([confirmed.points, confirmed.change, confirmed.scores] if confirmed else [None] * 3),
    )


# --- SQL
@given(st.integers(0, 6240))
def test_sql_reads_pairs(empty: DuckDBPyConnection, number: int) -> None:
    assert in_sql(empty, "pair_at($1, 2)", "x" + coded.pair_code(number)) == (number,)


@settings(max_examples=scaled(20))
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
    parts = (f"trick_{part}($1::INTEGER)" for part in ("winner", "size", "points"))
    trick = coded.trick_code(seat, other + 1, points)
    assert in_sql(empty, ", ".join(parts), trick) == (seat, other + 1, points)
    parts = (f"captured_{part}($1::BIGINT)" for part in ("card", "points", "trick", "from", "by"))
    capture = coded.capture_code(card, points, number, seat, other)
    assert in_sql(empty, ", ".join(parts), capture) == (card, points, number, seat, other)


@settings(max_examples=scaled(20))
@given(
    st.sampled_from(["bid 7", "pass", "ditto", "tenny"]),
    st.integers(0, 6),
    st.integers(0, BID_DOUBLE + MAX_BID),
    st.integers(-1, 6),
    st.integers(0, MAX_BID),
    st.booleans(),
)
def test_sql_reads_calls(
    empty: DuckDBPyConnection,
    said: str,
    seat: int,
    amount: int,
    standing: int,
    lowest: int,
    had_choice: bool,  # noqa: FBT001 - given by hypothesis
) -> None:
    call = coded.call_code(f"{seat} {said}", amount, standing, lowest, had_choice=had_choice)
    parts = ("by", "verb", "amount", "over", "lowest", "by_choice")
    verb, over = parse_action(f"{seat} {said}").verb, None if standing < 0 else standing
    found = in_sql(empty, ", ".join(f"called_{part}($1::INTEGER)" for part in parts), call)
    assert found == (seat, verb, amount, over, lowest or None, had_choice)


def test_the_largest_call_fills_31_bits_and_a_usual_one_19() -> None:
    largest = coded.call_code("6 tenny", BID_DOUBLE + MAX_BID, -1, MAX_BID, had_choice=True)
    assert largest.bit_length() == 31
    usual = coded.call_code("3 pass", 0, -1, 14, had_choice=True)
    assert max(usual, coded.call_code("3 bid 14", 14, -1, 14, had_choice=True)).bit_length() == 19


def test_sql_names_are_filled_in_and_parameters_stay() -> None:
    text = "SELECT $first WHERE verb = $VERB_PLAY AND card = $JOKER"
    assert filled_in(text) == "SELECT $first WHERE verb = 14 AND card = 52"
    with pytest.raises(KeyError, match="VERB_SING"):
        filled_in("SELECT $VERB_SING")


# --- Details
Numbers = list[tuple[int, int]]


def details(
    actions: list[str], calls: Numbers, plays: Numbers, *, at_play: tuple[int, int], buried: int = 0
) -> str:
    """The code of the details of a hand: action and amount of calls, action and card of plays."""
    hand = coded.hand_of(4, actions=actions)
    place = coded.workspace(hand)
    written = place.history
    for number, (index, amount) in enumerate(calls):
        written.call_action[number], written.call_amount[number] = index, amount
    for number, (index, card) in enumerate(plays):
        written.play_action[number], written.play_card[number] = index, card
        written.play_seat[number] = place.actions[index].seat
    written.calls, written.plays, written.buried = len(calls), len(plays), buried
    place.state.at_play[:2] = at_play
    return record_codec.written(facts.write_details, place, len(actions))


def test_details_say_what_the_deeds_do_not() -> None:
    done = ["0 bid 7", "1 pass", "0 bury 2S", "0 play AS", "1 play ?"]
    calls = [(0, 7), (1, 0)]
    assert details(done, calls, [(3, 12), (4, -1)], at_play=(1 | 1 << 12, 0)) == ""
    assert details(done, calls, [(3, 12)], at_play=(1 | 1 << 12, 0)) == ""
    done = ["0 bid 7", "1 ditto", "0 pass", "0 play AS", "1 play ?"]
    calls, plays = [(0, 7), (1, 7)], [(3, 12), (4, 50)]
    at_play = 1 | 1 << 12, 1 << 52
    assert details(done, calls, plays, at_play=at_play) == "0< d  ,,000007011207,030<041b"
    done = ["0 bid 7", "0 play AS"]
    found = details(done, [(0, 7)], [(1, 12)], at_play=(1 << 12, 0), buried=1 | 1 << 12)
    assert found == ",0<,,"
