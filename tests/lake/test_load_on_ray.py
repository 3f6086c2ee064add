"""A load on a cluster gives what a load on one machine gives, though a node is lost meanwhile."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import ingest
from ingest import warehouses
from ingest.lake.engines import engine_of
from ingest.lake.load import How, load
from ingest.lake.storage import storage_of
from ingest.store.warehouse import checksum, open_snapshot
from tests.conftest import REPOSITORY
from tests.kit.dirty_logs import write_dirty_logs
from tests.kit.lake_loads import content
from tests.kit.ray_cluster import RayCluster, two_nodes

pytestmark = [pytest.mark.posix, pytest.mark.ray]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with two_nodes() as cluster, pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.environment.items():
            patch.setenv(name, value)
        yield cluster


def test_a_load_from_outside_the_cluster(tmp_path: Path, cluster: RayCluster) -> None:
    log = REPOSITORY / "sample_logs" / "valid" / "sancho" / "three-games.jsonl"
    there = warehouses.load(log, db=f"lake:{tmp_path / 'lake'}", on=cluster.client_address)
    here = ingest.load(log, db=tmp_path / "folder")
    assert there.accepted == here.accepted > 20
    with open_snapshot(tmp_path / "folder") as connection:
        assert content(f"lake:{tmp_path / 'lake'}") == checksum(connection)


def test_a_load_that_loses_a_worker_and_a_node(tmp_path: Path, cluster: RayCluster) -> None:
    samples = sorted((REPOSITORY / "sample_logs" / "valid").rglob("three-games.jsonl"))
    lines = [line for path in samples for line in path.read_bytes().splitlines()]
    logs = write_dirty_logs(lines, tmp_path / "logs", files=6, share=0.02)
    here = ingest.load(*logs, db=tmp_path / "folder")
    lake = f"lake:{tmp_path / 'lake'}"

    def disturb() -> None:
        cluster.kill_worker()
        cluster.kill_worker("second")
        cluster.kill_node()

    disturbing = threading.Thread(target=disturb)
    with engine_of(cluster.address) as engine:
        disturbing.start()
        there = load(logs, storage_of(lake), engine, how=How(buckets=6))
    disturbing.join()
    assert (there.accepted, there.duplicate, there.quarantined, there.findings) == (
        here.accepted,
        here.duplicate,
        here.quarantined,
        here.findings,
    )
    with open_snapshot(tmp_path / "folder") as connection:
        assert content(lake) == checksum(connection)
