"""Commands that read or write logs: output, errors, exit status."""

import json
import re
import shlex
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.cli.command_line import NOT_JSON, CommandLine, revoked, write_log
from tests.kit.foreign_records import RECORDS
from tests.kit.log_lines import one_game, with_wrong_claim
from tests.kit.made_once import played
from tests.kit.tables import sancho
from tests.kit.tiers import some
from tricklog import core, ingest
from tricklog.ingest.adapters import ADAPTERS
from tricklog.ingest.cli.figure_tables import SHOWN
from tricklog.ingest.reading.decode_errors import no_such_value, values_at
from tricklog.ingest.reading.samples import samples_folder
from tricklog.schemas.hand import decode_hand, encode_hand


# --- audit
def test_a_clean_log_audits_with_status_0(tricklog: CommandLine, clean_log: Path) -> None:
    count = len(one_game("pedro"))
    ran = tricklog("audit", clean_log, status=0)
    assert ran.text.splitlines() == [
        f"{count} lines = {count} accepted + 0 duplicate + 0 quarantined + 0 blank",
        f"Hands: {count} valid",
        "Findings: none",
    ]
    assert ran.stderr == ""


def test_a_finding_has_place_table_sentence_rule_and_command(tricklog: CommandLine) -> None:
    hand, index = revoked()
    log = write_log("a log's name.jsonl", hand)
    text = tricklog("audit", log, status=1).text
    for says in (
        f"{log}:1  with-revoke  irregular: 1 finding\n",
        f"\n  {index:>3}  trick ",
        core.replay(hand).at(index).choice.sentence,
        "✗ revoke: ",
        "Rule 1.follow Following to a trick",
        "Hands: 1 irregular\nFindings: 1 revoke\n",
    ):
        assert says in text
    line = next(line for line in text.splitlines() if "See it: " in line)
    words = shlex.split(line.split("See it: ")[1])
    assert words[:2] == ["tricklog", "replay"]
    assert words[-1] == str(index)
    assert "✗ revoke: " in tricklog(*words[1:]).text
    piped = tricklog("audit -", stdin=encode_hand(hand) + b"\n", status=1).text
    assert "<stdin>:1" in piped
    assert "See it" not in piped


def test_findings_of_result_and_game_are_reported_and_counted(tricklog: CommandLine) -> None:
    ran = tricklog("audit", write_log("a.jsonl", with_wrong_claim(one_game("king-pedro")[0])))
    assert (ran.status, "✗ claimed-points" in ran.text) == (1, True)
    assert "King Pedro" not in ran.stderr
    first, second, *_ = one_game("pidro")
    log = write_log("b.jsonl", first, replace(second, dealer=first.dealer))
    assert "✗ wrong-dealer at /dealer: " in tricklog("audit", log, status=1).text
    first, second, *_ = one_game("pedro")
    bare = replace(second, scores=[1, 1], claimed=UNSET)
    alone = tricklog("audit", write_log("c.jsonl", first, bare))
    assert "valid: 1 finding of its game" in alone.text
    wrong = replace(second, dealer=(second.dealt_by + 1) % 4, scores=[1, 1])
    said = tricklog("audit", write_log("d.jsonl", first, wrong)).text.splitlines()
    head = next(line for line in said if "d.jsonl:2  " in line)
    listed = said[-1].removeprefix("Findings: ")
    count = sum(int(each.split()[0]) for each in listed.split(", "))
    assert f": {count} findings" in head
    assert "of its game" in head


