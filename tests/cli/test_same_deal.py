"""Deals of several tables, and hands under other rules, on the command line."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine, write_log
from tests.kit.at_table import club
from tests.kit.log_lines import one_game, write_hands
from tricklog.core import load_variant, replay
from tricklog.core.study.elsewhere import Elsewhere, Rescored, elsewhere
from tricklog.ingest.loading.loading import load


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deals")
    log = write_hands(folder / "club.jsonl", [*club("pidro", 3, 3), *one_game("pedro")])
    load(log, db=folder / "db")
    return folder / "db"


def test_deals_lists_what_several_tables_have_played(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("list", "deals", "--db", db)
    assert ran.status == 0
    assert "3 deals played at more than one table" in ran.text
    assert "t0-0 & t0-2" in ran.text
    assert "bot-" not in ran.text
    fewer = tricklog("list", "deals", "--db", db, "--top", "1")
    assert "Not shown: 2 deals" in fewer.text


def test_deals_as_json_leads_to_the_tables_of_one(tricklog: CommandLine, db: Path) -> None:
    (told,) = tricklog("list", "deals", "--db", db, "--json").objects
    assert told["count"] == len(told["deals"]) == 3
    assert {each["tables"] for each in told["deals"]} == {3}
    assert len(told["pairs"]) == 6
    key = told["deals"][0]["key"]
    (one,) = tricklog("show", "deal", key, "--db", db, "--json").objects
    assert one["deal"] == key
    assert one["left_out"] == []
    assert len(one["tables"]) == 3
    assert len(one["compared"]) == 6
    assert sum(each["matchpoints"] for each in one["compared"]) == 6
    assert sum(each["score"] for each in one["compared"]) == pytest.approx(0)
    text = tricklog("show", "deal", key, "--db", db, "--against", "median").text
    assert "Against the median of the others" in text
    assert all(each["hand_id"] in text for each in one["tables"])


def test_a_deal_that_nobody_shared_is_refused(
    tricklog: CommandLine, db: Path, tmp_path: Path
) -> None:
    ran = tricklog("show", "deal", "0123456789abcdef", "--db", db)
    assert ran.status == 2
    assert "no deal '0123456789abcdef' was played at several tables" in ran.stderr
    load(write_log(tmp_path / "log.jsonl", one_game("pidro")[0]), db=tmp_path / "db")
    assert "No deal was played" in tricklog("list", "deals", "--db", tmp_path / "db").text


def test_a_hand_is_rescored_and_valued_under_other_rules(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand = one_game("pedro")[0]
    log = write_log(tmp_path / "log.jsonl", hand)
    found = elsewhere(replay(hand), load_variant("cinch"))
    assert isinstance(found, Elsewhere)
    assert isinstance(found.rescored, Rescored)
    text = tricklog("replay", log, "--rescore", "--variant", "cinch").text
    assert "in Pedro" in text
    assert "in Cinch" in text
    assert "bot-bold-1 : " in text or " : bot-" in text
    (told,) = tricklog("replay", log, "--rescore", "--variant", "cinch", "--json").objects
    assert told["fits"]
    assert told["rescored"]["there"]["change"] == list(found.rescored.there.change)
    assert told["rescored"]["here"]["change"] == list(found.rescored.here.change)
    assert told["resolved"]["value"]["low"] >= 0
    ran = tricklog("replay", log, "--rescore", "--variant", "cinch")
    assert ran.status == 0
    assert "under the rules of Cinch" in ran.text
    assert "With all cards open" in ran.text


def test_house_rules_from_a_file_are_other_rules(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", one_game("pedro")[0])
    rules = tmp_path / "strict.toml"
    rules.write_text('extends = "pedro"\n[play]\nplain_follow = "follow"\n')
    ran = tricklog("replay", log, "--rescore", "--variant", rules)
    assert ran.status == 0
    assert "The deal fits" in ran.text


def test_a_hand_that_does_not_fit_is_refused_with_reason_and_rule(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    log = write_log(tmp_path / "log.jsonl", one_game("pedro")[0])
    ran = tricklog("replay", log, "--rescore", "--variant", "king-pedro")
    assert ran.status == 1
    assert "deals 12 cards to each player" in ran.text
    assert "[8.deal]" in ran.text
    (told,) = tricklog("replay", log, "--rescore", "--variant", "king-pedro", "--json").objects
    assert not told["fits"]
    assert told["refused"]["reason"] == "deal"
    assert tricklog("replay", log, "--rescore", "--variant", "cinch", "--at", "3").status == 2
