"""Loading: nothing lost, nothing twice, one step from one snapshot to the next."""

import itertools
import json
import random
import threading
from collections.abc import Iterable
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.cli.command_line import write_log
from tests.kit.dashboard_logs import first_hands, with_revoke
from tests.kit.in_process import run_here
from tests.kit.log_lines import SOUND_LINE, generated, line, moved_on, write_hands, write_lines
from tests.kit.noise import broken
from tests.kit.stored import alter, content, content_or_none, reseal, rows
from tests.kit.tiers import scaled, some
from tricklog import Claimed, Hand, Player, encode_hand, generate, ingest, open_facts
from tricklog.core.native import library
from tricklog.ingest import LoadReport, NoSnapshotError, WarehouseError
from tricklog.ingest.facts import files
from tricklog.ingest.loading import report, storing
from tricklog.ingest.loading.loading import load
from tricklog.ingest.loading.report import Forecast
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.store import publishing
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import RecordError, current_snapshot, hand, open_snapshot
from tricklog.ingest.text_form.problems import Problem
from tricklog.ingest.upkeep.verifying import verify


def count(db: Path, table: str) -> int:
    return len(rows(db, f"FROM {table}"))


def snapshots(db: Path) -> list[str]:
    return sorted(path.name for path in db.glob("*.duckdb"))


def counts(report: LoadReport) -> tuple[int, int, int, int, int]:
    return (report.lines, report.accepted, report.duplicate, report.quarantined, report.blank)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "warehouse"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_hands(tmp_path / "log.jsonl", generated("pedro"))


# --- Nothing lost, nothing twice
def test_a_load_counts_every_line_and_stores_what_it_accepts(tmp_path: Path, db: Path) -> None:
    hands = generated("pidro", 1)
    lines = [*map(encode_hand, hands), b"", encode_hand(hands[0]), b"oops", line(dealer=9)]
    report = ingest.load(write_lines(tmp_path / "log.jsonl", lines), db=db)
    assert counts(report) == (len(lines), len(hands), 1, 2, 1)
    assert report.published
    assert (report.snapshot, report.verdicts) == (current_snapshot(db), {"valid": len(hands)})
    assert (count(db, "hands"), count(db, "rejects"), count(db, "imports")) == (len(hands), 2, 1)