def test_an_unreadable_line_has_byte_code_and_what_to_do(tricklog: CommandLine) -> None:
    hand, index = revoked()
    log = write_log("log.jsonl", hand, b"", NOT_JSON, hand)
    text = tricklog("audit", log, status=3).text
    byte = len(encode_hand(hand)) + 2 + len(NOT_JSON)
    assert f"{log}:3  quarantined\n  ✗ not-json (byte {byte}): " in text
    assert "Write each hand as one JSON object on one line." in text
    assert "4 lines = 1 accepted + 1 duplicate + 1 quarantined + 1 blank" in text
    by_line = {row["line"]: row for row in tricklog("audit --json", log).objects}
    assert set(by_line) == {1, 3, 4}
    assert by_line[4]["duplicate_of"] == f"{log}:1"
    assert (by_line[3]["reject"]["code"], by_line[3]["verdict"]) == ("not-json", None)
    row = by_line[1]
    assert set(row) == set(by_line[3])
    assert (row["file"], row["hand_id"], row["verdict"]) == (str(log), hand.id, "irregular")
    (finding,) = row["findings"]
    assert (finding["action"], finding["pointer"]) == (index, f"/actions/{index}")
    assert finding["rule"].split()[0] == "1.follow"
    assert {"code", "seat", "message"} <= set(finding)
    outcome = core.replay(hand).outcome
    assert outcome is not None
    assert row["points"] == list(outcome.points)
    assert row["change"] == list(outcome.change)


@pytest.mark.parametrize(("mode", "verdict"), [("strict", "rejected"), ("audit", "irregular")])
def test_the_mode_decides_the_verdict(tricklog: CommandLine, mode: str, verdict: str) -> None:
    (row,) = tricklog("audit --json --mode", mode, write_log("log.jsonl", revoked()[0])).objects
    assert row["verdict"] == verdict


def test_an_unfinished_hand_gets_one_line(tricklog: CommandLine) -> None:
    hand = one_game("pedro")[0]
    log = write_log("log.jsonl", replace(hand, actions=hand.actions[:6]))
    text = tricklog("audit", log, status=0).text
    assert "incomplete: The record stops" in text
    assert "✗" not in text


def test_a_value_that_is_none_is_told_with_those_there_are(tmp_path: Path) -> None:
    text = encode_hand(replace(one_game("pedro")[0], status="complete"))
    (line,) = ingest.read(
        write_log(tmp_path / "a.jsonl", text.replace(b'"complete"', b'"compleat"'))
    )
    assert line.reject
    assert line.reject.pointer == "/status"
    assert line.reject.message == (
        "There is no status 'compleat' (did you mean 'complete'?); choose abandoned, claimed, "
        "complete, decided, in_progress, thrown_in."
    )
    assert set(values_at(("players", 0, "kind"))) == {"bot", "human"}
    assert "tricks" in values_at(("gaps", 2, "missing"))
    assert values_at(("id",)) == ()
    assert values_at(("players", 0, "nothing", "there")) == ()
    assert no_such_value("x", ("id",)) is None


@pytest.mark.parametrize("kept", [1, 20, 90])
def test_a_list_that_was_cut_off_is_one_trouble(tricklog: CommandLine, kept: int) -> None:
    first, second, *_ = one_game("pedro")
    pretty = [msgspec.json.format(encode_hand(hand), indent=2).decode() for hand in (first, second)]
    path = Path("night.json")
    path.write_text(f"[{pretty[0]},\n{pretty[1][: len(pretty[1]) * kept // 100 + 1]}", "utf-8")
    hand, cut = ingest.read(path)
    assert hand.hand == first
    assert cut.reject
    assert "may have been cut off" in cut.reject.hint
    assert len(tricklog("audit --json", path).objects) == 2
    # Between two hands nothing but the end of the list is missing.
    path.write_text(f"[{pretty[0]},\n", "utf-8")
    _, end = ingest.read(path)
    assert end.reject
    assert end.reject.message == "The list that begins in line 1 has no end."


# --- load and summary
def test_loading_tells_what_it_could_not_read(tricklog: CommandLine) -> None:
    log = write_log("log.jsonl", revoked()[0], NOT_JSON)
    ran = tricklog("load --db club", log, status=3)
    assert "not-json" in ran.stderr
    assert "2 lines = 1 accepted + 0 duplicate + 1 quarantined + 0 blank" in ran.text
    assert "Published club" in ran.text
    refused = tricklog.refuses("load --db", log, log, says="tricklog: ")
    assert refused.stderr.startswith("tricklog: ")
    # Of nothing but bad lines it says why it publishes.
    log = write_log("log.jsonl", NOT_JSON)
    first = tricklog("load --db bad", log).text
    assert "No hand is new. Published bad/games-000001.duckdb, for the lines in quar" in first
    assert "tricklog db rejects --db bad" in first
    assert "not-json" in tricklog("db rejects --db bad").text
    assert "Nothing new" in tricklog("load --db bad", log).text


