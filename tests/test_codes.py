"""The codes of the warehouse: every hand comes back, and SQL reads them as Python does."""

from collections.abc import Iterator

import duckdb
import pytest
from duckdb import DuckDBPyConnection
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from ingest import lines
from ingest.publishing import create_tables
from schemas import codes
from schemas.actions import BID_28_56, BID_DOUBLE, Verb, format_action, parse_action
from schemas.cards import CARD_NAMES, card_name, cards_in, mask_of, parse_cards
from schemas.hand import Claimed, Hand, encode_hand
from tests.any_hand import CARDS, HANDS, action_texts

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


@given(st.none() | st.lists(CARDS, min_size=4, max_size=7), st.none() | CARDS, st.none() | CARDS)
def test_what_was_dealt_comes_back(
    deal: list[str] | None, stock: str | None, kitty: str | None
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
        (["0 bid 28-56", "0 bid 83-double"], "e0D1e0Y["),
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


def test_every_bid_and_every_verb_comes_back() -> None:
    amounts = [*range(1, 1000), BID_28_56, *range(BID_DOUBLE + 1, BID_DOUBLE + 1000)]
    bids = [format_action(1, Verb.BID, amount) for amount in amounts]
    assert codes.actions_of_code(codes.deeds_code(bids, 5), 5) == bids
    cards = [9, 52]
    said = {Verb.BID: {"amount": 7}, Verb.TRUMP: {"amount": 3}, Verb.REVEAL: {"amount": -1}}
