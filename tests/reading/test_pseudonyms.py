"""Pseudonyms: nobody's name is left, figures stay, and only the key connects."""

import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tests.kit.in_process import Ran, run_here
from tests.kit.log_lines import write_lines
from tests.kit.simulated_club import simulate_club
from tests.kit.support import codes
from tricklog import Hand, decode_hand, encode_hand, replay
from tricklog.ingest.reading.pseudonyms import Pseudonyms, WeakKeyError, key_of

KEY = b"the secret of the club"


def named_hand() -> dict[str, Any]:
    """A hand in which names stand wherever a log may have some."""
    hand = simulate_club(3, evenings=1)[0]
    names = ["Ann Smith", "Bo", "Çağla", "Dee"]
    for player, name in zip(hand["players"], names, strict=True):
        player.update(id=f"{name.lower()}@club", name=name, kind="human")
    hand |= {
        "format": "tricklog/2",
        "id": "Ann Smith's hand 7",
        "game": "Ann Smith against Bo",
        "notes": {"0": "ANN SMITH should pass, says bo@club"},
        "remark": "Çağla was late; Eve watched",
        "ext": {"club.seat": {"who": "Ann Smith"}},
    }
    return hand


def hand_of(fields: dict[str, Any]) -> Hand:
    return decode_hand(msgspec.json.encode(fields))


def hidden(fields: dict[str, Any]) -> Hand:
    return Pseudonyms(KEY).of_hand(hand_of(fields))


def test_no_name_and_no_id_of_the_table_is_left_anywhere() -> None:
    written = encode_hand(hidden(named_hand())).decode().casefold()
    for name in ("ann", "smith", "çağla", "dee@", "bo@", "club.seat"):
        assert name not in written
    assert "eve watched" in written


def test_a_word_that_begins_with_a_name_is_replaced_whole() -> None:
    """What stood behind the name would give it away."""
    fields = named_hand() | {"remark": "Bo and Boris met Bob at Çağla’s; both, Çağlan, limbo"}
    fields["notes"] = {}
    remark = hidden(fields).remark
    assert isinstance(remark, str)
    who, *others = remark.split(" and ")
    assert who.startswith("player-")
    assert others[0].startswith(f"{who} met {who} at player-")
    assert others[0].endswith(", limbo")
    assert not {"ris", "b", "th", "n"} & set(re.findall(r"\w+", remark))


def test_remarks_can_be_dropped_as_they_may_name_anybody() -> None:
    pseudonyms = Pseudonyms(KEY, keep_remarks=False)
    hand = pseudonyms.of_hand(hand_of(named_hand()))
    assert (hand.notes, hand.remark, hand.ext) == (UNSET, UNSET, UNSET)
    assert pseudonyms.remarks == 0


def test_a_bot_keeps_its_id_and_its_name() -> None:
    fields = named_hand()
    fields["players"][1] = {"id": "steady", "name": "Steady", "kind": "bot"}
    hand = hidden(fields)
    assert msgspec.to_builtins(hand.players[1]) == fields["players"][1]


def test_everything_but_people_stays_and_the_verdict_with_it() -> None:
    before, after = hand_of(named_hand()), hidden(named_hand())
    for field in ("deal", "actions", "dealer", "scores", "claimed", "rules", "started_at", "hand"):
        assert getattr(after, field) == getattr(before, field)
    assert replay(after).outcome == replay(before).outcome
    assert codes(replay(after)) == codes(replay(before))


@given(st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=9, unique=True))
def test_a_player_has_one_pseudonym_under_one_key_and_nobody_shares_it(ids: list[str]) -> None:
    first, second = Pseudonyms(KEY), Pseudonyms(b"another secret of a club")
    found = [first.player(each) for each in ids]
    assert found == [Pseudonyms(KEY).player(each) for each in ids]
    assert len({*found, *map(second.player, ids)}) == 2 * len(ids)


def key_file(folder: Path, key: bytes = KEY) -> str:
    file = folder / "key"
    file.write_bytes(key + b"\n")
    return str(file)


def test_a_key_stands_in_a_file_and_a_short_one_is_refused(tmp_path: Path) -> None:
    assert key_of(key_file(tmp_path)) == KEY
    for weak in (b"", b"short", b"x" * 15):
        with pytest.raises(WeakKeyError, match="16 characters"):
            key_of(key_file(tmp_path, weak))


@pytest.mark.parametrize(
    "typed", ["", ".", KEY.decode(), "keys/season2026/secret", "/no/such/secret-of-us", "a\0b"]
)
def test_what_is_given_is_never_the_key_itself(typed: str) -> None:
    with pytest.raises(WeakKeyError, match="must be a file"):
        key_of(typed)


def test_the_command_gives_all_files_the_same_pseudonyms_and_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = simulate_club(3, evenings=1)[:6]
    hands[0] = named_hand()
    one, other = (
        str(write_lines(tmp_path / name, map(msgspec.json.encode, some)))
        for name, some in (("a.jsonl", hands[:3]), ("b.jsonl", hands[3:]))
    )
    key = key_file(tmp_path)

    def run(key: str, *arguments: str) -> Ran:
        # A key may come from standard input.
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(KEY + b"\n")))
        return run_here(["convert", "--pseudonymise", key, *arguments], tmp_path)

    both = run(key, one, other)
    assert (both.status, both.out) == (0, run(key, one).out + run(key, other).out)
    assert "2 remarks are kept" in both.err
    assert "--drop-remarks" in both.err
    without = run(key, "--drop-remarks", one)
    assert "remark" not in json.loads(without.out.splitlines()[0])
    assert "remarks are kept" not in without.err
    text = run(key, "--format", "text", one)
    assert text.status == 0
    assert "smith" not in text.out.casefold()
    assert "player-" in text.out
    piped = run("-", one)
    assert (piped.status, piped.out) == (0, run(key, one).out), piped.err
    for refused, why in (
        (run("-", "-"), "cannot be both"),
        (run(key_file(tmp_path, b"short"), one), "16 characters"),
    ):
        assert (refused.status, refused.out) == (2, "")
        assert why in refused.err
