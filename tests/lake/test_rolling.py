"""A lake with a roll-up answers as one without, whatever loads add to it."""

from pathlib import Path

import pytest

from tests.kit.rolled_facts import mixed_warehouse
from tests.kit.tiers import is_thorough
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.lake import reading, rolling, upkeep
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import How, load
from tricklog.ingest.lake.publish import Lake
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.metrics import METRIC, FigureError, measure
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.rolled import are_rolled, rolled
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.store.scopes import PEOPLE

BUCKETS = 3 if is_thorough() else 1
FIGURES = (
    ("points-share", ("player", "variant"), EVERYTHING),
    ("made-rate", ("player",), EVERYTHING),
    ("win-rate", ("variant",), Filters(every_verdict=True)),
    ("hands", ("month",), EVERYTHING),
)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse, beside the folder of its logs."""
    return mixed_warehouse(tmp_path_factory.mktemp("mixed"))


def test_a_lake_is_rolled_up_once_it_is_large_and_by_every_load_from_then_on(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = sorted((db.parent / "logs").iterdir())
    storage = storage_of(f"lake:{tmp_path / 'lake'}")
    lake = Lake(storage)
    load(logs[:1], storage, Here(), how=How(buckets=BUCKETS))
    if is_thorough():
        upkeep.tidy(storage, keep=0)
    assert not rolling.is_rolled(lake, lake.current())
    monkeypatch.setattr(rolling, "WORTH_ROLLING", 1)
    upkeep.tidy(storage, keep=0)
    assert rolling.is_rolled(lake, lake.current())
    # The second log goes on with games of the first.
    load(logs[1:], storage, Here(), how=How(buckets=BUCKETS))
    for is_tidied in (False, True)[: 2 if is_thorough() else 1]:
        if is_tidied:
            upkeep.tidy(storage, keep=0)
        with reading.open_facts(lake, lake.opened()) as there, open_facts(db) as here:
            assert are_rolled(there)
            for name, by, filters in FIGURES:
                assert rolled(there, METRIC[name], by, filters) is not None
                found, expected = (
                    measure(each, METRIC[name], by, filters) for each in (there, here)
                )
                assert found.rows() == expected.rows(), (name, by)
            # What takes games apart, or throws together what means something else, is not summed.
            for by in (("opponent",), ("session",), ("player", "day")):
                assert rolled(there, METRIC["points-share"], by, EVERYTHING) is None, by
            with pytest.raises(FigureError, match="mean something else"):
                measure(there, "score-change", ("player",))
            found, expected = (
                standings(each, METRIC["points-share"], "player", EVERYTHING)
                for each in (there, here)
            )
            assert found.equals(expected)


@pytest.mark.thorough("another load; scopes have no roll-up, wherever it comes from")
def test_what_some_people_played_is_not_counted_from_sums_of_all(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rolling, "WORTH_ROLLING", 1)
    storage = storage_of(f"lake:{tmp_path / 'lake'}")
    load([db.parent / "logs"], storage, Here(), how=How(buckets=1))
    upkeep.tidy(storage, keep=0)
    lake = Lake(storage)
    with reading.open_scope(lake, lake.opened(), PEOPLE) as scoped:
        assert not are_rolled(scoped)
