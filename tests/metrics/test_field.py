"""Players against the field with the same cards: what is read, how it is fitted, what is said."""

import json
import random
from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.kit.facts import Facts, facts_in, warehouse_of
from tests.kit.log_lines import write_lines
from tests.kit.simulated_club import PEOPLE, season_lines
from tricklog import decode_hand, ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import TOO_FEW, FigureError, field
from tricklog.ingest.metrics.field import Held, Scope, Study, Table
from tricklog.ingest.metrics.field.decisions import FEWEST_OF_EACH
from tricklog.ingest.metrics.field.figures import BID, CALLS, PLAY
from tricklog.ingest.metrics.field.judging import Judged, judge
from tricklog.ingest.metrics.field.reading import read_hands
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import FEWEST_GAMES_OF_AMOUNTS
from tricklog.ingest.metrics.naming import NAMED_AT
from tricklog.ingest.metrics.page import FIELD

CLUB = Table("sixty-three", "4 partners")
EVENINGS = 20
Records = dict[str, dict[str, Any]]


@cache
def lines() -> list[bytes]:
    return list(season_lines(seed=4, evenings=EVENINGS, variants=("sixty-three",)))


@pytest.fixture(scope="module")
def records() -> Records:
    found = [json.loads(line) for line in lines()]
    return {each["id"]: each for each in found}


db = warehouse_of("field", lambda: map(decode_hand, lines()))
facts = facts_in("db")


@pytest.fixture(scope="module")
def club(facts: Facts) -> Study:
    return field.study(facts, CLUB)


def judged(of: Study) -> Judged:
    assert of.judged is not None
    return of.judged


def names(facts: Facts) -> dict[int, str]:
    """The ids of hands by their numbers in the warehouse."""
    return dict(facts.sql("SELECT hand_no, hand_id FROM games.hands").fetchall())


# --- What is read
def test_tables_and_contracts_are_as_recorded(facts: Facts, records: Records, club: Study) -> None:
    (row,) = field.tables(facts).to_dicts()
    assert (row["variant"], row["seating"]) == ("sixty-three", "4 partners")
    chosen = [each for each in records.values() if is_chosen(each)]
    assert row["contracts"] == len(chosen)
    assert row["games"] == len({each["game"] for each in chosen})
    assert row["makers"] == len(PEOPLE)
    assert field.tables(facts, Filters.of({"variant": "pedro"})).is_empty()
    with pytest.raises(FigureError, match="cannot be grouped or filtered by trick"):
        field.study(facts, CLUB, Filters.of({"trick": "1"}))
    hands, contracts = club.hands, judged(club).contracts
    ids = names(facts)
    for place, hand in enumerate(contracts.hand):
        record = records[ids[int(hands.hand[hand])]]
        seat, bid = maker_of(record)
        points, change = record["claimed"]["points"], record["claimed"]["change"]
        who = hands.players[hands.sitting_player.reshape(-1)[contracts.place[place]]]
        assert who == record["players"][seat]["id"]
        assert (hands.maker[hand], hands.bid[hand]) == (seat, bid)
        assert hands.points[hand] == points[seat % 2]
        assert hands.made[hand] == (points[seat % 2] >= bid)
        ahead = [change[each % 2] - change[1 - each % 2] for each in range(4)]
        assert hands.gain[hand].tolist() == ahead
        assert contracts.expected[place] + contracts.taken[place] == pytest.approx(points[seat % 2])
    assert len(contracts.hand) == len(chosen)


def is_chosen(record: dict[str, Any]) -> bool:
    """Was the contract one that the maker chose to bid? All others may not have passed before."""
    said = [action.split(" ")[1] for action in record["actions"]]
    said = [verb for verb in said if verb in ("bid", "pass")]
    return "bid" in said and said.index("bid") < len(record["players"]) - 1


def maker_of(record: dict[str, Any]) -> tuple[int, int]:
    """Return who won the auction, and with what."""
    bids = [each.split(" ") for each in record["actions"] if " bid " in each]
    return int(bids[-1][0]), int(bids[-1][2])


