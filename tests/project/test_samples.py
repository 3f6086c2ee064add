"""The sample logs: valid games as generated, and broken hands that give just what is expected."""

import json
import re
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.kit.figures import seated
from tests.kit.log_lines import generated, write_hands
from tests.kit.tiers import check_each, is_thorough, some
from tests.regenerate.broken import EXPECTED, INVALID, NO_LOGS, add_sample, lacking, row_of, told
from tests.regenerate.samples import FOLDER, OF_SAMPLES, SAMPLES, Sample
from tricklog import AuditedLine, Filters, RejectCode, ingest
from tricklog.core import Outcome, Verdict, check_game, replay, variants
from tricklog.core.engine.faults import Fault
from tricklog.core.judging.findings import DEAL_ROWS, code_of
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import measure
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.store.queries import players
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.schemas.citations import citations
from tricklog.schemas.hand import Hand, decode_hand, play_hash

SAMPLE_LOGS = FOLDER.parent
Rows = list[dict[str, Any]]
OF_CLAIMS = {"claimed-winner", "claimed-points", "claimed-change", "claimed-score"}
OF_GAMES = {
    *("began-before", "hand-number-twice", "score-not-carried", "rules-changed", "players-changed"),
    *("wrong-dealer", "after-the-game"),
}


def hands_in(path: Path) -> list[Hand]:
    return [decode_hand(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def expected() -> dict[str, Rows]:
    wanted: dict[str, Rows] = json.loads(EXPECTED.read_text("utf-8"))
    return wanted


# --- Valid
def test_a_valid_sample_is_what_the_generator_makes() -> None:
    def check(sample: Sample) -> None:
        assert sample.path.read_bytes() == sample.text(), "run: ./dev regenerate"

    # Of some games the one that is made soonest: what bots do is the same for all of one.
    shortest = {
        each.variant: each for each in sorted(SAMPLES, key=lambda each: -each.path.stat().st_size)
    }
    check_each(
        SAMPLES if is_thorough() else some([*shortest.values()], 4),
        check,
        lambda each: f"{each.variant}/{each.name}",
    )


def test_every_file_of_valid_samples_is_listed() -> None:
    assert {sample.path for sample in SAMPLES} == set(FOLDER.rglob("*.jsonl"))
    page = (SAMPLE_LOGS / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| `(valid/[^`]+)` \| (\d+) \|", page, re.MULTILINE)
    assert [(str(s.path.relative_to(SAMPLE_LOGS)), str(s.games)) for s in SAMPLES] == listed


def test_every_variant_has_games_with_and_without_house_rules() -> None:
    for variant in variants():
        mine = [sample for sample in SAMPLES if sample.variant == variant]
        assert sum(sample.games for sample in mine) >= 3
        assert {bool(sample.options) for sample in mine} == {False, True}
        assert {hand.rules.variant for sample in mine for hand in hands_in(sample.path)} == {
            variant
        }


Audited = tuple[ingest.Audit, list[AuditedLine]]


@pytest.fixture(scope="module")
def audited() -> Audited:
    """An audit of all samples together, and its lines."""
    audit = ingest.audit(SAMPLE_LOGS)
    return audit, list(audit)


def test_every_valid_hand_and_game_is_valid_and_played_to_its_end(audited: Audited) -> None:
    last: dict[str, dict[object, Outcome]] = defaultdict(dict)
    for line in audited[1]:
        if not Path(line.line.file).is_relative_to(FOLDER):
            continue
        assert line.replay, line.line.reject
        assert (line.replay.verdict, line.findings) == (Verdict.VALID, ()), line.line.text
        assert line.replay.outcome
        last[line.line.file][line.replay.hand.game] = line.replay.outcome
    assert {str(each.path): each.games for each in SAMPLES} == {
        file: len(games) for file, games in last.items()
    }
    assert all(outcome.game_over for games in last.values() for outcome in games.values())


# --- Invalid
def test_a_broken_sample_gives_just_what_is_expected(expected: dict[str, Rows]) -> None:
    def check(name: str) -> None:
        rows = sorted(map(row_of, ingest.audit(INVALID / name)), key=lambda item: int(item["line"]))
        assert rows == expected[name]
        for finding in (finding for each in rows for finding in each.get("findings", [])):
            assert finding["rule"]
            assert set(finding["rule"].split()) <= set(citations())

    check_each(expected, check)


def test_the_engine_alone_finds_the_same(expected: dict[str, Rows]) -> None:
    def check(name: str) -> None:
        replays = [replay(hand) for hand in hands_in(INVALID / name)]
        games = check_game(replays)
        rows = [
            {
                "line": number,
                "verdict": one.verdict.value,
                "findings": [told(item) for item in (*one.findings, *of_game)],
            }
            for number, (one, of_game) in enumerate(zip(replays, games, strict=True), 1)
        ]
        assert rows == expected[name]

    # The reader stops this one, so only a hand made in Python can get so far.
    stopped = "play/no-such-seat.jsonl"
    (hand,) = hands_in(INVALID / stopped)
    (finding,) = replay(hand).findings
    assert (finding.code, finding.pointer, finding.seat) == ("no-such-seat", "/actions/1", 5)
    played = [name for name in expected if not name.startswith("line/") and name != stopped]
    check_each(played, check)


def test_every_file_of_broken_samples_has_its_expectation(expected: dict[str, Rows]) -> None:
    files = {str(path.relative_to(INVALID)) for path in INVALID.rglob("*.jsonl*")}
    assert files | {NO_LOGS} == set(expected)


def codes_in(rows: Rows) -> list[str]:
    findings = [each["code"] for row in rows for each in row.get("findings", [])]
    return findings + [row["reject"]["code"] for row in rows if "reject" in row]


def test_each_code_has_a_sample_of_its_own(expected: dict[str, Rows]) -> None:
    by_itself = {
        Path(name).name.partition(".")[0]: codes_in(rows) for name, rows in expected.items()
    }
    faults = {code_of(fault) for fault in Fault}
    codes = faults | set(DEAL_ROWS) | OF_CLAIMS | OF_GAMES | {code.value for code in RejectCode}
    assert by_itself.pop("no-such-seat") == ["bad-action"]
    for code in ("incomplete", "doubtful", "trump-not-recorded"):
        assert by_itself.pop(code) == []
    # A repository holds no pipe, no device and no line without end.
    elsewhere = {"not-a-file", "endless-line", "unreadable-file"}
    elsewhere |= {"no-such-seat", "trump-not-recorded", "adapter-failed"}
    # Samples are logs; what can be wrong with a text is in tests/text_form/test_problems.py, with
    # a sheet in tests/score_sheets.
    # Records over several lines are those of other programs.
    elsewhere |= {"bad-text", "bad-sheet", "unfinished-record", "record-too-long"}
    for code in codes - elsewhere:
        assert by_itself[code] == [code]
    assert set(by_itself) - codes == {"five-findings"}


def test_a_code_without_a_sample_gets_one_and_its_row(tmp_path: Path) -> None:
    folder = shutil.copytree(INVALID, tmp_path / "invalid")
    (folder / "play" / "revoke.jsonl").unlink()
    page = (folder / "README.md").read_text("utf-8")
    assert lacking(folder) == {"revoke"}
    add_sample(folder, "revoke")
    (audited,) = ingest.audit(folder / "play" / "revoke.jsonl")
    assert [item.code for item in audited.findings] == ["revoke"]
    (row,) = set((folder / "README.md").read_text("utf-8").splitlines()) - set(page.splitlines())
    assert row.startswith("| [`revoke.jsonl`](play/revoke.jsonl) | ")
    assert row.endswith(
        f" | {audited.findings[0].message} | irregular | {audited.findings[0].rule} |"
    )


def test_the_page_of_broken_samples_tells_what_is_expected(expected: dict[str, Rows]) -> None:
    page = (INVALID / "README.md").read_text("utf-8")
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| [")]
    linked = {re.sub(r".*\((.*)\)$", r"\1", row[0]): row for row in cells}
    assert set(linked) == set(expected) - {"five-findings.jsonl"}
    for name, (_, *rest) in linked.items():
        line = expected[name][-1]
        if len(rest) == 4:
            assert rest[2] == line.get("verdict", "-")
        rules = [finding["rule"] for finding in line.get("findings", [])]
        assert not rules or rest[-1] == rules[0]


# --- With gaps
def test_samples_with_gaps_say_what_they_know_and_nothing_is_found_in_them() -> None:
    told = [line.to_json() for line in ingest.audit(SAMPLE_LOGS / "gaps")]
    assert {each["verdict"] for each in told} == {"partial"}
    assert [each["findings"] for each in told] == [[]] * 4
    by_id = {each["hand_id"]: each for each in told}
    # Rule 1.trumps: the five of the same colour is a trump, and takes the four.
    assert by_id["sample:text-disputed-1"]["winners"] == [2]
    assert by_id["sample:gaps-disputed-trick"]["winners"] == [3]
    assert by_id["sample:gaps-bid-and-result"]["made"] is False
    whole = by_id["sample:gaps-no-auction"]
    assert (whole["made"], sum(whole["points"])) == (True, 14)
    documented = (SAMPLE_LOGS / "README.md").read_text("utf-8")
    for path in (SAMPLE_LOGS / "gaps").iterdir():
        assert f"`gaps/{path.name}`" in documented


# --- All together
def test_samples_can_be_audited_together_and_have_deals_and_ids_of_their_own(
    expected: dict[str, Rows], audited: Audited
) -> None:
    audit, lines = audited
    rejected = [line.line.reject.code for line in lines if line.line.reject]
    assert sorted(rejected) == sorted(
        row["reject"]["code"]
        for name, rows in expected.items()
        for row in rows
        if "reject" in row and name != "line/no-logs"
    )
    assert audit.counts.balanced
    assert (audit.counts.duplicate, audit.counts.blank) == (0, 0)
    hands = [line.line.hand for line in lines if line.line.hand]
    assert len(hands) > 1000
    # The folder of texts has some of the valid hands once more, as people write them.
    text = str(SAMPLE_LOGS / "text")
    own = [each.line.hand for each in lines if each.line.hand and text not in each.line.file]
    assert len({play_hash(hand) for hand in own}) == len(own)
    for hand in hands:
        ids = [hand.id, *([hand.game] if hand.game else []), *(each.id for each in hand.players)]
        assert all(each.startswith(OF_SAMPLES) for each in ids), ids
        assert all(each.name for each in hand.players)


# --- Beside a club
CLUB = ("ann", "bo", "bot-bold-1", "sixty-three:seat-0")
"""What players of the samples are called in logs of other makers."""


def figures_of_players(db: Path) -> dict[tuple[str, str], object]:
    """Figures of each player of the club, by the metric and the player."""
    with open_facts(db) as facts:
        return {
            (name, row["player"]): (row["n"], row["value"])
            for name in ("points-share", "made-rate", "fault-rate")
            for row in measure(facts, name, ("player",), Filters.of({"player": CLUB}), 1).iter_rows(
                named=True
            )
        }


def test_figures_of_the_club_are_the_same_with_the_samples(tmp_path: Path) -> None:
    hands = list(seated(generated("pedro", 1), CLUB))
    log = write_hands(tmp_path / "club.jsonl", hands)
    ingest.load(log, db=tmp_path / "club")
    alone = figures_of_players(tmp_path / "club")
    both = tmp_path / "both"
    ingest.load(log, db=both)
    parts = ("invalid/play", "foreign/sixty-three.jsonl", "valid/pidro/five-games.jsonl")
    assert ingest.load(*(samples_folder() / part for part in parts), db=both).accepted > 50
    rebuild(db=both)
    assert figures_of_players(both) == alone
    with open_snapshot(both) as connection:
        listed = {row["player"]: row for row in players(connection).iter_rows(named=True)}
    assert {each: listed[each]["hands"] for each in CLUB} == dict.fromkeys(CLUB, len(hands))
    assert listed["sample:ann"]["name"] == "ann"
    assert listed["ann"]["aliases"] == []
