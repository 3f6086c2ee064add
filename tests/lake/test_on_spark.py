"""A session of Spark does the tasks of a lake, where Spark is at hand."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ingest.lake import engines, on_spark
from ingest.lake.engines import ClusterError
from ingest.lake.load import load
from ingest.lake.on_spark import OnSpark
from ingest.lake.storage import storage_of
from tests.conftest import REPOSITORY
from tests.kit import engine_tasks as tasks
from tests.kit.log_lines import generated, write_hands

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")


def test_a_batch_of_requests_becomes_answers() -> None:
    requests = [engines._request(tasks.failing, number) for number in (1, 3)]
    batch = pa.record_batch({"request": requests, "pause": [0.0, 0.0]})
    answers = [answer for (answer,) in map(_answers, on_spark.attempts(iter([batch])))]
    assert engines._outcome(answers[0]) == (None, 1)
    assert str(engines._outcome(answers[1])[0]) == "not 3"


def _answers(batch: pa.RecordBatch) -> list[bytes]:
    answers: list[bytes] = batch.column("answer").to_pylist()
    return answers


# --- With Spark itself, which needs Java


WITH_SPARK = pytest.mark.thorough("Spark, which needs Java")


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    pyspark = pytest.importorskip("pyspark.sql")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(REPOSITORY), prepend=":")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = pyspark.SparkSession.builder.master("local[2]")
        builder = builder.config("spark.ui.enabled", "false").config(
            "spark.driver.bindAddress", "127.0.0.1"
        )
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.fixture
def engine(session: Any) -> Iterator[OnSpark]:  # noqa: ANN401 - Spark's
    with OnSpark(session) as engine:
        yield engine


@WITH_SPARK
def test_every_result_comes_once(engine: OnSpark) -> None:
    assert engine.slots == 2
    assert sorted(engine.map(tasks.doubled, range(9))) == list(range(0, 18, 2))


@WITH_SPARK
def test_errors_are_what_tasks_raised(engine: OnSpark) -> None:
    with pytest.raises(ValueError, match="not 3"):
        list(engine.map(tasks.failing, range(5)))


@WITH_SPARK
def test_what_nobody_waits_for_is_dropped(engine: OnSpark) -> None:
    results = engine.map(tasks.endless_for_zero, [0, 1])
    assert next(results) == 1
    results.close()  # type: ignore[attr-defined]  # it is a generator
    assert list(engine.map(tasks.doubled, [4])) == [8]


@WITH_SPARK
def test_a_load_is_done(engine: OnSpark, tmp_path: Path) -> None:
    log = write_hands(tmp_path / "log.jsonl", generated("pedro", 2))
    report = load([log], storage_of(f"lake:{tmp_path / 'lake'}"), engine)
    assert report.accepted == report.lines > 10
    assert load([log], storage_of(f"lake:{tmp_path / 'lake'}"), engine).accepted == 0


def test_executors_without_tricklog_are_told() -> None:
    class Session:
        def __getattr__(self, _: str) -> Any:  # noqa: ANN401 - anything
            raise RuntimeError("ModuleNotFoundError: No module named 'ingest'")

    with OnSpark(Session(), slots=1) as engine, pytest.raises(ClusterError, match="no Tricklog"):
        list(engine.map(tasks.doubled, [1]))
