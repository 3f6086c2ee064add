"""Metrics of one's own on the pages of players and hands: shown, told where broken, never fatal."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, text_of
from tricklog.dashboard.address import urls
from tricklog.dashboard.sections import ranking
from tricklog.ingest.metrics import own

GOOD = """
[[metric]]
name = "no-trick"
title = "Hands without a trick"
sentence = "How often a player takes no trick."
unit = "share of hands"
numerator = "hands in which the player takes no trick"
denominator = "hands with tricks"
grain = "seat"
kind = "share"
cases = "trick_count > 0"
amount = "(tricks_won = 0)::INTEGER"
"""
BROKEN = GOOD.replace("no-trick", "too-many").replace("Hands without a trick", "Too many")
BROKEN = BROKEN.replace("(tricks_won = 0)::INTEGER", "tricks_won")
SAID = "is hits among cases, so it has to be 0 or 1"


@pytest.fixture(name="app")
def app_with_own_metrics(
    small_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AppTest]:
    file = tmp_path / "ours.toml"
    file.write_text(GOOD + BROKEN)
    monkeypatch.setenv(own.SETTING, str(file))
    own._found.cache_clear()
    yield open_app(small_warehouse, monkeypatch)
    own._found.cache_clear()


def warnings_of(app: AppTest) -> str:
    """What pages warn of and tell, without the signs that keep Markdown off."""
    told = "\n".join(each.value for each in (*app.warning, *app.info))
    return told.replace("\\", "")


def test_players_are_ranked_by_a_metric_of_ones_own(app: AppTest) -> None:
    go(app, urls.PLAYERS, **{ranking.RANK: "Your own: Hands without a trick"})
    assert app.selectbox(key=ranking.RANK).value == "no-trick"
    offered = app.selectbox(key=ranking.RANK).options
    assert "Your own: Hands without a trick" in offered
    assert not any("Too many" in each for each in offered)
    assert "How often a player takes no trick." in text_of(app)
    assert SAID in warnings_of(app)


def test_a_player_is_shown_by_metrics_of_ones_own(
    app: AppTest, small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked = go(open_app(small_warehouse, monkeypatch), urls.PLAYERS)
    player = ranked.multiselect(key="player").options[0]
    go(app, urls.PLAYERS, player=player, group="Your own", min="1")
    offered = app.segmented_control(key="group")
    assert (offered.options[0], offered.options[-1]) == ("Bidding", "Your own")
    assert offered.value == "Your own"
    assert "Hands without a trick" in text_of(app)
    assert SAID in warnings_of(app)


def test_hands_behind_a_metric_of_ones_own_are_those_it_counts(app: AppTest) -> None:
    go(app, urls.HANDS, **{urls.FIGURE: "no-trick"})
    assert "Hands behind: **Hands without a trick" in text_of(app)
    assert "hands in which the player takes no trick" in text_of(app)


def test_hands_behind_a_broken_metric_say_what_is_wrong(app: AppTest) -> None:
    go(app, urls.HANDS, **{urls.FIGURE: "too-many"})
    assert SAID in warnings_of(app)


def test_hands_behind_a_metric_that_is_gone_are_told(app: AppTest) -> None:
    go(app, urls.HANDS, **{urls.FIGURE: "no-tricks"})
    assert "did you mean" in warnings_of(app)
