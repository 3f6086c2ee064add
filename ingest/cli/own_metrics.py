"""The option ``--metrics``: files with metrics of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from tricklog.ingest.cli.output import UserError, remark

MetricsFiles = Annotated[
    tuple[str, ...], Parameter(name="--metrics", negative=(), consume_multiple=False)
]
"""Files with metrics of one's own."""


def use_metrics(files: Sequence[str]) -> None:
    """Take metrics from files, and say on standard error what of other sources is left out.

    Raises ``UserError`` for a file that cannot be used.
    """
    from tricklog.ingest.metrics import OwnMetricError, metric_problems
    from tricklog.ingest.metrics.own import use_file

    for file in files:
        try:
            use_file(file)
        except OwnMetricError as error:
            raise UserError(
                str(error), "docs/own-metrics.md says how a metric is written."
            ) from error
        except OSError as error:
            raise UserError(f"{file} cannot be read: {error.strerror}") from error
    for problem in metric_problems():
        remark(f"Left out: {problem}")
