"""The page of hands: found by figure, filter, finding and text; and the file they are saved to."""

import csv
import io
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import urls
from dashboard.hand_table import as_file
from ingest.facts.files import open_facts
from ingest.metrics import metric_named
from ingest.metrics.query import Cases, Which
from ingest.store import queries
from tests.kit.app_pages import addresses_in, go, open_app, open_more, table_of, text_of
from tests.kit.dashboard_logs import NAMES, REVOKE, VARIANTS

ALL = 12 * len(VARIANTS) + 3
MADE = metric_named("made-rate")


@pytest.fixture(scope="module")
def warehouse(small_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(small_warehouse, tmp_path_factory.mktemp("hands") / "db")


@pytest.fixture(scope="module")
def apart(warehouse: Path) -> Path:
    """The same warehouse in a place of its own, as the pages keep theirs open."""
    return shutil.copytree(warehouse, warehouse.with_name("apart"))


@pytest.fixture
def app(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(warehouse, monkeypatch)


def rows_of(app: AppTest) -> list[dict[str, str]]:
    return table_of(app, "Hands")


def test_every_hand_is_listed_at_first(app: AppTest) -> None:
    go(app, urls.HANDS)
    assert f"{ALL} hands. Click a row" in text_of(app)
    assert len(rows_of(app)) == 50


def test_a_hand_of_the_list_leads_to_its_replay(app: AppTest) -> None:
    go(app, urls.HANDS, find=NAMES)
    name = "a+%3Cb%3Ehand%3C%2Fb%3E+of+%5Bnames%5D%28x%29"
    assert addresses_in(app) == [f"replay?hand={name}", f"games?game=game+{name}"]


def test_verdict_finding_and_text_narrow_the_list(app: AppTest) -> None:
    open_more(go(app, urls.HANDS))
    app.multiselect(key="verdict").set_value(["irregular"]).run()
    assert {row["Verdict"] for row in rows_of(app)} == {"irregular"}
    assert len(rows_of(app)) == 3
    app.selectbox(key="finding").set_value("revoke").run()
    assert [row["Hand"] for row in rows_of(app)] == [REVOKE]
    app.text_input(key="find").set_value("no such hand").run()
    assert "No hand matches" in text_of(app)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_list_is_narrowed_to_a_variant(app: AppTest, variant: str) -> None:
    go(app, urls.HANDS)
    app.multiselect(key="variant").set_value([variant]).run()
    assert not app.exception
    titles = {row["Variant"] for row in rows_of(app)}
    assert len(titles) == 1


@pytest.mark.parametrize(("page", "count"), [("1", 50), ("2", 1), ("3", 50), ("x", 50)])
def test_the_list_has_pages(app: AppTest, page: str, count: int) -> None:
    go(app, urls.HANDS, page=page)
    assert len(rows_of(app)) == count


def test_a_link_from_a_finding_lists_its_hands(app: AppTest) -> None:
    go(app, urls.HANDS, **urls.to_hands("Revoke"))
    assert [row["Hand"] for row in rows_of(app)] == [REVOKE]


def test_the_hands_behind_a_figure_are_reported_in_words_and_switched(
    app: AppTest, apart: Path
) -> None:
    with open_facts(apart) as facts:
        counts = {each: queries.hand_count(facts, cases=Cases(MADE, each)) for each in Which}
    go(app, urls.HANDS, figure="made-rate")
    shown = text_of(app)
    assert "Hands behind: **Contracts made**" in shown
    assert f"{counts[Which.ALL]} hands: {counts[Which.COUNTED]} counted (contracts made)" in shown
    for which in Which:
        app.segmented_control(key="which").set_value(which.value).run()
        assert len(rows_of(app)) == min(50, counts[which])
    assert {row["Result"] for row in rows_of(app)} == {"Set"}


def test_what_was_clicked_on_is_named_and_can_be_taken_away(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", at=["bid:7", "luck:good"], which="counted")
    assert r"**Contracts made\, bid 7**" in text_of(app)
    assert rows_of(app)
    assert {row["Bid"].split()[0] for row in rows_of(app)} == {"7"}
    assert {row["Result"] for row in rows_of(app)} == {"Made"}
    app.multiselect(key="bid").set_value([]).run()
    assert "**Contracts made**" in text_of(app)


def test_a_figure_can_be_left_for_every_hand(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", which="others")
    next(each for each in app.button if each.label == "Show every hand").click().run()
    assert f"{ALL} hands." in text_of(app)
    assert "Hands behind" not in text_of(app)


def test_a_figure_that_cannot_be_filtered_so_is_said_so(app: AppTest) -> None:
    go(app, urls.HANDS, figure="made-rate", at=["card:5"])
    assert "cannot be grouped or filtered by card" in text_of(app)


@pytest.mark.parametrize("figure", ["", "luck", "<b>x</b>"])
def test_a_figure_nobody_knows_lists_every_hand(app: AppTest, figure: str) -> None:
    go(app, urls.HANDS, figure=figure)
    assert f"{ALL} hands." in text_of(app)


def test_text_from_logs_is_shown_as_text(app: AppTest) -> None:
    go(app, urls.HANDS, find="nasty", at=["player:nasty-0"], figure="valid-rate")
    assert [row["Hand"] for row in rows_of(app)] == [NAMES]
    shown = text_of(app)
    assert "\u202e" not in shown
    for each in (*app.markdown, *app.caption):
        assert "<img" not in each.value.replace("\\<img", "")


def test_the_list_is_saved_without_formulas(apart: Path) -> None:
    with open_facts(apart) as facts:
        rows = queries.hand_list(facts, text="nasty")
    told = as_file(rows, dict.fromkeys(VARIANTS, "=1+1")).decode("utf-8-sig")
    head, row = csv.reader(io.StringIO(told))
    cells = dict(zip(head, row, strict=True))
    assert cells["Hand"] == NAMES
    assert cells["Variant"] == "'=1+1"
    assert "\u202e" not in told
