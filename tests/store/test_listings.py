"""Lists of hands and findings: every filter, figure, text and part, against the replays."""

from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection
from msgspec.structs import replace

from tests.kit.dashboard_logs import NAMES, REVOKE, with_nasty_names, with_revoke, with_wrong_claim
from tests.kit.facts import facts_in
from tests.kit.log_lines import generated, moved_on, write_lines
from tests.kit.made_once import once
from tests.kit.solved import solve_all, value_few
from tests.kit.tiers import is_thorough, some
from tricklog import FigureError, Hand, Replay, Verdict, encode_hand, ingest, replay
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSIONS, Dimension, Grain, listings, measure, metric_named
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, range_of
from tricklog.ingest.metrics.query import Cases, Which
from tricklog.ingest.store import quarantine
from tricklog.ingest.store.warehouse import open_snapshot

VARIANTS = ("pedro", "sixty-three", "twenty-nine")


@cache
def hands() -> list[Hand]:
    """Hands of three games, one cut off, and what is wrong."""
    first = generated("pidro")[0]
    return [
        *(hand for variant in VARIANTS for hand in generated(variant, 1)[:10]),
        replace(first, id="cut", actions=first.actions[:20]),
        replace(moved_on(generated("pedro")[1]), id="wrong"),
        with_revoke()[0],
        with_wrong_claim(),
        with_nasty_names(),
    ]


@cache
def replays() -> dict[str, Replay]:
    return {hand.id: replay(hand) for hand in hands()}


MADE = metric_named("made-rate")


@once("db")
def db(folder: Path) -> None:
    lines = [*map(encode_hand, hands()), b"oops", b'{"format": "tricklog/1"}', b"\x00"]
    ingest.load(write_lines(folder / "log.jsonl", lines), db=folder / "db")
    solve_all(folder / "db", EVERYTHING if is_thorough() else Filters.of({"hand-number": "1..2"}))
    value_few(folder / "db")
    open_facts(folder / "db").close()


facts = facts_in("db")


def listed(facts: DuckDBPyConnection, **chosen: str | tuple[str, ...]) -> list[str]:
    return sorted(
        ids_in(facts, Filters.of({name.replace("_", "-"): each for name, each in chosen.items()}))
    )


