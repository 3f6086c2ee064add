"""Auditing: the fate of every line, and what shows only across lines."""

import io
import itertools
import json
import random
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.log_lines import SOUND_LINE, generated, line, moved_on, write_hands, write_lines
from tests.kit.tiers import scaled
from tricklog import AuditedLine, Hand, RejectCode, Verdict, encode_hand, ingest
from tricklog.ingest.reading.progress import Progress


def fate(item: AuditedLine) -> str:
    if item.replay:
        return "accepted"
    if item.duplicate_of:
        return "duplicate"
    return "quarantined" if item.line.reject else "blank"


def audited(path: Path) -> list[AuditedLine]:
    return list(ingest.audit(path))


def game_codes(items: list[AuditedLine]) -> dict[str, list[str]]:
    """The game findings by hand id, of hands that have some."""
    return {
        item.replay.hand.id: [finding.code for finding in item.game_findings]
        for item in items
        if item.replay and item.game_findings
    }


# --- Counts
LINES = st.sampled_from(
    [
        *(SOUND_LINE, line(id="club-2"), line(id="club-3", game="g", hand=1)),
        *(line(id="club-4", game="g", hand=2), line(id="club-1", dealer=0), line(dealer=9)),
        *(line(rules={"variant": "bridge"}), b"oops", b""),
    ]
)


