"""Logs made to fill memory: whatever they say, loading and auditing them takes less than 1 GB.

What loads take is measured in the thorough tier. In the first, ``test_bulk.py`` counts how far a
load reads ahead, and ``tests/reading/test_bad_lines.py`` measures what reading takes.
"""

import gzip
import itertools
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from tests.kit import filling_logs
from tests.kit.log_lines import SOUND_LINE, generated, write_hands, write_lines
from tests.kit.measured_loading import run_measured
from tests.kit.stored import content
from tests.kit.waiting import meanwhile
from tricklog import Hand, RejectCode, RulesetError, encode_hand, ingest, load_rules_file, replay
from tricklog.core.rulesets.ruleset import KEPT, BoundedCache, _resolved, ruleset_of
from tricklog.ingest.loading import auditing
from tricklog.ingest.reading import intake
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LogLine, read_blocks
from tricklog.ingest.reading.sources import LocalPath, Source

MEBIBYTE: Final = 1 << 20
LANES: Final = ("fast", "careful", "audit")
READERS: Final = ("rejects", "stats", "verify", "reaudit", "rebuild")
LONG: Final = 200
"""Long texts in a log of the thorough tier: 0.2 GB; ``python -m tests.long.memory`` takes more."""

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as on Linux"),
]

Make = Callable[[int], Iterable[bytes]]


def lines_of(make: Callable[[int], Iterable[Hand]]) -> Make:
    """Have the hands that ``make`` makes as lines, each hand in a game of its own."""
    return lambda count: map(encode_hand, filling_logs.with_names_of_their_own(make(count)))


CASES: Final[dict[str, tuple[Make, float]]] = {
    "extras": (lines_of(filling_logs.with_long_extras), 1),
    "unreadable": (filling_logs.unreadable, 1),
    "titles": (lines_of(filling_logs.with_long_titles), 1),
    "rules that compress": (lines_of(filling_logs.under_long_rules), 1),
    "own rules": (lines_of(filling_logs.under_own_rules), 37.5),
    "strangers": (lines_of(filling_logs.among_strangers), 37.5),
    "actions": (lines_of(filling_logs.with_many_actions), 15),
    "one game": (lambda count: map(encode_hand, filling_logs.in_one_game(count)), 15),
}
"""By name, the lines of a log, and how many of them there are for each long text."""


def each_step(name: str, texts: int, folder: Path) -> Iterator[tuple[str, int]]:
    """Yield every step that is taken with a log, and what its process took at most, in bytes."""
    make, times = CASES[name]
    count = round(texts * times)
    log = folder / "log.jsonl.gz"
    with gzip.open(log, "wb", 1) as file:
        file.writelines(line + b"\n" for line in make(count))
    for step in (*LANES, *READERS):
        paths = [log] if step in LANES else []
        db = "-" if step == "fast" else folder / "db"
        measured = run_measured(step, *paths, db=db)
        assert measured.accepted + measured.quarantined in (count, 0), step
        yield step, measured.memory


@pytest.mark.thorough("logs of 0.2 GB; test_bulk counts blocks, test_bad_lines measures lines")
@pytest.mark.parametrize("name", CASES)
def test_no_log_fills_the_memory_whatever_is_done_with_it(name: str, tmp_path: Path) -> None:
    for step, memory in each_step(name, LONG, tmp_path):
        assert memory < 10**9, (step, memory)


STEPS = {"fast": 660, "careful": 510, "audit": 250, "rejects": 300, "stats": 250, "rebuild": 670}
"""What each may take in MB where DuckDB is allowed an eighth of its memory."""
TEXTS: Final = 60
"""Extras, and lines that cannot be read."""


@pytest.mark.thorough("how far is read ahead is counted in the first tier")
def test_long_texts_do_not_add_up(tmp_path: Path) -> None:
    hands = filling_logs.with_names_of_their_own(
        [*filling_logs.with_long_extras(TEXTS), *filling_logs.with_long_titles(15)]
    )
    lines = [*map(encode_hand, hands), *filling_logs.unreadable(TEXTS)]
    log = write_lines(tmp_path / "log.jsonl", lines)
    for step in (*LANES, "rejects", "stats", "rebuild"):
        db = tmp_path / (step if step in LANES else "fast")
        measured = run_measured(step, *([log] if step in LANES else []), db=db, share=8)
        expected = {"rejects": (0, TEXTS), "stats": (TEXTS + 15, 0), "rebuild": (TEXTS + 15, 0)}
        loaded = TEXTS + 15, TEXTS
        assert (measured.accepted, measured.quarantined) == expected.get(step, loaded), step
        assert measured.memory < STEPS[step] * 10**6, (step, measured.memory)


@pytest.mark.thorough("what cannot be read is skipped in tests/reading/test_bad_lines")
def test_what_never_ends_is_given_up() -> None:
    content = itertools.chain([SOUND_LINE, b"\n"], itertools.repeat(b"x" * MEBIBYTE, 4_000))
    measured = run_measured("careful", "-", content=content)
    assert (measured.accepted, measured.codes) == (1, ["endless-line"])
    assert measured.memory < 10**9 // 2


@pytest.mark.thorough("a process each; blank lines are counted like others")
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


@pytest.mark.thorough("the cache that holds them is tried in the first tier")
def test_rules_of_logs_are_remembered_up_to_so_many_bytes() -> None:
    for hand in islice(filling_logs.under_long_rules(20), 20):
        assert ruleset_of(hand) is ruleset_of(hand)
        assert _resolved.size <= KEPT
    assert len(_resolved) < 20


def test_a_long_game_is_checked_like_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = generated("pidro")[:14]
    shuffled = [replace(hand, game="game") for hand in hands[::2] + hands[1::2]]
    shuffled[3] = replace(shuffled[3], dealer=(shuffled[3].dealt_by + 1) % 4)
    shuffled.append(replace(shuffled[0], id="again"))
    log = write_hands(tmp_path / "log.jsonl", shuffled)

    def told() -> list[tuple[object, ...]]:
        found = [(item.line.line, item.game_findings, item.findings) for item in ingest.audit(log)]
        ingest.load(log, db=tmp_path / str(intake.LONG_GAME))
        return [*found, (content(tmp_path / str(intake.LONG_GAME)),)]

    short = told()
    assert sum(bool(found[1]) for found in short[:-1]) > 3
    monkeypatch.setattr(intake, "LONG_GAME", 1_000)
    with intake.Intake() as one:
        for item in ingest.read(log):
            assert item.hand
            one.enter(item, intake.entry_of(item, item.hand))
        assert [type(game) for game in one.games()] == [intake.LongGame]
        judged = list(auditing.judged_hands(one, lambda spooled: replay(spooled.hand)))
        assert len(judged) == len(shuffled)
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


def test_a_pipe_or_a_socket_that_is_named_is_read_as_a_stream(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with meanwhile(lambda: (tmp_path / "pipe").write_bytes(SOUND_LINE + b"\n")):
        (item,) = ingest.read(tmp_path / "pipe")
    assert item.hand
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.listen()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(SOUND_LINE + b"\n" + SOUND_LINE)

        with meanwhile(answer):
            first, second = ingest.read(tmp_path / "socket")
    assert first.hand == second.hand == item.hand


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
def test_rules_files_that_are_large_are_refused(content: str, excess: str, tmp_path: Path) -> None:
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
