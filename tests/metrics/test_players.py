"""Players against the field and each other, and leaks: counted again in Python from the replays."""

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import polars as pl
import pytest

from tests.kit.facts import Facts
from tests.kit.figures import GAMES, PEOPLE, sound
from tests.kit.tiers import some
from tricklog import Filters, Outcome, Replay
from tricklog.ingest.metrics import METRICS, Better, FigureError, Kind, Level, measure, metric_named
from tricklog.ingest.metrics.leaks import LEAK, LEAKS, Leak, find_leaks
from tricklog.ingest.metrics.standings import against_field, standings
from tricklog.ingest.metrics.versus import two_players
from tricklog.schemas.cards import CARD_NAMES

COMPARED = [each for each in METRICS if each.level > Level.HAND and each.kind != Kind.COUNT]
SHARES = some([each for each in COMPARED if each.comparable], 8)
KINDS = some([*{(each.kind, each.grain): each for each in reversed(COMPARED)}.values()], 4)
"""A metric of some kinds, of each in the thorough tier, for what is the same for all of a kind."""
TURNED = 2
"""Of every so many metrics one is compared the other way round, too."""
Own = Callable[[str, str], pl.DataFrame]
ANN, BO, CY, DEE = PEOPLE
COMMON = ("pedro", "pidro", "king-pedro")
"""Variants with games enough to say what others do in them: of Twenty-Nine there are two."""


@pytest.fixture(scope="module")
def own(figures: Facts) -> Own:
    """Ask for a player's figure of a metric: each is counted once."""
    return cache(lambda name, player: measure(figures, name, (), Filters.of({"player": player})))


def row_of(frame: pl.DataFrame, **values: str) -> dict[str, Any]:
    (row,) = frame.filter(**values).to_dicts()
    return row


def outcome_of(item: Replay) -> Outcome:
    assert item.outcome is not None
    return item.outcome


def names(item: Replay) -> list[str]:
    return [player.id for player in item.hand.players]


# --- Against the field
def test_players_share_the_standings_they_are_made_from(figures: Facts) -> None:
    asked: dict[str, pl.DataFrame] = {}
    reused = 0

    def kept(ask: Callable[..., pl.DataFrame], *given: object) -> pl.DataFrame:
        nonlocal reused
        key = f"{ask.__name__} {given[1:]}"
        if key in asked:
            reused += 1
        else:
            asked[key] = ask(*given)
        return asked[key]

    for player in PEOPLE[:2]:
        found = against_field(figures, player, SHARES, kept=kept)
        assert found.equals(against_field(figures, player, SHARES))
    assert reused == len(asked) == len(SHARES)


def test_a_players_own_figure_is_that_of_the_metric(figures: Facts, own: Own) -> None:
    """And names are corrected for all figures compared."""
    every = against_field(figures, ANN, SHARES)
    for metric in SHARES:
        assert_own(every.filter(metric=metric.name), own(metric.name, ANN))
    chances = {
        row["metric"]: row["chance"]
        for row in every.iter_rows(named=True)
        if row["chance"] is not None
    }
    assert len(chances) > 3
    hands = measure(figures, "hands", (), Filters.of({"player": ANN}))["n"].item()
    for row in every.iter_rows(named=True):
        is_ranked = metric_named(row["metric"]).better != Better.NEITHER
        assert (row["narrower_from"] is not None) == (is_ranked and row["narrower"] is not None)
        if row["narrower_from"]:
            assert row["narrower_from"] == pytest.approx(hands * row["narrower"], rel=0.06)
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


def test_amounts_and_awkward_names_have_their_own_figures_too(figures: Facts) -> None:
    """Amounts of some metrics for one player; for another a metric of each kind."""
    only = Filters.of({"variant": "pedro"})
    amounts = some([each for each in COMPARED if not each.comparable], 3)
    for player, metrics in ((ANN, amounts), (DEE, KINDS)):
        every = against_field(figures, player, metrics, only)
        for metric in metrics:
            expected = measure(figures, metric.name, (), only.also("player", player))
            assert_own(every.filter(metric=metric.name), expected)


