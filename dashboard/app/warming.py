"""The server's own first visit, so that the front page is ready by the time somebody asks for it.

What a page is made of takes half a second to import, and the answers of the front page take seconds
to count over a million hands. All of it is kept for whoever comes.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

_PATIENCE: Final = 10.0
"""Seconds that the port is waited for."""
_BETWEEN: Final = 0.02


def begin(port: int) -> None:
    """Visit the server behind a port as soon as it answers, beside all else that it does."""
    threading.Thread(target=_visit, args=(port,), name="first visit", daemon=True).start()


def _visit(port: int) -> None:
    # If it comes to nothing, whoever comes next finds the same and is told why.
    with suppress(OSError, WebSocketException), _connected(port) as connection:
        asked = BackMsg()
        asked.rerun_script.page_name = ""
        connection.send(asked.SerializeToString())
        while not _is_end(connection.recv(decode=False)):
            pass


def _connected(port: int) -> ClientConnection:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return connect(
                f"ws://localhost:{port}/_stcore/stream",
                origin=Origin(f"http://localhost:{port}"),
                subprotocols=[Subprotocol("streamlit")],
                max_size=None,
                proxy=None,
            )
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(_BETWEEN)


def _is_end(message: bytes) -> bool:
    sent = ForwardMsg.FromString(message)
    # A page that begins over ends early, and another run comes.
    is_end = sent.WhichOneof("type") == "script_finished"
    return is_end and bool(sent.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
