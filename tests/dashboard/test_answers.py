"""First answers of the overview and the section on the same cards, over a simulated club."""

import re
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import (
    addresses_in,
    check_charts,
    go,
    open_app,
    queries_in,
    table_of,
    text_of,
    total,
    unmarked,
)
from tricklog.dashboard.address import urls
from tricklog.dashboard.sections import answers, front_questions
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import field
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.ratings import ratings_of

CHANGED = {
    "first": date(2026, 2, 20),
    "last": date(2026, 11, 20),
    "games": 40,
    "days": 20,
    "when": date(2026, 6, 1),
    "when_low": date(2026, 5, 2),
    "when_high": date(2026, 7, 3),
}
"""Over which days something was compared, and when it changed."""


@pytest.fixture
def app(season: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(season, monkeypatch)


def notes_of(app: AppTest) -> list[str]:
    return [unmarked(each.value) for each in app.caption]


def titles_in(app: AppTest) -> list[str]:
    """What the pointer is shown of the certainty of each answer, and what is read aloud of it."""
    shown = text_of(app)
    titles = re.findall(r'title="([^"]*)"', shown)
    assert {*titles} >= {*re.findall(r'aria-label="((?:sure|likely|cannot tell yet)[^"]*)"', shown)}
    return titles


def cells(app: AppTest) -> list[str]:
    """The answers as people read them, a question after the other."""
    bodies = (each.proto.body for each in app.get("html"))
    (table,) = (each for each in bodies if 'class="tl-answers' in each)
    found = re.findall(r'<div class="tl-answer" role="cell">(.*?)</div>', table, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in found]


def test_the_overview_names_who_is_best_who_bids_above_the_cards_and_nobody_who_improves(
    app: AppTest, season: Path
) -> None:
    go(app, urls.OVERVIEW)
    # One game has one column, and each answer leads to its figure.
    rated, bids, *_, improves = cells(app)
    assert len(cells(app)) == 7
    leads = [each for each in addresses_in(app) if "variant=king-pedro" in each]
    assert [each.partition("?")[0] for each in leads] == [
        *("players", "bids", "bids", "players", "players", "players", "evenings")
    ]
    assert re.search(r"bold bids in \d+ more of 100 free calls than the field", bids)
    assert "●● sure" in bids
    with open_facts(season) as facts:
        best = ratings_of(facts).largest.row(0, named=True)
    assert any("known from some" in each for each in titles_in(app))
    if "cannot tell yet" in rated:
        assert best["low"] < 0
    else:
        assert f"The best is most likely {best['player']}" in rated
    # Where nobody is sure to improve it leads to how everybody went.
    assert "cannot tell yet" in improves
    assert titles_in(app)[-1].startswith("cannot tell yet: See over time")
    (query,) = (each for each in queries_in(app, "evenings") if each.get("view") == ["season"])
    go(app, urls.EVENINGS, **{name: texts[0] for name, texts in query.items()})
    assert "How the season went" in text_of(app)
    check_charts(app)


def test_of_very_many_hands_the_field_is_found_out_when_somebody_asks(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MOST_AT_ONCE", 10)
    assert len(cells(go(app, urls.OVERVIEW))) == 4
    (link,) = (each.proto for each in app.get("page_link") if "Who bids too" in each.proto.label)
    assert link.query_string == "view=same-cards"
    assert not any("too few games yet" in each for each in notes_of(app))


def test_several_games_have_a_column_for_all_and_people_are_asked_about(club: AppTest) -> None:
    app = go(club, urls.OVERVIEW)
    assert "All games" in text_of(app)
    # Eighteen games are too few to fit what the field does, and six to compare players in one.
    assert len(cells(app)) == 5 * 2
    (note,) = (each for each in notes_of(app) if "too few games yet" in each)
    for words in ("Who bids too much?", "Who loses it in the play?", "anything of Finnish Pidro"):
        assert words in note
    weak, careful = "bot-weak-1", "bot-careful-1"
    app.selectbox("about-one").set_value(weak).run()
    app.selectbox("about-two").set_value(careful).run()
    said = [unmarked(each.value) for each in app.markdown]
    assert any(each.startswith((f"{weak} brings", f"{weak} and their")) for each in said)
    assert weak not in app.selectbox("about-two").options
    links = {unmarked(each.proto.label): each.proto for each in app.get("page_link")}
    asked = parse_qs(links[f":blue[{weak} and {careful} side by side]"].query_string)
    assert (asked["player"], asked["with"]) == ([weak], [careful])
    # Who is chosen as the first cannot be the second.
    app.selectbox("about-one").set_value(careful).run()
    assert not app.exception
    assert app.selectbox("about-two").value != careful


def test_who_loses_it_in_the_play_is_answered_over_all_games(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In standard deviations of each game: points of several games are of no one kind."""
    (asked,) = (each for each in front_questions.QUESTIONS if "in the play" in each.title)
    row = {"question": "play", "enough": True, "n": 90, "games": 40, "adjusted": 1e-9, "p": 1e-9}
    row |= {"player": "weak", "value": -0.6, "low": -0.9, "high": -0.3, "size": 0.2, "named": True}
    monkeypatch.setattr(front_questions, "found_over", lambda *_: pl.DataFrame([row]))
    tables = pl.DataFrame({"variant": ["pedro", "sancho"], "seating": ["4 partners"] * 2})
    monkeypatch.setattr("tricklog.dashboard.data.snapshot.kept", lambda *_: tables)
    with open_facts(season) as facts:
        compared = asked.compare(facts, "", EVERYTHING)
    assert compared is not None
    assert compared.rows["player"].to_list() == ["weak"]
    said = compared.said("weak", compared.rows.row(0, named=True))
    assert "0.60" in said
    assert "standard deviations" in said


def test_who_has_changed_is_named_by_the_surest_figure_and_leads_to_their_course(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("player", "metric", "change", "low", "high", "chance")
    rows = [
        ("weak", "made-rate", 0.24, 0.15, 0.33, 1e-9),
        ("weak", "score-share", 0.50, -0.2, 1.2, 0.2),
        ("bold", "made-rate", 0.60, -0.5, 1.7, 0.3),
    ]
    frame = pl.DataFrame([dict(zip(names, row, strict=True)) | CHANGED for row in rows])
    monkeypatch.setattr(front_questions, "changes", lambda *_: frame)
    improving = cells(go(app, urls.OVERVIEW))[-1]
    change = "weak : contracts made +24.0 in 100 (+15.0 to +33.0) since 2026-02-20"
    for words in (change, "on 2026-06-01 (2026-05-02 to 2026-07-03, 99 %)", "●● sure"):
        assert words in improving
    assert any("view=over-time" in each and "player=weak" in each for each in addresses_in(app))


def test_the_same_cards_show_who_overbids_and_which_bids_pay(app: AppTest, season: Path) -> None:
    go(app, urls.BIDS, view="Same cards")
    assert "The field is everybody who plays in these hands." in notes_of(app)
    assert re.search(r"\*\*bold\*\* bids in \d+ more of 100 free calls", text_of(app))
    check_charts(app)
    with open_facts(season) as facts:
        study = field.study(facts, field.Table("king-pedro", "4 partners"))
        figures = field.player_figures(study)
        of_november, every_one = (
            field.tables(facts, each)["contracts"].sum()
            for each in (Filters.of({"month": "2026-11-01"}), EVERYTHING)
        )
    rows = table_of(app, "Players on the same cards")
    assert {row["player"] for row in rows} == set(figures.filter("enough")["player"])
    go(app, urls.BIDS, view="Same cards", question="bid-or-pass")
    decisions = table_of(app, "Bid or pass")
    every = field.bid_or_pass(study)
    compared = every.filter("enough")
    for column in ("bids", "passes"):
        assert total(decisions, column) == compared[column].sum()
    left_out = f"Left out: {len(every) - len(compared)} kind"
    assert any(note.startswith(left_out) for note in notes_of(app))
    # Filters reach the field.
    assert of_november < every_one
