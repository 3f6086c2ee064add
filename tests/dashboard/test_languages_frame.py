"""The language of a session, and the frame of every page in it."""

import asyncio
import re
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from tests.kit.app_pages import go, open_app, text_of
from tests.kit.spoken_pages import spoken
from tricklog.dashboard.address import languages, urls
from tricklog.dashboard.app.remembered import Remembered
from tricklog.dashboard.data.filters import BOXES
from tricklog.dashboard.kit.drawing import locale_of
from tricklog.dashboard.pages.hands.hand_table import as_file
from tricklog.dashboard.text.labels import title_of, value_words
from tricklog.ingest.metrics import listings
from tricklog.schemas.languages import current as languages_of_contexts
from tricklog.schemas.languages.current import LANGUAGES, current, in_language, set_source


def test_a_source_gives_the_language_where_none_was_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages_of_contexts, "_source", languages_of_contexts._english)
    set_source(lambda: "fi")
    assert current() == "fi"
    with in_language("sv"):
        assert current() == "sv"
    assert current() == "fi"


# --- Which language


@pytest.mark.parametrize(
    ("cookie", "setting", "locale", "code"),
    [
        ("es", "fi", "sv-FI", "es"),
        ("klingon", "fi", "sv-FI", "fi"),
        ("", "klingon", "sv_FI", "sv"),
        ("", "", "de-DE", "en"),
        ("", "", "hi-IN", "en"),
        ("", "bn", "hi-IN", "bn"),
        ("hi", "", "en-IN", "hi"),
        ("", "", "", "en"),
    ],
)
def test_what_was_chosen_goes_before_the_setting_and_that_before_the_browser(
    cookie: str, setting: str, locale: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(languages.SETTING, setting)
    assert languages.usual({languages.COOKIE: cookie}, [locale]) == code


def test_an_address_chooses_the_language_of_the_session(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = spoken(small_warehouse, monkeypatch, urls.HANDS, "sv")
    assert app.header[0].value == "Givar"
    # It goes on without the parameter, also in what runs outside the page, as callbacks do.
    app.query_params.clear()
    with in_language("sv"):
        assert app.run().header[0].value == "Givar"
    assert "hreflang" in text_of(app)


def test_an_unknown_language_is_said_to_be_unknown(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = spoken(small_warehouse, monkeypatch, urls.HANDS, "klingon")
    assert app.header[0].value == "Hands"
    assert "lang “klingon”, which this page does not know" in app.warning[0].value


def test_an_address_made_in_one_language_opens_in_another(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest_first = {"en": "Oldest first", "sv": "Äldsta först", "fi": "Vanhimmat ensin"}
    for (language, shown), other in zip(
        oldest_first.items(), reversed(oldest_first.values()), strict=True
    ):
        app = open_app(small_warehouse, monkeypatch)
        go(app, urls.HANDS, **{urls.LANGUAGE: language, urls.SORT: other})
        assert not app.warning
        assert app.selectbox(key=urls.SORT).value == listings.Order.OLDEST
        assert app.query_params[urls.SORT] == shown


def test_values_with_numbers_and_names_of_findings_open_in_another_language(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}
    for language in ("en", "sv"):
        with in_language(language):
            made[language] = value_words("seating", "4 partners"), title_of("wrong-leader")
    for language, other in (("sv", "en"), ("en", "sv")):
        seating, finding = made[other]
        app = spoken(
            small_warehouse, monkeypatch, urls.HANDS, language, seating=seating, finding=finding
        )
        assert not app.warning
        assert app.query_params["seating"] == made[language][0]
        assert app.query_params["finding"] == made[language][1]


def test_a_value_that_nobody_knows_leaves_the_others(
    small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for = ["4 partners", "a dozen"]
    app = spoken(small_warehouse, monkeypatch, urls.HANDS, "sv", seating=asked_for)
    assert "a dozen" in app.warning[0].value
    assert "partners" not in app.warning[0].value
    assert app.multiselect(key="seating").value == ["4 partners"]


# --- What the server does


async def _page(scope: Scope, _: Receive, send: Send) -> None:
    assert not {b"accept-encoding", b"if-none-match"} & {name for name, _ in scope["headers"]}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b'<!doctype html><html lang="en"><p>'})


def _answer(query: bytes, **headers: str) -> tuple[dict[bytes, bytes], bytes]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asked_with = {"accept": "text/html", "accept-encoding": "gzip", "if-none-match": "1"} | headers
    scope = {
        "type": "http",
        "query_string": query,
        "headers": [(name.encode(), value.encode()) for name, value in asked_with.items()],
    }
    asyncio.run(Remembered(_page)(scope, receive, send))
    return dict(sent[0]["headers"]), sent[1]["body"]


def test_the_server_keeps_a_choice_and_names_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(languages.SETTING, raising=False)
    headers, body = _answer(b"lang=fi&find=Ann")
    assert re.match(
        rb"tricklog-language=fi; Path=/; Max-Age=\d+; .*HttpOnly", headers[b"set-cookie"]
    )
    assert b'<html lang="fi">' in body
    headers, body = _answer(b"lang=xx", cookie="a=b; tricklog-language=es")
    assert not headers
    assert b'<html lang="es">' in body
    # Other programs on this host have cookies of their own, whatever they are called.
    for foreign in ("a/b=1", 'theme={"a": 1}', "(=)", "é"):
        _, body = _answer(b"", cookie=f"{foreign}; tricklog-language=es")
        assert b'<html lang="es">' in body
    assert b'<html lang="sv">' in _answer(b"", **{"accept-language": "sv-FI,sv;q=0.9,en"})[1]
    assert b'<html lang="en">' in _answer(b"", **{"accept-language": "de,sv;q=0.9"})[1]


# --- What is shown


def test_a_file_of_hands_is_in_english(small_warehouse: Path) -> None:
    from tricklog.ingest.facts.files import open_facts

    with open_facts(small_warehouse) as facts:
        hands = listings.hand_list(facts, limit=5)
    titles = dict.fromkeys(hands["variant"], "Pidro")
    english = as_file(hands, titles)
    with in_language("sv"):
        assert as_file(hands, titles) == english


def test_values_are_called_in_the_language() -> None:
    with in_language("sv"):
        assert value_words("card", "T") == "tia"
        assert value_words("weekday", "3") == "onsdag"
        assert value_words("holder", "2 after") == "2 efter spelföraren"
        assert value_words("code", "wrong-leader") == "Fel utspelare"
        assert value_words("seating", "4 partners") == "4 i par"
        assert value_words("tag", "kept for Ann") == "kept for Ann"
    assert "player" in BOXES


CHARTS = {
    "sv": (",", [3], "söndag", "må"),
    "fi": (",", [3], "sunnuntai", "ma"),
    "es": (",", [3], "domingo", "lu"),
    "hi": (".", [3, 2], "रविवार", "सोम"),
    "bn": (".", [3, 2], "রবিবার", "সোম"),
}
"""By language: the decimal sign, groups of digits, and the first two days of the week."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_charts_write_numbers_and_days_in_the_language(language: str) -> None:
    locale = locale_of(language)
    if language == "en":
        assert not locale
        return
    number, time = locale["number"], locale["time"]
    decimal, groups, sunday, monday = CHARTS[language]
    assert (number["decimal"], number["grouping"][:2]) == (decimal, groups)
    assert time["days"][0] == sunday
    assert time["shortDays"][1].startswith(monday)
    assert [len(time[each]) for each in ("days", "shortDays", "months", "shortMonths")] == [
        *(7, 7, 12, 12),
    ]
