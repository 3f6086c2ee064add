"""``tricklog mark`` and ``tricklog forget``, as somebody types them: tags, notes, aliases."""

import shutil
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.cli.command_line import CommandLine, Ran
from tests.kit.dashboard_logs import NASTY
from tests.kit.evening_logs import write_records
from tests.kit.forgotten_club import NAME, NICK, WHO, load_club
from tests.kit.log_lines import generated
from tests.kit.made_once import once
from tests.kit.solved import warehouse
from tests.store.test_aliases import FIRST, OTHER, records
from tricklog import ingest
from tricklog.ingest.cli import following
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.following.follow import Told
from tricklog.ingest.forgetting import forget
from tricklog.ingest.loading.staging import stage


# --- Tags and notes
@once()
def loaded(folder: Path) -> None:
    warehouse(folder, generated("pedro", games=2))


Runs = Callable[..., Ran]


@pytest.fixture
def tagged(tricklog: CommandLine, loaded: Path, tmp_path: Path) -> Runs:
    shutil.copytree(loaded, tmp_path, dirs_exist_ok=True)
    return partial(tricklog, status=0)


def ids() -> list[str]:
    return [hand.id for hand in generated("pedro", games=2)]


def test_hands_are_tagged_listed_counted_and_freed(tagged: Runs) -> None:
    first, second, third = ids()[:3]
    add = "mark tag add --db db"
    assert tagged(add, "lesson", first, second).text == "2 hands tagged lesson.\n"
    assert "1 hand tagged Lesson; 1 were" in tagged(add, "Lesson", second, third).text
    assert tagged("mark tag list --db db").text == "lesson  3 hands\n"
    listed = tagged("mark tag list LESSON --db db").text
    assert listed.split() == sorted([first, second, third])
    (figures,) = tagged("stats hands --by tag --format json --db db").objects
    assert [(row["tag"], row["n"]) for row in figures["figures"][0]["rows"]] == [("lesson", 3)]
    tagged("mark tag remove lesson --where tag=lesson --db db")
    assert tagged("mark tag list --json --db db").text == "{}\n"
    # What conditions choose is tagged whatever the verdict.
    tagged(f"{add} all --where variant=pedro")
    assert tagged("mark tag list all --json --db db").objects == [sorted(ids())]


def test_notes_are_written_changed_listed_and_removed(tagged: Runs) -> None:
    hand, player = ids()[0], generated("pedro", games=1)[0].players[0].id
    tagged("mark note add --db db", hand, NASTY)
    tagged("mark note add --db db --player", player, "passes\ntoo much")
    ((first, second),) = tagged("mark note list --json --db db").objects
    assert (first["hand_id"], first["text"]) == (hand, NASTY.replace("\u202e", ""))
    assert (second["subject"], second["text"]) == (player, "passes\ntoo much")
    tagged(f"mark note change {first['note']} other --db db")
    assert "other" in tagged("mark note list --db db", hand).text
    assert "other" not in tagged("mark note list --db db --player", player).text
    gone = tagged(f"mark note remove {first['note']} {second['note']} {first['note']} --db db")
    assert gone.text.count("is removed") == 2
    assert tagged("mark note list --json --db db").objects == [[]]


def test_tags_and_notes_go_to_another_warehouse(tagged: Runs) -> None:
    hand = ids()[0]
    tagged("mark tag add lesson --db db", hand)
    tagged("mark note add --db db", hand, "what it taught")
    ingest.load("log.jsonl", db="other")
    for kind in ("tag", "note"):
        Path(f"{kind}.json").write_bytes(tagged(f"mark {kind} export --db db").stdout)
        tagged(f"mark {kind} import {kind}.json --db other")
    assert tagged("mark tag list lesson --db other").text.split() == [hand]
    assert "what it taught" in tagged("mark note list --db other").text
    assert "0 tags and 0 notes" in tagged("mark tag import tag.json --db other").text


def test_without_the_file_of_tags_figures_by_tag_are_refused(tagged: Runs) -> None:
    tagged("mark tag add lesson --db db", ids()[0])
    for name in ("user.sqlite", "user-copy.sqlite"):
        (Path("db") / name).write_bytes(b"junk" * 99)
    assert "user" in tagged("mark tag list --db db", status=3).stderr
    assert "cannot be used" in tagged("stats hands --by tag --db db", status=3).stderr


# --- Aliases
@once("db")
def of_two(folder: Path) -> None:
    ingest.load(write_records(folder / "log.jsonl", records()[:60]), db=folder / "db")
    open_facts(folder / "db").close()


