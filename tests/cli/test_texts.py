"""Hands written as text, and logs in an object store, go the ways of logs in a folder."""

import gzip
import json
import threading
import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.log_lines import generated
from tests.kit.object_store import ObjectStore
from tests.kit.tiers import some
from tests.reading.test_object_stores import put
from tricklog.ingest.cli.unread_lines import MOST_WARNINGS as MOST
from tricklog.ingest.following.follow import Ears, follow
from tricklog.ingest.recording.people import person
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import decode_hand, encode_hand

# --- What may not be meant
HEAD = "game Pedro\nplayers Ann & Cy vs Bo & Dee\ndate 2026-11-20\n"
SLIPPED = f"{HEAD}hand 1; dealer Ann; Ann 8, made; points 9 5; after 9 5 4\n"
WARNED = "4:52  warning: 3 numbers for 2 sides"


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.trick"
    path.write_text(SLIPPED, encoding="utf-8")
    return path


@pytest.mark.parametrize("to", some(["db", "lake:lake --on here"], 1))
def test_a_load_warns_as_an_audit_does(tricklog: CommandLine, night: Path, to: str) -> None:
    for command in ("audit", "audit --format line", f"load --db {to}"):
        assert f"night.trick:{WARNED}" in tricklog(command, night).stderr


def test_warnings_are_objects_where_all_else_is(tricklog: CommandLine, night: Path) -> None:
    told = map(json.loads, tricklog("load --db db --json", night).stderr.splitlines())
    places = [(each["line"], each["column"], each["severity"]) for each in told]
    assert places == [(4, 52, "warning")]
    # A sheet of years does not hide all else.
    hands = [f"hand {n}; Ann 8, made; points 9 5; after 9 5 4\n" for n in range(1, MOST + 6)]
    Path("years.trick").write_text(HEAD + "".join(hands), encoding="utf-8")
    said = tricklog("load years.trick --db db").stderr
    assert said.count("3 numbers for 2 sides") == MOST
    assert "and 5 more like these" in said


@pytest.mark.posix
def test_a_follower_warns_too(tmp_path: Path, night: Path) -> None:
    heard: list[tuple[str, Problem]] = []
    stop = threading.Event()

    def hear(file: str, warning: Problem) -> None:
        heard.append((file, warning))
        stop.set()

    follow(tmp_path, db=tmp_path / "db", stop=stop, every=0.1, ears=Ears(on_warning=hear))
    assert [(Path(file).name, each.line) for file, each in heard] == [(night.name, 4)]


# --- `--variant` decides how hands are read, from their first line on
RULES = (
    'extends = "twenty-nine"\nid = "other-way"\ntitle = "Other way"\ndirection = "anticlockwise"\n'
)
HAND = """players South, West, North, East
match m1
hand 1
dealer South
East 16, North pass, West pass, South pass
East trump clubs
1. East 7h Qh Ah Jh
"""


@pytest.mark.parametrize("game", ["game 29\n", ""])
def test_cards_without_players_go_as_the_rules_say(game: str, tricklog: CommandLine) -> None:
    Path("rules.toml").write_text(RULES, encoding="utf-8")
    Path("m.trick").write_text(f"{game}{HAND}", encoding="utf-8")
    without = tricklog("audit m.trick").text
    assert ("wrong-leader" if game else "which game is this?") in without
    assert "Findings: none" in tricklog("audit m.trick --variant rules.toml").text
    shown = tricklog("replay m.trick --variant rules.toml --hand m1-1 --at 6", status=0)
    assert "North plays queen of hearts" in shown.text
    # The command that shows a finding names the rules given.
    Path("m.trick").write_text(f"{game}{HAND}2. East 7c 8c 9c 10c\n", encoding="utf-8")
    told = tricklog("audit m.trick --variant rules.toml").text
    assert "wrong-leader" in told
    assert "--at 9 --variant rules.toml" in told


# --- One name is one player: from a text, a score sheet, a terminal and the page
IDS = ["ann-lee", "édith", "cy", "dee"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_the_same_player_however_it_comes_in(
    form: Literal["NFC", "NFD"], tricklog: CommandLine
) -> None:
    names = unicodedata.normalize(form, "Ann Lee, Édith, CY, dee")
    log, text, sheet = Path("a.jsonl"), Path("a.trick"), Path("a.csv")
    tricklog(*("record --variant pedro --quick --players", names, log), stdin=b"CY 9 d 8 6\nsave\n")
    text.write_text(f"game pedro\nplayers {names}\nhand 1\nCY 9\n... rest\npoints 8 6\n", "utf-8")
    first, second, third, fourth = said = tuple(names.split(", "))
    head = f"Dealer,Bidder,Bid,{first} & {third},{second} & {fourth}"
    sheet.write_text(f"{head}\n{fourth},{third},9,-9,6\n", "utf-8")
    read = read_sheets(SheetSettings("pedro", players=said), sheet)
    hands = [decode_hand(log.read_bytes()), decode_hand(tricklog("convert", text).stdout)]
    hands += [line.hand for line in read if line.hand]
    assert [[player.id for player in hand.players] for hand in hands] == [IDS, IDS, IDS]
    assert [person(name, {}).id for name in said] == IDS


# --- Logs in an object store
BUCKET = "commands"
LOGS = f"s3://{BUCKET}/logs"


def test_commands_read_addresses_too(tricklog: CommandLine, object_store: ObjectStore) -> None:
    for name, value in object_store.environment.items():
        tricklog.patch.setenv(name, value)
    lines = [encode_hand(hand) for hand in generated("pedro", 4)][:10]
    put(object_store, "logs/é x.jsonl", b"oops\n" + b"\n".join(lines), BUCKET)
    put(object_store, "logs/a.jsonl.gz", gzip.compress(lines[0]), BUCKET)
    ran = tricklog(f"load {LOGS}/ --db stored", status=3)
    assert "12 lines = 10 accepted + 1 duplicate + 1 quarantined" in ran.text
    assert f"{LOGS}/é x.jsonl:1" in ran.stderr
    assert len(tricklog(f"audit {LOGS}/a.jsonl.gz --json", status=0).objects) == 1
    assert tricklog(f"replay {LOGS}/a.jsonl.gz --json", status=0).objects
    ran = tricklog(f"convert {LOGS}/nothing --from rlcard-29", status=3)
    assert f"{LOGS}/nothing does not exist. Check the address" in ran.advice
