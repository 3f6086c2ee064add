"""Players against the field and each other, and leaks: counted again in Python from the replays."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import METRICS, FigureError, Kind, Level, measure, metric_named
from ingest.metrics.filters import Filters
from ingest.metrics.leaks import LEAK, LEAKS, Leak, find_leaks
from ingest.metrics.players import against_field, beside
from ingest.metrics.standings import standings
from ingest.metrics.versus import two_players
from replay import Outcome, Replay, Verdict, replay
from schemas.cards import CARD_NAMES
from schemas.hand import Hand, Player
from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tests.kit.solved import grade_some, solve_all, value_few

COMPARED = [each for each in METRICS if each.level > Level.HAND and each.kind != Kind.COUNT]
SHARES = [each for each in COMPARED if each.comparable]
KINDS = list({(each.kind, each.grain): each for each in reversed(COMPARED)}.values())
"""A metric of each kind of each grain, for what is the same for all of a kind."""
TURNED = 4
"""Of every so many metrics one is compared the other way round, too."""
Own = Callable[[str, str], pl.DataFrame]
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


def in_turn(variant: str, games: int, seed: int = 1) -> Iterator[Hand]:
    """Return games of four who sit together in every order."""
    orders = list(permutations((ANN, BO, CY, DEE)))
    by_game: dict[object, list[Hand]] = {}
    for hand in generated(variant, games=games, seed=seed):
        by_game.setdefault(hand.game, []).append(hand)
    for number, hands in enumerate(by_game.values()):
        yield from seated(tuple(hands), orders[7 * number % len(orders)])


HANDS = (
    *in_turn("pedro", games=24),
    *in_turn("pidro", games=21, seed=8),
    *in_turn("twenty-nine", games=2, seed=3),
)


@cache
def replays() -> list[Replay]:
    """The replays of the valid hands, made when a test first asks for them."""
    return [item for item in map(replay, HANDS) if item.verdict is Verdict.VALID]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    def make(folder: Path) -> None:
        ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
        solve_all(folder / "db")
        value_few(folder / "db", of=[Filters.of({"variant": "pidro", "hand-number": "1"})])
        grade_some(folder / "db")
        open_facts(folder / "db").close()

    folder = made_once(tmp_path_factory, "players", make)
    with open_facts(folder / "db") as connection:
        yield connection


@pytest.fixture(scope="module")
def own(facts: DuckDBPyConnection) -> Own:
    """Ask for a player's figure of a metric: each is counted once."""
    return cache(lambda name, player: measure(facts, name, (), Filters.of({"player": player})))


def row_of(frame: pl.DataFrame, **values: str) -> dict[str, Any]:
    (row,) = frame.filter(**values).to_dicts()
    return row


def outcome_of(item: Replay) -> Outcome:
    assert item.outcome is not None
    return item.outcome


def names(item: Replay) -> list[str]:
    return [player.id for player in item.hand.players]


# --- Against the field


def test_a_players_own_figure_is_that_of_the_metric(facts: DuckDBPyConnection, own: Own) -> None:
    """And names are corrected for all figures compared."""
    every = against_field(facts, ANN, SHARES)
    for metric in SHARES:
        assert_own(every.filter(metric=metric.name), own(metric.name, ANN))
    chances = {
        row["metric"]: row["chance"]
        for row in every.iter_rows(named=True)
        if row["chance"] is not None
    }
    assert len(chances) > 5
    smallest = min(chances.values())
    for row in every.iter_rows(named=True):
        if row["named"]:
            assert smallest * len(chances) < 0.03