def test_the_best_suit_is_worth_no_less_than_the_one_named(club: Study) -> None:
    contracts, calls = judged(club).contracts, judged(club).calls
    named = dict(zip(contracts.hand.tolist(), contracts.expected.tolist(), strict=True))
    gaps = [
        expected - named[hand]
        for hand, seat, expected in zip(
            calls.hand.tolist(), calls.seat.tolist(), calls.expected.tolist(), strict=True
        )
        if hand in named and seat == club.hands.maker[hand]
    ]
    assert min(gaps) > -1e-3
    assert sum(gap < 1e-3 for gap in gaps) > len(gaps) / 2
    # Rates are those of the calls themselves, so nobody can be above on the whole.
    calls = judged(club).calls
    assert abs((calls.is_bid - calls.rate).mean()) < 0.02
    counts = np.bincount(calls.tenth, minlength=10)
    assert counts.min() > 0.08 * counts.sum()


# --- Judged by others
def test_nobody_is_judged_by_a_fit_that_saw_the_game(club: Study) -> None:
    """Whatever the makers of one game had taken, what is expected in that game stays the same."""
    hands, before = club.hands, judged(club)
    game = hands.sitting_game[hands.sitting]
    other = replace(hands, points=np.where(game == game[0], hands.points + 50, hands.points))
    after = judge(other, before.contracts.hand)
    own = game[before.contracts.hand] == game[0]
    fold = hands.fold[before.contracts.hand] == hands.fold[0]
    assert own.any()
    np.testing.assert_array_equal(after.contracts.expected[own], before.contracts.expected[own])
    np.testing.assert_array_equal(after.contracts.expected[fold], before.contracts.expected[fold])
    assert (after.contracts.expected[~fold] != before.contracts.expected[~fold]).all()
    calls = game[before.calls.hand] == game[0]
    np.testing.assert_array_equal(after.calls.expected[calls], before.calls.expected[calls])
    # Folds are tenths of the games, by their ids.
    hands = club.hands
    game = hands.sitting_game[hands.sitting]
    for number in np.unique(game):
        assert len(np.unique(hands.fold[game == number])) == 1
    assert len(np.unique(hands.fold)) == 10


