"""`tricklog show game`: the score sheet on the screen and as JSON, and ids that no game has."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.dashboard_logs import MARK, hostile_hand
from tests.kit.evening_logs import holed_game, king_pedro, records_in, write_records
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once
from tests.regenerate.samples import FOLDER
from tricklog import ingest

KING = king_pedro()
GAME = KING[0]["game"]
SEVEN = FOLDER / "sancho" / "one-game-at-7.jsonl"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        logs = folder / "logs"
        write_records(logs / "king.jsonl", [*KING, *holed_game()])
        write_records(logs / "seven.jsonl", records_in([SEVEN]))
        write_records(
            logs / "twice.jsonl", [each | {"id": f"again {each['id']}"} for each in KING[:2]]
        )
        write_hands(logs / "hostile.jsonl", [hostile_hand(14)])
        ingest.load(logs, db=folder / "db")

    return made_once(tmp_path_factory, "game", make) / "db"


def test_the_sheet_has_a_line_for_each_hand(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "game", "holed", "--db", db)
    assert ran.status == 0
    lines = {line.split()[0]: line for line in ran.text.splitlines() if line.strip()}
    for record in holed_game():
        assert str(record["hand"]) in lines
    assert "not stored" in lines["2"]
    assert "incomplete" in lines["4"]
    assert "rejected" in lines["6"]
    for row in ("1", "3", "5"):
        record = next(each for each in KING if str(each["hand"]) == row)
        points, change, scores = (record["claimed"][key] for key in ("points", "change", "scores"))
        assert f"{points[0]} : {points[1]}" in lines[row]
        for number in (*map(abs, change), *map(abs, scores)):
            assert str(number) in lines[row]


def test_the_sheet_of_seven_is_aligned(tricklog: CommandLine, db: Path) -> None:
    game = records_in([SEVEN])[0]["game"]
    lines = tricklog("show", "game", game, "--db", db).text.splitlines()
    rule = next(place for place, line in enumerate(lines) if line.startswith("──"))
    rows = lines[rule + 1 : rule + 1 + len(records_in([SEVEN]))]
    last = records_in([SEVEN])[-1]["claimed"]["scores"]
    ends = [lines[rule - 1].index(label) + len(label) for label in _labels(lines[rule - 1])]
    assert [int(rows[-1][:end].split()[-1].replace("−", "-")) for end in ends] == last
    assert any(line.startswith("Counted out in hand") for line in lines)


def _labels(head: str) -> list[str]:
    return [word for word in head.split() if word.startswith("bot-")]


def test_the_sheet_as_json(tricklog: CommandLine, db: Path) -> None:
    (told,) = tricklog("show", "game", "holed", "--db", db, "--json").objects
    assert told["variant"] == "king-pedro"
    assert [row["kind"] for row in told["rows"][:6]] == [
        *("played", "missing", "played", "incomplete", "played", "rejected")
    ]
    assert told["scores"] == KING[-1]["claimed"]["scores"]
    assert told["rows"][0]["change"] == KING[0]["claimed"]["change"]


def test_an_id_in_several_logs_gives_a_sheet_for_each(tricklog: CommandLine, db: Path) -> None:
    first, second = tricklog("show", "game", GAME, "--db", db, "--json").objects
    assert (len(first["rows"]), len(second["rows"])) == (len(KING), 2)
    shown = tricklog("show", "game", GAME, "--db", db).text
    assert shown.count("From ") == 2


def test_an_unknown_id_offers_what_is_close(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "game", "hole", "--db", db)
    assert ran.status == 2
    assert "there is no game 'hole'" in ran.stderr
    assert "Did you mean 'holed'?" in ran.stderr
    assert "no game" in tricklog("show", "game", "?", "--db", db).stderr.lower()


def test_the_id_of_a_hand_names_its_game(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "game", "holed-1", "--db", db)
    assert ran.status == 2
    assert "hand of game holed" in ran.stderr


def test_a_warehouse_that_is_not_there_is_said_so(tricklog: CommandLine) -> None:
    ran = tricklog("show", "game", "holed", "--db", "nowhere")
    assert ran.status == 2
    assert "tricklog load" in ran.stderr


def test_text_from_logs_moves_no_cursor(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "game", str(hostile_hand(14).game), "--db", db)
    assert ran.status == 0
    assert MARK in ran.text
    assert not set("\x00\x07\x1b\x7f\u202e\u2028") & set(ran.text + ran.stderr)
