"""Our table: people and games chosen once, to which every page and link keeps."""

import shutil
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import Visit, cleared
from tests.kit.app_pages import address_of, addresses_in, go, open_more, press, text_of, warnings_of
from tests.kit.log_lines import write_lines
from tests.kit.made_once import loaded_once
from tests.kit.simulated_club import PEOPLE as CLUB
from tests.kit.simulated_club import simulate_club
from tests.kit.tiers import some
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import our_table
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.store import userdata
from tricklog.ingest.store.scopes import PEOPLE, Scope

SIX: Final = tuple(sorted(each for each in CLUB if not each.endswith("-2")))
GAME: Final = "king-pedro"


@cache
def hands_of_club() -> list[dict[str, Any]]:
    return simulate_club(3, evenings=2, variants=(GAME, "pedro"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A warehouse with hands of a club, and the samples that bots played."""

    def write(folder: Path) -> Path:
        logs = shutil.copytree(repository / "sample_logs" / "valid" / GAME, folder / "logs")
        hands = map(msgspec.json.encode, hands_of_club())
        return write_lines(logs / "club.jsonl", hands).parent

    # Viewers write beside it, those of each process beside their own.
    once = loaded_once(tmp_path_factory, "our-table", write)
    return shutil.copytree(once, tmp_path_factory.mktemp("table") / "db")


@pytest.fixture
def db(made: Path) -> Path:
    return cleared(made)


def shown(count: int) -> str:
    return f"{count:,} hands in "


def of_six(variant: str | None = None) -> str:
    hands = [
        hand
        for hand in hands_of_club()
        if {each["id"] for each in hand["players"]} <= {*SIX}
        and variant in (None, hand["rules"]["variant"])
    ]
    assert hands
    return shown(len(hands))


def everything_in(db: Path) -> int:
    with open_facts(db) as facts:
        return int(facts.execute("SELECT count(*) FROM games.hands").fetchall()[0][0])


def choose(app: AppTest, *people: str, games: tuple[str, ...] = ()) -> AppTest:
    app.session_state[our_table.OPENED] = True
    app.run()
    app.radio(our_table.WHO).set_value("chosen").run()
    app.multiselect(our_table.WHOM).set_value([*people]).run()
    app.multiselect(our_table.PLAYED).set_value([*games]).run()
    return press(app, "Use this table")


def test_bots_and_samples_stay_out_at_first(db: Path, visit: Visit) -> None:
    app = visit(db, urls.HANDS)
    everything, club = everything_in(db), len(hands_of_club())
    strip = text_of(app)
    assert "everybody but bots and samples" in strip
    assert f"{everything - club:,} hands at other tables left out" in strip
    assert address_of(app)[urls.WHOSE] == "people"
    assert not any("bot-" in each for each in open_more(app).multiselect("player").options)
    go(app, urls.GAMES, whose="everybody")
    assert any("bot-" in each for each in app.multiselect("player").options)
    assert f"{everything:,} hands" in text_of(app)
    assert "left out" not in text_of(app).split("</p>")[0]
    # A table that nobody chose is said.
    app = visit(db, urls.HANDS, whose="0123456789")
    assert len(app.warning) == 1
    assert "whose “0123456789”" in warnings_of(app)
    assert "everybody but bots and samples" in text_of(app)


def test_people_and_games_are_chosen_once(db: Path, visit: Visit) -> None:
    app = choose(visit(db, urls.GAMES), *SIX, games=(GAME,))
    scope = Scope(SIX, (GAME,))
    for screen in some([*urls.MENU[1:], urls.MENU[0]], 6):
        go(app, screen.file)
        if screen.path == urls.STEPS_PATH:
            assert urls.WHOSE not in address_of(app)
            continue
        assert address_of(app)[urls.WHOSE] == scope.scope_id, screen.title
        if not screen.of_table:
            continue
        assert of_six(GAME) in text_of(app), screen.title
        assert "King Pedro" in text_of(app)
        away = [each for each in addresses_in(app) if each.partition("?")[0] != "definitions"]
        assert all(f"{urls.WHOSE}={scope.scope_id}" in each for each in away), screen.title
    assert userdata.scopes(db).chosen == scope


def test_a_link_shows_its_table_after_another(db: Path, visit: Visit) -> None:
    userdata.choose_scope(db, Scope(SIX))
    userdata.choose_scope(db, Scope(variants=(GAME,)))
    app = visit(db, urls.HANDS, whose=Scope(SIX).scope_id)
    assert of_six() in text_of(app)
    # Other pages keep to it, and whoever comes without a link sees what was chosen last.
    assert of_six() in text_of(go(app, urls.GAMES))
    other = visit(db, urls.HANDS)
    assert address_of(other)[urls.WHOSE] == Scope(variants=(GAME,)).scope_id


def test_a_hand_of_another_table_can_be_opened(db: Path, visit: Visit) -> None:
    userdata.choose_scope(db, PEOPLE)
    with open_facts(db) as facts:
        (name, game), *_ = facts.execute(
            "SELECT hand_id, game FROM games.hands "
            "WHERE hand_id LIKE 'sample:%' ORDER BY hand_id LIMIT 1"
        ).fetchall()
    app = visit(db, urls.STEPS, hand=name)
    assert f"Hand {name}" in text_of(app)
    assert name in "".join(addresses_in(go(app, urls.GAMES, game=game))).replace("%3A", ":")


def test_a_choice_not_written_holds(
    db: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise userdata.UserDataError("There is no room.")

    monkeypatch.setattr(userdata, "choose_scope", fail)
    app = choose(visit(db, urls.HANDS), *SIX)
    assert "There is no room" in warnings_of(app)
    assert of_six() in text_of(app)
    assert of_six() in text_of(go(app, urls.GAMES))


def test_a_load_is_shown_whole_where_it_is_listed_and_nowhere_else(db: Path, visit: Visit) -> None:
    app = visit(db, urls.HANDS, load="1")
    assert shown(everything_in(db)) in text_of(app)
    for screen, number in ((urls.HANDS, "99"), (urls.BIDS, "1"), (urls.PLAYERS, "x")):
        assert shown(len(hands_of_club())) in text_of(go(app, screen, load=number))


def test_a_damaged_choice_gives_way_to_its_copy(db: Path, visit: Visit) -> None:
    userdata.choose_scope(db, Scope(SIX))
    userdata.user_file(db).write_bytes(b"not SQLite at all, but longer than its first page")
    assert of_six() in text_of(visit(db, urls.HANDS))
    (db / userdata.COPY_NAME).unlink()
    assert "cannot be used" in warnings_of(visit(db, urls.HANDS))


def test_people_who_never_met_are_told_so(db: Path, visit: Visit) -> None:
    userdata.choose_scope(db, Scope(("bold", "nobody")))
    app = visit(db, urls.OVERVIEW)
    assert any("never sat at a table alone" in each.value for each in app.info)
    app.session_state[our_table.OPENED] = True
    app.run()
    assert app.multiselect(our_table.WHOM).value == ["bold", "nobody"]


def test_filters_of_a_table_before_are_gone(db: Path, visit: Visit) -> None:
    app = visit(db, urls.HANDS, player="careful-2")
    assert app.multiselect("player").value == ["careful-2"]
    choose(app, *SIX)
    assert app.multiselect("player").value == []
    assert not app.warning
