"""What a name is in a text, written with escapes too, and names that others have in their own.

Players whose ids hold the id of somebody who is forgotten stay who they are.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.kit.any_hand import HANDS
from tests.kit.forgotten_club import named_in, whole, write_evening
from tests.kit.log_lines import record, write_hands
from tests.kit.made_once import once
from tests.kit.page_blocks import REPOSITORY
from tests.kit.stored import rows
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import LogLine, Player, ingest
from tricklog.ingest.forgetting import forget
from tricklog.ingest.forgetting.whom import AlreadyForgottenError, people, whom, with_whom
from tricklog.ingest.loading.auditing import conflict
from tricklog.ingest.reading.forgotten import Forgotten, name_key, new_list
from tricklog.ingest.reading.forgotten_hands import in_line, in_message, of_hand, of_rules
from tricklog.ingest.reading.intake import entry_of
from tricklog.ingest.recording import keeping
from tricklog.ingest.store import marks, scopes, userdata
from tricklog.ingest.study.homes import Which, query_of_valid
from tricklog.ingest.upkeep.verifying import verify
from tricklog.schemas.hand import Hand, RulesRef, content_hash

FOX = "\N{FOX FACE}"
NAMES = {
    "beyond-the-first-plane": f"{FOX}fox",
    "signs-alone": FOX * 2,
    "one-sign": FOX,
    "joined": "क्\u200dष",
    "accent": "Åsa",
    "plain": "annlee",
}


def escaped(text: str) -> str:
    """Every sign as an escape, as a writer may do it that trusts no sign at all."""
    units = text.encode("utf-16-be")
    return "".join(
        f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2)
    )


def seated(*ids: str) -> list[dict[str, str]]:
    return [{"id": each} for each in (*ids, "cy", "dee")]


def lines(who: str) -> list[str]:
    """A good hand, and lines in quarantine that name its player."""
    players = seated(who, "bo")
    good = json.dumps(record(players=players, ext={"who": {"said": json.dumps({"by": who})}}))

    def bad(number: int) -> str:
        hand = record(id=f"bad {number}", players=players, dealer=-1)
        return json.dumps(hand, ensure_ascii=False)

    return [
        *(good, bad(1)),
        bad(2).replace(f'"{who}"', f'"{escaped(who)}"'),
        bad(3).replace(f'"{who}"', f'"{escaped(who).upper().replace("U", "u")}"'),
        bad(4)[:-1] + f', "remark": "a \\"quote\\"\\n{escaped(who)}\\t{who}\\\\"}}',
        bad(5)[:-1] + f', "status": "\\u000a{escaped(who)}"}}',
        bad(6).replace("bad", who),
    ]


def load(who: str, folder: Path) -> Path:
    log = folder / "log.jsonl"
    log.write_text("\n".join(lines(who)) + "\n")
    loaded = ingest.load(log, db=folder / "db")
    assert (loaded.accepted, loaded.quarantined) == (1, 6)
    return folder / "db"


def names(*first: str) -> list[Any]:
    """All names, of which the first tier takes the ``first``."""
    alike = pytest.mark.thorough("other names are escaped alike")
    return [
        pytest.param(who, id=name, marks=() if name in first else alike)
        for name, who in NAMES.items()
    ]


@pytest.mark.parametrize("who", names("one-sign", "beyond-the-first-plane"))
def test_no_name_is_left_that_the_reader_of_json_finds(who: str, tmp_path: Path) -> None:
    db = load(who, tmp_path)
    assert named_in(db, who)
    forget(who, db=db)
    assert named_in(db, who) == []
    (games,) = db.rglob("games-*.duckdb")
    with duckdb.connect(str(games), read_only=True) as tables:
        texts = [text for (text,) in tables.execute("SELECT text FROM rejects").fetchall()]
    assert len(texts) == 6
    for text in texts:
        assert json.loads(text)["players"][0]["id"] == "forgotten-1"


def test_signs_tell_a_name_from_another_of_the_same_word(tmp_path: Path) -> None:
    who, alike = f"{FOX}fox", "fox"
    players = seated(who, alike)
    said = f"{who} and {alike}"
    bad = json.dumps(record(id="bad", players=players, dealer=-1, remark=said))
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(record(players=players, ext={"said": said})) + "\n" + bad + "\n")
    db = tmp_path / "db"
    ingest.load(log, db=db)
    forget(who, db=db)
    assert named_in(db, FOX) == []
    kept = named_in(db, f"and {alike}")
    assert len(kept) >= 2
    assert all(f"forgotten-1 and {alike}" in each for each in kept)


@pytest.mark.parametrize("who", names("signs-alone"))
def test_the_search_finds_a_rest(who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = load(who, tmp_path)
    monkeypatch.setattr(Forgotten, "in_bytes", lambda _, text: text)
    forget(who, db=db)
    assert len(named_in(db, who)) >= 6


def within(value: object, depth: int) -> str:
    """JSON in a text of JSON, so many times, with every sign beyond ASCII as an escape."""
    text = json.dumps(value)
    return text if depth == 0 else within(text, depth - 1)


@pytest.mark.parametrize("who", names("accent", "one-sign"))
def test_json_within_json_is_read_however_deep_it_lies(who: str, tmp_path: Path) -> None:
    players = seated(who, "bo")
    said = {"by": who, "words": f"so\n{who}\t{who}"}
    good = record(players=players, ext={"who": {"said": within(said, 3), within(said, 1): 1}})
    told = [{"event": "deal", "data": within({"hand": [said, who]}, depth)} for depth in range(6)]
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(map(json.dumps, [good, *told])) + "\n")
    db = tmp_path / "db"
    assert ingest.load(log, db=db).quarantined == len(told)
    assert len(named_in(db, who)) >= 2 * len(told)
    forget(who, db=db)
    assert named_in(db, who) == []


WHO = "anna"
NAME = "Anna Berg"
ALIKE = (
    *("anna-lisa", "lisa-anna", "anna_2", "anna2", "annalisa", "sample:anna", "anna.b", "x@anna"),
    *("anna\N{EN DASH}lisa", "anna\N{FOX FACE}x", "Åsa-anna", "anna berg-li", "anna 田中"),
)


def hands_of_both(other: str) -> list[dict[str, Any]]:
    """Hands of both, with a finding, remarks, and lines that go into quarantine."""
    players = [{"id": WHO, "name": NAME}, {"id": other}, {"id": "cy"}, {"id": "dee"}]
    beside = [{"id": "x", "name": f"{other} II"}, {"id": other}, {"id": "cy"}, {"id": "dee"}]
    return [
        record(
            players=players, notes={"4": f"{other} sighed, {WHO} laughed"}, ext={"late": [other]}
        ),
        record(id="two", players=beside, notes={"4": f"{other} sighed"}),
        record(id=f"of {other}", players=players, actions=["1 pass", "0 bid 7"], notes=...),
        record(id=f"for {other}", players=players, dealer=-1),
        record(id="two", players=players),
    ]


def load_both(other: str, folder: Path) -> Path:
    log = folder / "log.jsonl"
    log.write_text("".join(f"{json.dumps(each)}\n" for each in hands_of_both(other)))
    db = folder / "db"
    loaded = ingest.load(log, db=db)
    assert (loaded.accepted, loaded.quarantined) == (3, 2)
    marks.add_note(db, "player", other, f"{other} overbids")
    userdata.save_view(db, "both", "players", {"player": [other], "from": [f"bids?player={other}"]})
    userdata.choose_scope(db, scopes.Scope(people=(WHO, other)))
    write_evening(db, Player(other), Player(f"{other} the guest"))
    return db


@pytest.mark.parametrize("other", some(ALIKE, 3))
def test_whose_id_holds_that_of_somebody_forgotten_stays(other: str, tmp_path: Path) -> None:
    db = load_both(other, tmp_path)
    forget(WHO, db=db)
    assert named_in(db, WHO, but=[other]) == []
    names = dict(rows(db, "SELECT player, name FROM players"))
    hands = dict(rows(db, "SELECT hand_id, tail FROM hands"))
    rejects = [json.loads(bytes(text)) for (text,) in rows(db, "SELECT text FROM rejects")]
    assert names.keys() == {"forgotten-1", other, "cy", "dee", "x"}
    assert names["x"] == f"{other} II"
    assert f"of {other}" in hands
    assert {each["players"][1]["id"] for each in rejects} == {other}
    assert f"for {other}" in {each["id"] for each in rejects}
    assert sum(other in tail for tail in hands.values()) == 2
    assert any("forgotten-1 laughed" in tail for tail in hands.values())
    (note,) = marks.marks(db).notes
    assert (note.subject, note.text) == (other, f"{other} overbids")
    (view,) = userdata.views(db)
    assert view.query == {"player": [other], "from": [f"bids?player={other}"]}
    kept = keeping.read_file(keeping.evening_file(db, "abc"))
    assert kept
    assert [each.id for each in kept.evening.draft.players][:2] == [other, f"{other} the guest"]
    assert verify(db).problems == ()
    assert ingest.load(tmp_path / "log.jsonl", db=db).accepted == 0
    forget("cy", db=db)
    assert named_in(db, WHO, whole("cy"), but=[other]) == []


def test_whoever_has_the_longer_id_can_be_forgotten_as_well(tmp_path: Path) -> None:
    db = load_both("anna-lisa", tmp_path)
    forget(WHO, db=db)
    forget("anna-lisa", db=db)
    assert named_in(db, WHO, but=["anna-lisa II", "anna-lisa the guest"]) == []
    (view,) = userdata.views(db)
    assert view.query == {"player": ["forgotten-2"], "from": ["bids?player=forgotten-2"]}


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
