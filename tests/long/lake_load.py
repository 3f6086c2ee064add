"""A long run of loads into a lake: on processes, on a cluster that loses parts, killed, split.

    python -m tests.long.lake_load [--hands 300000] [--kills 60] [--on-store 20] [--splits 12]

Writes logs of all systems in which everything goes wrong now and then, and loads them into a folder
and into lakes. Checksum and counts must be equal: with two processes; on a cluster of two nodes of
this machine, where six workers are killed and then a node; when loads are killed at every point
they have and at random times, on a folder and on an object store, where what was killed is loaded
again and then adds nothing; and when logs are divided among three loads in any order and into any
number of buckets, and the lake is tidied. Prints what it found; exit status 1 when anything was
wrong.
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import ingest
from benchmarks.hands import MIXED, write_log
from ingest.lake import upkeep
from ingest.lake.engines import Here, engine_of
from ingest.lake.load import How, load
from ingest.lake.storage import storage_of
from ingest.loading.report import LoadReport
from ingest.store.warehouse import checksum, open_snapshot
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.lake_loads import POINTS, LoadKiller, content
from tests.kit.object_store import BUCKET, MISSING, PROGRAM, running_store
from tests.kit.ray_cluster import RayCluster, two_nodes

FILES = 24
WORKERS_KILLED = 6
OF_KILLS = 3_000
"""Hands of the logs with which loads are killed."""
SAID = ("lines", "accepted", "duplicate", "quarantined", "blank", "verdicts", "findings")


class Proofs:
    """What was compared, and what differed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wrong = 0

    def compare(self, what: str, report: LoadReport, seconds: float, lake: str) -> None:
        """Compare a load into a lake with that into the folder."""
        problems = [name for name in SAID if getattr(report, name) != getattr(self.expected, name)]
        if content(lake) != self.checksum:
            problems.append("checksum")
        self.note(what, problems, seconds)

    def expect(self, logs: list[Path]) -> None:
        """Load logs into a folder, as what everything is compared with."""
        begun = time.perf_counter()
        self.expected = ingest.load(*logs, db=self.folder / "folder")
        seconds = time.perf_counter() - begun
        with open_snapshot(self.folder / "folder") as connection:
            self.checksum = checksum(connection)
        print(f"folder, {seconds:.0f} s: {self.expected.accepted:,} hands, {self.checksum}")

    def note(self, what: str, problems: list[str], seconds: float) -> None:
        """Print what came of something."""
        self.wrong += len(problems)
        print(f"{what}, {seconds:.0f} s: {problems or 'equal'}", flush=True)


def on_processes(proofs: Proofs, logs: list[Path]) -> None:
    """Load with two processes."""
    lake = f"lake:{proofs.folder / 'processes'}"
    with engine_of("processes=2") as engine:
        begun = time.perf_counter()
        report = load(logs, storage_of(lake), engine)
    proofs.compare("two processes", report, time.perf_counter() - begun, lake)


def on_cluster(proofs: Proofs, logs: list[Path]) -> None:
    """Load on a cluster from which workers and a node are taken."""
    with two_nodes() as cluster:
        os.environ.update(cluster.environment)
        for name, disturb in (
            ("a cluster of two nodes", lambda _: None),
            (f"the same, {WORKERS_KILLED} workers killed", kill_workers),
            ("the same, a node killed", kill_node),
        ):
            lake = f"lake:{proofs.folder / name.replace(' ', '-').replace(',', '')}"
            disturbing = threading.Thread(target=disturb, args=[cluster], daemon=True)
            with engine_of(cluster.address) as engine:
                disturbing.start()
                begun = time.perf_counter()
                report = load(logs, storage_of(lake), engine, how=How(buckets=6))
                seconds = time.perf_counter() - begun
            disturbing.join()
            proofs.compare(name, report, seconds, lake)
        for name in cluster.environment:
            del os.environ[name]


def kill_workers(cluster: RayCluster) -> None:
    """Kill workers one after the other, as long as there are tasks."""
    with suppress(AssertionError):
        for _ in range(WORKERS_KILLED):
            cluster.kill_worker()
            time.sleep(2)


def kill_node(cluster: RayCluster) -> None:
    """Kill the second node while it does a task."""
    cluster.kill_worker("second")
    cluster.kill_node()


def killed(proofs: Proofs, base: str, kills: int, logs: list[Path], dice: random.Random) -> None:
    """Kill loads at every point and at any time."""
    begun = time.perf_counter()
    killer = LoadKiller(base, logs, proofs.folder / f"compared-{kills}")
    points = [*POINTS[:kills], *["any time"] * max(0, kills - len(POINTS))]
    for point in points:
        killer.kill(point, dice)
        print(f"{base} {point}: {len(killer.failures)} wrong", file=sys.stderr, flush=True)
    print(f"{base.partition(':')[0]}, {time.perf_counter() - begun:.0f} s: {killer.report()}")
    proofs.wrong += len(killer.failures)


def split_up(proofs: Proofs, lines: list[bytes], splits: int, dice: random.Random) -> None:
    """Load three parts of a log in any order, into any number of buckets, and tidy now and then."""
    begun = time.perf_counter()
    whole = proofs.folder / "whole.jsonl"
    whole.write_bytes(b"\n".join(lines) + b"\n")
    ingest.load(whole, db=proofs.folder / "whole")
    with open_snapshot(proofs.folder / "whole") as connection:
        expected = checksum(connection)
    problems = []
    for number in range(splits):
        storage = storage_of(f"lake:{proofs.folder / f'split-{number}'}")
        parts: list[list[bytes]] = [[], [], []]
        for line in lines:
            dice.choice(parts).append(line)
        buckets = [dice.randint(1, 5) for _ in parts]
        for place, part in enumerate(parts):
            log = proofs.folder / f"part-{place}.jsonl"
            log.write_bytes(b"\n".join(part) + b"\n")
            load([log], storage, Here(), how=How(buckets=buckets[place]))
            if dice.random() < 1 / 2:
                upkeep.tidy(storage, keep=0)
        if content(str(storage)) != expected:
            problems.append(f"split {number} into buckets {buckets}")
        storage.delete_folder("")
    proofs.note(f"{splits} splits into three loads", problems, time.perf_counter() - begun)


def main() -> None:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=300_000)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--on-store", type=int, default=20)
    parser.add_argument("--splits", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        proofs = Proofs(folder)
        if given.hands:
            write_log(folder / "mixed.jsonl", MIXED, given.hands)
            lines = (folder / "mixed.jsonl").read_bytes().splitlines()
            logs = write_dirty_logs(lines, folder / "logs", FILES)
            proofs.expect(logs)
            on_processes(proofs, logs)
            on_cluster(proofs, logs)
        write_log(folder / "few.jsonl", MIXED, OF_KILLS)
        few = (folder / "few.jsonl").read_bytes().splitlines()
        split_up(proofs, few, given.splits, dice)
        logs = write_dirty_logs(few, folder / "few", 6, share=0.01)
        killed(proofs, f"lake:{folder / 'killed'}", given.kills, logs, dice)
        if given.on_store:
            if not PROGRAM.exists():
                sys.exit(MISSING)
            with running_store() as store:
                os.environ.update(store.environment)
                killed(proofs, f"s3://{BUCKET}/killed", given.on_store, logs, dice)
    sys.exit(proofs.wrong > 0)


if __name__ == "__main__":
    main()
