"""What is noted of calls and trumps is what the rules say, written a second time."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.call_facts import facts_of
from tests.kit.random_play import random_hand, some_options
from tests.kit.support import hand_of, rules_of
from tests.kit.tiers import scaled
from tests.reference_engine.auction import legal_calls, next_caller
from tests.reference_engine.table import tables_of
from tricklog.core import replay, variants
from tricklog.core.engine.facts import (
    NOT_KNOWN,
    SeatFacts,
    note_facts,
    rank_of_trump,
    trump_ranks_among,
)
from tricklog.schemas.cards import TRUMP_RANKS, mask_of, parse_card, parse_cards

# --- Whole hands


@settings(max_examples=scaled(20))
@given(st.sampled_from(variants()), st.integers(0, 2**32))
def test_facts_of_calls_are_those_of_the_rules_written_twice(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = random_hand(system, chance, some_options(system, chance))
    tables, replayed = tables_of(hand), replay(hand)
    history = replayed.workspace.history
    for call, found in enumerate(facts_of(replayed)):
        table = tables[history.call_action[call]]
        seat, standing = found[0], found[3]
        assert standing == (table.maker if table.standing else None)
        legal = legal_calls(table) if seat == next_caller(table) else set()
        numbers = [int(text[4:]) for text in legal if text[4:].isdecimal()]
        assert found[4] == min(numbers, default=0)
        if legal:
            assert found[5] == (len(legal) + bool(table.game.values["tenny"]) > 1)
        else:
            assert found[1] == "tenny"
            assert found[5]


# --- Ranks of trumps


@pytest.mark.parametrize(
    ("cards", "suit", "ranks"),
    [
        ("AH KH 5H 5D 2H AS 5S 5C", 1, ["2", "off five", "5", "K", "A"]),
        ("AH KH 5H 5D 2H AS 5S 5C", 0, ["off five", "5", "A"]),
        ("3H 4H 6H 9H", 1, ["3", "4", "6", "9"]),
        ("AS KS", 1, []),
    ],
)
def test_the_ranks_of_trumps_held(cards: str, suit: int, ranks: list[str]) -> None:
    found = trump_ranks_among(rules_of("pedro"), suit, mask_of(parse_cards(cards)))
    assert [name for place, name in enumerate(TRUMP_RANKS) if found >> place & 1] == ranks


def test_the_joker_is_a_trump_where_the_game_has_it() -> None:
    cards = mask_of(parse_cards("JO AH"))
    for variant, ranks in (("snoozer", 1 | 1 << 14), ("pedro", 1 << 14)):
        assert trump_ranks_among(rules_of(variant), 1, cards) == ranks


def test_every_trump_of_a_suit_has_a_rank_of_its_own() -> None:
    names = [*(rank + "D" for rank in "23456789TJQKA"), "5H", "JH", "JO"]
    found = {TRUMP_RANKS[rank_of_trump(2, parse_card(name))]: name for name in names}
    assert len(found) == len(TRUMP_RANKS) == len(names)
    special = {"off five": "5H", "off jack": "JH", "joker": "JO"}
    assert found == {rank: special.get(rank, rank + "D") for rank in TRUMP_RANKS}


def test_ranks_are_not_known_where_the_packet_is_not() -> None:
    deal = ["AS KS QS 5C 9H 8H 7H 6D 4D", "? KH QH JH TH 2D 3D 5S 6S", "", "KC QC"]
    replayed, facts = replay(hand_of("pedro", ["0 bid 7"], deal=deal)), SeatFacts()
    note_facts(replayed.workspace, replayed.rules, facts, 1, 0)
    ranks = [name for place, name in enumerate(TRUMP_RANKS) if facts.trump_ranks[0] >> place & 1]
    assert ranks == ["off five", "Q", "K", "A"]
    assert facts.trump_ranks[1:4] == [NOT_KNOWN] * 3
