"""The points of publishing into a lake and of tidying it, at which tests end a process.

A point is reached when a function of the product comes to its end, or is about to begin.
"""

from typing import Any, Final

from tests.kit.publish_points import Reach, around
from tricklog.ingest.lake import commits, compaction, publish, upkeep
from tricklog.ingest.lake.commits import Head, Ledger, Row, State

_LATER: Final = {State.PUBLISHED: "published", State.RELEASED: "released"}


def watched(reach: Reach) -> list[Any]:
    """Return patches, not started, that have ``reach`` called at each point.

    It is given the name of the point and, where there are several alike, of its table.
    """
    return [
        around(
            Ledger,
            "follow",
            before=lambda _, __, row, *___: (
                row.state == State.PUBLISHED and reach("tables committed")
            ),
            after=lambda _, head, row, *__: reach(_state(head, row)),
        ),
        around(compaction, "rewrite", after=lambda _, grp, *__: reach("written again", grp.table)),
        around(commits, "create", after=lambda _, name, *__: reach("created", name)),
        around(commits, "commit", after=lambda _, name, *__: reach("committed", name)),
        around(upkeep, "_garbage", after=lambda *_: reach("found what nobody needs")),
        around(publish.Begun, "forget", after=lambda *_: reach("forgotten old snapshots")),
        around(upkeep, "_remove", after=lambda *_: reach("removed")),
    ]


def _state(head: Head, row: Row) -> str:
    """Say what a change of ``snapshots`` means for the load that makes it."""
    is_known = head.last is not None and head.last.number == row.number
    return _LATER.get(row.state, "renewed" if is_known else "begun")
