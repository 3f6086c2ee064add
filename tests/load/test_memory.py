"""Logs made to fill memory: whatever they say, loading and auditing them takes less than 1 GB.

Some logs are smaller here, with a part of the memory for DuckDB. ``python -m tests.long.memory``
takes logs of the size at which memory would fill.
"""

import itertools
import os
import socket
import sys
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from msgspec.structs import replace

import ingest
from ingest.loading import auditing
from ingest.reading import intake
from ingest.reading.progress import ByteCounter
from ingest.reading.reader import LogLine, read_blocks
from ingest.reading.rejects import RejectCode
from ingest.reading.sources import LocalPath, Source
from ingest.store import warehouse
from replay import RulesetError, generate, load_rules_file
from replay.rulesets.bounded import BoundedCache
from replay.rulesets.ruleset import KEPT, _resolved, ruleset_of
from schemas.hand import encode_hand
from tests.kit.built import build_elsewhere
from tests.kit.filling_logs import (
    among_strangers,
    compressed,
    in_one_game,
    under_long_rules,
    under_own_rules,
    unreadable,
    with_long_extras,
    with_long_titles,
    with_many_actions,
    with_names_of_their_own,
)
from tests.kit.log_lines import SOUND_LINE
from tests.kit.measured_loading import Measured, run_measured

MEBIBYTE: Final = 1 << 20
GIGABYTE: Final = 10**9
LONG: Final = 60
"""Texts of each kind that do not compress: 54 MB."""
SHARE: Final = 8
LITTLE: Final = GIGABYTE * 7 // 10

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as on Linux"),
]


@pytest.fixture(scope="module")
def built() -> None:
    """Compile the driver, if nobody has, once for all processes of the test run."""
    build_elsewhere()


def check(measured: Measured, accepted: int, most: int = GIGABYTE) -> None:
    assert (measured.accepted, measured.quarantined) == (accepted, 0)
    assert measured.memory < most


UNDER_LONG_RULES: Final = {"fast": (150, 620), "careful": (60, 500), "audit": (60, 240)}
"""By lane: hands under rules of 0.9 MB each, and what they may take in MB."""


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("lane", UNDER_LONG_RULES)
def test_long_rules_do_not_add_up(lane: str, tmp_path: Path) -> None:
    count, most = UNDER_LONG_RULES[lane]
    log = compressed(tmp_path / "log.jsonl.gz", with_names_of_their_own(under_long_rules(count)))
    assert log.stat().st_size < count * MEBIBYTE // 60
    check(run_measured(lane, log, share=SHARE), count, most * 10**6)


@pytest.mark.usefixtures("built")
def test_rules_of_their_own_do_not_add_up(tmp_path: Path) -> None:
    log = compressed(tmp_path / "log.jsonl.gz", with_names_of_their_own(under_own_rules(4_000)))
    check(run_measured("fast", log, share=2), 4_000, LITTLE)


