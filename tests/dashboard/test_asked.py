"""What an address asks for that a page does not know is said, and the page goes on without it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, text_of
from tests.kit.app_pages import warnings_of as told
from tests.kit.dashboard_logs import REVOKE
from tests.kit.tiers import some
from tricklog.dashboard.address import urls


def test_a_name_that_is_nearly_known_is_offered(app: AppTest) -> None:
    assert "(did you mean “player”?). It is left out." in told(go(app, urls.BIDS, plyer="ann"))
    assert "(did you mean “player”?). It is left out." in told(app.run())


@pytest.mark.parametrize(
    ("screen", "asked"),
    some(
        [
            (
                urls.BIDS,
                {"variant": "Pedre (Pedro)", "view": "By playr (By player)", "since": "soon"},
            ),
            (urls.BIDS, {"min": "many", "all": "maybe", "at": "plyer:ann", "bid-from": "ten"}),
            (urls.BIDS, {"bid-to": "10.5"}),
            (urls.HANDS, {"figure": "made-rat (made-rate)", "page": "two", "at": "margin:-1e3"}),
            (urls.HANDS, {"finding": "Revok (Revoke)", "sort": "Highest bit (Highest bid)"}),
            (urls.HANDS, {"at": "bid:x..", "margin-from": "-inf", "margin-to": "10000"}),
            (urls.GAMES, {"trumps-held-from": "\N{ARABIC-INDIC DIGIT SEVEN}", "page": "two"}),
            (urls.EXPLORER, {"points-held-to": "1e3", "by": "playr (player)"}),
            (urls.EXPLORER, {"metric": "Contracts mad (Contracts made)"}),
            (urls.VARIANTS, {"over": "yaer"}),
            (urls.PLAYERS, {"rank": "Biding"}),
            (urls.AUDIT, {"view": "count (counts)"}),
            (urls.STEPS, {"ply": "9999", "below": "4", "hide": "cards", "hand": REVOKE}),
        ],
        7,
    ),
)
def test_a_value_that_is_not_known_is_said(
    app: AppTest, screen: str, asked: dict[str, str]
) -> None:
    """In brackets stands what is offered in its place."""
    values = {name: value.partition(" (") for name, value in asked.items()}
    go(app, screen, **{name: value for name, (value, _, _) in values.items()})
    sentences = []
    for name, (value, _, meant) in values.items():
        hint = f" (did you mean “{meant.rstrip(')')}”?)" if meant else ""
        said = f"The address asks for {name} “{value}”, which this page does not know{hint}."
        sentences += [said] if value != REVOKE else []
    assert [each for each in sentences if each not in told(app)] == []
    assert len(text_of(app)) > len(told(app))


@pytest.mark.parametrize(
    ("screen", "asked"),
    some(
        [
            (urls.BIDS, {"variant": "Pedro", "view": "By player", "since": "2026-01-01"}),
            (urls.BIDS, {"at": ["card:5", "variant:pedro"], "min": "5", "all": "true"}),
            (urls.HANDS, {"figure": "made-rate", "which": "counted", "from": "bids?", "page": "1"}),
            (urls.HANDS, {"finding": "Revoke", "find": "x", "figure": ""}),
            (
                urls.HANDS,
                {"bid-from": "10", "bid-to": "12", "margin-to": "-1", "sort": "Lowest bid"},
            ),
            (
                urls.BIDS,
                {"at": ["bid:10..", "trumps-held:..3", "margin:-1"], "points-held-from": "0"},
            ),
            (urls.GAMES, {"find": "x", "page": "1"}),
            (urls.GAMES, {"game": f"game {REVOKE}"}),
            (urls.EXPLORER, {"metric": "Contracts made", "by": "bid", "and": "role"}),
            (urls.VARIANTS, {"over": "day"}),
            (urls.PLAYERS, {"rank": "Bidding: Contracts made", "page": "1"}),
            (urls.AUDIT, {"view": "unreadable lines", "page": "1"}),
            (urls.DEFINITIONS, {"about": "pedro"}),
            (urls.STEPS, {"hand": REVOKE, "ply": "3", "below": "3", "hide": "hands,trump"}),
        ],
        7,
    ),
)
def test_of_what_is_known_nothing_is_said(
    app: AppTest, screen: str, asked: dict[str, str | list[str]]
) -> None:
    assert not told(go(app, screen, **asked))


def test_what_was_said_is_forgotten_on_the_next_page(app: AppTest) -> None:
    assert told(go(app, urls.BIDS, variant="Pedre"))
    assert not told(go(app, urls.HANDS))