@pytest.fixture
def aliased(tricklog: CommandLine, of_two: Path, tmp_path: Path) -> Runs:
    shutil.copytree(of_two, tmp_path / "db")
    return partial(tricklog, status=0)


ADD = ("mark alias add --db db", OTHER, FIRST)


def at_one_table(name: str, hand: str = "both", game: str = "of both") -> Path:
    both = records()[0] | {"id": hand, "game": game}
    both["players"][0]["id"], both["players"][1]["id"] = FIRST, OTHER
    return write_records(Path(name), [both])


def test_two_ids_count_as_one_until_taken_back(aliased: Runs) -> None:
    def hands(*asked: str) -> tuple[int, ...]:
        (told,) = aliased("stats hands --by player --format json --db db", *asked).objects
        hands = {row["player"]: row["n"] for row in told["figures"][0]["rows"]}
        return tuple(hands[each] for each in (FIRST, OTHER) if each in hands)

    apart = hands()
    assert len(apart) == 2
    aliased(*ADD)
    alias = {"player": OTHER, "stands_for": FIRST}
    assert aliased("mark alias list --json --db db").objects == [[alias]]
    assert hands("--where", f"player={OTHER}") == (sum(apart),)
    aliased("mark alias remove --db db", OTHER)
    assert hands() == apart


def test_a_load_that_seats_both_at_one_table_says_so(aliased: Runs) -> None:
    aliased(*ADD)
    at_one_table("both.jsonl")
    for command in ("load both.jsonl", "stats hands"):
        said = aliased(f"{command} --db db").stderr
        assert "not counted as one player" in said
    assert "set aside: " in aliased("mark alias list --db db").text
    (listed,) = aliased("mark alias list --json --db db").objects
    assert listed == [{"player": OTHER, "stands_for": FIRST, "both_in": "both"}]
    more = at_one_table("more.jsonl", "both again", "another of both")
    (told,) = aliased("load --json --db db", more).objects
    assert told["set_aside"] == [{"player": OTHER, "stands_for": FIRST, "hand": "both"}]
    # Somebody who follows logs sees it once.
    report = ingest.load(at_one_table("third.jsonl", "once more", "a third of both"), db="db")
    says, told_of = following.Says("db", json=True, progress=False), StringIO()
    with redirect_stderr(told_of):
        for _ in range(2):
            says.taken(Told(report, 0.1, 1, 0))
    assert told_of.getvalue().count("not counted as one player") == 1


def test_a_report_knows_the_old_id(aliased: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def knows_nobody(*_: object) -> NoReturn:
        """Have the command say whose report it asks for, without making one."""
        raise LookupError

    monkeypatch.setattr("tricklog.ingest.cli.commands.report.player_report", knows_nobody)
    aliased(*ADD)
    for player in (FIRST, OTHER):
        said = aliased("report --db db --player", player, status=2).stderr
        assert f"'{FIRST}' has no valid hand" in said


# --- Forgetting
def test_it_says_what_it_would_do_asks_and_does_it(tricklog: CommandLine, tmp_path: Path) -> None:
    load_club(tmp_path, count=9)
    told = tricklog("forget --dry-run --db db", WHO, status=0).text
    assert f"{WHO} would become forgotten-1" in told
    assert "first.jsonl" in told
    assert "--yes" in tricklog("forget --db db", WHO, status=2).stderr
    assert WHO in tricklog("forget --yes --db db", NAME, status=2).stderr
    forgotten = tricklog("forget --yes --json --db db", WHO, "--also", NICK, status=0)
    (report,) = forgotten.objects
    assert report["ids"] == {WHO: "forgotten-1"}
    assert report["removed_files"] > 0
    assert "somebody who was forgotten" in tricklog("load logs --db db").text
    also = tricklog("forget --yes --db db", WHO, "--also", NAME, status=0)
    assert "Out of reach: logs" in also.text


def test_a_load_beside_it_says_what_became_of_it(tricklog: CommandLine, tmp_path: Path) -> None:
    db = load_club(tmp_path, count=9)

    def forgetting_meanwhile(*parts: Any, **named: Any) -> None:  # noqa: ANN401 - passed on
        stage(*parts, **named)
        forget(WHO, db=db)

    tricklog.patch.setattr("tricklog.ingest.loading.loading.stage", forgetting_meanwhile)
    said = tricklog("load logs --db", db, status=3).stderr
    assert "Nothing was published; do the same again." in said
    assert "all the same" not in said
