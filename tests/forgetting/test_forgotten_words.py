"""What a name is in a text, what becomes of it, and that it puts nothing in another order."""

import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.kit.any_hand import HANDS
from tests.kit.log_lines import record, write_hands
from tests.kit.made_once import once
from tests.kit.page_blocks import REPOSITORY
from tests.kit.stored import rows
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import LogLine, ingest
from tricklog.ingest.forgetting import forget
from tricklog.ingest.forgetting.whom import AlreadyForgottenError, people, whom, with_whom
from tricklog.ingest.loading.auditing import conflict
from tricklog.ingest.reading.forgotten import Forgotten, name_key, new_list
from tricklog.ingest.reading.forgotten_hands import in_line, in_message, of_hand, of_rules
from tricklog.ingest.reading.intake import entry_of
from tricklog.ingest.study.homes import Which, query_of_valid
from tricklog.ingest.upkeep.verifying import verify
from tricklog.schemas.hand import Hand, RulesRef, content_hash


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


def test_ids_are_the_same_however_they_are_written_and_others_stay_apart() -> None:
    assert forgotten("zo\u00eb").number_of("zoe\u0308") == 1
    assert forgotten("zoe\u0308").number_of("zo\u00eb") == 1
    assert forgotten("zo\u00eb").number_of("zoe") is None
    # Lists of ids as they were written still hold.
    known = forgotten("zoe\u0308")
    player = known.listed.players[0]
    before = msgspec.structs.replace(player, id=known._hash("id", "zoe\u0308"))
    again = Forgotten(msgspec.structs.replace(known.listed, players=(before,)))
    assert again.number_of("zoe\u0308")
    # Ids that differ in a name stay apart.
    known = forgotten("ann", "Ann Lee")
    ids = {known.in_id(each) for each in ("game of ann", "game of ANN", "game of Ann Lee", "game")}
    assert len(ids) == 4
    assert not any("ann" in each.lower() for each in ids)
    assert max(len(known.in_id("ann " * 49)), 0) <= 200


def test_lines_are_read_with_their_escapes() -> None:
    known = forgotten("j", "Jürgen")
    found = known.in_bytes(rb'{"who":"J\u00fcrgen","c":"\u2660\""}')
    assert found == rb'{"who":"forgotten-1","c":"\u2660\""}'
    assert known.in_bytes(rb'{"who":"J\u00fcrg"}') == rb'{"who":"J\u00fcrg"}'
    assert known.in_bytes("Jürgen ".encode() + b"\xff") == b"forgotten-1 \xff"


def test_a_name_that_others_have_stays_theirs() -> None:
    known = forgotten("ann-1", "Ann", alike=("Ann",))
    others = [{"id": each} for each in ("bo", "cy", "dee")]
    sits, other = (
        msgspec.convert(record(players=[ann, *others], notes={"0": "Ann laughed"}), Hand)
        for ann in ({"id": "ann-1", "name": "Ann"}, {"id": "x", "name": "Ann"})
    )
    assert of_hand(sits, known).notes == {"0": "forgotten-1 laughed"}
    assert of_hand(other, known) is other
    assert known.in_text("Ann laughed") == "Ann laughed"


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
    here = people([("forgotten-1", None), ("annie", "Annie")])
    merged = [("annie", "forgotten-1")]
    meant = whom("annie", here, merged, known)
    assert tuple(meant.names) == ("annie",)
    assert Forgotten(with_whom(known, meant, here)).id_of("forgotten-1") == "forgotten-1"
    with pytest.raises(AlreadyForgottenError):
        whom("forgotten-1", here, merged, known)


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        ("king", "The king is played; /notes/3 is 'king of all'.",
         "The king is played; /notes/3 is 'forgotten-1 of all'."),
        ("king", "logs/king.jsonl holds no king.", "logs/forgotten-1.jsonl holds no king."),
        ("king", "A king is no option: 'oh king", "A king is no option: 'oh forgotten-1"),
        ("king", "The defenders' king beats the maker's king.",
         "The defenders' king beats the maker's king."),
    ],
)  # fmt: skip
def test_in_sentences_only_tricklog_s_words_stay(name: str, sentence: str, expected: str) -> None:
    assert in_message(sentence, forgotten(name)) == expected
    assert in_message(expected, forgotten(name)) == expected