def assert_own(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    if expected.is_empty():
        assert found.is_empty()
        return
    row, own = row_of(found), row_of(expected)
    for name in ("n", "games", "value", "low", "high", "enough"):
        assert row[name] == pytest.approx(own[name]), (row["metric"], name)


def test_amounts_and_awkward_names_have_their_own_figures_too(facts: DuckDBPyConnection) -> None:
    """Amounts of all metrics for one player; for another a metric of each kind."""
    only = Filters.of({"variant": "pedro"})
    amounts = [each for each in COMPARED if not each.comparable]
    for player, metrics in ((ANN, amounts), (DEE, KINDS)):
        every = against_field(facts, player, metrics, only)
        for metric in metrics:
            expected = measure(facts, metric.name, (), only.also("player", player))
            assert_own(every.filter(metric=metric.name), expected)


@pytest.mark.parametrize("player", PLAYERS)
def test_the_field_is_what_others_did_in_each_variant_weighted_by_the_players_cases(
    facts: DuckDBPyConnection, player: str
) -> None:
    """The two games of Twenty-Nine are too few to say what others do in it."""
    frame = measure(facts, "aggression", ("variant", "player"))
    expected, own_hits, own_cases = 0.0, 0, 0
    for variant in ("pedro", "pidro"):
        part = frame.filter(variant=variant)
        own = part.filter(player=player).row(0, named=True)
        hits, n = part.filter(pl.col("player") != player).select(pl.col("hits", "n").sum()).row(0)
        expected += own["n"] * hits / n
        own_hits, own_cases = own_hits + own["hits"], own_cases + own["n"]
    row = row_of(against_field(facts, player, [metric_named("aggression")]))
    assert row["left_out"] == ["twenty-nine, 4 partners"]
    assert row["expected"] == pytest.approx(expected / own_cases)
    assert row["difference"] == pytest.approx(own_hits / own_cases - expected / own_cases)
    assert row["difference_low"] < row["difference"] < row["difference_high"]


@pytest.mark.parametrize("player", PLAYERS)
def test_what_partners_share_counts_once_in_the_field(
    facts: DuckDBPyConnection, player: str
) -> None:
    amounts, weights = 0, 0
    for item in replays():
        outcome = outcome_of(item)
        if item.hand.rules.variant != "pedro" or outcome.maker is None or not sum(outcome.points):
            continue
        for side, points in enumerate(outcome.points):
            sitting = {
                name for seat, name in enumerate(names(item)) if item.ruleset.side_of(seat) == side
            }
            if sitting - {player}:
                amounts += points
                weights += sum(outcome.points)
    found = against_field(
        facts, player, [metric_named("points-share")], Filters.of({"variant": "pedro"})
    )
    assert row_of(found)["expected"] == pytest.approx(amounts / weights)


def test_places_go_by_the_difference_to_the_others(facts: DuckDBPyConnection) -> None:
    found = standings(facts, metric_named("aggression"))
    assert found["place"].to_list() == [1, 2, 3, 4]
    assert found["difference"].is_sorted(descending=True)
    assert found["of"].unique().to_list() == [4]
    assert found["first"].sum() == pytest.approx(1)
    for row in found.iter_rows(named=True):
        assert 1 <= row["from_place"] <= row["place"] <= row["to_place"] <= 4
        alone = row_of(against_field(facts, row["player"], [metric_named("aggression")]))
        assert (alone["place"], alone["of"]) == (row["place"], 4)
    lowest = standings(facts, metric_named("set-rate"))
    assert lowest["drawn"].is_sorted()


def test_other_dimensions_have_standings_too(facts: DuckDBPyConnection) -> None:
    filters = Filters.of({"variant": "pedro"})
    found = standings(facts, metric_named("cards-kept"), "trick", filters)
    frame = measure(facts, "cards-kept", ("trick",), filters)
    hits, n = frame.select(pl.col("hits", "n").sum()).row(0)
    for row in found.filter(pl.col("place").is_not_null()).iter_rows(named=True):
        own = row_of(frame.filter(pl.col("trick").cast(pl.String) == row["trick"]))
        others = (hits - own["hits"]) / (n - own["n"])
        assert row["expected"] == pytest.approx(others)
        assert row["difference"] == pytest.approx(own["value"] - others)


def test_too_few_cases_give_no_comparison(facts: DuckDBPyConnection) -> None:
    metric = [metric_named("aggression")]
    row = row_of(against_field(facts, ANN, metric, minimum=100_000))
    assert not row["enough"]
    assert row["place"] is row["named"] is row["difference"] is None
    row = row_of(two_players(facts, ANN, BO, metric, minimum=100_000))
    assert row["difference"] is row["named"] is None


def test_too_few_games_give_no_comparison_and_no_interval(facts: DuckDBPyConnection) -> None:
    only = Filters.of({"variant": "twenty-nine"})
    row = row_of(against_field(facts, ANN, [metric_named("aggression")], only, minimum=1))
    assert row["n"] > 5
    assert (row["games"], row["enough"]) == (2, False)
    assert row["low"] is row["high"] is row["difference"] is row["place"] is None


def test_a_player_among_the_filters_is_passed_over(facts: DuckDBPyConnection) -> None:
    metric = [metric_named("own-points-share")]
    narrowed = Filters.of({"player": BO})
    assert against_field(facts, ANN, metric, narrowed).equals(against_field(facts, ANN, metric))
    assert find_leaks(facts, ANN, narrowed).equals(find_leaks(facts, ANN))


def test_other_filters_hold_for_the_player_and_the_field(facts: DuckDBPyConnection) -> None:
    metric, filters = metric_named("aggression"), Filters.of({"variant": "pedro", "seat": "0"})
    row = row_of(against_field(facts, ANN, [metric], filters))
    own = filters.also("player", ANN)
    assert row["n"] == row_of(measure(facts, "aggression", (), own))["n"]
    everyone = row_of(measure(facts, "aggression", (), filters))
    others = (everyone["hits"] - row["value"] * row["n"]) / (everyone["n"] - row["n"])
    if row["difference"] is not None:
        assert row["expected"] == pytest.approx(others)


@pytest.mark.parametrize("chosen", [{"seat": "2"}, {"role": "maker"}, {"partner": BO}])
def test_a_filter_may_let_one_partner_through_and_not_the_other(
    facts: DuckDBPyConnection, chosen: dict[str, str]
) -> None:
    metric, filters = metric_named("points-share"), Filters.of({"variant": "pedro"} | chosen)
    row = row_of(against_field(facts, ANN, [metric], filters))
    own = row_of(measure(facts, "points-share", (), filters.also("player", ANN)))
    for name in ("n", "games", "value"):
        assert row[name] == pytest.approx(own[name]), name


def test_two_players_are_each_measured_over_their_own_hands(
    facts: DuckDBPyConnection, own: Own
) -> None:
    found = two_players(facts, ANN, DEE, SHARES, minimum=5)
    for player, prefix, metrics in ((ANN, "", SHARES[::TURNED]), (DEE, "other_", SHARES)):
        for metric in metrics:
            expected = own(metric.name, player)
            if len(expected):
                row = row_of(found, metric=metric.name)
                assert row[f"{prefix}n"] == expected["n"].item(), metric.name
                assert row[f"{prefix}value"] == pytest.approx(expected["value"].item())
    known = found.filter(pl.col("difference").is_not_null())
    again = [each for each in SHARES if each.name in known["metric"].to_list()[::TURNED]]
    assert len(again) > 3
    for other in two_players(facts, DEE, ANN, again, minimum=5).iter_rows(named=True):
        row = row_of(known, metric=other["metric"])
        assert row["difference"] == pytest.approx(-other["difference"])
        assert row["difference_low"] == pytest.approx(-other["difference_high"])
    for row in known.iter_rows(named=True):
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]