def test_a_load_of_nothing_publishes_nothing(tricklog: CommandLine, clean_log: Path) -> None:
    count = len(one_game("pedro"))
    Path("empty").mkdir()
    write_log("blank.jsonl", b"", b"  ")
    for path in ("empty", "blank.jsonl"):
        ran = tricklog("load --db club", path, status=3)
        assert "Nothing new: the warehouse stays as it is" in ran.text
    tricklog("load --db club nowhere.jsonl", status=3)
    assert not list(Path("club").glob("games-*"))
    tricklog("load --db club", clean_log)
    (told,) = tricklog("load nowhere.jsonl --db club --json", clean_log).objects
    assert (told["accepted"], told["quarantined"], told["published"]) == (0, 1, False)
    assert (told["lines"], told["duplicate"], told["blank"]) == (count + 1, count, 0)
    assert told["snapshot"] == "club/games-000001.duckdb"


def test_a_summary_shows_totals_and_figures(tricklog: CommandLine, clean_log: Path) -> None:
    tricklog("load --db club", clean_log)
    ran = tricklog("stats --summary --db club", status=0)
    count = len(one_game("pedro"))
    for says in (
        f"{count} hands in 1 game of 4 players",
        "Contracts made",
        f"Made of {count} valid hands; left out: none.",
        "too few hands",
    ):
        assert says in ran.text
    # What takes no time is not spoken of.
    assert ran.stderr == ""
    (summed,) = tricklog("stats --summary --db club --json").objects
    assert [each["metric"] for each in summed["figures"]] == [name for name, _ in SHOWN]
    for figure in summed["figures"]:
        assert {"variant", figure["by"], "n", "value", "low", "high"} <= figure["rows"][0].keys()
    assert summed["overview"]["hands"] == count


def rows_of_tables(text: str) -> list[list[str]]:
    return [
        part.split("\n\n")[0].split("\nNot shown: ")[0].splitlines()[1:]
        for part in text.split("\n─")[1:]
    ]


def test_a_summary_shows_ten_rows_a_figure_and_counts_the_others(tricklog: CommandLine) -> None:
    games = [samples_folder() / "valid" / name for name in ("cinch", "pedro", "nicaragua")]
    ingest.load(*games, samples_folder() / "invalid", db="club")
    text = tricklog("stats --summary --db club").text
    (summed,) = tricklog("stats --summary --db club --json").objects
    tables = rows_of_tables(text)
    assert [len(rows) for rows in tables] == [
        min(10, sum(row["enough"] for row in figure["rows"])) for figure in summed["figures"]
    ]
    assert max(map(len, tables)) == 10
    for rows, figure in zip(tables, summed["figures"], strict=True):
        cases = sorted((row["n"] for row in figure["rows"] if row["enough"]), reverse=True)
        shown = [int(re.findall(r" n ([\d,]+)", row)[0].replace(",", "")) for row in rows]
        assert sorted(shown, reverse=True) == cases[:10]
        few = len(figure["rows"]) - len(cases)
        assert f"{few} rows with too few hands" in text
        if len(cases) > 10:
            assert f"{len(cases) - 10} rows with fewer cases and {few} rows" in text
    command = next(line for line in text.splitlines() if " stats made-rate " in line)
    every = tricklog(*shlex.split(command)[1:])
    assert len(rows_of_tables(every.text)[0]) >= len(summed["figures"][0]["rows"])