@pytest.mark.parametrize("player", [ANN, DEE])
def test_the_field_is_what_others_did_by_the_players_own_cases(figures: Facts, player: str) -> None:
    frame = measure(figures, "aggression", ("variant", "player"))
    expected, own_hits, own_cases = 0.0, 0, 0
    for variant in COMMON:
        part = frame.filter(variant=variant)
        own = part.filter(player=player).row(0, named=True)
        hits, n = part.filter(pl.col("player") != player).select(pl.col("hits", "n").sum()).row(0)
        expected += own["n"] * hits / n
        own_hits, own_cases = own_hits + own["hits"], own_cases + own["n"]
    row = row_of(against_field(figures, player, [metric_named("aggression")]))
    assert row["left_out"] == ["twenty-nine, 4 partners"]
    assert row["expected"] == pytest.approx(expected / own_cases)
    assert row["difference"] == pytest.approx(own_hits / own_cases - expected / own_cases)
    assert row["difference_low"] < row["difference"] < row["difference_high"]


@pytest.mark.parametrize("player", [ANN, DEE])
def test_what_partners_share_counts_once_in_the_field(figures: Facts, player: str) -> None:
    amounts, weights = 0, 0
    for item in sound("pedro"):
        outcome = outcome_of(item)
        if outcome.maker is None or not sum(outcome.points):
            continue
        for side, points in enumerate(outcome.points):
            seats = enumerate(names(item))
            sitting = {name for seat, name in seats if item.ruleset.side_of(seat) == side}
            if sitting - {player}:
                amounts += points
                weights += sum(outcome.points)
    metric = [metric_named("points-share")]
    found = against_field(figures, player, metric, Filters.of({"variant": "pedro"}))
    assert row_of(found)["expected"] == pytest.approx(amounts / weights)


def test_places_go_by_the_difference_to_the_others(figures: Facts) -> None:
    found = standings(figures, metric_named("aggression"))
    assert found["place"].to_list() == [1, 2, 3, 4]
    assert found["difference"].is_sorted(descending=True)
    assert found["of"].unique().to_list() == [4]
    assert found["first"].sum() == pytest.approx(1)
    for row in found.iter_rows(named=True):
        assert 1 <= row["from_place"] <= row["place"] <= row["to_place"] <= 4
        alone = row_of(against_field(figures, row["player"], [metric_named("aggression")]))
        assert (alone["place"], alone["of"]) == (row["place"], 4)
    lowest = standings(figures, metric_named("set-rate"))
    assert lowest["drawn"].is_sorted()