@pytest.fixture(scope="module")
def long_lines() -> list[bytes]:
    hands = [*with_long_extras(LONG), *with_long_titles(LONG // 4)]
    lines = [encode_hand(hand) for hand in with_names_of_their_own(hands)]
    return [line + b"\n" for line in (*lines, *unreadable(LONG))]


@pytest.fixture(scope="module")
def long_db(
    tmp_path_factory: pytest.TempPathFactory, built: None, long_lines: list[bytes]
) -> tuple[Path, Measured]:
    """A warehouse of long texts, and what making it took."""
    assert built is None
    folder = tmp_path_factory.mktemp("long")
    log = folder / "log.jsonl"
    log.write_bytes(b"".join(long_lines))
    return folder / "db", run_measured("fast", log, db=folder / "db", share=SHARE)


def check_long(measured: Measured, most: int) -> None:
    hands = LONG + LONG // 4
    assert (measured.accepted, measured.quarantined) == (hands, LONG)
    assert measured.memory < most * 10**6


def test_long_texts_do_not_add_up_in_the_fast_lane(long_db: tuple[Path, Measured]) -> None:
    check_long(long_db[1], 660)


@pytest.mark.parametrize(("lane", "most"), [("careful", 510), ("audit", 250)])
def test_long_texts_do_not_add_up(lane: str, most: int, long_lines: list[bytes]) -> None:
    check_long(run_measured(lane, "-", content=long_lines, share=SHARE), most)


READERS: Final = {"rejects": 300, "stats": 250, "rebuild": 670}
"""What each may take in MB. The last also replays the hands, in the fast lane, as ``verify`` does,
which ``python -m tests.long.memory`` measures."""


@pytest.mark.parametrize("reader", READERS)
def test_long_texts_are_read_a_few_at_a_time(reader: str, long_db: tuple[Path, Measured]) -> None:
    measured = run_measured(reader, db=long_db[0], share=SHARE)
    expected = {"rejects": (0, LONG)}.get(reader, (LONG + LONG // 4, 0))
    assert (measured.accepted, measured.quarantined) == expected
    assert measured.memory < READERS[reader] * 10**6


def test_actions_do_not_add_up(tmp_path: Path) -> None:
    log = compressed(tmp_path / "log.jsonl.gz", with_names_of_their_own(with_many_actions(400)))
    check(run_measured("careful", log, share=SHARE), 400, GIGABYTE * 35 // 100)


@pytest.mark.usefixtures("built")
def test_players_do_not_add_up(tmp_path: Path) -> None:
    log = compressed(tmp_path / "log.jsonl.gz", with_names_of_their_own(among_strangers(6_000)))
    check(run_measured("fast", log, share=2), 6_000, GIGABYTE * 3 // 4)


@pytest.mark.parametrize(("lane", "most"), [("careful", 260), ("audit", 140)])
def test_a_game_may_have_any_number_of_hands(lane: str, most: int, tmp_path: Path) -> None:
    log = compressed(tmp_path / "log.jsonl.gz", in_one_game(1_500))
    check(run_measured(lane, log), 1_500, most * 10**6)


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("lane", ["fast", "audit"])
def test_a_device_that_never_ends_is_given_up(lane: str) -> None:
    measured = run_measured(lane, "/dev/zero")
    assert measured.codes == ["endless-line"]
    assert measured.quarantined == 1
    assert measured.memory < GIGABYTE // 2


def test_a_pipe_that_never_ends_its_line_is_given_up() -> None:
    pieces = itertools.repeat(b"x" * MEBIBYTE, 4_000)
    content = itertools.chain([SOUND_LINE, b"\n"], pieces)
    measured = run_measured("careful", "-", content=content)
    assert (measured.accepted, measured.codes) == (1, ["endless-line"])
    assert measured.memory < GIGABYTE // 2


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(("lane", "most"), [("fast", 450), ("careful", 200)])
def test_blank_lines_take_no_memory(lane: str, most: int) -> None:
    measured = run_measured(lane, "-", content=itertools.repeat(b"\n" * (MEBIBYTE // 2), 2))
    assert measured.blank == MEBIBYTE
    assert measured.memory < most * 10**6


# --- How


def test_a_cache_is_bounded_by_bytes() -> None:
    cache = BoundedCache[str, int](100)
    for number in range(10):
        cache.keep(str(number), number, 30)
        assert cache.get("0") == 0
    assert (len(cache), cache.size) == (3, 90)
    assert [cache.get(key) for key in "0789"] == [0, None, 8, 9]
    cache.keep("9", 10, 5)
    assert (cache.get("9"), cache.size) == (10, 65)
    cache.keep("long", 1, 101)
    assert cache.get("long") is None
    cache.clear()
    assert (len(cache), cache.size) == (0, 0)


def test_rules_of_logs_are_remembered_up_to_so_many_bytes() -> None:
    for hand in islice(under_long_rules(20), 20):
        assert ruleset_of(hand) is ruleset_of(hand)
        assert _resolved.size <= KEPT
    assert len(_resolved) < 20


def test_a_long_game_is_checked_like_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = list(islice(generate("pidro", 2, seed=3), 14))
    shuffled = [replace(hand, game="game") for hand in hands[::2] + hands[1::2]]
    shuffled[3] = replace(shuffled[3], dealer=(shuffled[3].dealt_by + 1) % 4)
    shuffled.append(replace(shuffled[0], id="again"))
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in shuffled))

    def told() -> list[tuple[object, ...]]:
        found = [(item.line.line, item.game_findings, item.findings) for item in ingest.audit(log)]
        ingest.load(log, db=tmp_path / str(intake.LONG_GAME))
        with warehouse.open_snapshot(tmp_path / str(intake.LONG_GAME)) as connection:
            return [*found, (warehouse.checksum(connection),)]

    short = told()
    assert sum(bool(found[1]) for found in short[:-1]) > 3
    monkeypatch.setattr(intake, "LONG_GAME", 1_000)
    with intake.Intake() as one:
        for item in ingest.read(log):
            assert item.hand
            one.enter(item, intake.entry_of(item, item.hand))
        assert [type(game) for game in one.games()] == [intake.LongGame]
        assert len(list(auditing.judged_hands(one))) == len(shuffled)
    assert told() == short


# --- What is no file


def test_what_is_no_file_in_a_folder_is_passed_over_and_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(SOUND_LINE + b"\n")
    os.mkfifo(tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "d.jsonl.gz"))
        hand, *others = ingest.read(tmp_path)
    assert hand.hand
    rejects = [item.reject for item in others if item.reject]
    assert {reject.code for reject in rejects} == {RejectCode.NOT_A_FILE}
    words = [reject.message.split(" is ")[1] for reject in rejects]
    assert [each.split(",")[0] for each in words] == ["a pipe", "a device", "a socket"]


def test_a_pipe_that_is_named_is_read_as_a_stream(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=(tmp_path / "pipe").write_bytes, args=[SOUND_LINE + b"\n"])
    writer.start()
    (item,) = ingest.read(tmp_path / "pipe")
    writer.join()
    assert item.hand


def test_a_socket_that_is_named_is_read_as_a_stream(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.listen()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(SOUND_LINE + b"\n" + SOUND_LINE)

        writer = Thread(target=answer)
        writer.start()
        first, second = ingest.read(tmp_path / "socket")
        writer.join()
    assert first.hand == second.hand
    assert first.hand


def test_a_socket_on_which_no_program_listens_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        (item,) = ingest.read(path)
        (same,) = read_blocks(Source(str(path), LocalPath(path)), ByteCounter(), MEBIBYTE)
    assert isinstance(same, LogLine)
    assert item.reject
    assert item.reject == same.reject
    assert item.reject.code is RejectCode.UNREADABLE_FILE
    assert item.reject.message == f"{path} is a socket on which no program listens."
    assert item.reject.hint == "Start the program that writes the log, then do the same again."


# --- Rules files


@pytest.mark.parametrize(
    ("content", "excess"),
    [
        ("x = " + "[" * 20_000 + "]" * 20_000, "16 deep"),
        ("x = " + "{a=" * 1_000 + "1" + "}" * 1_000, "16 deep"),
        (".".join(["a"] * 20_000) + " = 1", "16 deep"),
        ("x = " + "9" * 5_000, "40 digits"),
        ("x = 0x" + "f" * 5_000, "40 digits"),
        ("\n".join(f"k{number} = 1" for number in range(50_000)), "65,536 bytes"),
    ],
)
def test_rules_files_that_are_too_much_are_refused(
    content: str, excess: str, tmp_path: Path
) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(content)
    with pytest.raises(RulesetError, match=excess):
        load_rules_file(path)


def test_a_device_is_no_rules_file() -> None:
    with pytest.raises(RulesetError, match="65,536 bytes"):
        load_rules_file(Path("/dev/zero"))


def test_texts_and_comments_of_a_rules_file_may_hold_brackets_and_digits(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    many = "[{." * 30 + "9" * 100
    path.write_text(f'# {many}\nextends = \'pedro\'\ntitle = "{many} \\" {many}"\n')
    assert load_rules_file(path).title == f'{many} " {many}'