@cache
def mixed() -> list[bytes]:
    return [
        *map(encode_hand, generated("pedro", 1)),
        *map(encode_hand, generated("twenty-nine", 1)[:6]),
        *(encode_hand(moved_on(hand)) for hand in generated("king-pedro", 1)[:3]),
        line(id="twin"),
        SOUND_LINE,
        b"oops",
        line(dealer=9),
        b"",
    ]


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a warehouse holds into which all lines were loaded at once."""
    folder = tmp_path_factory.mktemp("at-once")
    ingest.load(write_lines(folder / "all.jsonl", mixed()), db=folder / "db")
    return content(folder / "db")


@settings(max_examples=scaled(2))
@given(
    lines=st.deferred(lambda: st.permutations(mixed())),
    cuts=st.lists(st.integers(0, 40), max_size=2),
)
def test_the_order_of_arrival_leaves_no_trace(
    tmp_path_factory: pytest.TempPathFactory, at_once: str, lines: list[bytes], cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("order")
    edges = [0, *sorted(cuts), len(lines)]
    for part, (start, end) in enumerate(itertools.pairwise(edges)):
        path = write_lines(folder / f"part-{part}.jsonl", lines[start:end])
        ingest.load(path, db=folder / "in-parts")
    assert content(folder / "in-parts") == at_once


@settings(max_examples=scaled(3))
@given(st.lists(st.binary(max_size=40) | st.deferred(lambda: st.sampled_from(mixed())), max_size=8))
def test_whatever_was_loaded_once_adds_nothing_again(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    load_again(tmp_path_factory.mktemp("again"), lines)


def test_a_game_and_what_is_no_hand_add_nothing_again(tmp_path: Path) -> None:
    bad = [b"oops", b"{}", line(rules={"variant": "x"})]
    first = load_again(tmp_path, [*map(encode_hand, generated("pedro", 1)), *bad])
    assert counts(first)[1:] == (len(generated("pedro", 1)), 0, len(bad), 0)


def load_again(folder: Path, lines: list[bytes]) -> LoadReport:
    """Load lines, in two logs, and again, which adds nothing; return what the first load says."""
    logs = [write_lines(folder / f"{part}.jsonl", lines[part::2]) for part in (0, 1)]
    first = ingest.load(*logs, db=folder / "db")
    before = content_or_none(folder / "db")
    again = ingest.load(*logs[::-1], db=folder / "db")
    known = first.accepted + first.duplicate
    assert counts(again) == (first.lines, 0, known, first.quarantined, first.blank)
    assert (again.published, again.snapshot) == (False, first.snapshot)
    assert (before is not None) == first.published
    assert content_or_none(folder / "db") == before
    return first


def test_other_content_gives_another_checksum(tmp_path: Path) -> None:
    seen = set()
    for name, lines in {
        "all": mixed(),
        "a hand less": mixed()[1:],
        "a reject less": [text for text in mixed() if text != b"oops"],
        "other ext": [*mixed()[1:], encode_hand(replace(generated("pedro", 1)[0], ext={"a": 1}))],
    }.items():
        path = write_lines(tmp_path / name / "log.jsonl", lines)
        ingest.load(path, db=tmp_path / name / "db")
        seen.add(content(tmp_path / name / "db"))
    assert len(seen) == 4


def test_rejects_keep_their_bytes_and_are_stored_once(tmp_path: Path, db: Path) -> None:
    raw = [b"\xff\xfe\0", b"oops", b"oops"]
    report = ingest.load(write_lines(tmp_path / "a.jsonl", raw), tmp_path / "gone", db=db)
    assert counts(report) == (4, 0, 0, 4, 0)
    assert rows(db, "SELECT code, line, byte, text FROM rejects ORDER BY code") == [
        ("invalid-utf8", 1, 0, b"\xff\xfe\0"),
        ("not-json", 2, 4, b"oops"),
        ("unreadable-file", 1, 0, b""),
    ]


def test_the_exit_status_says_the_worst_and_no_hand_is_no_news(tmp_path: Path, db: Path) -> None:
    hand = encode_hand(generated("pedro", 1)[0])
    bad = encode_hand(replace(generated("pedro", 1)[0], id="bad", actions=["0 play AS"]))
    for lines, status in (([], 0), ([hand], 0), ([bad], 1), ([hand, bad, b"oops"], 3)):
        log = write_lines(tmp_path / "a.jsonl", lines)
        assert ingest.load(log, db=db, dry_run=True).exit_status == status
    report = ingest.load(write_lines(tmp_path / "a.jsonl", [b"", b" "]), db=db)
    assert counts(report) == (2, 0, 0, 0, 2)
    assert (report.published, report.snapshot) == (False, None)
    with pytest.raises(NoSnapshotError, match="tricklog load"):
        open_snapshot(db)


def test_the_largest_points_that_rules_allow_are_stored(tmp_path: Path, db: Path) -> None:
    options = {"points": dict.fromkeys([*"AKQJT98765432", "off_five"], 100)}
    hands = list(generate("king-pedro", 1, 1, options=options))
    report = ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=db)
    assert report.accepted == len(hands)
    assert rows(db, "SELECT max(trick_points) FROM tricks")[0][0] > 255


def test_many_hands_make_chunks(tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = write_hands(tmp_path / "log.jsonl", (*generated("pedro"), *generated("pidro")))
    ingest.load(log, db=db)
    monkeypatch.setattr(storing, "CHUNK", 3)
    ingest.load(log, db=tmp_path / "chunks")
    assert content(tmp_path / "chunks") == content(db)


# --- Games
def game_findings(db: Path) -> list[tuple[str, str]]:
    return rows(db, "SELECT hand_id, code FROM findings WHERE scope = 'game' ORDER BY ALL")


def load_each(hands: Iterable[Hand], folder: Path, db: Path) -> None:
    for number, each in enumerate(hands):
        ingest.load(write_hands(folder / f"{number}.jsonl", [each]), db=db)


def test_times_that_cannot_be_are_noted_and_hands_stay_valid(tmp_path: Path, db: Path) -> None:
    begun = ["1899-12-31T20:00:00Z", "1970-01-01T00:00:00Z", "2126-03-03T10:00:00Z"]
    times = [*begun, "1965-06-01T20:00:00Z", "2026-11-20T19:03:00+01:00"]
    timed = zip(generated("pedro"), times, strict=False)
    hands = [replace(each, started_at=time, game=UNSET, hand=UNSET) for each, time in timed]
    log = write_hands(tmp_path / "log.jsonl", hands)
    noted: list[tuple[int, str]] = []

    def note(_: str, warning: Problem) -> None:
        noted.append((warning.line, warning.message.split(":")[0]))

    report = ingest.load(log, db=db, on_warning=note)
    assert (report.verdicts, report.findings) == ({"valid": 5}, {})
    never_set = "where a clock begins that was never set"
    expected = [
        (1, f"the hand began on 1899-12-31, {never_set}"),
        (2, f"the hand began on 1970-01-01, {never_set}"),
        (3, "the hand began on 2126-03-03, which is still to come"),
    ]
    assert sorted(noted) == expected
    noted.clear()
    assert len(list(ingest.audit(log, on_warning=note))) == 5
    assert noted == expected


@pytest.mark.parametrize("lane", ["bulk", "careful"])
@pytest.mark.parametrize(
    "time",
    [
        *("1899-12-31T20:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T16:00:00-08:00"),
        *("2126-03-03T10:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:00:00Z"),
    ],
)
def test_a_time_that_cannot_be_moves_neither_game_nor_player(
    time: str, lane: str, tmp_path: Path, db: Path
) -> None:
    hands = [
        replace(each, started_at=f"2026-11-20T19:{number:02}:00+01:00")
        for number, each in enumerate(generated("pedro", 1))
    ]
    faulty = {"claimed": Claimed(winners=[])} if lane == "careful" else {}
    hands[1] = replace(hands[1], started_at=time, **faulty)
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=db)
    played = date(2026, 11, 20)
    for table in ("games", "players"):
        assert rows(db, f"SELECT DISTINCT first_day, last_day FROM {table}") == [(played, played)]  # noqa: S608
    with open_snapshot(db) as tables:
        assert hand(tables, hands[1].id).started_at == time
    with open_facts(db) as facts:
        assert facts.execute("SELECT DISTINCT day FROM seat_facts").fetchall() == [(played,)]
    assert verify(db).problems == ()


def test_a_game_that_goes_back_in_time_is_found_among_valid_hands(tmp_path: Path) -> None:
    first, second, *_ = generated("pedro", 1)
    later = replace(first, started_at="2026-11-20T19:03:00Z")
    for began, found in (("2026-11-20T19:02:59Z", {"began-before": 1}), (later.started_at, {})):
        hands = [later, replace(second, started_at=began)]
        log = write_hands(tmp_path / "log.jsonl", hands)
        assert ingest.load(log, db=tmp_path / f"db{len(found)}").findings == found


def test_a_late_hand_changes_what_is_said_of_its_game(tmp_path: Path, db: Path) -> None:
    hands = generated("pedro", 1)[:5]
    # Seen beside hand 2, hand 3 does not follow; the missing hand in between explains everything.
    wrong = [hands[0], replace(hands[2], hand=2), *hands[3:]]
    ingest.load(write_hands(tmp_path / "wrong.jsonl", wrong), db=db)
    before = game_findings(db)
    assert (hands[2].id, "hand-number-twice") not in before
    assert any(hand_id == hands[2].id for hand_id, _ in before)
    report = ingest.load(write_hands(tmp_path / "late.jsonl", [hands[1]]), db=db)
    after = game_findings(db)
    assert after != before
    assert "hand-number-twice" in report.findings
    at_once = tmp_path / "at-once"
    ingest.load(write_hands(tmp_path / "all.jsonl", [*wrong, hands[1]]), db=at_once)
    assert after == game_findings(at_once)
    assert content(db) == content(at_once)


# --- Publishing


def test_a_few_snapshots_are_kept_and_readers_keep_theirs(tmp_path: Path, db: Path) -> None:
    hands = generated("pidro", 1)[:5]
    load_each(hands[:1], tmp_path, db)
    with open_snapshot(db) as before:
        load_each(hands[1:], tmp_path, db)
        assert before.sql("SELECT count(*) FROM hands").fetchall() == [(1,)]
    assert count(db, "hands") == 5
    assert snapshots(db) == [f"games-{number:06d}.duckdb" for number in (3, 4, 5)]
    kept = [name.replace("duckdb", end) for name in snapshots(db) for end in ("duckdb", "seal")]
    assert sorted(path.name for path in db.iterdir()) == ["CURRENT", "LOCK", *kept]


def test_a_second_load_waits_for_the_first(db: Path, log: Path) -> None:
    waits = threading.Event()
    reports: list[LoadReport] = []

    def told(progress: Progress) -> None:
        if progress.stage == Stage.WAITING:
            waits.set()

    def load() -> None:
        reports.append(ingest.load(log, db=db, on_progress=told))

    second = threading.Thread(target=load)
    with publishing.writing(db, wait=0):
        second.start()
        assert waits.wait(120)
        assert not reports
    second.join()
    assert reports[0].published


def test_what_is_no_warehouse_of_this_version_is_left_alone(db: Path, log: Path) -> None:
    with pytest.raises(WarehouseError, match="cannot be written"):
        ingest.load(log, db=log)
    # The draft of an empty folder has every table.
    with publishing.writing(db, wait=0), publishing.draft(db):
        pass
    assert (count(db, "hands"), content(db)) == (0, content(db))
    with publishing.writing(db, wait=0), publishing.draft(db) as connection:
        connection.execute("UPDATE warehouse SET schema_version = 99")
    files = snapshots(db)
    with pytest.raises(WarehouseError, match="another version"):
        ingest.load(log, db=db)
    assert snapshots(db) == files


def test_a_stored_hand_without_a_record_stops_a_load_of_its_game(tmp_path: Path, db: Path) -> None:
    # A hand is missing, so that the game is gone through from its beginning.
    first, second, _, *rest = generated("pedro", 1)
    ingest.load(write_hands(tmp_path / "a.jsonl", [first, second]), db=db)
    alter(db, "UPDATE hands SET deal = 'x' WHERE hand_id = 'pedro-5-1-1'")
    reseal(db)
    before = content(db)
    with pytest.raises(WarehouseError, match=r"makes no record .* tricklog db rebuild"):
        ingest.load(write_hands(tmp_path / "b.jsonl", rest), db=db)
    assert content(db) == before
    with open_snapshot(db) as connection:
        assert hand(connection, second.id) == second
        with pytest.raises(RecordError, match=first.id):
            hand(connection, first.id)


def test_imports_say_what_each_load_did(tmp_path: Path, db: Path, log: Path) -> None:
    ingest.load(log, db=db)
    more = write_lines(tmp_path / "more.jsonl", [SOUND_LINE, b"oops", b""])
    ingest.load(log, more, db=db)
    stored = len(generated("pedro"))
    assert rows(db, "SELECT * EXCLUDE (loaded_at, tricklog) FROM imports ORDER BY 1") == [
        (1, [str(log)], stored, stored, 0, 0, 0),
        (2, [str(log), str(more)], stored + 3, 1, stored, 1, 1),
    ]
    by_import = "SELECT import_id, count(*) FROM hands GROUP BY 1 ORDER BY 1"
    assert rows(db, by_import) == [(1, stored), (2, 1)]


def test_games_and_players_follow_from_the_hands(tmp_path: Path, db: Path) -> None:
    hands = list(generated("pedro", 1))
    named = [
        replace(hand, players=[replace(hand.players[0], name=name), *hand.players[1:]])
        for hand, name in zip(hands, ["Zoe"] * (len(hands) - 1) + ["Ann"], strict=True)
    ]
    del named[2]
    ingest.load(write_hands(tmp_path / "log.jsonl", named), db=db)
    last = hands[-1]
    assert last.claimed
    assert rows(db, "SELECT game, hands, missing, scores, winner_side IN (0, 1) FROM games") == [
        (last.game, len(named), 1, last.claimed.scores, True)
    ]
    query = "SELECT name, aliases, kind, hands FROM players WHERE player = ?"
    assert rows(db, query, hands[0].players[0].id) == [("Ann", ["Ann", "Zoe"], "bot", len(named))]


def test_of_a_player_with_many_names_the_first_hundred_are_kept(tmp_path: Path, db: Path) -> None:
    (hand,) = itertools.islice(generated("pedro", 1), 1)
    names = [f"name {number:03}" for number in range(150)]
    named = [
        replace(hand, id=name, game=name, players=[Player("ann", name), *hand.players[1:]])
        for name in reversed(names)
    ]
    ingest.load(write_hands(tmp_path / "first.jsonl", named[:75]), db=db)
    ingest.load(write_hands(tmp_path / "second.jsonl", named[75:]), db=db)
    assert rows(db, "SELECT aliases FROM players WHERE player = 'ann'") == [(names[:100],)]


# --- How long it will take
@pytest.mark.parametrize(
    ("is_bulk", "facts"), some([(True, True), (True, False), (False, False), (False, True)], 2)
)
def test_the_share_grows_from_stage_to_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_bulk: bool, facts: bool
) -> None:
    monkeypatch.setattr(library, "is_there", lambda: is_bulk)
    monkeypatch.setattr(report, "REPORT_EVERY", 1)
    monkeypatch.setattr(files, "WORTH_MAKING", 1)
    chance = random.Random(3)
    hands = [*generated("pedro", 1), *(broken(hand, chance) for hand in generated("pidro", 1))]
    told: list[Progress] = []
    log = write_hands(tmp_path / "log.jsonl", hands)
    ingest.load(log, db=tmp_path / "db", on_progress=told.append, facts=facts)
    shares = [each.share for each in told if each.share is not None]
    assert all(one <= other for one, other in pairwise(shares))
    stages = list(dict.fromkeys(each.stage for each in told))
    assert (Stage.DERIVING in stages) == facts
    assert (Stage.STORING in stages) == is_bulk
    assert shares[-1] == 1
    assert all(share < 1 for share in shares[:-1])
    # A load that brings nothing is done at the end, too.
    told.clear()
    ingest.load(log, db=tmp_path / "db", on_progress=told.append)
    assert told[-1].share == 1


def test_what_nobody_knows_is_not_foretold_and_hands_replayed_later_weigh_more() -> None:
    # Of a pipe nobody knows how much is read, and before the first hand what it will take.
    fast, slow, first = Forecast(valid=100), Forecast(careful=100), Forecast()
    assert fast.share_reading(1_000, None) is None
    assert fast.share_storing() is not None
    shares = first.share_reading(0, 1_000), first.share_storing()
    assert (*shares, first.share_replaying(0), first.share_deriving(0, 0)) == (None,) * 4
    half_fast, half_slow = (each.share_reading(50, 100) for each in (fast, slow))
    assert half_fast is not None
    assert half_slow is not None
    assert half_fast > half_slow


# --- Without writing
def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def six() -> list[Hand]:
    return first_hands("pedro", 6)


def test_a_dry_run_tells_what_the_load_then_does(tmp_path: Path, db: Path) -> None:
    load(write_log(tmp_path / "first.jsonl", *six()[:3]), db=db)
    moved, other = moved_on(six()[4]), replace(six()[0], dealer=3 - six()[0].dealt_by)
    hands = (*six()[1:4], moved, other, with_revoke()[0])
    log = write_log(tmp_path / "second.jsonl", *hands, SOUND_LINE, b"oops", b"")
    before = files_in(db)
    told = load(log, db=db, dry_run=True)
    assert files_in(db) == before
    assert not told.published
    assert (told.lines, told.accepted, told.duplicate, told.quarantined) == (9, 4, 2, 2)
    done = load(log, db=db)
    assert done.published
    for name in ("lines", "accepted", "duplicate", "quarantined", "blank", "verdicts", "findings"):
        assert getattr(told, name) == getattr(done, name), name


def test_a_dry_run_needs_room(tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(write_log(tmp_path / "first.jsonl", *six()[:3]), db=db)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tricklog.ingest.store.disk.copy", full)
    with pytest.raises(StorageError, match="Temporary files cannot be written"):
        load(write_log(tmp_path / "log.jsonl", *six()), db=db, dry_run=True)


def test_a_dry_run_makes_no_folder_and_tells_all_as_objects(tmp_path: Path, db: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", *six(), b"oops", *[b""] * 200)
    report = load(log, db=db, dry_run=True)
    assert (report.accepted, report.snapshot) == (len(six()), None)
    command = ["load", str(log), "--db", str(db), "--dry-run"]
    ran = run_here([*command, "--json", "--progress"], tmp_path)
    assert ran.status == 3
    counts = json.loads(ran.out)
    assert (counts["accepted"], counts["snapshot"]) == (len(six()), None)
    told = [json.loads(line) for line in ran.err.splitlines() if line.startswith("{")]
    assert [each["code"] for each in told if "code" in each] == ["not-json"]
    stages = [each for each in told if "stage" in each]
    assert {"stage", "lines", "hands", "findings", "done", "total", "share"} == set(stages[0])
    for lines, status in (([b"oops"], 3), ([], 0)):
        write_log(log, *six(), *lines)
        ran = run_here(command, tmp_path)
        assert ran.status == status
        assert "this was a dry run" in " ".join(ran.out.split())
    assert not db.exists()
