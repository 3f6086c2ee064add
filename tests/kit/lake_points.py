"""The points of publishing into a lake and of tidying it, at which tests end a process.

A point is reached when a function of the product comes to its end, or is about to begin.
"""

import functools
from collections.abc import Callable
from typing import Any, Final
from unittest import mock

from tricklog.ingest.lake import commits, compaction, publish, upkeep
from tricklog.ingest.lake.commits import Head, Ledger, Row, State

Reach = Callable[..., object]
"""What is called with the name of a point and, where there are several alike, of its table."""
_LATER: Final = {State.PUBLISHED: "published", State.RELEASED: "released"}


def watched(reach: Reach) -> list[Any]:
    """Return patches, not started, that have ``reach`` called at each point."""
    tables: dict[tuple[object, str], str] = {
        (commits, "create"): "created",
        (commits, "commit"): "committed",
    }
    others: dict[tuple[object, str], str] = {
        (upkeep, "_garbage"): "found what nobody needs",
        (publish.Begun, "forget"): "forgotten old snapshots",
        (upkeep, "_remove"): "removed",
    }
    return [
        _after(Ledger, "follow", lambda _, head, row, *__: reach(_state(head, row)), reach),
        _after(compaction, "rewrite", lambda _, group, *__: reach("written again", group.table)),
        *(
            _after(*place, lambda _, name, *__, said=said, **___: reach(said, name))
            for place, said in tables.items()
        ),
        *(
            _after(*place, lambda *_, said=said, **__: reach(said))
            for place, said in others.items()
        ),
    ]


def _after(
    place: object, name: str, then: Callable[..., object], before: Reach | None = None
) -> Any:  # noqa: ANN401 - a patch
    """Patch a function so that ``then`` is called behind it with what it is given."""
    whole = getattr(place, name)

    @functools.wraps(whole)
    def doing(*given: Any, **named: Any) -> object:  # noqa: ANN401 - passed on
        if before and given[2].state == State.PUBLISHED:
            before("tables committed")
        found = whole(*given, **named)
        then(*given, **named)
        return found

    return mock.patch.object(place, name, doing)


def _state(head: Head, row: Row) -> str:
    """Say what a change of ``snapshots`` means for the load that makes it."""
    is_known = head.last is not None and head.last.number == row.number
    return _LATER.get(row.state, "renewed" if is_known else "begun")