def test_company_are_players_of_many_hands(figures: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = metric_named("cards-lost")
    assert standings(figures, lost)["better_than"].null_count() == 4
    hands = measure(figures, "hands", ("player",))
    fewest = int(hands["n"].sort()[1])
    for module in ("naming.FEWEST_OTHERS", "standings.FEWEST_OTHERS"):
        monkeypatch.setattr(f"tricklog.ingest.metrics.{module}", 1)
    monkeypatch.setattr("tricklog.ingest.metrics.standings.FEWEST_HANDS", fewest)
    enough = set(hands.filter(pl.col("n") >= fewest)["player"])
    found = standings(figures, lost)
    assert set(found.drop_nulls("better_than")["player"]) == enough
    assert found.drop_nulls("better_than")["better_than"].is_sorted(descending=True)
    # Tricks are no players, and of bids more are neither better nor worse.
    assert standings(figures, metric_named("cards-kept"), "trick")["better_than"].null_count() > 0
    assert standings(figures, metric_named("aggression"))["better_than"].null_count() == 4
    # A card that is chosen leaves players as many hands as they have.
    ace = standings(figures, lost, filters=Filters.of({"card": "A"}))
    assert set(ace.drop_nulls("better_than")["player"]) <= enough


def test_other_dimensions_have_standings_too(figures: Facts) -> None:
    filters = Filters.of({"variant": "pedro"})
    found = standings(figures, metric_named("cards-kept"), "trick", filters)
    frame = measure(figures, "cards-kept", ("trick",), filters)
    hits, n = frame.select(pl.col("hits", "n").sum()).row(0)
    for row in found.filter(pl.col("place").is_not_null()).iter_rows(named=True):
        own = row_of(frame.filter(pl.col("trick").cast(pl.String) == row["trick"]))
        others = (hits - own["hits"]) / (n - own["n"])
        assert row["expected"] == pytest.approx(others)
        assert row["difference"] == pytest.approx(own["value"] - others)


def test_too_few_cases_or_games_give_no_comparison_and_no_interval(figures: Facts) -> None:
    metric = [metric_named("aggression")]
    row = row_of(against_field(figures, ANN, metric, minimum=100_000))
    assert not row["enough"]
    assert row["place"] is row["named"] is row["difference"] is None
    row = row_of(two_players(figures, ANN, BO, metric, minimum=100_000))
    assert row["difference"] is row["named"] is None
    only = Filters.of({"variant": "twenty-nine"})
    row = row_of(against_field(figures, ANN, metric, only, minimum=1))
    assert row["n"] > 5
    assert (row["games"], row["enough"]) == (2, False)
    assert row["low"] is row["high"] is row["difference"] is row["place"] is None


def test_a_player_among_the_filters_is_passed_over(figures: Facts) -> None:
    metric = [metric_named("own-points-share")]
    narrowed = Filters.of({"player": BO})
    assert against_field(figures, ANN, metric, narrowed).equals(against_field(figures, ANN, metric))
    assert find_leaks(figures, ANN, narrowed).equals(find_leaks(figures, ANN))
    # Other filters hold for the player and the field.
    filters = Filters.of({"variant": "pedro", "seat": "0"})
    row = row_of(against_field(figures, ANN, [metric_named("aggression")], filters))
    own = filters.also("player", ANN)
    assert row["n"] == row_of(measure(figures, "aggression", (), own))["n"]
    everyone = row_of(measure(figures, "aggression", (), filters))
    others = (everyone["hits"] - row["value"] * row["n"]) / (everyone["n"] - row["n"])
    if row["difference"] is not None:
        assert row["expected"] == pytest.approx(others)


@pytest.mark.parametrize("chosen", [{"seat": "2"}, {"role": "maker"}, {"partner": BO}])
def test_a_filter_may_choose_one_of_two_partners(figures: Facts, chosen: dict[str, str]) -> None:
    metric, filters = metric_named("points-share"), Filters.of({"variant": "pedro"} | chosen)
    row = row_of(against_field(figures, ANN, [metric], filters))
    own = row_of(measure(figures, "points-share", (), filters.also("player", ANN)))
    for name in ("n", "games", "value"):
        assert row[name] == pytest.approx(own[name]), name


def test_two_players_are_each_measured_over_their_own_hands(figures: Facts, own: Own) -> None:
    found = two_players(figures, ANN, DEE, SHARES, minimum=5)
    for player, prefix, metrics in ((ANN, "", SHARES[::TURNED]), (DEE, "other_", SHARES)):
        for metric in metrics:
            expected = own(metric.name, player)
            if len(expected):
                row = row_of(found, metric=metric.name)
                assert row[f"{prefix}n"] == expected["n"].item(), metric.name
                assert row[f"{prefix}value"] == pytest.approx(expected["value"].item())
    known = found.filter(pl.col("difference").is_not_null())
    again = [each for each in SHARES if each.name in known["metric"].to_list()[::TURNED]]
    assert len(again) > 1
    for other in two_players(figures, DEE, ANN, again, minimum=5).iter_rows(named=True):
        row = row_of(known, metric=other["metric"])
        assert row["difference"] == pytest.approx(-other["difference"])
        assert row["difference_low"] == pytest.approx(-other["difference_high"])
    for row in known.iter_rows(named=True):
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]


