"""Commands that read or write logs: output, errors, exit status."""

import json
import re
import shlex
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.cli.command_line import NOT_JSON, CommandLine, revoked, write_log
from tests.kit.foreign_records import RECORDS
from tests.kit.log_lines import one_game, with_wrong_claim
from tests.kit.tiers import some
from tricklog import core, ingest
from tricklog.ingest.adapters import ADAPTERS
from tricklog.ingest.cli.figure_tables import SHOWN
from tricklog.ingest.reading.samples import samples_folder
from tricklog.schemas.hand import Player, decode_hand, encode_hand

# --- audit


def test_a_clean_log_audits_with_status_0(tricklog: CommandLine, clean_log: Path) -> None:
    count = len(one_game("pedro"))
    ran = tricklog("audit", clean_log)
    assert ran.status == 0
    assert ran.text.splitlines() == [
        f"{count} lines = {count} accepted + 0 duplicate + 0 quarantined + 0 blank",
        f"Hands: {count} valid",
        "Findings: none",
    ]
    assert ran.stderr == ""


def test_a_finding_is_reported_with_place_table_sentence_and_rule(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand, index = revoked()
    log = write_log(tmp_path / "night.jsonl", hand)
    ran = tricklog("audit", log)
    assert ran.status == 1
    assert f"{log}:1  with-revoke  irregular: 1 finding" in ran.text
    assert f"\n  {index:>3}  trick " in ran.text
    view = core.replay(hand).at(index)
    assert view.choice.sentence in ran.text
    assert "✗ revoke: " in ran.text
    assert "Rule 1.follow Following to a trick" in ran.text
    assert "Hands: 1 irregular\nFindings: 1 revoke\n" in ran.text


def test_the_command_an_audit_names_shows_the_moment(tricklog: CommandLine, tmp_path: Path) -> None:
    hand, index = revoked()
    log = write_log(tmp_path / "a log's name.jsonl", hand)
    audited = tricklog("audit", log).text
    line = next(line for line in audited.splitlines() if "See it: " in line)
    words = shlex.split(line.split("See it: ")[1])
    assert words[:2] == ["tricklog", "replay"]
    assert words[-1] == str(index)
    assert "✗ revoke: " in tricklog(*words[1:]).text


def test_a_wrong_claim_is_reported_with_the_result(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", with_wrong_claim(one_game("king-pedro")[0]))
    ran = tricklog("audit", log)
    assert ran.status == 1
    assert "✗ claimed-points" in ran.text
    assert "King Pedro" not in ran.stderr


def test_a_game_finding_is_reported_with_the_hand_that_shows_it(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    first, second, *_ = one_game("pidro")
    log = write_log(tmp_path / "log.jsonl", first, replace(second, dealer=first.dealer))
    ran = tricklog("audit", log)
    assert ran.status == 1
    assert "✗ wrong-dealer at /dealer: " in ran.text


def test_an_unreadable_line_is_reported_with_byte_code_and_what_to_do(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand, _ = revoked()
    log = write_log(tmp_path / "log.jsonl", hand, b"", NOT_JSON, hand)
    ran = tricklog("audit", log)
    assert ran.status == 3
    byte = len(encode_hand(hand)) + 2 + len(NOT_JSON)
    assert f"{log}:3  quarantined\n  ✗ not-json (byte {byte}): " in ran.text
    assert "Write each hand as one JSON object on one line." in ran.text
    assert "4 lines = 1 accepted + 1 duplicate + 1 quarantined + 1 blank" in ran.text


def test_audit_prints_one_object_for_each_hand_and_each_unreadable_line(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    hand, index = revoked()
    log = write_log(tmp_path / "log.jsonl", hand, b"", NOT_JSON, hand)
    ran = tricklog("audit", log, "--json")
    by_line = {row["line"]: row for row in ran.objects}
    assert set(by_line) == {1, 3, 4}
    assert by_line[4]["duplicate_of"] == f"{log}:1"
    assert by_line[3]["reject"]["code"] == "not-json"
    row = by_line[1]
    assert (row["file"], row["hand_id"], row["verdict"]) == (str(log), hand.id, "irregular")
    (finding,) = row["findings"]
    assert finding["action"] == index
    assert finding["pointer"] == f"/actions/{index}"
    assert finding["rule"].split()[0] == "1.follow"
    assert {"code", "seat", "message"} <= set(finding)
    outcome = core.replay(hand).outcome
    assert outcome is not None
    assert row["points"] == list(outcome.points)
    assert row["change"] == list(outcome.change)


@pytest.mark.parametrize(("mode", "verdict"), [("strict", "rejected"), ("audit", "irregular")])
def test_the_mode_of_an_audit_decides_the_verdict(
    tricklog: CommandLine, tmp_path: Path, mode: str, verdict: str
) -> None:
    log = write_log(tmp_path / "log.jsonl", revoked()[0])
    (row,) = tricklog("audit", log, "--mode", mode, "--json").objects
    assert row["verdict"] == verdict


def test_an_unfinished_hand_gets_one_line(tricklog: CommandLine, tmp_path: Path) -> None:
    hand = one_game("pedro")[0]
    log = write_log(tmp_path / "log.jsonl", replace(hand, actions=hand.actions[:6]))
    ran = tricklog("audit", log)
    assert ran.status == 0
    # A long path to the log may break the line anywhere.
    assert "incomplete: The record stops" in " ".join(ran.text.split())
    assert "✗" not in ran.text


def test_audit_reads_standard_input(tricklog: CommandLine) -> None:
    hand, _ = revoked()
    ran = tricklog("audit", "-", stdin=encode_hand(hand) + b"\n")
    assert ran.status == 1
    assert "<stdin>:1" in ran.text
    assert "See it" not in ran.text


def test_a_path_that_does_not_exist_is_unreadable(tricklog: CommandLine) -> None:
    ran = tricklog("audit", "nowhere.jsonl")
    assert ran.status == 3
    assert ran.text == ""
    assert "nowhere.jsonl cannot be read: No such file or directory" in ran.stderr
    assert "Check that the path exists" in ran.stderr


def test_names_in_a_log_cannot_steer_the_terminal(tricklog: CommandLine, tmp_path: Path) -> None:
    hand, _ = revoked()
    evil = "\x1b[2Jboo\r[bold]"
    players = [Player(id=f"p{seat}", name=f"{evil}{seat}") for seat in range(4)]
    log = write_log(tmp_path / "log.jsonl", replace(hand, id=evil, players=players))
    for command in ("audit", "load", "replay"):
        ran = tricklog(command, log)
        assert b"\x1b" not in ran.stdout
        assert "\x1b" not in ran.stderr
    assert "[bold]0" in ran.text


# --- load and summary


def test_loading_twice_adds_nothing(tricklog: CommandLine, clean_log: Path) -> None:
    count = len(one_game("pedro"))
    first = tricklog("load", clean_log, "--db", "club", "--json")
    again = tricklog("load", clean_log, "--db", "club", "--json")
    wanted = ("lines", "accepted", "duplicate", "quarantined", "blank")
    assert [first.objects[0][key] for key in wanted] == [count, count, 0, 0, 0]
    assert [again.objects[0][key] for key in wanted] == [count, 0, count, 0, 0]
    assert (first.status, again.status) == (0, 0)


def test_loading_tells_what_it_could_not_read(tricklog: CommandLine, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", revoked()[0], NOT_JSON)
    ran = tricklog("load", log, "--db", "club")
    assert ran.status == 3
    assert "not-json" in ran.stderr
    assert "2 lines = 1 accepted + 0 duplicate + 1 quarantined + 0 blank" in ran.text
    assert "Published club" in ran.text


def test_a_load_that_reads_nothing_publishes_nothing(
    tricklog: CommandLine, tmp_path: Path, clean_log: Path
) -> None:
    (tmp_path / "empty").mkdir()
    blank = write_log(tmp_path / "blank.jsonl", b"", b"  ")
    for path in ("empty", blank):
        ran = tricklog("load", path, "--db", "club")
        assert "Nothing new: the warehouse stays as it is" in ran.text
        assert ran.status == 3
    assert tricklog("load", "nowhere.jsonl", "--db", "club").status == 3
    assert not list((tmp_path / "club").glob("games-*"))
    tricklog("load", clean_log, "--db", "club")
    (told,) = tricklog("load", "nowhere.jsonl", clean_log, "--db", "club", "--json").objects
    assert (told["accepted"], told["quarantined"], told["published"]) == (0, 1, False)
    assert told["snapshot"] == "club/games-000001.duckdb"


def test_a_load_of_nothing_but_bad_lines_says_why_it_publishes(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    log = write_log(tmp_path / "log.jsonl", NOT_JSON)
    first = tricklog("load", log, "--db", "club")
    assert "No hand is new. Published club/games-000001.duckdb, for the lines in quar" in first.text
    assert "tricklog db rejects --db club" in first.text
    assert "not-json" in tricklog("db", "rejects", "--db", "club").text
    assert "Nothing new" in tricklog("load", log, "--db", "club").text


def test_loading_into_a_file_is_refused_with_a_reason(
    tricklog: CommandLine, clean_log: Path
) -> None:
    ran = tricklog("load", clean_log, "--db", clean_log)
    assert ran.status == 2
    assert ran.stderr.startswith("tricklog: ")
    assert ran.stdout == b""


def test_a_summary_shows_totals_and_figures(tricklog: CommandLine, clean_log: Path) -> None:
    tricklog("load", clean_log, "--db", "club")
    ran = tricklog("stats", "--summary", "--db", "club")
    assert ran.status == 0
    assert f"{len(one_game('pedro'))} hands in 1 game of 4 players" in ran.text
    assert "Contracts made" in ran.text
    assert f"Made of {len(one_game('pedro'))} valid hands; left out: none." in ran.text
    assert "too few hands" in ran.text
    # What takes no time is not spoken of.
    assert ran.stderr == ""
    (summed,) = tricklog("stats", "--summary", "--db", "club", "--json").objects
    assert [each["metric"] for each in summed["figures"]] == [name for name, _ in SHOWN]
    for figure in summed["figures"]:
        assert {"variant", figure["by"], "n", "value", "low", "high"} <= figure["rows"][0].keys()
    assert summed["overview"]["hands"] == len(one_game("pedro"))


def rows_of_tables(text: str) -> list[list[str]]:
    """The rows of every table on a screen."""
    return [
        part.split("\n\n")[0].split("\nNot shown: ")[0].splitlines()[1:]
        for part in text.split("\n─")[1:]
    ]


def test_a_summary_shows_ten_rows_a_figure_and_counts_the_others(tricklog: CommandLine) -> None:
    games = [samples_folder() / "valid" / name for name in ("cinch", "pedro", "nicaragua")]
    ingest.load(*games, samples_folder() / "invalid", db="club")
    ran = tricklog("stats", "--summary", "--db", "club")
    (summed,) = tricklog("stats", "--summary", "--db", "club", "--json").objects
    tables = rows_of_tables(ran.text)
    assert [len(rows) for rows in tables] == [
        min(10, sum(row["enough"] for row in figure["rows"])) for figure in summed["figures"]
    ]
    assert max(map(len, tables)) == 10
    for rows, figure in zip(tables, summed["figures"], strict=True):
        cases = sorted((row["n"] for row in figure["rows"] if row["enough"]), reverse=True)
        shown = [int(re.findall(r" n ([\d,]+)", row)[0].replace(",", "")) for row in rows]
        assert sorted(shown, reverse=True) == cases[:10]
        few = len(figure["rows"]) - len(cases)
        assert f"{few} rows with too few hands" in ran.text
        if len(cases) > 10:
            assert f"{len(cases) - 10} rows with fewer cases and {few} rows" in ran.text
    command = next(line for line in ran.text.splitlines() if " stats made-rate " in line)
    every = tricklog(*shlex.split(command)[1:])
    assert len(rows_of_tables(every.text)[0]) >= len(summed["figures"][0]["rows"])


def test_a_summary_of_nothing_says_what_to_do(tricklog: CommandLine) -> None:
    ran = tricklog("stats", "--summary", "--db", "nowhere")
    assert ran.status == 2
    assert "nowhere" in ran.stderr


def test_a_summary_of_a_file_says_that_it_is_no_folder(
    tricklog: CommandLine, clean_log: Path
) -> None:
    ran = tricklog("stats", "--summary", "--db", clean_log)
    assert ran.status == 2
    assert "is a file, and a warehouse is a folder" in ran.stderr


# --- generate, convert


def test_generated_games_are_pure_ndjson_and_the_same_each_time(tricklog: CommandLine) -> None:
    arguments = ("generate", "--variant", "twenty-nine", "--games", "2", "--seed", "5")
    first, again = tricklog(*arguments), tricklog(*arguments)
    assert first.stdout == again.stdout
    assert first.stderr == ""
    hands = [decode_hand(line) for line in first.stdout.splitlines()]
    assert len({hand.game for hand in hands}) == 2
    assert tricklog(*arguments[:-1], "6").stdout != first.stdout


@pytest.mark.parametrize("variant", some(core.variants(), 3))
def test_generated_games_audit_clean(tricklog: CommandLine, variant: str) -> None:
    made = tricklog("generate", "--variant", variant)
    assert tricklog("audit", "-", stdin=made.stdout).status == 0


def test_games_under_rules_of_ones_own_carry_them(tricklog: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "Our House.toml").write_text('extends = "pedro"\ntarget = 21\ngoes_out_at = 0\n')
    made = tricklog("generate", "--variant", "Our House.toml")
    assert made.status == 0
    hand = decode_hand(made.stdout.splitlines()[0])
    assert hand.rules.variant == "pedro"
    assert core.ruleset_of(hand).hash == core.load_rules_file(tmp_path / "Our House.toml").hash
    assert tricklog("audit", "-", stdin=made.stdout).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--variant"),
        (("--variant", "nowhere.toml"), "nowhere.toml cannot be read"),
        (("--variant", "pedros"), "Did you mean pedro?"),
        (("--variant", "pedro", "--games", "0"), "games"),
        (("--variant", "pedro", "--seed", "x"), "seed"),
    ],
)
def test_what_cannot_be_generated_is_refused(
    tricklog: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    ran = tricklog("generate", *arguments)
    assert ran.status == 2
    assert said in ran.stderr
    assert ran.stdout == b""


def test_converted_hands_go_to_stdout_and_the_counts_to_stderr(tricklog: CommandLine) -> None:
    made = tricklog("convert", "--from", "knybbe-pidro", "-", stdin=b'{"not":"a game"}\n\n')
    assert made.status == 3
    assert made.stdout == b""
    assert "1 record = 0 converted + 1 rejected; 0 hands" in made.stderr
    told = tricklog("convert", "--from", "knybbe-pidro", "-", "--json", stdin=b"{}\n")
    reject, counts = map(json.loads, told.stderr.splitlines())
    assert {"file", "line", "byte", "code", "pointer", "message", "hint"} == set(reject)
    assert counts["rejected"] == 1


def test_an_unknown_adapter_is_answered_with_the_known_ones(tricklog: CommandLine) -> None:
    ran = tricklog("convert", "--from", "whist", "x.jsonl")
    assert ran.status == 2
    assert "knybbe-pidro" in ran.stderr


def test_raw_records_of_other_programs_are_read_as_such(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    for name in some([*RECORDS], 2):
        log = samples_folder() / "foreign" / "raw" / f"{name}.json"
        for command in (("audit", log), ("load", log, "--db", tmp_path / name)):
            ran = tricklog(*command)
            assert ran.status in (0, 1), name
            assert ran.stderr == f"Read as {ADAPTERS[name].program}: --from {name}\n"
            assert " 1 accepted" in ran.text


def test_lines_of_another_program_are_told_once_with_the_commands_that_help(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    # Nobody knows whose a log is that a pipe has brought.
    lines = b"".join(msgspec.json.encode(RECORDS["knybbe-pidro"]) + b"\n" for _ in range(78))
    db = tmp_path / "my club"
    program = ADAPTERS["knybbe-pidro"].program
    for command in (("audit", "-"), ("load", "-", "--db", db)):
        ran = tricklog(*command, stdin=lines)
        assert ran.status == 3
        told = ran.text if command[0] == "audit" else ran.stderr
        assert len(told.splitlines()) < 20
        assert "<stdin>  77 more lines quarantined" in told
        beside = told[told.index("Lines 2 to 78.") :]
        assert f"look like another program’s: {program}." in beside
        words = [shlex.split(line) for line in re.findall(r": (tricklog .*)", beside)]
        assert words[0][:4] == ["tricklog", command[0], "--from", "knybbe-pidro"]
        assert tricklog(*words[0][1:], stdin=lines).status in (0, 1)
        for drop in words[1:]:
            # The same line is kept once.
            assert tricklog(*drop[1:]).text == "1 line dropped from quarantine\n"


def test_lines_of_a_program_that_no_adapter_knows_are_told_once(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    logs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for log in logs:
        lines = [b'{"moves": %d}\n' % number for number in range(40)]
        log.write_bytes(b"".join([*lines[:20], b"\n", *lines[20:]]))
    ran = tricklog("load", *logs, "--db", tmp_path / "db")
    for log in logs:
        assert ran.stderr.count(f"{log}:") == 1
        assert f"{log}  39 more lines quarantined" in ran.stderr
    assert ran.stderr.count("Lines 2 to 20, 22 to 41.") == 2
    advice = " ".join(ran.stderr.split())
    assert "tricklog load --from NAME" in advice
    assert "tricklog convert --new NAME" in advice
    # For programs each of them is an object.
    told = tricklog("load", *logs, "--db", tmp_path / "db", "--json")
    assert len(told.stderr.splitlines()) == 80


def test_nothing_is_said_of_other_programs_where_lines_are_of_none(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    log = write_log(tmp_path / "log.jsonl", *one_game("pedro"))
    log.write_bytes(log.read_bytes() + NOT_JSON + b'\n{"moves": 1}\n')
    assert "another program" not in tricklog("audit", log).stderr
    told = tricklog("load", log, "--db", tmp_path / "db", "--json")
    assert "another program" not in told.stderr
