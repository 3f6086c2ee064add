"""Four to seven players, singly and in partnerships: on every screen and in the warehouse."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, tables_in
from tests.kit.facts import facts_in
from tests.kit.log_lines import write_hands
from tests.kit.made_once import once, opened
from tests.kit.table_data import data_of, named, whole_frames
from tests.kit.tables import PLAYERS, TABLES, WINNERS, name_of, points_of, sancho, sides_of
from tests.kit.tiers import some
from tricklog import Hand, Player, RulesetError, RulesRef, Verdict, generate, ingest, replay
from tricklog.core.render.html import replay_html, step_html
from tricklog.core.render.terminal import overview, plain, table
from tricklog.dashboard import card_table
from tricklog.dashboard.address import urls
from tricklog.dashboard.data.hand_data import frame_of, sign_of
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import listings, measure
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.actions import BID_DOUBLE
from tricklog.schemas.cards import cards_in, parse_cards, pretty_card
from tricklog.schemas.render import hand_html, suits_text

at_every_table = pytest.mark.parametrize("hand", TABLES, ids=lambda hand: hand.id)


# --- What the hand comes to
@at_every_table
def test_t59_the_hand_is_valid_and_counts_by_side_at_every_table(hand: Hand) -> None:
    result = replay(replace(hand, scores=[0] * len(points_of(hand))))
    assert (result.verdict, result.findings) == (Verdict.VALID, ())
    assert result.outcome is not None
    assert result.outcome.points == result.outcome.change == result.outcome.scores
    assert result.outcome.points == points_of(hand)
    assert tuple(trick.winner for trick in result.tricks) == WINNERS


def test_s46_a_failed_bid_costs_one_player_singly_and_both_partners_together() -> None:
    for hand, change in ((sancho(6), (-9, 10, 0, 0, 0, 0)), (sancho(4, partners=True), (-9, 10))):
        result = replay(replace(hand, actions=["0 bid 9", *hand.actions[1:]]))
        assert result.outcome is not None
        assert result.outcome.change == change


# --- On a terminal
@at_every_table
@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_card_is_lost_from_the_tricks_however_long_the_names(hand: Hand, width: int) -> None:
    players = [Player(name, name=f"{name} of the very long family name") for name in PLAYERS]
    hand = replace(hand, players=players[: len(hand.players)])
    shown = plain(overview(replay(hand)), width)
    rows = shown[shown.index("trick") :]
    head, rest = rows.splitlines()[0], rows.splitlines()[2:]
    assert head.startswith("trick")
    assert head.endswith("points")
    for trick in range(6):
        (row,) = (line for line in rest if line.lstrip().startswith(f"{trick + 1} "))
        for dealt in hand.deal or []:
            assert pretty_card(parse_cards(dealt)[trick]) in row.split()


@pytest.mark.parametrize("hand", some(TABLES, 2), ids=lambda hand: hand.id)
def test_every_step_shows_every_player_and_what_he_holds(hand: Hand) -> None:
    replayed = replay(hand)
    for step in range(len(replayed)):
        shown = plain(table(replayed.at(step), replayed), 80)
        page = step_html(replayed, step)
        for seat, player in enumerate(hand.players):
            assert f" {seat} {player.id}" in shown
            assert f" {seat}</td><td" in page
            for card in cards_in(replayed.at(step).holdings[seat]):
                assert pretty_card(card) in page


@at_every_table
def test_overview_notebook_and_record_show_every_side_and_every_hand(hand: Hand) -> None:
    replayed = replay(hand)
    counted = zip(sides_of(hand), points_of(hand), strict=True)
    told = ", ".join(f"{side} {points}" for side, points in counted)
    assert f"Points: {told}." in plain(overview(replayed))
    text = str(hand)
    for player, dealt in zip(hand.players, hand.deal or [], strict=True):
        assert f"{player.id:<4}" in text
        assert suits_text(dealt) in text
        for page in (replay_html(replayed), hand_html(hand)):
            assert player.id in page
            assert all(pretty_card(card) in page for card in parse_cards(dealt))


# --- In a warehouse
@once("db")
def warehouse(folder: Path) -> None:
    failed = [
        replace(hand, id=f"{hand.id}-failed", actions=["0 bid 9", *hand.actions[1:]])
        for hand in TABLES
    ]
    log = write_hands(folder / "log.jsonl", (*TABLES, *failed))
    assert ingest.load(log, db=folder / "db").verdicts == {"valid": 2 * len(TABLES)}


snapshot = opened(open_snapshot, "warehouse")
facts = facts_in("warehouse")


@at_every_table
def test_the_row_of_a_hand_has_one_entry_for_each_seat_and_side(
    hand: Hand, snapshot: DuckDBPyConnection, facts: DuckDBPyConnection
) -> None:
    row = snapshot.execute(
        "SELECT seat_sides, points, change, count(dealt), count(at_play), seating(seat_sides) "
        "FROM stored JOIN holdings USING (hand_id) WHERE hand_id = ? GROUP BY ALL",
        [hand.id],
    ).fetchone()
    partners = hand.id == name_of(4, partners=True)
    seats, points = len(hand.players), list(points_of(hand))
    sides = [0, 1, 0, 1] if partners else list(range(seats))
    seating = "4 partners" if partners else f"{seats} singles"
    assert row == (sides, points, points, seats, seats, seating)
    listed = listings.hand_list(facts, text=hand.id).filter(hand_id=hand.id).row(0, named=True)
    assert listed["players"] == [player.id for player in hand.players]
    assert listed["points"] == points


def test_contracts_are_reported_apart_by_the_kind_of_table(facts: DuckDBPyConnection) -> None:
    frame = measure(facts, "made-rate", ("seating", "bid"))
    rows = [(row["seating"], row["bid"], row["hits"], row["n"]) for row in frame.to_dicts()]
    seatings = ("4 partners", "4 singles", "5 singles", "6 singles", "7 singles")
    assert rows == [row for seating in seatings for row in ((seating, 7, 1, 1), (seating, 9, 0, 1))]


def test_figures_are_counted_by_side(facts: DuckDBPyConnection) -> None:
    frame = measure(facts, "score-share", ("seating", "side"))
    cases = {(row["seating"], row["side"]): row["n"] for row in frame.to_dicts()}
    frame = measure(facts, "cards-kept", ("seating", "card"))
    kept = {(row["seating"], row["card"]): (row["hits"], row["n"]) for row in frame.to_dicts()}
    # The jack of cy fell into the trick of ann, the ten of dee into that of bo.
    for seats in (4, 5, 6, 7):
        assert cases[f"{seats} singles", "makers"] == 2
        assert cases[f"{seats} singles", "defenders"] == 2 * (seats - 1)
        assert kept[f"{seats} singles", "J"] == kept[f"{seats} singles", "T"] == (0, 2)
        assert kept[f"{seats} singles", "A"] == (2, 2)
    assert cases["4 partners", "makers"] == cases["4 partners", "defenders"] == 2
    assert kept["4 partners", "J"] == kept["4 partners", "T"] == (2, 2)


# --- Contracts that are no plain number
def without_bid() -> Hand:
    """Nobody bids, and the dealer names trumps without a number to reach."""
    hand = sancho(5, id="no-contract", scores=[0] * 5)
    calls = [*(f"{seat} pass" for seat in range(5)), "4 trump S"]
    # The dealer has the lead, and plays what eve held.
    first = ["4 play 7S", "0 play AS", "1 play 5S", "2 play JS", "3 play 2S"]
    return replace(
        hand,
        rules=RulesRef("sancho", options={"all_pass": "no-contract"}),
        actions=[*calls, *first, *hand.actions[11:]],
    )


def with_double() -> Hand:
    """The highest number is bid doubled, and missed."""
    hand = sancho(6, id="double", scores=[0] * 6)
    return replace(
        hand,
        rules=RulesRef("sancho", options={"special_bid": "double"}),
        actions=["0 bid 18-double", *hand.actions[1:]],
    )


def test_s21_a_hand_without_a_bid_is_reported_as_one() -> None:
    replayed = replay(without_bid())
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome is not None
    assert (replayed.outcome.bid, replayed.outcome.change) == (None, (0, 2, 0, 0, 0))
    assert "Nobody bid, and eve played without a number to reach" in str(replayed)
    play = plain(table(replayed.at(8), replayed))
    assert "eve plays without a number to reach, trumps spades" in play
    assert "eve plays without a number to reach" in step_html(replayed, 8)
    contract = frame_of(replayed, replayed.at(8))["contract"]
    assert contract == f"{sign_of(4)} plays without a number to reach"


def test_s69_a_doubled_bid_is_reported_as_logs_write_it() -> None:
    replayed = replay(with_double())
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome is not None
    assert replayed.outcome.change == (-36, 10, 0, 0, 0, 0)
    assert "ann bid 18-double with spades as trumps and was set: 8 points of 18" in str(replayed)
    for page in (
        plain(table(replayed.at(8), replayed)),
        step_html(replayed, 8),
        named(whole_frames(data_of(replayed))[8]["contract"], data_of(replayed)),
    ):
        assert "ann bid 18-double" in page


def test_contracts_that_are_no_number_are_stored_and_counted_as_they_are(tmp_path: Path) -> None:
    hands = [without_bid(), with_double(), sancho(5)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    with open_snapshot(tmp_path / "db") as connection:
        assert connection.sql(
            "SELECT hand_id, maker, bid_name(bid), need, no_contract, alone_by, result "
            "FROM hands ORDER BY hand_id"
        ).fetchall() == [
            ("double", 0, "18-double", 18, False, None, "set"),
            ("no-contract", 4, None, None, True, None, "made"),
            ("sancho-5-singles", 0, "7", 7, False, None, "made"),
        ]
    with open_facts(tmp_path / "db") as facts:
        bids = measure(facts, "made-rate", ("bid",)).select("bid", "hits", "n").rows()
        assert bids == [(7, 1, 1), (BID_DOUBLE + 18, 0, 1)]
        for name in ("made-rate", "margin-share"):
            assert measure(facts, name)["n"].sum() == 2
        assert measure(facts, "score-share", ("seating",))["n"].sum() == 5 + 6 + 5
        listed = {row["hand_id"]: row["bid_name"] for row in listings.hand_list(facts).to_dicts()}
        assert listed == {"double": "18-double", "no-contract": None, "sancho-5-singles": "7"}


# --- On the pages of the dashboard
@at_every_table
def test_the_table_seats_every_player_at_every_step(hand: Hand) -> None:
    replayed = replay(hand)
    data = data_of(replayed)
    assert data["names"] == [player.id for player in hand.players]
    frames = whole_frames(data)
    assert len(frames) == len(replayed) + 1
    assert {len(frame["seats"]) for frame in frames} == {len(hand.players)}
    assert_points_of_sides(hand, data)


def assert_points_of_sides(hand: Hand, data: dict[str, Any]) -> None:
    """Points stand beside the names of partners, and of a player alone at a seat."""
    last = whole_frames(data)[-1]
    assert tuple(last["points"]) == points_of(hand)
    if hand.id == name_of(4, partners=True):
        shown = [" & ".join(data["names"][seat] for seat in seats) for seats in data["sides"]]
        assert shown == sides_of(hand)
        return
    assert data["sides"] is None
    for seat, points in zip(last["seats"], points_of(hand), strict=True):
        assert f"{points} points" in seat["tags"]


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_the_look_has_a_place_for_every_seat(seats: int) -> None:
    style = (Path(card_table.__file__).with_name("table.css")).read_text("utf-8")
    areas = re.findall(rf'\.felt\[data-seats="{seats}"\] {{ grid-template-areas: (.*); }}', style)
    areas += re.findall(rf'\.trick\[data-seats="{seats}"\] {{\s+grid-template[^:]*: (.*);', style)
    # On a low screen the trick of an odd number of seats lies in two rows.
    assert len(areas) == (4 if seats % 2 else 3)
    for area in areas:
        assert set(re.findall(r"s\d", area)) == {f"s{seat}" for seat in range(seats)}
        rows = [row.split() for row in re.findall(r'"(.*?)"', area)]
        assert len({len(row) for row in rows}) == 1
    for seat in range(seats):
        assert f".s{seat} {{ grid-area: s{seat}; }}" in style


@pytest.fixture
def app(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(warehouse, monkeypatch)


def test_contracts_stand_apart_by_seating(app: AppTest) -> None:
    go(app, urls.BIDS, question="made-rate-by-bid")
    shown = [*(each.proto.body for each in app.get("html")), *map(str, app.caption)]
    shown += [chart.proto.spec for chart in app.get("vega_lite_chart")]
    for seating in ("4 partners", "4 singles", "5 singles", "6 singles", "7 singles"):
        assert f"Pedro Sancho, {seating}" in "\n".join(shown)


@pytest.mark.parametrize("hand", some(TABLES, 1), ids=lambda hand: hand.id)
def test_the_replay_page_shows_the_hand(app: AppTest, hand: Hand) -> None:
    go(app, urls.STEPS, hand=hand.id, ply=str(len(hand.actions)))
    assert_points_of_sides(hand, json.loads(tables_in(app)[0].proto.json))


# --- Made by bots
@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_games_of_any_number_of_players_are_made(seats: int) -> None:
    hands = list(generate("sancho", 1, seed=3, players=seats))
    assert hands
    for hand in hands:
        assert len(hand.players) == len({player.id for player in hand.players}) == seats
        assert replay(hand).verdict is Verdict.VALID
    others = {hand.id for hand in generate("sancho", 1, seed=3, players=4 if seats > 4 else 5)}
    assert not others & {hand.id for hand in hands}


def test_a_table_that_is_too_big_is_refused() -> None:
    with pytest.raises(RulesetError, match="holds 5 players; Pedro takes 4"):
        next(generate("pedro", 1, seed=1, players=5))
    with pytest.raises(RulesetError, match="partnerships are for 4"):
        next(generate("sancho", 1, seed=1, players=5, options={"sides": "partners"}))
