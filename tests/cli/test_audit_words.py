"""What audits and readers say: findings of games are counted, values are named, cuts told once."""

import json
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.cli.command_line import CommandLine, revoked, write_log
from tests.kit.log_lines import one_game
from tests.kit.plugins import GOOD, installed_from, put_package
from tricklog import ingest
from tricklog.ingest.completing.words import candidates
from tricklog.ingest.reading.decode_errors import no_such_value, values_at
from tricklog.schemas.hand import encode_hand


def test_findings_of_the_game_are_counted_with_the_others(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    first, second, *_ = one_game("pedro")
    wrong = replace(second, dealer=(second.dealt_by + 1) % 4, scores=[1, 1])
    bare = replace(second, scores=[1, 1], claimed=UNSET)
    alone = tricklog("audit", write_log(tmp_path / "a.jsonl", first, bare))
    assert "valid: 1 finding of its game" in alone.text
    said = tricklog("audit", write_log(tmp_path / "b.jsonl", first, wrong)).text
    head = next(line for line in said.splitlines() if "b.jsonl:2  " in line)
    listed = said.splitlines()[-1].removeprefix("Findings: ")
    count = sum(int(each.split()[0]) for each in listed.split(", "))
    assert f": {count} findings" in head
    assert "of its game" in head
    # A hand without any says nothing of them.
    ran = tricklog("audit", write_log(tmp_path / "c.jsonl", revoked()[0]))
    assert "irregular: 1 finding\n" in ran.text


def test_a_value_that_is_none_is_told_with_those_there_are(tmp_path: Path) -> None:
    text = encode_hand(replace(one_game("pedro")[0], status="complete"))
    log = write_log(tmp_path / "a.jsonl", text.replace(b'"complete"', b'"compleat"'))
    (line,) = ingest.read(log)
    assert line.reject
    assert line.reject.pointer == "/status"
    assert line.reject.message == (
        "There is no status 'compleat' (did you mean 'complete'?); choose abandoned, claimed, "
        "complete, decided, in_progress, thrown_in."
    )


def test_values_are_found_in_lists_and_objects() -> None:
    assert set(values_at(("players", 0, "kind"))) == {"bot", "human"}
    assert "tricks" in values_at(("gaps", 2, "missing"))
    assert values_at(("id",)) == ()
    assert values_at(("players", 0, "nothing", "there")) == ()
    assert no_such_value("x", ("id",)) is None


@pytest.mark.parametrize("kept", [1, 20, 90])
def test_a_list_that_was_cut_off_is_one_trouble(
    tricklog: CommandLine, tmp_path: Path, kept: int
) -> None:
    first, second, *_ = one_game("pedro")
    pretty = [msgspec.json.format(encode_hand(hand), indent=2).decode() for hand in (first, second)]
    path = tmp_path / "night.json"
    path.write_text(f"[{pretty[0]},\n{pretty[1][: len(pretty[1]) * kept // 100 + 1]}", "utf-8")
    hand, cut = ingest.read(path)
    assert hand.hand == first
    assert cut.reject
    assert "may have been cut off" in cut.reject.hint
    told = [json.loads(each) for each in tricklog("audit", path, "--json").stdout.splitlines()]
    assert len(told) == 2
    # Between two hands nothing but the end of the list is missing.
    path.write_text(f"[{pretty[0]},\n", "utf-8")
    _, end = ingest.read(path)
    assert end.reject
    assert end.reject.message == "The list that begins in line 1 has no end."


# --- Hints of other commands


def test_a_dashboard_without_a_warehouse_says_how_to_get_one(
    tricklog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Served(BaseException):
        """Where this process would become the server."""

    def serve(*_: object) -> None:
        raise Served

    monkeypatch.setattr("os.execv", serve)
    monkeypatch.setattr("tricklog.ingest.cli.commands.dashboard._require_free", lambda _: None)
    said: list[str] = []
    for db in ("nodb", "club"):
        if db == "club":
            log = write_log(tmp_path / "a.jsonl", one_game("pedro")[0])
            assert tricklog("load", log, "--db", tmp_path / db).status == 0
        told = StringIO()
        with pytest.raises(Served), redirect_stderr(told):
            tricklog("dashboard", "--db", tmp_path / db)
        said.append(told.getvalue())
    assert "There is no warehouse in" in said[0]
    assert f"load LOGS --db {tmp_path / 'nodb'}" in " ".join(said[0].split())
    assert "There is no warehouse" not in said[1]


def test_completion_knows_adapters_of_packages(tmp_path: Path) -> None:
    put_package(tmp_path, "tables_package", GOOD, tables="tables_package:ADAPTER")
    with installed_from(tmp_path):
        assert candidates(["convert", "--from", "tab"]) == ["tables"]
        assert candidates(["load", "--from=rlc"]) == ["--from=rlcard-29"]
    assert candidates(["convert", "--from", "tab"]) == []
