"""Many people at the pages of a large warehouse at once, while a log is loaded into it."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.browser import REPOSITORY, memory_of
from benchmarks.hands import kept_log
from benchmarks.harness import Budget
from benchmarks.loading import budget_table
from tests.kit.browsing import started
from tricklog.ingest.metrics import DIMENSION, listings
from tricklog.ingest.warehouses import load, open_facts

PEOPLE: Final = 30
LOADED: Final = 20_000
"""How many hands, the last ones of the log, are loaded meanwhile."""
THINKING: Final = 4.0
"""Seconds that somebody looks at a page before the next, on the average."""
PAGES: Final = ("", "bids", "capture", "players", "variants", "hands", "games", "evenings")
PATIENCE: Final = 120.0
_BEGINS_OVER: Final = ForwardMsg.FINISHED_EARLY_FOR_RERUN


def visit(hands: int, rounds: int, variant: str) -> list[str]:
    """Load a log, and let everybody look at ``rounds`` times eight pages of it."""
    assert hands > LOADED, f"more than {LOADED:,} hands are needed: the last ones come meanwhile"
    with tempfile.TemporaryDirectory() as folder:
        db, old, new = (Path(folder) / name for name in ("db", "old.jsonl", "new.jsonl"))
        with kept_log(variant, hands).open("rb") as log, old.open("wb") as head:
            head.writelines(islice(log, hands - LOADED))
            new.write_bytes(log.read())
        load(old, db=db)
        with open_facts(db) as facts:
            players = [str(each) for each in listings.values(facts, DIMENSION["player"], 200)]
        with started(db, Path(folder), REPOSITORY) as (address, process):
            stream = f"{address.replace('http', 'ws')}/_stcore/stream"
            first = next(_pages(stream, address, random.Random(0), players))
            before = _open_files(process.pid)
            loading = subprocess.Popen(
                [
                    *(sys.executable, "-m", "tricklog", "load"),
                    *(str(new), "--db", str(db)),
                ],
                cwd=REPOSITORY,
                stdout=subprocess.DEVNULL,
            )
            with ThreadPoolExecutor(PEOPLE) as people:
                visits = [
                    people.submit(_look, stream, address, number, rounds, players)
                    for number in range(PEOPLE)
                ]
                time.sleep(THINKING)
                opened = (_open_files(process.pid) - before) / PEOPLE
                times = sorted(each for visit in visits for each in visit.result())
            assert loading.wait() <= 1
            memory = memory_of(process.pid)
    late = statistics.quantiles(times, n=20)[-1]
    return [
        "",
        (
            f"{hands:,} hands of {variant}; {PEOPLE} people look at {rounds * len(PAGES)} pages "
            f"each, half of them with a filter, {THINKING:g} s apart, while {LOADED:,} hands are "
            "loaded. A time ends when the server has sent the whole page."
        ),
        "",
        "| what | measured |",
        "|---|---|",
        f"| the first page of the server | {first:.2f} s |",
        f"| half of {len(times):,} pages | {statistics.median(times):.2f} s |",
        f"| the longest | {times[-1]:.2f} s |",
        f"| files the server has open for one person | {opened:.1f} |",
        f"| memory of the server afterwards | {memory} MB |",
        "",
        *budget_table([Budget("95 % of the pages", late, 2, "s")]),
    ]


def _look(stream: str, origin: str, number: int, rounds: int, players: list[str]) -> list[float]:
    """Return how long each page took that one person looked at."""
    dice = random.Random(number)
    times = []
    with closing(_pages(stream, origin, dice, players)) as pages:
        for _ in range(rounds * len(PAGES)):
            time.sleep(dice.expovariate(1 / THINKING))
            times.append(next(pages))
    return times


def _pages(stream: str, origin: str, dice: random.Random, players: list[str]) -> Generator[float]:
    """Ask for pages as a browser does, in one session, and yield the seconds of each.

    Raises ``AssertionError`` where a page ends with an exception.
    """
    with connect(
        stream, origin=Origin(origin), subprotocols=[Subprotocol("streamlit")], max_size=None
    ) as socket:
        for turn in count():
            path = PAGES[turn % len(PAGES)]
            asked = BackMsg()
            asked.rerun_script.page_name = path
            asked.rerun_script.page_script_hash = ""
            if turn % 2:
                asked.rerun_script.query_string = f"player={dice.choice(players)}"
            begun = time.perf_counter()
            socket.send(asked.SerializeToString())
            _await_page(socket)
            yield time.perf_counter() - begun


def _await_page(socket: ClientConnection) -> None:
    while True:
        told = ForwardMsg.FromString(socket.recv(timeout=PATIENCE, decode=False))
        kind = told.WhichOneof("type")
        assert kind != "delta" or not told.delta.new_element.HasField("exception"), told
        # A page that begins over ends early, and another run comes.
        if kind == "script_finished" and told.script_finished != _BEGINS_OVER:
            return


def _open_files(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))