@pytest.mark.thorough("the folds of shuffled games are compared in the first tier")
def test_the_order_of_hands_does_not_matter(club: Study, tmp_path: Path) -> None:
    shuffled = [*lines()]
    random.Random(3).shuffle(shuffled)
    ingest.load(write_lines(tmp_path / "log.jsonl", shuffled), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as connection:
        other = field.study(connection, CLUB)
    assert_frame_equal(field.player_figures(other), field.player_figures(club), check_exact=False)
    assert_frame_equal(field.bid_or_pass(other), field.bid_or_pass(club), check_exact=False)


# --- Figures
def test_a_figure_is_the_mean_residual_less_that_of_the_others(club: Study) -> None:
    hands, contracts = club.hands, judged(club).contracts
    residuals = defaultdict(list)
    for place, value in zip(contracts.place, contracts.bid, strict=True):
        residuals[hands.players[hands.sitting_player.reshape(-1)[place]]].append(float(value))
    means = {name: sum(values) / len(values) for name, values in residuals.items()}
    rows = field.player_figures(club).filter(question="bid").to_dicts()
    counts = {row["player"]: row["n"] for row in rows}
    assert counts == {name: len(values) for name, values in residuals.items()}
    for row in rows:
        others = [mean for name, mean in means.items() if name != row["player"]]
        if row["enough"]:
            expected = means[row["player"]] - sum(others) / len(others)
            assert row["value"] == pytest.approx(expected)
            assert row["low"] < row["value"] < row["high"]
        else:
            assert row["n"] < 30
            assert row["value"] is None
    # The bold bid more and the careful less.
    calls = field.player_figures(club).filter(question="calls")
    values = dict(calls.select("player", "value").iter_rows())
    assert max(values, key=lambda name: values[name]) == "bold"
    assert {*sorted(values, key=lambda name: values[name])[:2]} == {"careful-1", "careful-2"}
    assert set(calls.filter("named")["player"]) >= {"bold", "careful-1", "careful-2"}


def test_only_what_is_chosen_is_counted_and_the_field_stays(facts: Facts, club: Study) -> None:
    """A player among the filters is passed over; one seat of each hand is a part of everybody's."""
    alone = field.study(facts, CLUB, Filters.of({"player": "bold"}))
    assert_frame_equal(field.player_figures(alone), field.player_figures(club))
    dealers = field.study(facts, CLUB, Filters.of({"from-dealer": "0"}))
    assert (dealers.scope, dealers.contracts) == (Scope.OWN, club.contracts)
    of_dealers = {
        row["player"]: row["n"]
        for row in field.player_figures(dealers).filter(question="calls").to_dicts()
    }
    hands, calls = club.hands, judged(club).calls
    counted: defaultdict[str, int] = defaultdict(int)
    for hand, seat in zip(calls.hand, calls.seat, strict=True):
        if hands.from_dealer[hand, seat] == 0:
            counted[hands.players[hands.sitting_player[hands.sitting[hand], seat]]] += 1
    assert of_dealers == counted


def test_one_table_is_the_same_as_all_of_one_table(club: Study) -> None:
    """Over several kinds of tables only the unit is another, and calls have the same."""
    one, over = field.player_figures(club), field.figures_over_tables([club])
    for question in field.QUESTIONS:
        a = one.filter(question=question.name)
        b = over.filter(question=question.name)
        unit = {"calls": 1.0, "bid": judged(club).contracts.bid.std()}.get(
            question.name, judged(club).contracts.played.std()
        )
        for name in ("value", "low", "high"):
            np.testing.assert_allclose(a[name].to_numpy(), b[name].to_numpy() * unit)
        np.testing.assert_allclose(a["p"].to_numpy(), b["p"].to_numpy(), atol=1e-12)


def test_two_tables_count_by_their_cases(club: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hands twice: the same difference, known from twice as many."""
    once, twice = field.figures_over_tables([club]), field.figures_over_tables([club, club])
    enough = once.filter("enough").join(twice, on=("question", "player"), suffix="_twice")
    np.testing.assert_allclose(enough["value"].to_numpy(), enough["value_twice"].to_numpy())
    assert (2 * enough["n"] == enough["n_twice"]).all()
    assert (2 * enough["games"] == enough["games_twice"]).all()
    width, narrow = (enough[f"high{end}"] - enough[f"low{end}"] for end in ("", "_twice"))
    np.testing.assert_allclose((narrow / width).to_numpy(), np.sqrt(0.5), rtol=0.1)
    # Without others nobody is compared.
    monkeypatch.setattr(field.figures, "FIELD_GAMES", EVENINGS + 1)
    assert field.player_figures(club).is_empty()
    assert field.figures_over_tables([club]).is_empty()


def test_words_say_what_is_named_and_what_is_not() -> None:
    row = {"question": "bid", "value": 2.62, "low": 2.1, "high": 3.14, "n": 291, "games": 40}
    row |= {"enough": True, "named": True}
    assert field.words(row) == "bids 2.6 points more than the field on the same cards (2.1 to 3.1)"
    below = row | {"question": "play", "value": -2.1, "low": -2.9, "high": -1.3}
    said = "takes 2.1 points fewer than the field with the same cards and bid (1.3 to 2.9)"
    assert field.words(below) == said
    calls = row | {"question": "calls", "value": 0.238, "low": 0.2, "high": 0.27}
    said = "bids in 24 more of 100 free calls than the field with the same cards and price"
    assert field.words(calls) == f"{said} (20 to 27)"
    unsure = row | {"named": False, "value": 0.1, "low": -0.3, "high": 0.5}
    assert field.words(unsure) == "shows no clear difference from the field (−0.3 to +0.5 points)"
    assert field.words(row | {"enough": False}) == "has too few contracts: 291 in 40 games"
    assert "standard deviations more" in field.words(row, over_tables=True)


# --- Too few
def test_few_hands_are_judged_by_the_whole_warehouse(facts: Facts, records: Records) -> None:
    games = sorted({each["game"] for each in records.values()})[:12]
    few = field.study(facts, CLUB, Filters.of({"game": tuple(games)}))
    chosen = [each for each in records.values() if each["game"] in games and is_chosen(each)]
    own_games = len({each["game"] for each in chosen})
    assert (few.scope, few.games, few.contracts) == (Scope.WAREHOUSE, own_games, len(chosen))
    assert "whole warehouse, samples and bots included" in few.note
    assert field.player_figures(few).filter(question="bid")["n"].sum() == len(chosen)


def test_without_enough_nothing_is_said(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field.judging, "FEWEST_CONTRACTS", 10_000)
    small = field.study(facts, CLUB)
    assert field.passed_auctions(facts, small).is_empty()
    for each in (small, field.study(facts, Table("pedro", "4 partners"))):
        assert (each.scope, each.judged) == (Scope.NONE, None)
        assert "a comparison takes 10000 in 30" in each.note
        assert field.guide_of(each) is None
        for frame in (
            *(field.player_figures(each), field.figures_over_tables([each])),
            *(field.bid_or_pass(each), field.score_by_bid(each), field.calibration(each)),
        ):
            assert frame.is_empty()
            assert frame.columns


def test_hands_with_hidden_cards_are_left_out(facts: Facts, club: Study, tmp_path: Path) -> None:
    hidden: dict[int, tuple[str, int, bytes]] = {}
    for place, line in enumerate(lines()):
        record = json.loads(line)
        if is_chosen(record) and len(hidden) < 20:
            maker = maker_of(record)[0]
            record["deal"][maker] = " ".join(["?"] * len(record["deal"][maker].split(" ")))
            hidden[place] = (record["id"], maker, json.dumps(record).encode())
    changed = [hidden[place][2] if place in hidden else line for place, line in enumerate(lines())]
    # Folds are by the ids of games, in whatever order they come.
    random.Random(3).shuffle(changed)
    ingest.load(write_lines(tmp_path / "log.jsonl", changed), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as connection:
        every = field.study(connection, CLUB, Filters(every_verdict=True))
        ids = names(connection)
        before = names(facts)
    folds = dict(zip(map(before.get, club.hands.hand.tolist()), club.hands.fold, strict=True))
    for number, fold in zip(every.hands.hand.tolist(), every.hands.fold, strict=True):
        assert folds.get(ids[number], fold) == fold
    assert every.contracts == club.contracts - len(hidden)
    unseen = {(name, seat) for name, seat, _ in hidden.values()}
    calls = judged(every).calls
    called = {
        (ids[int(every.hands.hand[hand])], int(seat))
        for hand, seat in zip(calls.hand, calls.seat, strict=True)
    }
    assert not unseen & called
    assert {name for name, _ in unseen} <= {name for name, _ in called}


def test_of_many_hands_some_whole_games_are_read(
    facts: Facts, club: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field.reading, "MOST_HANDS", len(club.hands.hand) - 1)
    some = read_hands(facts, CLUB, EVERYTHING)
    assert some.every == 2
    games = club.hands.sitting_game[club.hands.sitting].tolist()
    game_of = dict(zip(club.hands.hand.tolist(), games, strict=True))
    read = {game_of[hand] for hand in some.hand.tolist()}
    assert set(some.hand.tolist()) == {hand for hand, game in game_of.items() if game in read}
    assert 0.25 < len(read) / len(set(game_of.values())) < 0.75
    assert replace(club, hands=some).note.endswith("One game in 2 is read.")


def test_the_page_of_figures_names_the_numbers_that_are_used() -> None:
    for text in (
        *(f"takes {CALLS.fewest} calls", f"take {TOO_FEW} contracts"),
        *(f"in {FEWEST_GAMES_OF_AMOUNTS} games", f"{FEWEST_OF_EACH} of each"),
        f"takes {field.judging.FEWEST_CONTRACTS} contracts in {field.judging.FEWEST_GAMES} games",
        *(f"below {NAMED_AT:.0%}".replace("%", " %"), f"and {BID.of_spread} of them"),
        *(f"{100 * CALLS.of_pack:.0f} in 100 calls", f"{100 * PLAY.of_pack:.0f} % of the points"),
    ):
        assert text in FIELD.replace("\n", " "), text


# --- Bid or pass
def test_decisions_are_first_free_calls(club: Study) -> None:
    frame = field.bid_or_pass(club)
    calls = judged(club).calls
    first: dict[tuple[int, int], int] = {}
    for place, key in enumerate(zip(calls.hand.tolist(), calls.seat.tolist(), strict=True)):
        first.setdefault(key, place)
    bids = sum(bool(calls.is_bid[place]) for place in first.values())
    assert (frame["bids"].sum(), frame["passes"].sum()) == (bids, len(first) - bids)
    few = (frame["bids"] < 15) | (frame["passes"] < 15) | (frame["games"] < 10)
    assert (frame["enough"] == ~few).all()
    assert frame.filter(~pl.col("enough"))["difference"].null_count() == few.sum()
    for row in frame.filter("enough").to_dicts():
        assert row["difference"] == pytest.approx(row["bid_score"] - row["pass_score"])
        assert row["low"] < row["difference"] < row["high"]
    margins = frame.group_by("tenth").agg(pl.col("margin").mean()).sort("tenth")["margin"]
    assert margins.is_sorted()


def test_scores_are_compared_at_the_same_margin() -> None:
    is_bid = np.array([True, True, True, False] * 8 + [False, False, False, True] * 8)
    margin = np.where(np.arange(64) < 32, 1.0, -1.0) + np.arange(64) % 3 / 10
    gain = 3.0 + 5.0 * is_bid + 2.0 * (margin - margin.mean())
    found = field.decisions._compared(is_bid, margin, gain, np.arange(64) // 4)
    assert (found["bids"], found["passes"], found["games"]) == (32, 32, 16)
    for name, value in (("bid_score", 8), ("pass_score", 3), ("difference", 5), ("low", 5)):
        assert found[name] == pytest.approx(value)


def test_chances_fall_with_the_bid_and_rise_with_good_cards(club: Study) -> None:
    guide = field.guide_of(club)
    assert guide
    strong, weak = (
        field.given_hand(guide, Held(cards, 1, "nobody", 30))
        for cards in ("AH KH JH 5H 5D 9H 3H 2C 4C", "7S 8S 6H 7H 6D 7D 8D 7C 8C")
    )
    for found in (strong, weak):
        bids, chances = zip(*found.chances, strict=True)
        assert list(bids) == sorted(bids)
        assert list(chances) == sorted(chances, reverse=True)
        assert all(0 <= each <= 1 and round(each, 1) == each for each in chances)
    assert strong.suit == "H"
    assert strong.expected > weak.expected + 15
    assert strong.chances[0][1] > weak.chances[0][1]


def test_scores_by_bid_are_those_of_the_records(club: Study, records: Records) -> None:
    scores = defaultdict(list)
    for record in filter(is_chosen, records.values()):
        seat, bid = maker_of(record)
        change = record["claimed"]["change"]
        scores[bid].append(change[seat % 2] - change[1 - seat % 2])
    frame = field.score_by_bid(club)
    counts = dict(frame.select("bid", "n").rows())
    assert counts == {bid: len(each) for bid, each in scores.items()}
    for row in frame.to_dicts():
        if row["enough"]:
            assert row["score"] == pytest.approx(sum(scores[row["bid"]]) / row["n"])
        else:
            assert row["score"] is None
    # Calibration counts every contract once.
    frame = field.calibration(club)
    assert frame["n"].sum() == len(judged(club).contracts.hand)
    assert frame["chance"].is_sorted()


def test_passed_auctions_had_good_cards(facts: Facts, club: Study, records: Records) -> None:
    frame = field.passed_auctions(facts, club)
    for row in frame.to_dicts():
        record = records[row["hand_id"]]
        assert record["players"][row["seat"]]["id"] == row["player"]
        assert f"{row['seat']} pass" in record["actions"]
        assert row["expected"] >= row["lowest"]
        assert row["chance"] >= 2 / 3
