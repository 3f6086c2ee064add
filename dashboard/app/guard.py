"""Who may ask the server for anything: its own pages, under a name that was allowed.

A web page can make a browser send requests to a server of the same machine, and can give that
server a foreign name (DNS rebinding). It can choose neither the ``Host`` nor the ``Origin`` that
the browser sends along, so both are checked before Streamlit sees a request.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import h11
from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "::1")
"""Names under which the server is always reached; a browser takes none of them from the network."""

FOREIGN_NAME: Final = (
    "Tricklog answers only under the names it was given: localhost, 127.0.0.1 and those you "
    "allow.\nIf you trust the name in the address, start it with: "
    "tricklog dashboard --host-name NAME\n"
)
FOREIGN_PAGE: Final = (
    "Tricklog answers only its own pages, and this request comes from another one.\n"
    "Open the dashboard itself. If a proxy stands before it, the proxy must pass on the header "
    "Host,\nand the name must be allowed: tricklog dashboard --host-name NAME\n"
)

_NO_TEXT: Final = 1003
"""How a websocket says that it cannot take what was sent."""
_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::[0-9]{1,5})?", re.IGNORECASE)
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Guard:
    """Refuses requests under foreign names and from foreign pages; says what pages may load."""

    def __init__(self, app: ASGIApp, names: Iterable[str], index: Path) -> None:
        """Stand before ``app``.

        Args:
            app: What answers the requests that are let through.
            names: Names to allow beside the local ones, in small letters.
            index: The page of HTML that every page of the dashboard begins as.
        """
        self._app = app
        self._names = frozenset((*LOCAL_NAMES, *names))
        self._headers = _headers(index.read_text("utf-8"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, one websocket, or the start and end of the server."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None and scope["type"] == "websocket":
            # For a refusal with a page, as of a request, uvicorn 0.54 would report a fault of ours.
            await send({"type": "websocket.close"})
            return
        if refusal is not None:
            # What is broken behind its headers, the server has answered by then.
            with suppress(h11.LocalProtocolError):
                await refusal(scope, receive, send)
            return

        async def receive_bytes() -> Message:
            message = await receive()
            # Our pages send no text, and Streamlit would report one as a fault of its own.
            if message["type"] == "websocket.receive" and message.get("bytes") is None:
                return {"type": "websocket.disconnect", "code": _NO_TEXT}
            return message

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive_bytes, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or name_in(hosts[0]) not in self._names:
            return PlainTextResponse(FOREIGN_NAME, 421, self._headers)
        origins = _values(scope, b"origin")
        # A browser sends no origin with a link that is followed, and always one with a websocket.
        if not origins and scope["type"] == "http":
            return None
        # Streamlit compares these letter by letter as well. Where they differed for it, it would
        # ask a service of the internet for the address of this machine.
        if len(origins) != 1 or origins[0] not in {f"http://{hosts[0]}", f"https://{hosts[0]}"}:
            return PlainTextResponse(FOREIGN_PAGE, 403, self._headers)
        return None


def name_in(host: str) -> str | None:
    """Return the name in the value of a header ``Host``, in small letters, without the port."""
    match = _HOST.fullmatch(host)
    return (match[1] or match[2]).lower().removesuffix(".") if match else None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _headers(index: str) -> dict[str, str]:
    """Return the headers of every answer: what its page may load, and who may embed it."""
    scripts = [
        base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()
        for each in _INLINE_SCRIPT.findall(index)
    ]
    policy = {
        "default-src": "'none'",
        # A component of Streamlit is loaded as a blob.
        "script-src": " ".join(("'self' blob:", *(f"'sha256-{each}'" for each in scripts))),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