def rows_in(facts: DuckDBPyConnection, **asked: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - passed on
    return listings.hand_list(facts, limit=1_000, **asked).to_dicts()


def ids_in(facts: DuckDBPyConnection, filters: Filters = EVERYTHING, **asked: Any) -> list[str]:  # noqa: ANN401
    """The ids of what is listed, in its order; the count is asked for beside it."""
    found = listings.hand_list(facts, filters, limit=1_000, **asked)["hand_id"].to_list()
    asked.pop("order", None)
    assert listings.hand_count(facts, filters, **asked) == len(found)
    return found


def ids(fits: Callable[[Replay], bool]) -> list[str]:
    return sorted(hand_id for hand_id, item in replays().items() if fits(item))


def bid_of(item: Replay) -> int | None:
    return item.outcome.bid if item.outcome else None


# --- Hands
def test_hands_are_found_by_what_they_were(facts: DuckDBPyConnection) -> None:
    assert listed(facts) == sorted(replays())
    assert len(replays()) == len(hands())
    first = hands()[0]
    ann = first.players[0].id
    maker = {
        hand_id: item.hand.players[item.outcome.maker].id
        for hand_id, item in replays().items()
        if item.outcome and item.outcome.maker is not None
    }
    assert listed(facts, variant=("pedro", "pidro")) == ids(
        lambda item: item.hand.rules.variant in {"pedro", "pidro"}
    )
    assert listed(facts, player=ann) == ids(lambda item: ann in {p.id for p in item.hand.players})
    assert listed(facts, game=str(first.game)) == ids(lambda item: item.hand.game == first.game)
    assert listed(facts, verdict="irregular") == ids(lambda i: i.verdict == Verdict.IRREGULAR)
    assert listed(facts, bid="7") == ids(lambda item: bid_of(item) == 7)
    assert listed(facts, dealer=ann) == ids(
        lambda item: item.hand.players[item.hand.dealt_by].id == ann
    )
    assert listed(facts, player=ann, role="maker") == sorted(
        hand_id for hand_id, player in maker.items() if player == ann
    )
    assert listed(facts, player="nobody") == []
    # Days bound the list on both sides.
    days = sorted({str(hand.started_at)[:10] for hand in hands()})
    start, end = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
    for filters, kept in (
        (Filters(since=end), days[-1:]),
        (Filters(until=start), days[:1]),
        (Filters(since=start, until=end), days),
    ):
        assert sorted(ids_in(facts, filters)) == ids(
            lambda item, kept=kept: str(item.hand.started_at)[:10] in kept  # type: ignore[misc]
        )
    with pytest.raises(FigureError, match="no dimension 'luck'"):
        listings.hand_list(facts, Filters.of({"luck": "good"}))
    with pytest.raises(FigureError, match="cannot be grouped or filtered by card"):
        listings.finding_list(facts, Filters.of({"card": "5"}))


def test_every_dimension_finds_its_hands(facts: DuckDBPyConnection) -> None:
    for dimension in some(DIMENSIONS, 14):
        check_dimension(facts, dimension)


def check_dimension(facts: DuckDBPyConnection, dimension: Dimension) -> None:
    grain = dimension.grains[0]
    column = f"unnest({dimension.sql})" if dimension.each else f"({dimension.sql})"
    found = 0
    known = listings.values(facts, dimension)
    # Of the few values that a type has some may be those of no hand.
    for value in known if dimension.type.endswith("_key") else some(known, 2):
        text = value
        if dimension.names:
            table, name = dimension.names
            (row,) = facts.execute(
                f"SELECT {dimension.sql} FROM {table} WHERE {name} = ?",  # noqa: S608 - no input
                [value],
            ).fetchall()
            text = str(row[0])
        rows = facts.execute(
            f"SELECT DISTINCT hand_no FROM (SELECT hand_no, {column}::VARCHAR AS value "  # noqa: S608 - no input
            f"FROM {Grain.SEAT if grain == Grain.GAME else grain}) WHERE value = ?",
            [text],
        ).fetchall()
        filters = Filters.of({dimension.name: value})
        assert listings.hand_count(facts, filters) == len(rows), value
        found += len(rows)
    # Tags are what users write, of which there are none here.
    assert found or dimension.name == "tag"


def test_the_latest_come_first_with_the_margins_of_their_replays(facts: DuckDBPyConnection) -> None:
    query = (
        "SELECT hand_id, coalesce(game_no, hand_no) "
        "FROM games.hands LEFT JOIN games.games USING (game)"
    )
    game_no = dict(facts.execute(query).fetchall())
    keys = [(str(row["day"]), game_no[row["hand_id"]], row["hand"] or 0) for row in rows_in(facts)]
    assert keys == sorted(keys, reverse=True)
    for row in rows_in(facts):
        outcome = replays()[row["hand_id"]].outcome
        if outcome is None or outcome.maker is None or outcome.need is None:
            assert row["margin"] is None
            continue
        side = row["seat_sides"][outcome.maker]
        assert row["margin"] == outcome.points[side] - outcome.need
        assert (row["margin"] < 0) == (outcome.result == "set")


@pytest.mark.parametrize(
    ("bid", "margin"),
    [("10..", ""), ("..9", ""), ("7..9", "-1"), ("", "-3..-1"), ("", "..-1"), ("", "0..")],
)
def test_hands_are_found_by_number_ranges(facts: DuckDBPyConnection, bid: str, margin: str) -> None:
    def fits(value: int | None, asked: str) -> bool:
        if not asked:
            return True
        least, most = range_of(asked) or (int(asked), int(asked))
        if value is None:
            return False
        return (least is None or value >= least) and (most is None or value <= most)

    wanted = sorted(
        row["hand_id"]
        for row in rows_in(facts)
        if fits(bid_of(replays()[row["hand_id"]]), bid) and fits(row["margin"], margin)
    )
    filters = Filters.of({name: text for name, text in (("bid", bid), ("margin", margin)) if text})
    assert sorted(ids_in(facts, filters)) == wanted != []


def test_a_range_stands_beside_single_values_and_of_seats_is_not_one_seat(
    facts: DuckDBPyConnection,
) -> None:
    assert listed(facts, bid=("7", "9..10")) == ids(lambda item: bid_of(item) in {7, 9, 10})
    assert listed(facts, bid="8..7") == []
    assert listed(facts, bid="-999999999..999999999") == ids(lambda item: bid_of(item) is not None)
    every, all_seats = (
        measure(facts, "points-share", filters=filters)
        for filters in (EVERYTHING, Filters.of({"seat": "0..3"}))
    )
    assert all_seats["n"].item() == every["n"].item()
    assert all_seats["value"].item() == pytest.approx(every["value"].item())


@pytest.mark.parametrize("order", listings.Order)
def test_the_list_has_the_order_asked_for(facts: DuckDBPyConnection, order: listings.Order) -> None:
    found = rows_in(facts, order=order)
    parts = [listings.hand_list(facts, order=order, limit=7, offset=n) for n in range(0, 56, 7)]
    in_parts = [row["hand_id"] for part in parts for row in part.to_dicts()]
    assert in_parts == [row["hand_id"] for row in found]
    newest = ids_in(facts)
    keys: dict[str, Callable[[dict[str, Any]], int | None]] = {
        "bid": lambda row: bid_of(replays()[row["hand_id"]]),
        "margin": lambda row: row["margin"],
        "points": lambda row: (
            None
            if row["maker"] is None or row["points"] is None
            else row["points"][row["seat_sides"][row["maker"]]]
        ),
    }
    key = keys.get(order.rpartition("-")[2])
    if key is None:
        is_newest_first = found == sorted(found, key=lambda row: newest.index(row["hand_id"]))
        assert is_newest_first == (order == listings.Order.NEWEST)
        assert {row["hand_id"] for row in found} == set(newest)
        return
    sign = -1 if order.startswith(("highest", "most")) else 1
    values = [(key(row), newest.index(row["hand_id"])) for row in found]
    places = [(value is None, sign * (value or 0), place) for value, place in values]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("CUT", lambda hand: hand.id == "cut"),
        ("game revoked", lambda hand: hand.id == REVOKE),
        ("onerror=ALERT", lambda hand: hand.id == NAMES),
        ("nasty-2", lambda hand: hand.id == NAMES),
        ("%", lambda _: False),
        ("' OR 1=1 --", lambda _: False),
        ("2026-01-02", lambda hand: str(hand.started_at).startswith("2026-01-02")),
        ("2026-01", lambda hand: str(hand.started_at).startswith("2026-01")),
    ],
)
def test_hands_are_found_by_text(
    facts: DuckDBPyConnection, text: str, kept: Callable[[Hand], bool]
) -> None:
    assert sorted(ids_in(facts, text=text)) == ids(lambda item: kept(item.hand))


