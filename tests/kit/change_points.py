"""The points of forgetting a player and of putting blocks together, at which tests end the work."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any
from unittest import mock

from tests.kit.publish_points import Reach, around
from tricklog.ingest.facts import files
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.forgetting import lakes, runs, users
from tricklog.ingest.study import blocks
from tricklog.ingest.study.blocks import Blocks


class Forget(StrEnum):
    """The steps of forgetting a player, in order; a lake is looked through as it is published."""

    FOUND = "found"
    LISTED = "listed"
    PUBLISHED = "published"
    BLOCKS_WRITTEN = "blocks written"
    USERS_WRITTEN = "users written"
    OLD_BLOCKS_REMOVED = "old blocks removed"
    OLD_REMOVED = "old removed"
    FINISHED = "finished"


class Merge(StrEnum):
    """The steps of putting blocks together, in order."""

    WRITTEN = "block written"
    LISTED = "blocks listed"
    REMOVED = "block removed"


def forgets(reach: Reach) -> list[Any]:
    """Return patches, not started, that have ``reach`` called at each point of forgetting."""
    return [
        around(runs._OfFolder, "find", after=lambda *_: reach(Forget.FOUND)),
        around(runs.Run, "put_on_list", after=lambda *_: reach(Forget.LISTED)),
        around(runs.Run, "write_blocks", after=lambda *_: reach(Forget.BLOCKS_WRITTEN)),
        around(users, "rewrite", after=lambda *_: reach(Forget.USERS_WRITTEN)),
        around(runs.Run, "finish", after=lambda *_: reach(Forget.FINISHED)),
        *(
            around(of_kind, name, after=lambda *_, point=point: reach(point))
            for of_kind in (runs._OfFolder, lakes._OfLake)
            for name, point in (
                ("publish", Forget.PUBLISHED),
                ("remove_blocks", Forget.OLD_BLOCKS_REMOVED),
                ("remove_old", Forget.OLD_REMOVED),
            )
        ),
    ]


def merges(reach: Reach) -> list[Any]:
    """Return patches, not started, that have ``reach`` called where blocks are put together."""
    together: list[object] = []

    def written(*_: object) -> None:
        # Blocks that are no others put together are written by the same functions.
        if together:
            together.clear()
            reach(Merge.WRITTEN)

    whole = Blocks.remove

    def remove(self: Blocks, kind: Kind, names: Iterable[str]) -> None:
        for name in sorted(names):
            whole(self, kind, [name])
            reach(Merge.REMOVED)

    return [
        around(blocks, "merged", after=lambda *given: together.append(given)),
        around(Blocks, "put", after=written),
        around(files, "publish_solved", after=lambda *_: reach(Merge.LISTED)),
        mock.patch.object(Blocks, "remove", remove),
    ]
