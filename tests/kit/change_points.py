"""The points of forgetting a player and of putting blocks together, at which tests end the work."""

import functools
from collections.abc import Iterable
from enum import StrEnum
from typing import Any
from unittest import mock

from tests.kit.publish_points import Reach, around
from tricklog.ingest.facts import files
from tricklog.ingest.facts.kept import Kind
from tricklog.ingest.forgetting import blocks as of_forgetting
from tricklog.ingest.forgetting import folders, lakes, users
from tricklog.ingest.lake import upkeep
from tricklog.ingest.study import blocks
from tricklog.ingest.study import lakes as study
from tricklog.ingest.study.blocks import Blocks


class Forget(StrEnum):
    """The steps of forgetting a player, in order; in a lake the first ones are of one publish."""

    FOUND = "found"
    LISTED = "listed"
    BLOCKS_WRITTEN = "blocks written"
    PUBLISHED = "published"
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
    at = {each: functools.partial(_at, reach, each) for each in Forget}
    return [
        around(folders._Run, "_find", after=at[Forget.FOUND]),
        around(folders._Run, "_list", after=at[Forget.LISTED]),
        around(
            folders._Run, "_publish", before=at[Forget.BLOCKS_WRITTEN], after=at[Forget.PUBLISHED]
        ),
        around(users, "rewrite", after=at[Forget.USERS_WRITTEN]),
        around(of_forgetting, "clear_drafts", after=at[Forget.OLD_BLOCKS_REMOVED]),
        around(folders, "_remove_old", after=at[Forget.OLD_REMOVED]),
        around(folders._Run, "_finish", after=at[Forget.FINISHED]),
        around(lakes._Run, "_know_what_was", before=at[Forget.LISTED]),
        around(lakes._Run, "_blocks", before=at[Forget.PUBLISHED], after=at[Forget.BLOCKS_WRITTEN]),
        around(study, "publish_all", after=at[Forget.OLD_BLOCKS_REMOVED]),
        around(upkeep, "remove_all_old", after=at[Forget.OLD_REMOVED]),
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
        around(files, "publish_solved", after=functools.partial(_at, reach, Merge.LISTED)),
        mock.patch.object(Blocks, "remove", remove),
    ]


def _at(reach: Reach, point: StrEnum, *_: object) -> None:
    reach(point)
