"""By how much contracts were made or set, counted again in Python from the replays."""

from collections import Counter
from collections.abc import Iterator

import polars as pl
import pytest
from duckdb import DuckDBPyConnection

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import margins, measure
from ingest.metrics.filters import Filters
from replay import Verdict, replay
from tests.kit.log_lines import generated, write_hands
from tests.kit.played_once import played
from tests.kit.recount import seat_rows

HANDS = (*generated("pedro", games=10), *played("sancho", 2, 2, players=5))
REPLAYS = [item for item in map(replay, HANDS) if item.verdict is Verdict.VALID]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("margins")
    ingest.load(write_hands(folder / "log.jsonl", HANDS), db=folder / "db")
    with open_facts(folder / "db") as connection:
        yield connection


def due() -> Counter[tuple[str, str, int, str]]:
    """How many contracts that were chosen ended so, by table, margin and result."""
    return Counter(
        (row["variant"], row["seating"], row["maker_points"] - row["need"], row["result"])
        for item in REPLAYS
        for row in seat_rows(item)
        if row["role"] == "maker" and row["result"] in ("made", "set") and not row["forced"]
    )


def test_every_contract_is_at_its_margin(facts: DuckDBPyConnection) -> None:
    found = margins.margins(facts)
    assert {row[:4]: row[4] for row in found.rows()} == due()
    assert found["variant"].unique(maintain_order=True).to_list() == ["pedro", "sancho"]
    assert found.filter(pl.col("variant") == "pedro")["margin"].is_sorted()


def test_set_by_exactly_one_is_a_share_of_the_same_contracts(facts: DuckDBPyConnection) -> None:
    found = margins.by_one(facts, minimum=1)
    for variant, seating, n, hits in found.select("variant", "seating", "n", "hits").rows():
        contracts = {key: n for key, n in due().items() if key[:2] == (variant, seating)}
        assert n == sum(contracts.values())
        assert hits == contracts.get((variant, seating, -1, "set"), 0)
    (pedro,) = found.filter(pl.col("variant") == "pedro").iter_rows(named=True)
    assert 0 < pedro["low"] < pedro["value"] < pedro["high"]
    here = Filters.of({"variant": "pedro", "margin": "-1", "result": "set"})
    assert measure(facts, margins.METRIC, (), here)["n"].item() == pedro["hits"] > 0


def test_nothing_comes_of_no_contract(facts: DuckDBPyConnection) -> None:
    assert margins.margins(facts, Filters.of({"player": "nobody"})).is_empty()
    assert margins.by_one(facts, Filters.of({"player": "nobody"})).is_empty()
