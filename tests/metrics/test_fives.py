"""Where the fives go, counted again in Python from the replays."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import METRIC, fives, measure
from ingest.metrics.filters import Filters
from ingest.metrics.standings import standings
from replay import Replay, Verdict, replay
from schemas.cards import CARD_NAMES
from schemas.hand import Hand, Player
from tests.kit.log_lines import generated, write_hands
from tests.kit.played_once import played
from tests.kit.recount import Pack, cards_of_trick, is_under_trump, seen_from_maker, suit_of

PEOPLE = ("ann", "bo", "cy", 'dee "; DROP', "eva")
HERE = Filters.of({"variant": "pedro", "seating": "4 partners"})
SINGLES = Filters.of({"variant": "sancho", "seating": "5 singles"})


def seated(hands: tuple[Hand, ...]) -> Iterator[Hand]:
    """Seat people in another order in every game, so that each holds fives in every seat."""
    games: dict[object, list[Hand]] = {}
    for hand in hands:
        games.setdefault(hand.game, []).append(hand)
    for number, game in enumerate(games.values()):
        for hand in game:
            count = len(hand.players)
            names = [PEOPLE[(number * 3 + seat) % len(PEOPLE)] for seat in range(count)]
            yield replace(hand, players=[Player(each) for each in names])


HANDS = (
    *seated(generated("pedro", games=16)),
    *seated(played("sancho", 3, 2, players=5)),
    *seated(generated("twenty-nine", games=1, seed=3)),
)
REPLAYS = [item for item in map(replay, HANDS) if item.verdict is Verdict.VALID]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("fives")
    ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
    with open_facts(folder / "db") as connection:
        yield connection


def fives_of(variant: str) -> list[dict[str, Any]]:
    """The fives that were played in hands with a maker, and what became of each."""
    return [five for item in REPLAYS if item.hand.rules.variant == variant for five in _fives(item)]


def _fives(item: Replay) -> Iterator[dict[str, Any]]:
    outcome = item.outcome
    if outcome is None or outcome.maker is None:
        return
    players = [each.id for each in item.hand.players]
    sides = [item.ruleset.side_of(seat) for seat in range(len(players))]
    pack = Pack(item, suit_of(outcome))
    for capture in item.captures:
        card = CARD_NAMES[capture.card]
        if not pack.is_pedro(card) or capture.points < 5:
            continue
        in_trick = cards_of_trick(item, capture)
        leader = next((each.leader for each in item.tricks if each.number == capture.trick), None)
        if card not in in_trick:
            played = "not played"
        elif in_trick[0] == card:
            played = "led"
        else:
            played = "under" if is_under_trump(item, pack, capture) else "over"
        yield {
            "five": "left" if pack.is_off_five(card) else "right",
            "holder": seen_from_maker(item, capture.from_seat),
            "leader": None if leader is None else seen_from_maker(item, leader),
            "taker": seen_from_maker(item, capture.by_seat),
            "trick": "0" if leader is None else str(capture.trick),
            "played": played,
            fives.ALL: fives.ALL,
            fives.LEAD: (
                None
                if leader is None
                else ("makers" if sides[leader] == sides[capture.from_seat] else "defenders")
            ),
            "player": players[capture.from_seat],
            "by_whom": players[capture.by_seat],
            "against": [
                name for seat, name in enumerate(players) if sides[seat] != sides[capture.from_seat]
            ],
            "side": "makers" if sides[capture.from_seat] == sides[outcome.maker] else "defenders",
            "kept": sides[capture.by_seat] == sides[capture.from_seat],
        }


@pytest.mark.parametrize(
    ("variant", "filters", "least"), [("pedro", HERE, 100), ("sancho", SINGLES, 10)]
)
def test_where_the_makers_lose_fives_is_as_counted_again(
    facts: DuckDBPyConnection, variant: str, filters: Filters, least: int
) -> None:
    held = [five for five in fives_of(variant) if five["side"] == "makers"]
    due: Counter[tuple[str, str]] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    for five in held:
        for part in (*fives.PARTS, fives.LEAD, fives.ALL):
            if five[part] is not None:
                due[part, five[part]] += 1
                lost[part, five[part]] += not five["kept"]
        for name in five["against"]:
            due["lost-to", name] += 1
            lost["lost-to", name] += five["by_whom"] == name
        lost["taker", five["taker"]] += not five["kept"]
    due |= Counter({key: len(held) for key, count in lost.items() if key[0] == "taker" and count})
    found = fives.where_lost(facts, filters)
    counted = {(row["part"], row["of"]): (row["n"], row["hits"]) for row in found.to_dicts()}
    assert counted == {key: (count, lost[key]) for key, count in due.items()}
    assert len(held) >= least
    assert {part for part, _ in counted} >= {*fives.PARTS, *fives.TAKERS, fives.LEAD, fives.ALL}


def test_shares_and_intervals_are_those_of_the_figure(facts: DuckDBPyConnection) -> None:
    found = fives.where_lost(facts, HERE)
    for name in fives.PARTS:
        figure = measure(facts, fives.LOST, (name,), HERE).with_columns(
            pl.col(name).cast(pl.String)
        )
        rows = found.filter(pl.col("part") == name).sort("of")
        assert rows["of"].to_list() == figure[name].sort().to_list()
        for column in ("n", "games", "value", "low", "high", "enough"):
            assert rows[column].to_list() == figure.sort(name)[column].to_list(), column


def test_who_loses_them_in_which_trick_and_to_whom(facts: DuckDBPyConnection) -> None:
    found = fives.losers(facts, HERE)
    assert found.drop("tricks", "lost", "to", "to_count").equals(
        standings(facts, METRIC[fives.LOST], "player", HERE)
    )
    lost = [five for five in fives_of("pedro") if five["side"] == "makers" and not five["kept"]]
    assert {*found["player"]} == {*PEOPLE}
    for row in found.iter_rows(named=True):
        own = [five for five in lost if five["player"] == row["player"]]
        assert row["lost"] == len(own) > 0
        assert {trick: n for trick, n in enumerate(row["tricks"], 1) if n} == Counter(
            int(five["trick"]) for five in own if five["trick"] != "0"
        )
        seats = Counter(five["taker"] for five in own)
        assert row["to_count"] == seats[row["to"]] == max(seats.values())


@pytest.mark.parametrize(("variant", "filters"), [("pedro", HERE), ("sancho", SINGLES)])
def test_every_five_goes_one_way(facts: DuckDBPyConnection, variant: str, filters: Filters) -> None:
    found = fives.ways(facts, filters)
    due = Counter(
        tuple(five[name] for name in ("holder", "leader", "side", "kept"))
        for five in fives_of(variant)
    )
    assert {row[:4]: row[4] for row in found.rows()} == due


def test_games_without_fives_are_no_kind_of_table(facts: DuckDBPyConnection) -> None:
    found = fives.tables(facts)
    assert [row[:2] for row in found.rows()] == [
        ("pedro", "4 partners"),
        ("sancho", "5 singles"),
    ]
    assert found["n"].to_list() == [len(fives_of("pedro")), len(fives_of("sancho"))]


def test_nothing_is_found_among_no_hands(facts: DuckDBPyConnection) -> None:
    nothing = HERE.also("player", "nobody")
    assert fives.tables(facts, nothing).is_empty()
    assert fives.where_lost(facts, nothing).is_empty()
    assert fives.losers(facts, nothing).is_empty()
    assert fives.ways(facts, nothing).is_empty()
