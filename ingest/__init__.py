"""From log lines to a warehouse: reading, auditing, loading and measuring recorded hands.

The functions a program needs are here; each is imported when it is first used, so that reading a
log does not load the store, and asking for help loads nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tricklog.ingest.loading.auditing import Audit, AuditedLine, Counts, audit
    from tricklog.ingest.loading.report import LoadReport
    from tricklog.ingest.reading.reader import LineKind, LogLine, read
    from tricklog.ingest.reading.rejects import Reject, RejectCode
    from tricklog.ingest.store.publishing import BusyError
    from tricklog.ingest.store.warehouse import NoSnapshotError, WarehouseError
    from tricklog.ingest.warehouses import load

_HOMES = {
    "Audit": "loading.auditing",
    "AuditedLine": "loading.auditing",
    "BusyError": "store.publishing",
    "Counts": "loading.auditing",
    "LineKind": "reading.reader",
    "LoadReport": "loading.report",
    "LogLine": "reading.reader",
    "NoSnapshotError": "store.warehouse",
    "Reject": "reading.rejects",
    "RejectCode": "reading.rejects",
    "WarehouseError": "store.warehouse",
    "audit": "loading.auditing",
    "load": "warehouses",
    "read": "reading.reader",
}

__all__ = [
    "Audit",
    "AuditedLine",
    "BusyError",
    "Counts",
    "LineKind",
    "LoadReport",
    "LogLine",
    "NoSnapshotError",
    "Reject",
    "RejectCode",
    "WarehouseError",
    "audit",
    "load",
    "read",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__})