def test_the_sentence_about_a_conflict_names_the_id_that_the_hand_has_now() -> None:
    known = forgotten("king")
    told = conflict("king's night 1", "of king night/king.jsonl:1").message
    new = conflict(known.in_id("king's night 1"), "of forgotten-1 night/forgotten-1.jsonl:1")
    assert in_message(told, known) == new.message
    assert in_message(new.message, known) == new.message
    changed = conflict("king's night 1", "king.jsonl:1", here="king.jsonl:1").message
    assert in_message(changed, known) == changed.replace(
        '"king\'s night 1"', repr(known.in_id("king's night 1"))
    )


def test_in_rules_the_names_of_variants_stay() -> None:
    known = forgotten("pedro")
    line = b'{"id":"pedro","rules":{"variant" : "pedro","title":"Pedro"},"title":"of Pedro",oh'
    assert in_line(line, known) == line.replace(b'"id":"pedro"', b'"id":"forgotten-1"').replace(
        b"of Pedro", b"of forgotten-1"
    )
    rules = RulesRef("own", definition={"extends": "pedro", "family": "pedro", "title": "Pedro's"})
    assert of_rules(rules, known).definition == {
        "extends": "pedro", "family": "pedro", "title": "forgotten-1's",
    }  # fmt: skip


TWICE = REPOSITORY / "sample_logs" / "invalid" / "game" / "hand-number-twice.jsonl"
PLAYERS = ["sample:bot-weak-1", "sample:bot-bold-1", "sample:bot-careful-1", "sample:bot-steady-1"]


def place_of(hand: Hand) -> str:
    return entry_of(LogLine("log.jsonl", 1, 0, hand), hand).place.removesuffix(hand.id)


@given(HANDS, HANDS)
@settings(max_examples=scaled(15))
def test_hands_of_one_number_and_time_stay_in_their_order(one: Hand, other: Hand) -> None:
    alike = replace(one, hand=2), replace(other, hand=2, started_at=one.started_at)
    listed = new_list()
    for number, player in enumerate(one.players, 1):
        listed = Forgotten(listed).with_player(player.id, [player.name or "ann lee"], (), number)
    before = [place_of(hand) for hand in alike]
    after = [place_of(of_hand(hand, Forgotten(listed))) for hand in alike]
    assert before == after


@once("db")
def loaded(folder: Path) -> None:
    """Hands with a number twice, and one of them under an id that names a player."""
    hands = [msgspec.json.decode(line, type=Hand) for line in TWICE.read_bytes().splitlines()]
    named = replace(hands[-1], id=f"of {PLAYERS[0]}", started_at=hands[1].started_at)
    ingest.load(write_hands(folder / "log.jsonl", [*hands, named]), db=folder / "db")


def told(db: Path) -> list[object]:
    """What the order of hands decides: findings, scores of games, and samples."""
    query = query_of_valid(Which(sample=2))
    return [
        rows(db, sql)
        for sql in (
            "SELECT hand_no, code FROM findings JOIN hands USING (hand_id) ORDER BY ALL",
            "SELECT scores, winner_side FROM games ORDER BY ALL",
            f"SELECT hand_no FROM ({query}) ORDER BY mixed",  # noqa: S608 - names of our own
        )
    ]


@pytest.mark.parametrize("player", some(PLAYERS, 1))
def test_after_forgetting_the_warehouse_is_sound(player: str, loaded: Path, tmp_path: Path) -> None:
    db = shutil.copytree(loaded, tmp_path / "db")
    before = told(db)
    assert before[0]
    forget(player, db=db)
    assert verify(db, everything=is_thorough()).problems == ()
    assert told(db) == before
