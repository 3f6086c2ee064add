"""One name is one player: the same id from a text, a score sheet, a terminal and the page."""

import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from tests.cli.command_line import CommandLine
from tricklog.core.recording.draft import RecordingError
from tricklog.core.recording.evening import begin
from tricklog.ingest.recording.people import person, players_of
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.schemas.hand import RulesRef, decode_hand

NAMES = "Ann Lee, Édith, CY, dee"
IDS = ["ann-lee", "édith", "cy", "dee"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_the_same_player_however_it_comes_in(
    form: Literal["NFC", "NFD"], tricklog: CommandLine, tmp_path: Path
) -> None:
    names = unicodedata.normalize(form, NAMES)
    log, text, sheet = tmp_path / "a.jsonl", tmp_path / "a.trick", tmp_path / "a.csv"
    typed = b"CY 9 d 8 6\nsave\n"
    tricklog("record", log, "--variant", "pedro", "--players", names, "--quick", stdin=typed)
    text.write_text(f"game pedro\nplayers {names}\nhand 1\nCY 9\n... rest\npoints 8 6\n", "utf-8")
    first, second, third, fourth = names.split(", ")
    sheet.write_text(
        f"Dealer,Bidder,Bid,{first} & {third},{second} & {fourth}\n{fourth},{third},9,-9,6\n",
        "utf-8",
    )
    hands = [decode_hand(log.read_bytes()), decode_hand(tricklog("convert", text).stdout)]
    said = tuple(names.split(", "))
    hands += [
        line.hand for line in read_sheets(SheetSettings("pedro", players=said), sheet) if line.hand
    ]
    ids = [[player.id for player in hand.players] for hand in hands]
    assert ids == [IDS, IDS, IDS]
    assert [person(name, {}).id for name in said] == IDS


def test_two_spellings_of_one_player_are_refused_at_one_table(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    args = ("record", tmp_path / "a.jsonl", "--variant", "pedro", "--players")
    ran = tricklog(*args, "Ann, ann, Cy, Dee")
    assert ran.status == 2
    assert "Ann and ann are one player, who sits at two seats" in ran.stderr
    with pytest.raises(RecordingError, match="Ann sits at two seats"):
        begin("x", RulesRef("pedro"), players_of("Ann, Bo, Ann, Dee"), dealer=0)
    assert tricklog(*args, "Ann, ann <ann-2>, Cy, Dee").status == 0
