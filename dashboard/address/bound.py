"""Parameters of the address that Streamlit keeps the same as a widget: ``bind="query-params"``.

Streamlit refuses to let a page write such a parameter once a widget has it, and means to write it
itself. When the machine is busy it now and then does not: a click that is still on its way when the
page changes makes it take the widget of the page before for one of the new page. So what a page
chooses for a widget is written here, past that refusal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

_SEVERAL: Final[ContextVar[bool]] = ContextVar("several", default=False)


def write(name: str, texts: Sequence[str]) -> None:
    """Put into the address what a widget is made to show; without texts, take it out."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as query:
        if texts:
            query.set_with_no_forward_msg(name, [*texts])
        else:
            query.discard_param_no_forward_msg(name)
    if not _SEVERAL.get():
        _send()


@contextmanager
def at_once() -> Iterator[None]:
    """Send the browser what is written inside as one change of the address.

    Each change is one step more for somebody who goes back.
    """
    token = _SEVERAL.set(True)
    try:
        yield
    finally:
        _SEVERAL.reset(token)
    _send()


def replace(name: str, texts: Sequence[str]) -> None:
    """Let the address say something else before the widget is made that begins with it."""
    write(name, texts)
    _begin_with_address()


def replace_all(query: Mapping[str, Sequence[str]]) -> None:
    """Let the address say something else before any widget is made."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as known:
        known.clear_with_no_forward_msg(preserve_embed=True)
    with at_once():
        for name, texts in query.items():
            write(name, texts)
    _begin_with_address()


def _begin_with_address() -> None:
    """Let widgets begin with what the address says now, not as the run began."""
    context = get_script_run_ctx()
    if context is not None:
        with context.session_state.query_params() as query:
            query.set_initial_query_params_from_current()


def _send() -> None:
    context = get_script_run_ctx()
    if context is not None:
        with context.session_state.query_params() as query:
            query._send_query_param_msg()  # noqa: SLF001 - there is no public way for many
