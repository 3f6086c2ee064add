"""What an address asks for that a page does not know is said, and the page goes on without it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import urls
from tests.kit.app_pages import go, open_app, text_of
from tests.kit.dashboard_logs import REVOKE


@pytest.fixture
def app(small_warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(small_warehouse, monkeypatch)


def told(app: AppTest) -> str:
    return "\n".join(each.value for each in app.warning).replace("\\", "").replace("\u2060", "")


@pytest.mark.parametrize("screen", urls.MENU, ids=lambda screen: screen.title)
def test_every_page_says_what_parameter_it_does_not_know(app: AppTest, screen: urls.Screen) -> None:
    go(app, screen.file, plyer="ann")
    assert "The address asks for “plyer”, which this page does not know" in told(app)
    assert app.header or app.get("html")


def test_a_name_that_is_nearly_known_is_offered(app: AppTest) -> None:
    assert "(did you mean “player”?). It is left out." in told(go(app, urls.BIDS, plyer="ann"))


@pytest.mark.parametrize(
    ("screen", "name", "value", "hint"),
    [
        (urls.BIDS, "variant", "Pedre", " (did you mean “Pedro”?)"),
        (urls.BIDS, "view", "By playr", " (did you mean “By player”?)"),
        (urls.BIDS, "since", "yesterday", ""),
        (urls.BIDS, "min", "many", ""),
        (urls.BIDS, "all", "maybe", ""),
        (urls.BIDS, "at", "plyer:ann", ""),
        (urls.HANDS, "figure", "made-rat", " (did you mean “made-rate”?)"),
        (urls.HANDS, "finding", "Revok", " (did you mean “Revoke”?)"),
        (urls.HANDS, "page", "two", ""),
        (urls.HANDS, "sort", "Highest bit", " (did you mean “Highest bid”?)"),
        (urls.HANDS, "at", "bid:x..", ""),
        (urls.HANDS, "at", "margin:-1e3", ""),
        (urls.BIDS, "bid-from", "ten", ""),
        (urls.BIDS, "bid-to", "10.5", ""),
        (urls.HANDS, "margin-from", "-inf", ""),
        (urls.HANDS, "margin-to", "10000", ""),
        (urls.GAMES, "trumps-held-from", "\N{ARABIC-INDIC DIGIT SEVEN}", ""),
        (urls.EXPLORER, "points-held-to", "1e3", ""),
        (urls.GAMES, "page", "two", ""),
        (urls.EXPLORER, "metric", "Contracts mad", " (did you mean “Contracts made”?)"),
        (urls.EXPLORER, "by", "playr", " (did you mean “player”?)"),
        (urls.VARIANTS, "over", "yaer", ""),
        (urls.PLAYERS, "rank", "Biding", ""),
        (urls.AUDIT, "view", "count", " (did you mean “counts”?)"),
        (urls.STEPS, "ply", "9999", ""),
        (urls.STEPS, "below", "4", ""),
        (urls.STEPS, "hide", "cards", ""),
    ],
)
def test_a_value_that_is_not_known_is_said(
    app: AppTest, screen: str, name: str, value: str, hint: str
) -> None:
    more = {"hand": REVOKE} if screen == urls.STEPS else {}
    go(app, screen, **{name: value}, **more)
    sentence = f"The address asks for {name} “{value}”, which this page does not know{hint}."
    assert sentence in told(app)
    assert len(text_of(app)) > len(told(app))
    assert sentence in told(app.run())


@pytest.mark.parametrize(
    ("screen", "asked"),
    [
        (urls.BIDS, {"variant": "Pedro", "view": "By player", "since": "2026-01-01"}),
        (urls.BIDS, {"at": ["card:5", "variant:pedro"], "min": "5", "all": "true"}),
        (urls.HANDS, {"figure": "made-rate", "which": "counted", "from": "bids?", "page": "1"}),
        (urls.HANDS, {"finding": "Revoke", "find": "x", "figure": ""}),
        (urls.HANDS, {"bid-from": "10", "bid-to": "12", "margin-to": "-1", "sort": "Lowest bid"}),
        (urls.BIDS, {"at": ["bid:10..", "trumps-held:..3", "margin:-1"], "points-held-from": "0"}),
        (urls.GAMES, {"find": "x", "page": "1"}),
        (urls.GAMES, {"game": f"game {REVOKE}"}),
        (urls.EXPLORER, {"metric": "Contracts made", "by": "bid", "and": "role"}),
        (urls.VARIANTS, {"over": "day"}),
        (urls.PLAYERS, {"rank": "Bidding: Contracts made", "page": "1"}),
        (urls.AUDIT, {"view": "unreadable lines", "page": "1"}),
        (urls.DEFINITIONS, {"about": "pedro"}),
        (urls.STEPS, {"hand": REVOKE, "ply": "3", "below": "3", "hide": "hands,trump"}),
    ],
)
def test_of_what_is_known_nothing_is_said(
    app: AppTest, screen: str, asked: dict[str, str | list[str]]
) -> None:
    assert not told(go(app, screen, **asked))


def test_what_was_said_is_forgotten_on_the_next_page(app: AppTest) -> None:
    assert told(go(app, urls.BIDS, variant="Pedre"))
    assert not told(go(app, urls.HANDS))
