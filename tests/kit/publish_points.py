"""The points of publishing a snapshot, at which tests end the work.

A point is reached when a function of the product comes to its end, or is about to begin.
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any
from unittest import mock

from tricklog.ingest.reading.interrupts import heard_at_work
from tricklog.ingest.store import disk, publishing, warehouse

Reach = Callable[..., object]
"""What is called with a point."""


class Point(StrEnum):
    DRAFT_COPIED = "draft copied"
    TABLES_WRITTEN = "tables written"
    CHECKPOINTED = "checkpointed"
    FACTS_MADE = "facts made"
    FLUSHED = "flushed"
    SEALED = "sealed"
    NAMED = "named"
    FACTS_NAMED = "facts named"
    NAME_FLUSHED = "name flushed"
    POINTER_WRITTEN = "pointer written"
    POINTER_FLUSHED = "pointer flushed"
    POINTER_REPLACED = "pointer replaced"
    FOLDER_FLUSHED = "folder flushed"
    PRUNED = "pruned"


def watched(reach: Reach) -> list[Any]:
    """Return patches, not started, that have ``reach`` called at each point of a publish."""
    return [
        around(disk, "copy", after=lambda _, work: _is_games(work) and reach(Point.DRAFT_COPIED)),
        around(publishing, "put_empty", after=lambda *_: reach(Point.DRAFT_COPIED)),
        around(publishing, "loads_in", before=lambda *_: reach(Point.TABLES_WRITTEN)),
        mock.patch.object(publishing, "heard_at_work", _checkpointed(reach)),
        around(publishing, "_publish", before=lambda *_: reach(Point.FACTS_MADE)),
        around(
            disk,
            "flush",
            before=lambda path: _is_pointer(path) and reach(Point.POINTER_WRITTEN),
            after=lambda path: _flushed(path, reach),
        ),
        around(
            publishing, "put_seal", after=lambda work, *_: _is_games(work) and reach(Point.SEALED)
        ),
        around(
            publishing,
            "_publish_facts",
            before=lambda *_: reach(Point.NAMED),
            after=lambda *_: reach(Point.FACTS_NAMED),
        ),
        mock.patch.object(publishing, "_point_to", _pointing(reach)),
        around(publishing, "_prune", after=lambda *_: reach(Point.PRUNED)),
    ]


def _checkpointed(reach: Reach) -> Callable[..., Any]:
    whole = heard_at_work

    @contextmanager
    def heard(interrupt: Callable[[], object]) -> Iterator[None]:
        with whole(interrupt):
            yield
        reach(Point.CHECKPOINTED)

    return heard


def _pointing(reach: Reach) -> Callable[[Path, Path], None]:
    whole = publishing._point_to

    def point_to(db: Path, path: Path) -> None:
        reach(Point.NAME_FLUSHED)
        with around(
            disk, "flush", before=lambda flushed: flushed == db and reach(Point.POINTER_REPLACED)
        ):
            whole(db, path)
        reach(Point.FOLDER_FLUSHED)

    return point_to


def _is_pointer(path: Path) -> bool:
    return path.name == warehouse.POINTER


def _is_games(path: Path) -> bool:
    return bool(re.fullmatch(warehouse.SNAPSHOT_NAME, path.name))


def _flushed(path: Path, reach: Reach) -> None:
    if _is_pointer(path):
        reach(Point.POINTER_FLUSHED)
    elif _is_games(path):
        reach(Point.FLUSHED)


@contextmanager
def applied(patches: Iterable[Any]) -> Iterator[None]:
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        yield


def around(
    place: object,
    name: str,
    *,
    before: Callable[..., object] = lambda *_: None,
    after: Callable[..., object] = lambda *_: None,
) -> Any:  # noqa: ANN401 - a patch
    """Patch a function so that others are called around it, with what it is given by place."""
    whole = getattr(place, name)

    @functools.wraps(whole)
    def doing(*given: Any, **named: Any) -> object:  # noqa: ANN401 - passed on
        before(*given)
        found = whole(*given, **named)
        after(*given)
        return found

    return mock.patch.object(place, name, doing)