@pytest.mark.parametrize("name", ["aggression", "points-share", "score-change", "maker-trumps"])
def test_in_one_variant_two_differ_by_their_figures(figures: Facts, name: str) -> None:
    """Over variants they differ by what they did above others."""
    metric, filters = [metric_named(name)], Filters.of({"variant": "pedro"})
    row = row_of(two_players(figures, ANN, DEE, metric, filters, minimum=5))
    assert row["difference"] == pytest.approx(row["value"] - row["other_value"])
    if name == "aggression":
        assert row["difference_low"] >= -1
        assert row["difference_high"] <= 1
        row = row_of(two_players(figures, ANN, DEE, metric))
        one, two = (row_of(against_field(figures, each, metric)) for each in [ANN, DEE])
        assert row["difference"] == pytest.approx(one["difference"] - two["difference"])


def test_what_cannot_be_compared_is_refused_with_the_reason(figures: Facts) -> None:
    for name in ("thrown-in-rate", "hands"):
        with pytest.raises(FigureError, match=r"same for all|cannot be compared"):
            against_field(figures, ANN, [metric_named(name)])
    with pytest.raises(FigureError, match="There is no player 'nobody'"):
        against_field(figures, "nobody", SHARES)
    with pytest.raises(FigureError, match="There is no player 'nobody'"):
        find_leaks(figures, "nobody")
    with pytest.raises(FigureError, match="Choose one variant"):
        two_players(figures, ANN, BO, [metric_named("score-change")])
    with pytest.raises(FigureError, match="cannot be grouped or filtered by margin"):
        find_leaks(figures, ANN, Filters.of({"margin": "2"}))


# --- Leaks
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
            and (
                "off five"
                if (rank := CARD_NAMES[each.card][0]) == "5" and each.card // 13 != outcome.trump
                else rank
            )
            in leak.cards
        ]
    forced = leak.name.startswith("forced")
    if outcome.result != "set" or outcome.bid is None or outcome.forced != forced:
        return []
    in_game_points = item.ruleset.values["made"] == "game-point"
    at_stake = outcome.stake if in_game_points else total
    lost = -outcome.change[item.ruleset.side_of(outcome.maker)]
    return [(players[outcome.maker], max(lost, 0) / at_stake)]


@pytest.mark.parametrize("player", [ANN, DEE])
def test_a_leak_is_counted_per_hand(figures: Facts, player: str) -> None:
    every = find_leaks(figures, player)
    for leak in LEAKS:
        assert_counted(every.filter(leak=leak.name), leak, player)


def assert_counted(found: pl.DataFrame, leak: Leak, player: str) -> None:
    hands, games = Counter[bool](), defaultdict[Any, list[float]](lambda: [0.0] * 4)
    events, costs = Counter[bool](), {True: 0.0, False: 0.0}
    for item in sound():
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
    assert row["games"] == len(games) == sum(count for count, _ in GAMES.values())
    expected, sat = 0.0, 0.0
    for variant in COMMON:
        own_hands, own_cost, field_hands, field_cost = (
            sum(game[place] for (name, _), game in games.items() if name == variant)
            for place in (1, 3, 0, 2)
        )
        expected += own_cost - own_hands * field_cost / field_hands
        sat += own_hands
    assert row["difference"] == pytest.approx(expected / sat)
    assert row["low"] <= row["difference"] <= row["high"]


def test_the_leak_that_costs_most_comes_first_and_each_card_leaks_once(figures: Facts) -> None:
    found = find_leaks(figures, ANN)
    assert found["difference"].drop_nulls().is_sorted(descending=True)
    assert len(found) > 3
    assert found["named"].dtype == pl.Boolean
    assert not find_leaks(figures, ANN, minimum=100_000)["enough"].any()
    assert len(LEAK) == len(LEAKS)
    cards = [card for leak in LEAKS for card in leak.cards]
    assert len(cards) == len(set(cards))
