"""Ctrl-C: how a library that was at work reports it."""

from __future__ import annotations


def is_interrupt(error: BaseException) -> bool:
    """Whether this is Ctrl-C, or how DuckDB tells that Ctrl-C ended a query."""
    if isinstance(error, RuntimeError):
        return str(error) == "Query interrupted"
    return isinstance(error, KeyboardInterrupt)