@pytest.mark.parametrize("name", ["aggression", "points-share", "score-change", "maker-trumps"])
def test_in_one_variant_two_differ_by_their_figures(facts: DuckDBPyConnection, name: str) -> None:
    filters = Filters.of({"variant": "pedro"})
    row = row_of(two_players(facts, ANN, DEE, [metric_named(name)], filters, minimum=5))
    assert row["difference"] == pytest.approx(row["value"] - row["other_value"])
    if name == "aggression":
        assert row["difference_low"] >= -1
        assert row["difference_high"] <= 1


def test_over_variants_two_differ_by_what_they_did_above_others(facts: DuckDBPyConnection) -> None:
    metric = [metric_named("aggression")]
    row = row_of(two_players(facts, ANN, DEE, metric))
    one, two = (row_of(against_field(facts, each, metric)) for each in (ANN, DEE))
    assert row["difference"] == pytest.approx(one["difference"] - two["difference"])


def test_partners_are_counted_over_the_hands_played_together(facts: DuckDBPyConnection) -> None:
    together: Counter[str] = Counter()
    for item in replays():
        outcome = outcome_of(item)
        seat = names(item).index(ANN)
        partner = names(item)[(seat + 2) % 4]
        together[partner] += outcome.maker is not None and bool(sum(outcome.points))
    found = beside(facts, ANN, "partner", [metric_named("points-share")])
    assert dict(found.select("key", "n").iter_rows()) == together


@pytest.mark.parametrize("name", ["thrown-in-rate", "hands"])
def test_a_figure_that_is_nobodys_cannot_be_compared(facts: DuckDBPyConnection, name: str) -> None:
    with pytest.raises(FigureError, match=r"same for all|cannot be compared"):
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
def test_a_leak_is_counted_per_hand(facts: DuckDBPyConnection, player: str) -> None:
    every = find_leaks(facts, player)
    for leak in LEAKS:
        assert_counted(every.filter(leak=leak.name), leak, player)


def assert_counted(found: pl.DataFrame, leak: Leak, player: str) -> None:
    hands, games = Counter[bool](), defaultdict[Any, list[float]](lambda: [0.0] * 4)
    events, costs = Counter[bool](), {True: 0.0, False: 0.0}
    for item in replays():
        if outcome_of(item).maker is None:
            continue
        game = games[item.hand.rules.variant, item.hand.game]
        for name in names(item):
            hands[name == player] += 1
            game[name == player] += 1
        for name, cost in events_of(item, leak):
            events[name == player] += 1
            costs[name == player] += cost
            game[2 + (name == player)] += cost
    if not events.total():
        assert found.is_empty()
        return
    row = row_of(found)
    assert (row["hands"], row["field_hands"]) == (hands[True], hands[False])
    assert (row["events"], row["field_events"]) == (events[True], events[False])
    own, field = costs[True] / hands[True], costs[False] / hands[False]
    assert (row["lost"], row["field_lost"]) == (pytest.approx(own), pytest.approx(field))
    if row["cost"] is not None:
        assert row["lost"] == pytest.approx(row["frequency"] * row["cost"])
    assert row["games"] == len(games) == 47
    expected, sat = 0.0, 0.0
    for variant in ("pedro", "pidro"):
        own_hands, own_cost, field_hands, field_cost = (
            sum(game[place] for (name, _), game in games.items() if name == variant)
            for place in (1, 3, 0, 2)
        )
        expected += own_cost - own_hands * field_cost / field_hands
        sat += own_hands
    assert row["difference"] == pytest.approx(expected / sat)
    assert row["low"] <= row["difference"] <= row["high"]


def test_the_leak_that_costs_most_comes_first(facts: DuckDBPyConnection) -> None:
    found = find_leaks(facts, ANN)
    assert found["difference"].drop_nulls().is_sorted(descending=True)
    assert len(found) > 3
    assert found["named"].dtype == pl.Boolean
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
