"""Pairs against what both bring with others: known truths, and a second way to the same numbers."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from tests.kit.facts import Facts
from tests.kit.tiers import scaled, some
from tricklog import FigureError, Filters
from tricklog.ingest.metrics.pairs import Pairs, compare_pairs, opponents, partners, sides


def season(
    chance: np.random.Generator,
    people: int,
    games: int,
    *,
    spread: float = 0.1,
    together: Mapping[frozenset[str], float] = {},
    facing: Mapping[tuple[str, str], float] = {},
) -> pl.DataFrame:
    """Games of four people each, as ``pairs.sides`` gives them; people differ by ``spread``.

    ``together`` is what pairs bring as partners, ``facing`` what one brings against another.
    """
    names = [f"p{number}" for number in range(people)]
    skill = dict(zip(names, chance.normal(0, spread, people), strict=True))
    rows = []
    for game in range(games):
        one, two, three, four = (names[each] for each in chance.permutation(people)[:4])
        sat = ((one, two), (three, four))
        level = [
            sum(map(skill.__getitem__, side)) + together.get(frozenset(side), 0.0) for side in sat
        ]
        ahead = level[0] - level[1]
        for (a, b), value in facing.items():
            for own, other, sign in ((sat[0], sat[1], 1), (sat[1], sat[0], -1)):
                ahead += sign * value * (a in own and b in other)
        hands = int(chance.integers(3, 14))
        ahead += chance.normal(0, 0.35 / hands**0.5) + chance.normal(0, 0.08)
        both = chance.normal(0, 0.1 / hands**0.5)
        w = 44.0 * hands
        for own, other, sign in ((sat[0], sat[1], 1), (sat[1], sat[0], -1)):
            y = (0.4 + sign * ahead + both) * w
            rows.append((game, "pedro, 4 partners", sorted(own), sorted(other), hands, y, w))
    columns = ["game", "variant", "own", "against", "hands", "y", "w"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def of(pairs: Pairs, one: str, other: str) -> dict[str, float]:
    return pairs.rows.filter(one=one, other=other).row(0, named=True)


@pytest.mark.parametrize("against", some([False, True], 1))
def test_without_any_pair_effect_hardly_a_pair_is_named(*, against: bool) -> None:
    chance = np.random.default_rng(1)
    named = sure = pairs = 0
    rounds = scaled(30, most=300)
    for _ in range(rounds):
        rows = compare_pairs(season(chance, 8, 240), against=against).rows
        named += bool(rows["named"].any())
        sure += rows.filter((pl.col("low") > 0) | (pl.col("high") < 0)).height
        pairs += len(rows)
    assert pairs > 20 * rounds
    assert 0.002 < sure / pairs < 0.02
    assert named / rounds <= 0.1


def test_two_strong_players_are_no_good_pair_by_that_alone() -> None:
    chance = np.random.default_rng(4)
    rows = season(chance, 8, 600, spread=0.25)
    pairs = compare_pairs(rows, against=False).rows
    # The best pairs score far more than the field, and that is what both bring anyway.
    assert max(pairs["share"].to_list()) > 0.5
    assert not pairs["named"].any()
    assert max(map(abs, pairs["drawn"].to_list())) < 0.06


def test_a_pair_that_suits_is_found_and_no_other() -> None:
    chance = np.random.default_rng(2)
    for _ in range(5):
        rows = season(chance, 8, 600, together={frozenset(("p0", "p1")): 0.25})
        pairs = compare_pairs(rows, against=False)
        found = of(pairs, "p0", "p1")
        assert found["named"]
        assert found["low"] < 0.25 < found["high"]
        assert pairs.rows["named"].sum() == 1
        assert pairs.rows.row(0, named=True)["one"] == "p0"
        # Drawn towards the middle, but not to the other side.
        assert 0 < found["drawn"] <= found["difference"] + 1e-9
    # Who fares well against whom is found with its sign.
    rows = season(np.random.default_rng(3), 8, 600, facing={("p5", "p2"): 0.2})
    pairs = compare_pairs(rows, against=True)
    found = of(pairs, "p2", "p5")
    assert found["named"]
    assert found["low"] < -0.2 < found["high"]
    assert pairs.rows["named"].sum() == 1


def test_differences_are_those_of_a_regression_on_everything_at_once() -> None:
    rows = season(np.random.default_rng(5), 6, 120)
    pairs = compare_pairs(rows, against=False)
    people = sorted({name for own in rows["own"] for name in own})
    w = rows["w"].to_numpy()
    field = rows["y"].sum() / w.sum()
    ratio = rows["y"].to_numpy() / w - field
    seated = list(zip(rows["own"].to_list(), rows["against"].to_list(), strict=True))
    columns = [[(each in own) - (each in other) for own, other in seated] for each in people]
    for one, other in combinations(people, 2):
        two = {one, other}
        mark = [(two <= set(own)) - (two <= set(against)) for own, against in seated]
        design = np.array([*columns, mark], float).T
        solved = np.linalg.lstsq(design * w[:, None] ** 0.5, ratio * w**0.5, rcond=None)[0]
        if not pairs.rows.filter(one=one, other=other).is_empty():
            assert of(pairs, one, other)["difference"] == pytest.approx(solved[-1])
    assert len(pairs.rows) + pairs.few == 15


def test_among_four_people_nothing_is_known_of_pairs() -> None:
    pairs = compare_pairs(season(np.random.default_rng(6), 4, 200), against=False)
    assert pairs.rows.is_empty()
    assert len(pairs.inseparable) == 6
    # Pairs with few games are counted and not compared.
    pairs = compare_pairs(season(np.random.default_rng(7), 8, 100), against=False)
    assert pairs.few > 0
    assert all(games >= 10 for games in pairs.rows["games"].to_list())
    empty = compare_pairs(season(np.random.default_rng(7), 8, 3), against=False)
    assert (len(empty.rows), empty.people) == (0, ())


# --- From a warehouse
def test_sides_are_those_of_the_games_with_partners(figures: Facts, singles: Facts) -> None:
    found = sides(figures)
    recount: dict[tuple[int, tuple[str, ...]], list[float]] = {}
    for game, player, mates, change, available in figures.execute(
        "SELECT game_no, player, partners, side_change, available FROM seat_facts "
        "WHERE verdict = 'valid' AND side IS NOT NULL AND available > 0 AND side_change IS NOT NULL"
    ).fetchall():
        if mates and player == min([player, *mates]):
            side = recount.setdefault((game, tuple(sorted([player, *mates]))), [0, 0.0, 0.0])
            side[0] += 1
            side[1] += change
            side[2] += available
    told = {(row["game"], tuple(row["own"])): row for row in found.to_dicts()}
    assert told.keys() == recount.keys()
    for key, (hands, y, w) in recount.items():
        assert (told[key]["hands"], told[key]["y"], told[key]["w"]) == (hands, y, w)
        assert not set(told[key]["own"]) & set(told[key]["against"])
    assert sides(singles).is_empty()


def test_players_are_no_filters_and_seats_are_refused(figures: Facts, singles: Facts) -> None:
    whole = sides(figures)
    one = whole["own"][0][0]
    for name in ("player", "partner", "opponent"):
        assert sides(figures, Filters.of({name: one})).equals(whole)
    with pytest.raises(FigureError, match="cannot be filtered by role"):
        partners(figures, Filters.of({"role": "maker"}))
    made = sides(figures, Filters.of({"result": "made"}))
    assert 0 < made["hands"].sum() < whole["hands"].sum()
    assert partners(singles).people == ()
    assert opponents(figures, Filters.of({"day": "1999-01-01"})).rows.is_empty()
