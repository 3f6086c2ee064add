"""What commands say of merged players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tricklog.ingest.cli.output import remark

if TYPE_CHECKING:
    from tricklog.ingest.store.aliases import SetAside


def set_aside_by(db: str) -> list[SetAside]:
    """Return the aliases that do not hold in a warehouse, as both ids sat at one table."""
    from tricklog.ingest.store.aliases import aliases, set_aside_in
    from tricklog.ingest.store.userdata import UserDataError
    from tricklog.ingest.warehouses import open_snapshot, warehouse_at

    try:
        known = aliases(warehouse_at(db).user_folder())
    except UserDataError as error:
        remark(str(error))
        return []
    if not known:
        return []
    with open_snapshot(db) as tables:
        return set_aside_in(tables, known)


def tell_set_aside(found: Iterable[SetAside]) -> None:
    """Say which players are not counted as one."""
    for each in found:
        remark(set_aside_text(each))


def set_aside_text(found: SetAside) -> str:
    """Return what an alias that does not hold means, and what to do."""
    return f"{found.sentence} tricklog mark alias remove {found.player} takes the alias away."


def set_aside_json(found: Iterable[SetAside]) -> list[dict[str, str]]:
    """Return the same as plain values for a JSON encoder."""
    return [each._asdict() for each in found]