@given(st.lists(LINES, max_size=12))
def test_each_line_is_counted(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    path = write_lines(tmp_path_factory.mktemp("audit") / "log.jsonl", lines)
    audit = ingest.audit(path)
    fates = [fate(item) for item in audit]
    counts = audit.counts
    assert counts.lines == len(lines) == len(fates)
    assert counts.balanced
    assert (counts.accepted, counts.duplicate, counts.quarantined, counts.blank) == tuple(
        fates.count(each) for each in ("accepted", "duplicate", "quarantined", "blank")
    )
    assert audit.verdicts.total() == counts.accepted


def test_progress_is_reported_while_reading_and_while_replaying(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.jsonl", (line(id=f"club-{n}") for n in range(450)))
    seen: list[Progress] = []
    list(ingest.audit(path, on_progress=seen.append))
    counts = [(200, 0), (400, 0), (450, 200), (450, 400)]
    assert [(each.lines, each.hands) for each in seen] == counts
    assert [each.stage for each in seen] == ["reading"] * 2 + ["replaying"] * 2
    assert [each.total for each in seen] == [path.stat().st_size] * 2 + [450] * 2
    assert [each.done for each in seen[1:]] == [path.stat().st_size, 200, 400]


# --- The same hand again
@pytest.mark.parametrize(
    "again",
    [SOUND_LINE, json.dumps(json.loads(SOUND_LINE), indent=None).encode(), line(ext={"other": 1})],
    ids=["the same bytes", "other spacing", "other ext"],
)
def test_the_same_record_again_is_a_duplicate(tmp_path: Path, again: bytes) -> None:
    path = write_lines(tmp_path / "log.jsonl", [SOUND_LINE, b"", again])
    duplicate = next(item for item in audited(path) if item.duplicate_of)
    assert (duplicate.line.line, duplicate.duplicate_of) == (3, f"{path}:1")


def test_the_same_id_with_other_content_is_a_conflict_and_both_stay(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.jsonl", [SOUND_LINE, line(dealer=0)])
    conflict, kept = audited(path)
    assert conflict.line.reject is not None
    assert conflict.line.reject.code is RejectCode.ID_CONFLICT
    assert conflict.line.reject.pointer == "/id"
    assert f"{path}:1" in conflict.line.reject.message
    assert conflict.line.reject.text == line(dealer=0)
    assert (kept.line.line, fate(kept)) == (1, "accepted")
    # The same play under another id is accepted, and said.
    path = write_lines(tmp_path / "log.jsonl", [SOUND_LINE, line(id="copy"), line(id="copy-2")])
    audit = ingest.audit(path)
    assert [item.same_play_as for item in audit] == [None, "club-1", "club-1"]
    assert audit.same_plays == 2
    # A line whose rules are unknown does not take its id.
    path = write_lines(tmp_path / "log.jsonl", [line(rules={"variant": "bridge"}), SOUND_LINE])
    assert [fate(item) for item in audited(path)] == ["quarantined", "accepted"]


# --- Rules that cannot be used
PEDRO = {"variant": "pedro"}


@pytest.mark.parametrize(
    ("rules", "code", "pointer"),
    [
        ({"variant": "bridge"}, RejectCode.UNKNOWN_VARIANT, "variant"),
        (PEDRO | {"version": 77}, RejectCode.UNKNOWN_VARIANT, "version"),
        (PEDRO | {"options": {"min/bid": 1}}, RejectCode.BAD_OPTION, "options/min~1bid"),
        (PEDRO | {"options": {"min_bid": "low"}}, RejectCode.BAD_OPTION, "options/min_bid"),
    ],
)
def test_rules_that_cannot_be_used_are_a_reject(
    tmp_path: Path, rules: dict[str, object], code: RejectCode, pointer: str
) -> None:
    (item,) = audited(write_lines(tmp_path / "log.jsonl", [line(rules=rules)]))
    assert item.line.reject is not None
    assert (item.line.reject.code, item.line.reject.pointer) == (code, f"/rules/{pointer}")


def test_players_for_whom_there_are_no_rules_are_a_reject(tmp_path: Path) -> None:
    five = line(players=[{"id": str(n)} for n in range(5)], deal=...)
    (item,) = audited(write_lines(tmp_path / "log.jsonl", [five]))
    assert item.line.reject is not None
    assert (item.line.reject.code, item.line.reject.pointer) == (RejectCode.BAD_VALUE, "/players")


@settings(max_examples=scaled(15))
@given(
    st.dictionaries(
        st.sampled_from(["extends", "id", "version", "auction", "score", "cite", "option", "x"]),
        st.recursive(
            st.none() | st.integers(-9, 99) | st.text(max_size=4) | st.just("pedro"),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(st.sampled_from(["min_bid", "made", "values", "x"]), inner)
            ),
            max_leaves=4,
        ),
    )
)
def test_any_embedded_rules_are_used_or_refused(
    tmp_path_factory: pytest.TempPathFactory, definition: dict[str, object]
) -> None:
    text = line(rules={"variant": "home", "definition": definition})
    (item,) = audited(write_lines(tmp_path_factory.mktemp("rules") / "log.jsonl", [text]))
    refused = {RejectCode.BAD_OPTION, RejectCode.BAD_VALUE}
    assert fate(item) == "accepted" or (item.line.reject and item.line.reject.code in refused)


# --- Games
def test_hands_of_a_game_are_checked_together_in_any_order_over_any_files(tmp_path: Path) -> None:
    hands = list(generated("pedro", 1))
    hands[3] = moved_on(hands[3])
    expected = game_codes(audited(write_hands(tmp_path / "whole.jsonl", hands)))
    assert hands[3].id in expected
    for attempt in range(4):
        random.Random(attempt).shuffle(hands)
        folder = tmp_path / f"parts-{attempt}"
        write_hands(folder / "a.jsonl", hands[:4])
        write_hands(folder / "b.jsonl", hands[4:])
        assert game_codes(audited(folder)) == expected


def test_hands_without_numbers_are_taken_as_their_log_has_them_and_games_do_not_mix(
    tmp_path: Path,
) -> None:
    hands = [
        replace(hand, hand=msgspec.UNSET, started_at=msgspec.UNSET)
        for hand in generated("pedro", 1)
    ]
    assert game_codes(audited(write_hands(tmp_path / "log.jsonl", hands))) == {}
    swapped = [*hands[:2], hands[3], hands[2], *hands[4:]]
    assert game_codes(audited(write_hands(tmp_path / "swapped.jsonl", swapped)))
    both = itertools.zip_longest(generated("pedro", 1), generated("pidro", 1))
    hands = [hand for pair in both for hand in pair if hand]
    items = audited(write_hands(tmp_path / "log.jsonl", hands))
    assert game_codes(items) == {}
    order = [item.replay.hand.id for item in items if item.replay]
    assert order == [hand.id for hand in (*generated("pedro", 1), *generated("pidro", 1))]


# --- From a pipe
def piped(lines: Iterable[bytes], monkeypatch: pytest.MonkeyPatch) -> list[AuditedLine]:
    text = b"".join(each + b"\n" for each in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    return list(ingest.audit("-"))


def told(items: list[AuditedLine]) -> list[str]:
    return [item.replay.hand.id for item in items if item.replay]


def test_from_a_pipe_hands_come_right_after_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three, four, *_ = (encode_hand(hand) for hand in generated("pedro", 1))
    unnumbered = line(id="open", game="club", started_at=...)
    lines = [two, unnumbered, line(id="alone"), b"oops", four, one, line(id="last"), three]
    items = piped(lines, monkeypatch)
    assert [item.line.line for item in items] == [3, 4, 6, 1, 7, 8, 5, 2]


def test_pipes_find_the_same_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [*generated("pedro", 1), *generated("pidro", 1)]
    hands[3] = moved_on(hands[3])
    del hands[5]
    expected = game_codes(audited(write_hands(tmp_path / "log.jsonl", hands)))
    assert {hands[3].id, hands[4].id} <= expected.keys()
    for attempt in range(5):
        random.Random(attempt).shuffle(hands)
        items = piped(map(encode_hand, hands), monkeypatch)
        assert game_codes(items) == expected
        assert sorted(told(items)) == sorted(hand.id for hand in hands)


@pytest.mark.parametrize("place", [1, 2, 6])
def test_from_a_pipe_a_number_told_already_is_found_in_the_hand_that_repeats_it(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = list(generated("pedro", 1))
    again = replace(hands[0], id="again", ext={"other": 1}, dealer=(hands[0].dealt_by + 1) % 4)
    items = piped(map(encode_hand, [*hands[:place], again, *hands[place:]]), monkeypatch)
    assert game_codes(items)["again"] == ["hand-number-twice"]
    assert "again" in told(items)
    finding = next(item for item in items if item.game_findings).game_findings[0]
    assert finding.facts["other"] == hands[0].id
    if place > 1:
        assert game_codes(items).keys() == {"again"}


# --- What comes out
def revoked(hand: Hand) -> Hand:
    """The hand with a claim that does not hold, a finding that leaves the state defined."""
    claimed = hand.whole_claims
    assert claimed is not msgspec.UNSET
    assert hand.claimed is not msgspec.UNSET
    assert claimed.points is not msgspec.UNSET
    points = [value + 1 for value in claimed.points]
    return replace(hand, claimed=replace(hand.claimed, points=points))


def valid() -> Hand:
    return generated("pedro", 1)[0]


CLEAN, FINDINGS, UNREADABLE = 0, 1, 3


def test_the_exit_status_says_the_worst(tmp_path: Path) -> None:
    for case, (lines, status) in {
        "nothing": ([], CLEAN),
        "valid": ([encode_hand(valid())], CLEAN),
        "duplicate and blank": ([encode_hand(valid()), encode_hand(valid()), b""], CLEAN),
        "incomplete": ([encode_hand(replace(valid(), actions=valid().actions[:3]))], CLEAN),
        "irregular": ([encode_hand(revoked(valid()))], FINDINGS),
        "rejected": ([encode_hand(replace(valid(), actions=["0 play AS"]))], FINDINGS),
        "not JSON": ([encode_hand(revoked(valid())), b"oops"], UNREADABLE),
        "conflict": ([encode_hand(valid()), encode_hand(revoked(valid()))], UNREADABLE),
    }.items():
        audit = ingest.audit(write_lines(tmp_path / "log.jsonl", lines))
        list(audit)
        assert audit.exit_status == status, case
    # A finding of a game alone is one.
    first, second, *_ = generated("pedro", 1)
    audit = ingest.audit(write_hands(tmp_path / "log.jsonl", [first, replace(second, hand=1)]))
    items = list(audit)
    assert {item.replay.verdict for item in items if item.replay} == {Verdict.VALID}
    assert audit.exit_status == FINDINGS


def test_the_json_form_tells_the_contract_the_tricks_and_who_won_the_game(tmp_path: Path) -> None:
    hands = generated("pedro", 1)
    path = write_hands(tmp_path / "log.jsonl", [*hands, replace(hands[0], id="cut", actions=[])])
    *rows, cut = (item.to_json() for item in audited(path))
    assert {row["made"] for row in rows} == {True, False}
    for hand, row in zip(hands, rows, strict=True):
        bids = [action.split() for action in hand.actions if " bid " in action]
        seat, _, amount = bids[-1]
        assert (row["maker"], row["need"]) == (int(seat), int(amount))
        leads = [action for action in hand.actions if " play " in action][::4]
        assert row["winners"][:-1] == [int(action[0]) for action in leads[1:]]
        assert len(row["winners"]) == len(leads)
        assert row["made"] == (row["points"][int(seat) % 2] >= row["need"])
    assert [row["winner_side"] for row in rows[:-1]] == [None] * (len(rows) - 1)
    assert rows[-1]["winner_side"] == rows[-1]["scores"].index(max(rows[-1]["scores"]))
    keys = ("maker", "need", "made", "winners", "winner_side")
    assert [cut[key] for key in keys] == [None, None, None, [], None]
