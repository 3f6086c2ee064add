"""What the server does for the language of a browser: it keeps a choice, and names the language.

A cookie keeps what an address asked for, since links that a browser follows by itself begin a new
session. The page of HTML that everything is shown in says which language it is in, which screen
readers go by.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tricklog.dashboard.address import languages, urls
from tricklog.schemas.languages.current import LANGUAGES

YEAR: Final = 365 * 24 * 3_600
_OPENING: Final = b'<html lang="en"'
_FILES: Final = "/media/"
"""What stands in the paths under which Streamlit gives files that are saved."""
_CONDITIONS: Final = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Headers by which a page would come packed, or not at all, and so in the language of before."""


class Remembered:
    """Keeps the language that an address asks for, and writes it into the page of HTML."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; whatever asks for no page is passed on as it is."""
        is_page = scope["type"] == "http" and _is_page(scope)
        if not is_page:
            await self._app(scope, receive, send)
            return
        asked_for = parse_qs(scope["query_string"].decode("latin-1")).get(urls.LANGUAGE, [""])[-1]
        chosen = asked_for if asked_for in LANGUAGES else None
        code = chosen or _usual(Headers(scope=scope))
        opening = _OPENING.replace(b"en", code.encode())

        async def send_in_language(message: Message) -> None:
            if message["type"] == "http.response.start" and chosen:
                MutableHeaders(scope=message).append("Set-Cookie", _cookie(chosen))
            if message["type"] == "http.response.body":
                # Codes have the same length, and so have the pages.
                body = message.get("body", b"").replace(_OPENING, opening, 1)
                message = {**message, "body": body}
            await send(message)

        headers = [each for each in scope["headers"] if each[0] not in _CONDITIONS]
        await self._app({**scope, "headers": headers}, receive, send_in_language)


def _is_page(scope: Scope) -> bool:
    """Return whether a page of the dashboard is asked for, and not a file that a page saves."""
    path = str(scope.get("path", ""))
    return _FILES not in path and "text/html" in Headers(scope=scope).get("accept", "")


def _cookie(code: str) -> str:
    return f"{languages.COOKIE}={code}; Path=/; Max-Age={YEAR}; SameSite=Lax; HttpOnly"


def _usual(headers: Headers) -> str:
    # Other programs on this host share their cookies, and not all are as the standard has them.
    cookies = cookie_parser(headers.get("cookie", ""))
    accepted = headers.get("accept-language", "").split(",")
    # Browsers name the languages in the order of their weights.
    return languages.usual(cookies, [each.partition(";")[0].strip() for each in accepted][:1])
