"""What a name is in a text, and what becomes of it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given

from ingest.forgetting.whom import AlreadyForgottenError, People, whom, with_whom
from ingest.reading.forgotten import Forgotten, new_list
from ingest.reading.forgotten_hands import of_hand
from ingest.reading.spoken_words import name_key
from schemas.hand import Hand, content_hash
from tests.kit.any_hand import HANDS
from tests.kit.log_lines import record


def forgotten(*names: str, alike: tuple[str, ...] = ()) -> Forgotten:
    listed = Forgotten(new_list()).with_player(names[0], names[1:], {*map(name_key, alike)}, 1)
    return Forgotten(listed)


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (("ann", "Ann Lee"), "ANN LEE's king; Anna's too", "forgotten-1's king; Anna's too"),
        (("ann", "Ann Lee"), "ann_lee, ann-phone", "forgotten-1, forgotten-1-phone"),
        (("al",), "Al also called Albert", "forgotten-1 also called Albert"),
        (("x",), "x marks the spot", "x marks the spot"),
        (("r", "रवि"), "रवि और राव", "forgotten-1 और राव"),
        (("t", "田中"), "田中さんは", "forgotten-1さんは"),
        (("j", "Jürgen"), "JÜRGEN", "forgotten-1"),
        (("j", "Jürgen"), "Ju\u0308rgen", "forgotten-1"),
        (("s", "Straße"), "STRASSE 7", "forgotten-1 7"),
        (("f", "Forgotten"), "forgotten things", "forgotten things"),
    ],
)
def test_whole_words_are_replaced(names: tuple[str, ...], text: str, expected: str) -> None:
    assert forgotten(*names).in_text(text) == expected


def test_lines_are_read_with_their_escapes() -> None:
    known = forgotten("j", "Jürgen")
    assert (
        known.in_bytes(rb'{"who":"J\u00fcrgen","c":"\u2660\""}')
        == '{"who":"forgotten-1","c":"♠\\""}'.encode()
    )
    assert known.in_bytes(rb'{"who":"J\u00fcrg"}') == rb'{"who":"J\u00fcrg"}'
    assert known.in_bytes("Jürgen ".encode() + b"\xff") == b"forgotten-1 \xff"


def test_a_name_that_others_have_stays_theirs() -> None:
    known = forgotten("ann-1", "Ann", alike=("Ann",))
    sits = msgspec.convert(
        record(players=[{"id": "ann-1", "name": "Ann"}, {"id": "bo"}, {"id": "cy"}, {"id": "dee"}],
               notes={"0": "Ann laughed"}), Hand)  # fmt: skip
    other = msgspec.convert(
        record(players=[{"id": "x", "name": "Ann"}, {"id": "bo"}, {"id": "cy"}, {"id": "dee"}],
               notes={"0": "Ann laughed"}), Hand)  # fmt: skip
    assert of_hand(sits, known).notes == {"0": "forgotten-1 laughed"}
    assert of_hand(other, known) is other
    assert known.in_text("Ann laughed") == "Ann laughed"


def test_ids_that_differ_in_a_name_stay_apart() -> None:
    known = forgotten("ann", "Ann Lee")
    ids = {known.in_id(each) for each in ("game of ann", "game of ANN", "game of Ann Lee", "game")}
    assert len(ids) == 4
    assert not any("ann" in each.lower() for each in ids)
    assert max(len(known.in_id("ann " * 49)), 0) <= 200


def test_the_list_has_neither_name_nor_the_same_hash_under_another_key() -> None:
    one, two = (forgotten("ann", "Ann Lee").listed for _ in range(2))
    assert b"ann" not in msgspec.json.encode(one).lower()
    assert one.players[0].id != two.players[0].id


@given(HANDS)
def test_done_twice_it_changes_nothing_and_leaves_all_else(hand: Hand) -> None:
    first = hand.players[0]
    known = forgotten(first.id, first.name or first.id)
    new = of_hand(hand, known)
    assert of_hand(new, known) is new
    assert new.players[0].id == "forgotten-1"
    assert (new.actions, new.deal, new.claimed, new.started_at) == (
        *(hand.actions, hand.deal, hand.claimed),
        hand.started_at,
    )
    assert content_hash(new) != content_hash(hand)
    assert first.id not in {player.id for player in new.players}


def test_whoever_is_merged_with_somebody_forgotten_is_forgotten_alone() -> None:
    known = forgotten("ann", "Ann Lee")
    people = People().with_names([("forgotten-1", None), ("annie", "Annie")])
    merged = [("annie", "forgotten-1")]
    meant = whom("annie", people, merged, known)
    assert meant.ids == ("annie",)
    assert Forgotten(with_whom(known, meant, people)).id_of("forgotten-1") == "forgotten-1"
    with pytest.raises(AlreadyForgottenError):
        whom("forgotten-1", people, merged, known)
