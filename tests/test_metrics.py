"""Metrics: every figure counted again in Python from the replays of the same hands."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

import ingest
from ingest import listings
from ingest.filters import Filters
from ingest.metrics import METRICS, Metric, as_page, measure
from ingest.warehouse import open_snapshot
from replay import Outcome, Replay, Verdict, replay, variants
from schemas.cards import CARD_NAMES, JOKER
from schemas.hand import Hand
from tests.log_lines import generated, moved_on, write_hands

CUT = replace(generated("pidro")[0], id="cut", actions=generated("pidro")[0].actions[:20])
HANDS = (
    *(hand for variant in variants() for hand in generated(variant)),
    CUT,
    replace(moved_on(generated("pedro")[1]), id="wrong"),
)
REPLAYS = [replay(hand) for hand in HANDS]
VALID = [item for item in REPLAYS if item.verdict is Verdict.VALID]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("metrics")
    ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
    with open_snapshot(folder / "db") as connection:
        yield connection


def outcome_of(item: Replay) -> Outcome:
    assert item.outcome is not None
    return item.outcome


def contracts() -> list[Replay]:
    played = [item for item in VALID if outcome_of(item).result in {"made", "set"}]
    return [item for item in played if outcome_of(item).bid is not None]


def maker_side(item: Replay) -> int:
    maker = outcome_of(item).maker
    assert maker is not None
    return item.ruleset.side_of(maker)


def counted(frame: pl.DataFrame, keys: list[str], *values: str) -> dict[tuple[Any, ...], Any]:
    return {
        tuple(row[key] for key in keys): tuple(row[value] for value in values)
        for row in frame.to_dicts()
    }


def test_bid_accuracy_by_bid(snapshot: DuckDBPyConnection) -> None:
    made: Counter[tuple[Any, ...]] = Counter()
    n: Counter[tuple[Any, ...]] = Counter()
    for item in contracts():
        outcome = outcome_of(item)
        key = (item.ruleset.id, outcome.bid, outcome.forced)
        n[key] += 1
        made[key] += outcome.result == "made"
    frame = measure(snapshot, "bid-accuracy-by-bid")
    assert counted(frame, ["variant", "bid", "forced"], "made", "n") == {
        key: (made[key], n[key]) for key in n
    }
    assert frame["forced"].any()


def test_bid_accuracy_by_player_leaves_forced_bids_apart(snapshot: DuckDBPyConnection) -> None:
    tally: dict[tuple[str, str], list[int]] = {}
    for item in contracts():
        outcome = outcome_of(item)
        assert outcome.maker is not None
        key = (item.ruleset.id, item.hand.players[outcome.maker].id)
        row = tally.setdefault(key, [0, 0, 0, 0])
        row[2 * outcome.forced] += outcome.result == "made"
        row[2 * outcome.forced + 1] += 1
    frame = measure(snapshot, "bid-accuracy-by-player")
    columns = ("made", "n", "forced_made", "forced_n")
    assert counted(frame, ["variant", "player"], *columns) == {
        key: tuple(row) for key, row in tally.items()
    }


def test_bid_margin(snapshot: DuckDBPyConnection) -> None:
    margins: Counter[tuple[str, int]] = Counter()
    for item in contracts():
        outcome = outcome_of(item)
        assert outcome.need is not None
        margins[item.ruleset.id, outcome.points[maker_side(item)] - outcome.need] += 1
    frame = measure(snapshot, "bid-margin")
    assert counted(frame, ["variant", "margin"], "hits") == {
        key: (hits,) for key, hits in margins.items()
    }
    per_variant = Counter(item.ruleset.id for item in contracts())
    assert counted(frame, ["variant"], "n") == {(v,): (n,) for v, n in per_variant.items()}


def role_of(card: int, trump: int | None) -> str:
    if card == JOKER:
        return "joker"
    off_five = CARD_NAMES[card][0] == "5" and card // 13 != trump
    return "off five" if off_five else CARD_NAMES[card][0]


def test_point_capture_by_card(snapshot: DuckDBPyConnection) -> None:
    tally: dict[tuple[str, str], list[int]] = {}
    for item in VALID:
        for capture in item.captures:
            key = (item.ruleset.id, role_of(capture.card, outcome_of(item).trump))
            row = tally.setdefault(key, [0, 0, 0, 0])
            own = capture.side == item.ruleset.side_of(capture.from_seat)
            row[0] += own
            row[1] += not own
            row[2] += 1
            row[3] += capture.side == maker_side(item)
    frame = measure(snapshot, "point-capture-by-card")
    assert counted(frame, ["variant", "role"], "kept", "lost", "n", "makers") == {
        key: tuple(row) for key, row in tally.items()
    }


def test_point_capture_by_trick(snapshot: DuckDBPyConnection) -> None:
    tally: dict[tuple[str, int], list[int]] = {}
    for item in VALID:
        for capture in item.captures:
            row = tally.setdefault((item.ruleset.id, capture.trick), [0, 0, 0, 0])
            makers = capture.side == maker_side(item)
            row[0] += makers
            row[1] += 1
            row[2] += capture.points * makers
            row[3] += capture.points
    frame = measure(snapshot, "point-capture-by-trick").fill_null(0)
    assert counted(frame, ["variant", "trick"], "makers", "n", "makers_points", "points") == {
        key: tuple(row) for key, row in tally.items()
    }


def test_point_capture_by_player(snapshot: DuckDBPyConnection) -> None:
    tally: Counter[tuple[str, str, str]] = Counter()
    for item in VALID:
        for capture in item.captures:
            if capture.side == item.ruleset.side_of(capture.from_seat):
                role = role_of(capture.card, outcome_of(item).trump)
                tally[item.ruleset.id, item.hand.players[capture.from_seat].id, role] += 1
    frame = measure(snapshot, "point-capture-by-player")
    stored = counted(frame, ["variant", "player", "role"], "kept")
    assert {key: kept for key, (kept,) in stored.items() if kept} == dict(tally)


def test_scores_are_shares_of_what_is_available(snapshot: DuckDBPyConnection) -> None:
    shares: dict[tuple[str, str], list[float]] = {}
    for item in VALID:
        outcome = outcome_of(item)
        in_game_points = item.ruleset.values["made"] == "game-point"
        available = outcome.stake if in_game_points else item.ruleset.total_points
        if outcome.maker is None or not available:
            continue
        for side, change in enumerate(outcome.change):
            role = "makers" if side == maker_side(item) else "defenders"
            shares.setdefault((item.ruleset.id, role), []).append(change / available)
    frame = measure(snapshot, "scores-by-variant")
    stored = counted(frame, ["variant", "role"], "n", "share")
    assert set(stored) == set(shares)
    for key, (n, share) in stored.items():
        assert n == len(shares[key])
        assert share == pytest.approx(sum(shares[key]) / n)


def test_findings_by_code(snapshot: DuckDBPyConnection) -> None:
    hands: Counter[tuple[str, str]] = Counter()
    for item in REPLAYS:
        hands.update({(item.ruleset.id, finding.code) for finding in item.findings})
    frame = measure(snapshot, "findings-by-code").filter(pl.col("scope") == "hand")
    assert counted(frame, ["variant", "code"], "hands") == {
        key: (count,) for key, count in hands.items()
    }
    assert hands


def test_verdicts_say_how_many_hands_are_left_out(snapshot: DuckDBPyConnection) -> None:
    verdicts = Counter((item.ruleset.id, item.verdict.value) for item in REPLAYS)
    frame = measure(snapshot, "verdicts")
    assert counted(frame, ["variant", "verdict"], "hits", "analysed") == {
        key: (count, key[1] == "valid") for key, count in verdicts.items()
    }
    row = listings.overview(snapshot).to_dicts()[0]
    assert row["hands"] == len(HANDS)
    assert row["analysed"] == len(VALID)
    assert row["left_out"] == len(HANDS) - len(VALID) > 0


# --- What holds of every metric


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_share_has_its_cases_and_its_interval(
    snapshot: DuckDBPyConnection, metric: Metric
) -> None:
    frame = measure(snapshot, metric.name)
    assert frame.height
    assert {"variant", "n", "share", "low", "high"} <= set(frame.columns)
    known = frame.filter(pl.col("share").is_not_null() & pl.col("low").is_not_null())
    assert (
        known.select(
            (pl.col("low") <= pl.col("share") + 1e-9) & (pl.col("share") <= pl.col("high") + 1e-9)
        )
        .to_series()
        .all()
    )


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_filters_that_let_nothing_through_give_no_rows(
    snapshot: DuckDBPyConnection,
    metric: Metric,
) -> None:
    assert measure(snapshot, metric.name, Filters(variants=("nobody",))).is_empty()


def test_names_are_unique() -> None:
    assert len({metric.name for metric in METRICS}) == len(METRICS)


def test_an_unknown_metric_is_a_key_error(snapshot: DuckDBPyConnection) -> None:
    with pytest.raises(KeyError):
        measure(snapshot, "luck")


def test_the_documentation_page_is_made_from_the_definitions(repository: Path) -> None:
    assert (repository / "docs" / "metrics.md").read_text("utf-8") == as_page()


# --- Filters and lists


FIRST = generated("pedro")[0]
DAYS = sorted({str(hand.started_at)[:10] for hand in HANDS})


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (
            Filters(variants=("pedro", "pidro")),
            lambda hand: hand.rules.variant in {"pedro", "pidro"},
        ),
        (Filters(game=str(FIRST.game)), lambda hand: hand.game == FIRST.game),
        (
            Filters(since=date.fromisoformat(DAYS[1])),
            lambda hand: str(hand.started_at)[:10] >= DAYS[1],
        ),
        (
            Filters(until=date.fromisoformat(DAYS[1]) - timedelta(days=1)),
            lambda hand: str(hand.started_at)[:10] < DAYS[1],
        ),
        (Filters(players=(FIRST.players[0].id, "nobody")), lambda _: True),
        (Filters(players=("nobody",)), lambda _: False),
    ],
)
def test_filters_choose_hands(
    snapshot: DuckDBPyConnection, filters: Filters, kept: Callable[[Hand], bool]
) -> None:
    frame = listings.hand_list(snapshot, filters, limit=10_000)
    assert sorted(frame["id"]) == sorted(hand.id for hand in HANDS if kept(hand))


def test_the_hand_list_finds_pages_and_filters(snapshot: DuckDBPyConnection) -> None:
    everything = listings.hand_list(snapshot, limit=10_000)
    page = listings.hand_list(snapshot, limit=3, offset=4)
    assert page["id"].to_list() == everything["id"].to_list()[4:7]
    assert set(page["total"]) == {len(HANDS)}
    assert listings.hand_list(snapshot, text="CUT")["id"].to_list() == ["cut"]
    assert listings.hand_list(snapshot, verdict="incomplete")["id"].to_list() == ["cut"]
    codes = [code for row in everything["codes"] for code in row]
    assert codes
    for code in set(codes):
        frame = listings.hand_list(snapshot, code=code)
        assert frame.height == sum(code in row for row in everything["codes"])


def test_findings_of_a_hand_are_listed_own_first(snapshot: DuckDBPyConnection) -> None:
    frame = listings.findings_of(snapshot, "wrong")
    own = [finding.code for finding in replay(HANDS[-1]).findings]
    assert frame["code"].to_list()[: len(own)] == own
    assert frame["scope"].to_list() == sorted(frame["scope"], reverse=True)
    assert "game" in frame["scope"].to_list()


def test_choices_for_filters_are_listed(snapshot: DuckDBPyConnection) -> None:
    assert dict(listings.variants(snapshot).select("variant", "hands").iter_rows()) == Counter(
        hand.rules.variant for hand in HANDS
    )
    seats = Counter(player.id for hand in HANDS for player in hand.players)
    assert dict(listings.players(snapshot).select("player", "hands").iter_rows()) == seats
    assert listings.rejects(snapshot).is_empty()