# --- generate
def test_generated_games_are_pure_ndjson_and_the_same_each_time(tricklog: CommandLine) -> None:
    command = "generate --variant twenty-nine --games 2 --seed"
    first, again = tricklog(command, "5"), tricklog(command, "5")
    assert first.stdout == again.stdout
    assert first.stderr == ""
    assert len({decode_hand(line).game for line in first.stdout.splitlines()}) == 2
    assert tricklog(command, "6").stdout != first.stdout


def test_games_under_rules_of_ones_own_carry_them(tricklog: CommandLine) -> None:
    Path("Our House.toml").write_text('extends = "pedro"\ntarget = 21\ngoes_out_at = 0\n')
    made = tricklog("generate --variant 'Our House.toml'", status=0)
    hand = decode_hand(made.stdout.splitlines()[0])
    assert hand.rules.variant == "pedro"
    assert core.ruleset_of(hand).hash == core.load_rules_file("Our House.toml").hash
    tricklog("audit -", stdin=made.stdout, status=0)


# --- Games of more than four players
@pytest.mark.parametrize("seats", [5, 7])
def test_generate_seats_as_many_players_as_asked_for(tricklog: CommandLine, seats: int) -> None:
    hands = tricklog("generate --variant sancho --players", str(seats), status=0).objects
    assert {(len(hand["players"]), len(hand["deal"])) for hand in hands} == {(seats, seats)}


def test_every_side_and_every_seat_is_told(tricklog: CommandLine) -> None:
    (told,) = tricklog("audit --json", write_log("6.jsonl", sancho(6, scores=[0] * 6))).objects
    assert told["verdict"] == "valid"
    assert told["scores"] == told["change"] == told["points"] == [8, 10, 0, 0, 0, 0]
    (told,) = tricklog("replay --json", write_log("7.jsonl", sancho(7))).objects
    last = told["steps"][-1]
    for key in ("holdings", "unknown", "out", "folded", "tricks_won", "points"):
        assert len(last[key]) == 7
    assert last["bid_name"] == "7"
    assert (last["alone_seat"], last["no_contract"], last["doubles"]) == (None, False, 0)
    # A special bid is written as in logs.
    hand = sancho(5)
    record = json.loads(encode_hand(hand))
    record["actions"] = ["0 bid 18-double", *hand.actions[1:]]
    record["rules"] = {"variant": "sancho", "options": {"special_bid": "double"}}
    log = write_log("double.jsonl", json.dumps(record).encode())
    (told,) = tricklog("replay --json --at 8", log).objects
    assert told["steps"][0]["bid_name"] == "18-double"


def test_a_summary_names_the_seating_only_where_there_are_several(tricklog: CommandLine) -> None:
    for name, seats in (("one", [5]), ("more", [5, 6])):
        hands = [hand for number in seats for hand in played("sancho", 6, 1, players=number)[:120]]
        tricklog("load --db", name, write_log(f"{name}.jsonl", *hands))
        text = tricklog("stats --summary --db", name).text
        assert (" table " in text) == ("6 singles" in text) == (name == "more")


# --- convert, and records of other programs
def test_converted_hands_go_to_stdout_and_the_counts_to_stderr(tricklog: CommandLine) -> None:
    made = tricklog("convert --from knybbe-pidro -", stdin=b'{"not":"a game"}\n\n', status=3)
    assert made.stdout == b""
    assert "1 record = 0 converted + 1 rejected; 0 hands" in made.stderr
    told = tricklog("convert --from knybbe-pidro - --json", stdin=b"{}\n")
    reject, counts = map(json.loads, told.stderr.splitlines())
    assert {"file", "line", "byte", "code", "pointer", "message", "hint"} == set(reject)
    assert counts["rejected"] == 1


