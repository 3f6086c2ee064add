"""The server of the pages; ``tricklog dashboard`` runs it by ``python -m tricklog.dashboard``.

It needs a POSIX system, as signals end it.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import streamlit
from starlette.middleware import Middleware
from streamlit.starlette import App

from tricklog.dashboard.app import warming
from tricklog.dashboard.app.guard import LOCAL_NAMES, Guard
from tricklog.dashboard.app.remembered import Remembered
from tricklog.dashboard.data import processes

# These win over whatever a user's own settings say.
SETTINGS: Final = {
    "global.developmentMode": False,
    "server.address": "localhost",
    "server.headless": True,
    "server.fileWatcherType": "none",
    "server.enableCORS": True,
    "server.corsAllowedOrigins": [],
    "server.enableXsrfProtection": True,
    "server.enableStaticServing": False,
    # A way to drive the pages by program, of which nobody here has thought.
    "server.enableAgentApi": False,
    # Megabytes of one file. Whatever is larger is loaded from its folder.
    "server.maxUploadSize": 200,
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    # Streamlit sends the hash of a large part of a page instead of the part where the browser says
    # it has that. By then the browser may have thrown it away, and it gives up the connection.
    "global.minCachedMessageSize": 1e15,
    # Else a page would show every text that stands alone in its source.
    "runner.magicEnabled": False,
    # What a widget begins with stands in the address.
    "global.disableWidgetStateDuplicationWarning": True,
    "client.toolbarMode": "minimal",
    # A name that begins with "=" would be a formula in the file it is saved to.
    "client.disableDataExport": True,
}

_ENTRY: Final = Path(__file__).with_name("main.py")
_INDEX: Final = Path(streamlit.__file__).parent / "static" / "index.html"
_PATIENCE: Final = 5.0
"""Seconds that requests under way are given to end, once the server is told to."""

_LOGGERS: Final = ("uvicorn.error", "streamlit.web.server.starlette.starlette_websocket")
_NONSENSE: Final = (
    "Error deserializing back message",
    "Invalid UTF-8 sequence received from client.",
)
"""What these log of messages that no page of ours has sent."""
_Handler = Callable[[int, FrameType | None], object]


def main(arguments: Sequence[str]) -> None:
    """Serve the pages until a signal ends the server, and the loads it started with it."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host-name", action="append", default=[])
    given = parser.parse_known_args(arguments)[0]
    app = App(
        _ENTRY,
        lifespan=partial(_serving, port=given.port),
        middleware=[
            Middleware(Guard, names=given.host_name, index=_INDEX),
            Middleware(Remembered),
        ],
    )
    for logger in _LOGGERS:
        logging.getLogger(logger).addFilter(_without_traceback)
    names = [*LOCAL_NAMES, *given.host_name]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    # Whoever starts the server with nohup wants it to outlive the terminal.
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    app.run(config=SETTINGS | {"server.port": given.port, "server.allowedHosts": names})


def _without_traceback(record: logging.LogRecord) -> bool:
    """Leave one line of what is logged of nonsense from the network, which is no fault here."""
    if record.msg in _NONSENSE:
        record.exc_info = None
    return True


def _leave(number: int, _: FrameType | None) -> None:
    processes.end_all()
    sys.stdout.flush()
    sys.stderr.flush()
    # Pages that are still being made have nobody left to see them, and are not waited for.
    os._exit(128 + number)


@asynccontextmanager
async def _serving(_: App, port: int) -> AsyncIterator[None]:
    """Put handlers before those of the web server, which knows of no loads and waits for ever.

    Once it has closed its port and connections, it restores ``_leave`` and calls it.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        assert callable(handler)
        signal.signal(number, partial(_end, handler))
    warming.begin(port)
    yield


def _end(handler: _Handler, number: int, frame: FrameType | None) -> None:
    handler(number, frame)
    threading.Thread(target=_end_in_time, args=(number,), daemon=True).start()


def _end_in_time(number: int) -> None:
    """End the loads at once, and soon the process, whatever a request still waits for."""
    processes.end_all()
    time.sleep(_PATIENCE)
    _leave(number, None)