def test_hands_are_found_by_findings_of_their_own_or_their_game(facts: DuckDBPyConnection) -> None:
    rows = rows_in(facts)
    codes = {code for row in rows for code in row["codes"]}
    assert {"revoke", "claimed-points", "wrong-dealer"} <= codes
    for code in codes:
        with_code = [row["hand_id"] for row in rows if code in row["codes"]]
        assert ids_in(facts, code=code) == with_code


def test_hands_behind_a_figure_are_its_cases_and_fall_into_two(facts: DuckDBPyConnection) -> None:
    chosen = {
        which: listings.hand_list(facts, cases=Cases(MADE, which), limit=1_000) for which in Which
    }
    contracts = ids(
        lambda item: (
            item.verdict == Verdict.VALID
            and item.outcome is not None
            and item.outcome.result in {"made", "set"}
            and item.outcome.bid is not None
            and not item.outcome.forced
            and item.outcome.alone is None
        )
    )
    assert sorted(chosen[Which.ALL]["hand_id"]) == contracts
    assert set(chosen[Which.COUNTED]["result"]) == {"made"}
    assert set(chosen[Which.OTHERS]["result"]) == {"set"}
    assert len(chosen[Which.COUNTED]) + len(chosen[Which.OTHERS]) == len(contracts)
    for which, frame in chosen.items():
        assert listings.hand_count(facts, cases=Cases(MADE, which)) == len(frame)


@pytest.mark.parametrize(
    "name", ["verdicts", "findings", "valid-rate", "margin", "win-rate", "cards-lost"]
)
def test_hands_behind_figures_of_any_kind_come_once(facts: DuckDBPyConnection, name: str) -> None:
    found = ids_in(facts, cases=Cases(metric_named(name)))
    assert found
    assert len(found) == len(set(found))


# --- Findings
def test_findings_are_listed_with_whom_they_name_and_chosen_by_code_player_and_text(
    facts: DuckDBPyConnection,
) -> None:
    everything = rows = listings.finding_list(facts, limit=1_000).to_dicts()
    own = [row for row in rows if row["scope"] == "hand"]
    assert sorted((row["hand_id"], row["code"], row["message"]) for row in own) == sorted(
        (hand_id, finding.code, finding.message)
        for hand_id, item in replays().items()
        for finding in item.findings
    )
    assert listings.finding_count(facts) == len(rows)
    for row in rows:
        players = replays()[row["hand_id"]].hand.players
        assert row["player"] == (None if row["seat"] is None else players[row["seat"]].id)
    for name, field in (("code", "code"), ("rule", "rule"), ("player", "player")):
        for value in {row[field] for row in everything if row[field]}:
            filters = Filters.of({name: value})
            found = listings.finding_list(facts, filters, limit=1_000).to_dicts()
            assert found == [row for row in everything if row[field] == value]
            assert listings.finding_count(facts, filters) == len(found)
    found = listings.finding_list(facts, text=REVOKE).to_dicts()
    assert found == [row for row in everything if row["hand_id"] == REVOKE]
    assert listings.finding_count(facts, text=REVOKE) == len(found) > 0
    total = len(everything)
    parts = [listings.finding_list(facts, limit=2, offset=n).to_dicts() for n in range(0, total, 2)]
    assert [row for part in parts for row in part] == everything


# --- Lines in quarantine
def test_lines_in_quarantine_come_in_parts(db: Path) -> None:
    with open_snapshot(db) as connection:
        everything = list(quarantine.lines(connection))
        assert len(everything) == 3
        parts = [next(quarantine.lines(connection, limit=1, offset=n)) for n in range(3)]
        assert parts == everything
        assert list(quarantine.lines(connection, limit=5, offset=3)) == []