@pytest.mark.posix
def test_nothing_is_written_over_while_it_is_read(tricklog: CommandLine, clean_log: Path) -> None:
    before = clean_log.read_bytes()
    Path("club.key").write_text("0123456789abcdef")
    Path("link.jsonl").symlink_to(clean_log)
    for words in (
        f"convert {clean_log} --output link.jsonl",
        f"convert {clean_log.parent} --output {clean_log}",
        f"convert {clean_log} --pseudonymise club.key --output club.key",
    ):
        says = "is read, and would be written as well"
        assert "not among the logs" in tricklog.refuses(words, says=says).stderr
    assert clean_log.read_bytes() == before
    # So can standard output be.
    with Path("audit.jsonl").open("w") as file:
        tricklog.patch.setattr("sys.stdout", file)
        says = "audit.jsonl is read, and would be written as well"
        tricklog.refuses("audit .", says=says)


def test_a_file_is_begun_with_its_first_line(tricklog: CommandLine) -> None:
    Path("kept.jsonl").write_text("kept")
    tricklog("generate --variant pedro --players 9 --output kept.jsonl", status=2)
    assert Path("kept.jsonl").read_text() == "kept"
    made = tricklog("generate --variant pedro --output kept.jsonl", status=0)
    assert made.stdout == b""
    written = Path("kept.jsonl").read_bytes()
    assert tricklog("generate --variant pedro --output -", status=0).stdout == written
    tricklog("convert - --allow-empty --output kept.jsonl", status=0)
    assert Path("kept.jsonl").read_bytes() == b""


def test_raw_records_of_other_programs_are_read_as_such(tricklog: CommandLine) -> None:
    for name in some([*RECORDS], 2):
        log = samples_folder() / "foreign" / "raw" / f"{name}.json"
        for command in ("audit", f"load --db {name}"):
            ran = tricklog(command, log)
            assert ran.status in (0, 1), name
            assert ran.stderr == f"Read as {ADAPTERS[name].program}: --from {name}\n"
            assert " 1 accepted" in ran.text


def test_lines_of_another_program_are_told_once_with_what_helps(tricklog: CommandLine) -> None:
    # Nobody knows whose a log is that a pipe has brought.
    lines = b"".join(msgspec.json.encode(RECORDS["knybbe-pidro"]) + b"\n" for _ in range(78))
    program = ADAPTERS["knybbe-pidro"].program
    for command in ("audit -", "load - --db 'my club'"):
        ran = tricklog(command, stdin=lines, status=3)
        told = ran.text if command == "audit -" else ran.stderr
        assert len(told.splitlines()) < 20
        assert "<stdin>  77 more lines quarantined" in told
        beside = told[told.index("Lines 2 to 78.") :]
        assert f"look like another program’s: {program}." in beside
        words = [shlex.split(line) for line in re.findall(r": (tricklog .*)", beside)]
        assert words[0][:4] == ["tricklog", command.split()[0], "--from", "knybbe-pidro"]
        assert tricklog(*words[0][1:], stdin=lines).status in (0, 1)
        for drop in words[1:]:
            # The same line is kept once.
            assert tricklog(*drop[1:]).text == "1 line dropped from quarantine\n"


def test_lines_of_a_program_that_no_adapter_knows_are_told_once(tricklog: CommandLine) -> None:
    moves = [b'{"moves": %d}' % number for number in range(40)]
    for log in ("a.jsonl", "b.jsonl"):
        write_log(log, *moves[:20], b"", *moves[20:])
    ran = tricklog("load a.jsonl b.jsonl --db db")
    for log in ("a.jsonl", "b.jsonl"):
        assert ran.stderr.count(f"{log}:") == 1
        assert f"{log}  39 more lines quarantined" in ran.stderr
    assert ran.stderr.count("Lines 2 to 20, 22 to 41.") == 2
    assert "tricklog load --from NAME" in ran.advice
    assert "tricklog convert --new NAME" in ran.advice
    # For programs each of them is an object.
    told = tricklog("load a.jsonl b.jsonl --db db --json")
    assert len(told.stderr.splitlines()) == 80
    # Where lines are of no program, nothing is said of others.
    path = write_log("log.jsonl", *one_game("pedro"), NOT_JSON, b'{"moves": 1}')
    for command in ("audit", "load --db db --json"):
        assert "another program" not in tricklog(command, path).stderr
