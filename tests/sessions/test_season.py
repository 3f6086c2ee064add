"""Records and pairs of a season, counted again from the replays."""

from collections import defaultdict
from itertools import combinations

import polars as pl
import pytest
from duckdb import DuckDBPyConnection

from tests.kit.figures import GAMES, PEOPLE, sound
from tests.kit.tiers import some
from tricklog.core import Outcome, Replay
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.records import Record, pairs, records


def outcome(item: Replay) -> Outcome:
    assert item.outcome is not None
    return item.outcome


def side(item: Replay, number: int) -> set[str]:
    players = enumerate(item.hand.players)
    return {each.id for seat, each in players if item.ruleset.side_of(seat) == number}


def games(variant: str) -> dict[str, list[Replay]]:
    found = defaultdict(list)
    for each in sound(variant):
        found[str(each.hand.game)].append(each)
    return found


def held(figures: DuckDBPyConnection, variant: str, kind: str) -> list[Record]:
    return [each for each in records(figures) if (each.variant, each.kind) == (variant, kind)]


@pytest.mark.parametrize("variant", some(("pedro", "pidro", "king-pedro"), 1))
def test_records_are_the_highest_there_are(figures: DuckDBPyConnection, variant: str) -> None:
    made = [each for each in sound(variant) if outcome(each).result == "made" and outcome(each).bid]
    bids = [outcome(each).bid or 0 for each in made]
    (record,) = held(figures, variant, "highest-bid")
    assert (record.value, record.times) == (max(bids), bids.count(max(bids)))
    first = made[bids.index(max(bids))]
    assert record.hand == first.hand.id
    assert record.players == (first.hand.players[outcome(first).maker or 0].id,)
    (record,) = held(figures, variant, "most-points")
    assert record.value == max(max(outcome(each).points) for each in sound(variant))
    lengths, comebacks = {}, {}
    for game, hands in games(variant).items():
        winner = outcome(hands[-1]).winner_side
        if winner is None:
            continue
        lengths[game] = len(hands)
        courses = (outcome(each).scores or () for each in hands)
        comebacks[game] = -min(own[winner] - own[1 - winner] for own in courses)
    (record,) = held(figures, variant, "shortest-game")
    assert record.value == min(lengths.values())
    assert record.game == min(lengths, key=lengths.__getitem__)
    assert record.times == list(lengths.values()).count(record.value)
    lowest = min(min(outcome(each).scores or (0,)) for each in sound(variant))
    behind = max(comebacks.values())
    for kind, value, is_one in (
        ("lowest-score", lowest, lowest < 0),
        ("comeback", behind, behind > 0),
    ):
        found = [each.value for each in held(figures, variant, kind)]
        assert found == ([value] if is_one else []), kind


def test_the_longest_run_goes_from_game_to_game(figures: DuckDBPyConnection) -> None:
    longest = 0
    for player in PEOPLE:
        run = 0
        for item in sound("pedro"):
            maker = outcome(item).maker
            if maker is None or item.hand.players[maker].id != player:
                continue
            if outcome(item).result not in ("made", "set"):
                continue
            run = run + 1 if outcome(item).result == "made" else 0
            longest = max(longest, run)
    assert [each.value for each in held(figures, "pedro", "run-made")] == [longest]
    assert longest > 3
    # Records are those of the days chosen.
    first = min(each.day for each in records(figures) if each.day)
    only = records(figures, Filters(until=first))
    assert {each.day for each in only} == {first}
    assert not any(words.is_new(each, first) for each in only)
    later = [each for each in records(figures) if each.day and each.day > first]
    assert all(words.is_new(each, each.day) for each in later if each.day)


def test_pairs_are_counted_with_each_other_and_apart(figures: DuckDBPyConnection) -> None:
    found = {(row["one"], row["two"]): row for row in pairs(figures).iter_rows(named=True)}
    assert set(found) == set(combinations(sorted(PEOPLE), 2))
    together, alone = defaultdict(list), defaultdict(list)
    for variant in GAMES:
        for hands in games(variant).values():
            winner = outcome(hands[-1]).winner_side
            if winner is None:
                continue
            for number in (0, 1):
                pair = tuple(sorted(side(hands[-1], number)))
                together[pair].append(winner == number)
                for player in pair:
                    alone[player].append((pair, winner == number))
    for pair, row in found.items():
        assert (row["games"], row["won"]) == (len(together[pair]), sum(together[pair]))
        for name, player in zip(("one", "two"), pair, strict=True):
            others = [won for own, won in alone[player] if own != pair]
            assert (row[f"{name}_games"], row[f"{name}_won"]) == (len(others), sum(others))
        assert row["together"] == pytest.approx(row["won"] / row["games"])
        if row["difference"] is not None:
            expected = min(max(row["together"] - row["difference"], 0), 1)
            assert row["expected"] == pytest.approx(expected)
            assert row["low"] <= row["difference"] <= row["high"]


def test_partners_who_are_first_together_are_both_named() -> None:
    names = ["player", "place", "from_place", "to_place", "value", "low", "high", "difference"]
    rows = [
        *((player, 1, 1, 2, 0.6, 0.5, 0.7, 0.2, False) for player in ("ann", "cy")),
        ("bo", 3, 3, 3, 0.4, 0.3, 0.5, -0.2, False),
    ]
    won = pl.DataFrame(rows, [*names, "named"], orient="row")
    people = {"ann": "Ann", "bo": "Bo", "cy": "Cy"}
    both = words.season_text(won, people)
    assert both.startswith("Ann and Cy stand first together in games won, with 60 % of theirs")
    assert "between 1st and 2nd place" in both
    alone = words.season_text(won.filter(pl.col("player") != "cy"), people)
    assert alone.startswith("Ann stands first in games won")


def test_a_pair_without_enough_games_is_not_judged(figures: DuckDBPyConnection) -> None:
    found = pairs(figures, Filters.of({"variant": "pidro"}))
    assert not found.is_empty()
    assert found["difference"].null_count() == len(found)
    assert "No pair has ten games" in words.pairs_text(found, {})
    nobody = pairs(figures, Filters.of({"variant": "none"}))
    assert nobody.is_empty()
    assert words.pairs_text(nobody, {}) == "No pair has played a complete game."
