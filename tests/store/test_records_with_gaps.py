"""Records with gaps in a warehouse: kept as they are, and counted where they know enough."""

import random
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection
from msgspec import UNSET
from msgspec.structs import replace

import tricklog
from tests.engine.test_gaps import SAMPLES
from tests.kit.facts import facts_in
from tests.kit.gap_records import AUCTION, NOTHING, THIRD, cut, record
from tests.kit.log_lines import write_hands
from tests.kit.made_once import once
from tests.kit.stored import rows
from tricklog import Claimed, Gap, Hand, Known, Verdict, decode_hand, encode_hand, replay
from tricklog.ingest.metrics import measure
from tricklog.ingest.upkeep.verifying import verify

POINTS = [(5, 9), (9, 5), (6, 8), (4, 10), (8, 6), (12, 2), (10, 4), (11, 3), (9, 5), (10, 4)]
MAKERS = [(1, 7), (2, 8), (0, 7), (3, 9), (1, 10), (2, 7), (0, 8), (2, 9), (0, 8), (2, 8)]


def sheet() -> list[Hand]:
    """A game of Pedro to 62 of which only bids, makers, points and scores are written."""
    hands: list[Hand] = []
    scores = [0, 0]
    for number, ((maker, bid), points) in enumerate(zip(MAKERS, POINTS, strict=True), 1):
        change = list(points)
        if points[maker % 2] < bid:
            change[maker % 2] = -bid
        after = [old + new for old, new in zip(scores, change, strict=True)]
        claimed = Claimed(points=list(points), change=change, scores=after)
        hands.append(record(
            id=f"sheet-{number}", game="sheet", hand=number, dealer=(number - 1) % 4, gaps=NOTHING,
            scores=scores, known=Known(maker=maker, bid=bid), claimed=claimed,
            started_at="2026-11-20",
        ))  # fmt: skip
        scores = after
    return hands


def others() -> list[Hand]:
    """A disputed trick, a line without dealer or points, and a hand with a finding."""
    gaps = [Gap(before=5, missing="tricks", tricks=[1, 2]), Gap(before=9, missing="rest")]
    told = "2026-11-20T19:03"
    lost = Claimed(result="set", by=1)
    won = Claimed(points=[9, 5])
    return [
        record(*AUCTION, *THIRD, id="disputed", gaps=gaps, started_at=told, remark="!"),
        record(id="set", dealer=UNSET, known=Known(maker=2, bid=8), gaps=NOTHING, claimed=lost),
        record(id="half", gaps=NOTHING, scores=[3, None], claimed=Claimed(points=[6, None])),
        record(id="wrong", known=Known(maker=2, bid=5), gaps=NOTHING, claimed=won),
    ]


def whole() -> list[Hand]:
    lines = min((SAMPLES / "pedro").glob("*.jsonl")).read_bytes().splitlines()
    return [decode_hand(line) for line in lines]


def cut_ones() -> list[Hand]:
    """Sound hands of all games with parts left out."""
    chance, found = random.Random(7), []
    for log in sorted(SAMPLES.rglob("*.jsonl")):
        hand = decode_hand(log.read_bytes().splitlines()[0])
        gappy = cut(hand, replay(hand), chance)
        if gappy is not None:
            found.append(replace(gappy, id=f"cut-{hand.id}", game=UNSET))
    return found


@once("db")
def db(folder: Path) -> None:
    hands = [*sheet(), *others(), *whole(), *cut_ones()]
    report = tricklog.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
    assert report.accepted == len(hands)


facts = facts_in("db")


def test_records_come_back_byte_for_byte_and_what_is_not_known_is_null(db: Path) -> None:
    lines = (db.parent / "log.jsonl").read_bytes().splitlines()
    with tricklog.open_snapshot(db) as connection:
        hands = [each.hand for each in tricklog.stored_hands(connection)]
    stored = {hand.id: encode_hand(hand) for hand in hands}
    assert stored == {decode_hand(line).id: line for line in lines}
    query = (
        "SELECT hand_id, dealer, verdict, maker, bid, result, points, scores_before, "
        "started_at, day::VARCHAR FROM hands WHERE hand_id NOT LIKE 'cut-%'"
    )
    told = {row[0]: row[1:] for row in rows(db, query)}
    tricks = rows(db, "SELECT trick, leader, winner FROM tricks WHERE hand_id = 'disputed'")
    assert told["set"] == (None, "partial", 2, 8, "set", None, None, None, None)
    assert (told["half"][:2], told["half"][6]) == ((0, "partial"), [3, None])
    assert (told["disputed"][-2:], told["wrong"][1]) == ((None, "2026-11-20"), "irregular")
    assert tricks == [(3, 1, 0)]
    found = verify(db)
    assert found.problems == ()
    assert found.hands


def test_contracts_are_counted_as_counted_by_hand(facts: DuckDBPyConnection) -> None:
    """Recounted from replays of all hands, valid ones and records with gaps that know enough."""
    made: dict[str, list[bool]] = {}
    for hand in [*sheet(), *others(), *whole(), *cut_ones()]:
        replayed = replay(hand)
        told = replayed.known_outcome or replayed.outcome
        if replayed.verdict not in (Verdict.VALID, Verdict.PARTIAL) or told is None:
            continue
        if told.result not in ("made", "set") or told.bid is None or told.forced is not False:
            continue
        assert told.maker is not None
        made.setdefault(hand.players[told.maker].id, []).append(told.result == "made")
    frame = measure(facts, "made-rate", ["player"])
    found = {row["player"]: (row["n"], row["hits"]) for row in frame.iter_rows(named=True)}
    assert found == {player: (len(each), sum(each)) for player, each in made.items()}


def test_scores_and_games_are_counted_and_cards_are_not(facts: DuckDBPyConnection) -> None:
    (last,) = sheet()[-1:]
    assert last.whole_claims is not UNSET
    assert last.whole_claims.scores is not UNSET
    scored = measure(facts, "score-change", ["variant", "player"]).filter(player="ann")
    # The hand that was found wrong counts nowhere; of the other lines not every change is known.
    assert scored["n"].to_list() == [len(POINTS)]
    assert scored["value"].item() * len(POINTS) == pytest.approx(last.whole_claims.scores[0])
    won = measure(facts, "win-rate", ["player"]).filter(player="ann")
    assert (won["n"].to_list(), won["hits"].to_list()) == ([1], [1])
    whole_ids = {player.id for hand in whole() for player in hand.players}
    for name in ("tricks-won", "cards-kept", "aggression", "own-points-share"):
        assert set(measure(facts, name, ["variant", "player"])["player"]) <= whole_ids
