"""Players against the field and each other, and leaks: counted again in Python from the replays."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import METRICS, FigureError, Kind, Level, Metric, measure, metric_named
from ingest.metrics.filters import Filters
from ingest.metrics.leaks import LEAK, LEAKS, Leak, find_leaks
from ingest.metrics.players import against_field, beside, two_players
from replay import Outcome, Replay, Verdict, replay
from schemas.cards import CARD_NAMES
from schemas.hand import Hand, Player
from tests.kit.log_lines import generated, write_hands

COMPARED = [each for each in METRICS if each.level > Level.HAND and each.kind != Kind.COUNT]
SHARES = [each for each in COMPARED if each.comparable]
ANN, BO, CY, DEE = PLAYERS = ("ann", "bo", "cy", 'dee "; DROP')


def seated(hands: tuple[Hand, ...], order: tuple[str, ...]) -> tuple[Hand, ...]:
    return tuple(
        replace(
            hand,
            id=f"{hand.id} {order[0]}",
            game=f"{hand.game} {order[0]}",
            players=[Player(each) for each in order],
        )
        for hand in hands
    )


HANDS = (
    *seated(generated("pedro", games=3), (ANN, BO, CY, DEE)),
    *seated(generated("pidro", games=2, seed=8), (BO, ANN, DEE, CY)),
    *seated(generated("twenty-nine", games=2, seed=3), (ANN, CY, BO, DEE)),
)
REPLAYS = [item for item in map(replay, HANDS) if item.verdict is Verdict.VALID]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("players")
    ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
    with open_facts(folder / "db") as connection:
        yield connection


def row_of(frame: pl.DataFrame, **values: str) -> dict[str, Any]:
    (row,) = frame.filter(**values).to_dicts()
    return row


def outcome_of(item: Replay) -> Outcome:
    assert item.outcome is not None
    return item.outcome


def names(item: Replay) -> list[str]:
    return [player.id for player in item.hand.players]


# --- Against the field


@pytest.mark.parametrize("metric", COMPARED, ids=lambda metric: metric.name)
@pytest.mark.parametrize("player", [ANN, DEE])
def test_a_players_own_figure_is_that_of_the_metric(
    facts: DuckDBPyConnection, metric: Metric, player: str
) -> None:
    filters = Filters() if metric.comparable else Filters.of({"variant": "pedro"})
    expected = measure(facts, metric.name, (), filters.also("player", player))
    found = against_field(facts, player, [metric], filters)
    if expected.is_empty():
        assert found.is_empty() or row_of(found)["n"] == 0
        return
    row, own = row_of(found), row_of(expected)
    for name in ("n", "value", "low", "high", "enough"):
        assert row[name] == pytest.approx(own[name]), name


def test_the_field_of_a_players_own_figure_is_all_other_players(facts: DuckDBPyConnection) -> None:
    by_player = measure(facts, "aggression", ("player",))
    others = by_player.filter(pl.col("player") != ANN)
    row = row_of(against_field(facts, ANN, [metric_named("aggression")]))
    assert row["field_n"] == others["n"].sum()
    hits, n = others.select(pl.col("hits", "n").sum()).row(0)
    assert row["field_value"] == pytest.approx(hits / n)


@pytest.mark.parametrize("player", PLAYERS)
def test_what_partners_share_counts_once_in_the_field(
    facts: DuckDBPyConnection, player: str
) -> None:
    amounts, weights, sides = 0, 0, 0
    for item in REPLAYS:
        outcome = outcome_of(item)
        if outcome.maker is None or not sum(outcome.points):
            continue
        for side, points in enumerate(outcome.points):
            sitting = {
                name for seat, name in enumerate(names(item)) if item.ruleset.side_of(seat) == side
            }
            if sitting - {player}:
                amounts += points
                weights += sum(outcome.points)
                sides += 1
    row = row_of(against_field(facts, player, [metric_named("points-share")]))
    assert (row["field_n"], row["field_value"]) == (sides, pytest.approx(amounts / weights))


def test_the_percentile_is_the_share_of_other_players_below(facts: DuckDBPyConnection) -> None:
    values = dict(measure(facts, "aggression", ("player",)).select("player", "value").iter_rows())
    for player, own in values.items():
        others = [value for name, value in values.items() if name != player]
        below = sum((value < own) + (value == own) / 2 for value in others)
        row = row_of(against_field(facts, player, [metric_named("aggression")]))
        assert (row["percentile"], row["ranked"]) == (pytest.approx(below / 3), 3)


def test_too_few_cases_give_neither_percentile_nor_difference(facts: DuckDBPyConnection) -> None:
    metric = [metric_named("aggression")]
    row = row_of(against_field(facts, ANN, metric, minimum=100_000))
    assert not row["enough"]
    assert row["percentile"] is row["apart"] is None
    row = row_of(two_players(facts, ANN, BO, metric, minimum=100_000))
    assert row["difference"] is row["apart"] is None


def test_a_player_among_the_filters_is_passed_over(facts: DuckDBPyConnection) -> None:
    metric = [metric_named("own-points-share")]
    narrowed = Filters.of({"player": BO})
    assert against_field(facts, ANN, metric, narrowed).equals(against_field(facts, ANN, metric))
    assert find_leaks(facts, ANN, narrowed).equals(find_leaks(facts, ANN))


def test_other_filters_hold_for_the_player_and_the_field(facts: DuckDBPyConnection) -> None:
    metric, filters = metric_named("aggression"), Filters.of({"variant": "pedro", "seat": "0"})
    row = row_of(against_field(facts, ANN, [metric], filters))
    assert row["n"] == row_of(measure(facts, "aggression", (), filters))["n"]
    assert row["field_n"] == 0


def test_two_players_are_each_measured_over_their_own_hands(facts: DuckDBPyConnection) -> None:
    found = two_players(facts, ANN, DEE, SHARES, minimum=5)
    for metric in SHARES:
        for player, prefix in ((ANN, ""), (DEE, "other_")):
            own = measure(facts, metric.name, (), Filters.of({"player": player}))
            if len(own):
                row = row_of(found, metric=metric.name)
                assert row[f"{prefix}n"] == own["n"].item(), metric.name
                assert row[f"{prefix}value"] == pytest.approx(own["value"].item())
    row = row_of(found, metric="aggression")
    assert row["difference"] == pytest.approx(row["value"] - row["other_value"])
    overlap = row["low"] <= row["other_high"] and row["other_low"] <= row["high"]
    assert row["apart"] is not overlap


def test_partners_are_counted_over_the_hands_played_together(facts: DuckDBPyConnection) -> None:
    together: Counter[str] = Counter()
    for item in REPLAYS:
        outcome = outcome_of(item)
        seat = names(item).index(ANN)
        partner = names(item)[(seat + 2) % 4]
        together[partner] += outcome.maker is not None and bool(sum(outcome.points))
    found = beside(facts, ANN, "partner", [metric_named("points-share")])
    assert dict(found.select("key", "n").iter_rows()) == together


@pytest.mark.parametrize("name", ["thrown-in-rate", "hands"])
def test_a_figure_that_is_nobodys_cannot_be_compared(facts: DuckDBPyConnection, name: str) -> None:
    with pytest.raises(FigureError, match="tells no player from another"):
        against_field(facts, ANN, [metric_named(name)])


def test_an_unknown_player_is_said_so(facts: DuckDBPyConnection) -> None:
    with pytest.raises(FigureError, match="There is no player 'nobody'"):
        against_field(facts, "nobody", SHARES)
    with pytest.raises(FigureError, match="There is no player 'nobody'"):
        find_leaks(facts, "nobody")


def test_amounts_of_several_variants_are_not_thrown_together(facts: DuckDBPyConnection) -> None:
    with pytest.raises(FigureError, match="Choose one variant"):
        two_players(facts, ANN, BO, [metric_named("score-change")])


# --- Leaks


def role_of(card: int, trump: int | None) -> str:
    off_five = CARD_NAMES[card][0] == "5" and card // 13 != trump
    return "off five" if off_five else CARD_NAMES[card][0]


def events_of(item: Replay, leak: Leak) -> list[tuple[str, float]]:
    """The player and the cost of each event of a hand."""
    outcome, players, total = outcome_of(item), names(item), item.ruleset.total_points
    if outcome.maker is None:
        return []
    if leak.cards:
        return [
            (players[each.from_seat], each.points / total)
            for each in item.captures
            if each.side != item.ruleset.side_of(each.from_seat)
            and role_of(each.card, outcome.trump) in leak.cards
        ]
    forced = leak.name.startswith("forced")
    if outcome.result != "set" or outcome.bid is None or outcome.forced != forced:
        return []
    in_game_points = item.ruleset.values["made"] == "game-point"
    at_stake = outcome.stake if in_game_points else total
    lost = -outcome.change[item.ruleset.side_of(outcome.maker)]
    return [(players[outcome.maker], max(lost, 0) / at_stake)]


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_a_leak_is_counted_per_hand(facts: DuckDBPyConnection, leak: Leak, player: str) -> None:
    hands, games = Counter[bool](), defaultdict[Any, list[float]](lambda: [0.0] * 4)
    events, costs = Counter[bool](), {True: 0.0, False: 0.0}
    for item in REPLAYS:
        if outcome_of(item).maker is None:
            continue
        game = games[item.hand.game]
        for name in names(item):
            hands[name == player] += 1
            game[name == player] += 1
        for name, cost in events_of(item, leak):
            events[name == player] += 1
            costs[name == player] += cost
            game[2 + (name == player)] += cost
    found = find_leaks(facts, player).filter(leak=leak.name)
    if not events.total():
        assert found.is_empty()
        return
    row = row_of(found)
    assert (row["hands"], row["field_hands"]) == (hands[True], hands[False])
    assert (row["events"], row["field_events"]) == (events[True], events[False])
    own, field = costs[True] / hands[True], costs[False] / hands[False]
    assert (row["lost"], row["field_lost"]) == (pytest.approx(own), pytest.approx(field))
    assert row["difference"] == pytest.approx(own - field)
    if row["cost"] is not None:
        assert row["lost"] == pytest.approx(row["frequency"] * row["cost"])
    drawn = [
        (cost_of - own * sat) / hands[True] - (their_cost - field * their) / hands[False]
        for their, sat, their_cost, cost_of in games.values()
    ]
    assert row["games"] == len(games) == 7
    # Student's 97.5 % point for six degrees of freedom
    margin = 2.4469 * math.sqrt(sum(each**2 for each in drawn) * 7 / 6)
    assert row["high"] - row["difference"] == pytest.approx(margin, rel=0.005)
    assert row["difference"] - row["low"] == pytest.approx(margin, rel=0.005)


def test_the_leak_that_costs_most_comes_first(facts: DuckDBPyConnection) -> None:
    found = find_leaks(facts, ANN)
    assert found["difference"].is_sorted(descending=True)
    assert len(found) > 3
    assert not find_leaks(facts, ANN, minimum=100_000)["enough"].any()


def test_leaks_have_names_of_their_own_and_a_card_leaks_once() -> None:
    assert len(LEAK) == len(LEAKS)
    cards = [card for leak in LEAKS for card in leak.cards]
    assert len(cards) == len(set(cards))


def test_filters_that_cards_lack_are_refused(facts: DuckDBPyConnection) -> None:
    with pytest.raises(FigureError, match="cannot be grouped or filtered by margin"):
        find_leaks(facts, ANN, Filters.of({"margin": "2"}))


# --- A fixture made by hand


def test_who_loses_a_pedro_that_others_keep(tmp_path: Path) -> None:
    """Of the fives of Pedro every one is kept or lost: shares of the pack of 14 points."""
    hands = seated(generated("pedro", games=1), (ANN, BO, CY, DEE))
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as facts:
        found = {player: find_leaks(facts, player) for player in PLAYERS}
    for player, frame in found.items():
        row = row_of(frame, leak="pedros")
        assert row["events"] + row["field_events"] == sum(
            row_of(other, leak="pedros")["events"] for other in found.values()
        )
        assert row["low"] is row["high"] is None, player
        if row["events"]:
            assert row["cost"] == pytest.approx(5 / 14)
