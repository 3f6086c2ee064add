"""Parameters of the address that Streamlit keeps the same as a widget: ``bind="query-params"``.

Streamlit refuses to let a page write such a parameter once a widget has it, and means to write it
itself. When the machine is busy it now and then does not: a click that is still on its way when the
page changes makes it take the widget of the page before for one of the new page. So what a page
chooses for a widget is written here, past that refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

_TEXTS: Final = "string_array_value"
"""What Streamlit calls a value that is a list of texts."""


def write(name: str, texts: Sequence[str]) -> None:
    """Put into the address what a widget is made to show; without texts, take it out."""
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as query:
        if texts:
            query.set_corrected_value(name, [*texts], _TEXTS)
        else:
            query.remove_param(name)


def replace(name: str, texts: Sequence[str]) -> None:
    """Let the address say something else before the widget is made that begins with it."""
    write(name, texts)
    context = get_script_run_ctx()
    if context is not None:
        # Widgets begin with what the address said as the run began.
        with context.session_state.query_params() as query:
            query.set_initial_query_params_from_current()
