"""The page Record: setting an evening up, taps as the browser sends them, and what is shown."""

import resource
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.dashboard.conftest import Visit
from tests.kit.app_pages import address_of, go, text_of, unmarked
from tricklog import Known, Player, RulesRef, variants
from tricklog.core.recording.draft import RecordingError
from tricklog.core.recording.evening import Evening, begin
from tricklog.core.recording.finishing import finished, may_be_thrown_in
from tricklog.core.rulesets.ruleset import resolve
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.pages.record.own_rules import own_rules
from tricklog.dashboard.pages.record.screen import _key_said, screen_of
from tricklog.dashboard.pages.record.taps import Sent, Taken, question_about, sent_of, take
from tricklog.ingest.recording import keeping
from tricklog.ingest.recording.keeping import ChangedElsewhereError, KeepingError, Kept
from tricklog.ingest.recording.people import known_people, person
from tricklog.schemas.cards import JOKER, parse_card

FOUR = [Player(id=name) for name in ("ann", "bo", "cy", "dee")]
HAND = ("maker 2", "bid 9", "points 0 8", "points 1 6", "save")


def kept(variant: str = "pedro", *, quick: bool = False) -> Kept:
    evening = begin("sunday", RulesRef(variant), FOUR, dealer=3, quick=quick)
    return Kept(revision=0, evening=evening, log="evenings")


def tapped(before: Kept | Taken, *taps: str) -> Taken:
    if isinstance(before, Taken):
        before = replace(kept(), evening=before.evening)
    return take(before, Sent("phone-1", before.revision, taps), "2026-11-20T19:03:00+02:00")


def asked_of(taken: Taken) -> dict[str, Any]:
    question = question_about(replace(kept(), evening=taken.evening, asked=taken.asked))
    assert question is not None
    assert question["tap"] == taken.asked
    return question


def keys_of(evening: Evening) -> dict[str, str]:
    blocks = screen_of(evening)["blocks"]
    return {key["label"]: key["tap"] for block in blocks for key in block.get("keys", ())}


def struck_out(evening: Evening) -> set[str]:
    suits = (suit for block in screen_of(evening)["blocks"] for suit in block.get("suits", ()))
    return {key["card"] for suit in suits for key in suit["keys"] if key["gone"]}


def begun_in(folder: Path) -> Evening:
    (begun,) = [each.evening for each in keeping.latest(folder) if each.evening.id != "sunday"]
    return begun


def test_an_evening_is_set_up_as_the_last(tmp_path: Path, visit: Visit) -> None:
    app = visit(tmp_path, urls.RECORD)
    app.button(key="record-start").click().run()
    assert "Say who sits at each seat." in text_of(app)
    # An address that is none says so.
    assert "There is no evening with this address" in text_of(go(app, urls.RECORD, draft="abc"))
    assert "is no name of an evening" in text_of(go(app, urls.RECORD, draft="../x"))
    keeping.write_file(keeping.evening_file(tmp_path, "sunday"), kept("pidro"), builds_on=0)
    app = visit(tmp_path, urls.RECORD)
    assert app.selectbox(key="record-seat-0").value == "ann"
    assert app.selectbox(key="record-game").value == "pidro"
    app.button(key="record-start").click().run()
    assert not app.exception
    begun = begun_in(tmp_path)
    assert begun.id in address_of(app)[urls.DRAFT]
    assert [player.id for player in begun.draft.players] == ["ann", "bo", "cy", "dee"]
    assert begun.draft.rules.variant == "pidro"


def test_an_old_id_and_name_of_a_merged_player_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "merged", lambda: (("ann-phone", "ann"),))
    monkeypatch.setattr(snapshot, "merged_names", lambda: {"ann-phone": "Annie"})
    known = known_people([("ann", "Ann"), *snapshot.merged_people()])
    for said in ("Ann", "ann", "ann-phone", "Annie"):
        assert person(said, known).id == "ann"


@pytest.mark.parametrize("variant", variants())
def test_every_game_has_keys_for_its_first_call_and_for_a_hand_without_cards(variant: str) -> None:
    before = kept(variant)
    if len(before.evening.draft.players) == 4:
        keys = keys_of(before.evening)
        assert {"Without cards"} < keys.keys()
        first = next(tap for tap in keys.values() if " bid " in tap)
        assert tapped(before, first).evening.draft.choices == (first,)
        without = keys_of(tapped(before, "quick").evening).keys()
        assert "Every card" in without
        rules = before.evening.draft.ruleset().rules(4)
        assert ("Thrown in" in without) == may_be_thrown_in(rules)


def test_a_deal_that_is_thrown_in_leaves_the_scores_as_they_were() -> None:
    saved = tapped(kept("bangladesh", quick=True), "thrown-in", "save")
    assert saved.is_saved
    assert saved.evening.draft.scores == (0, 0)
    assert screen_of(saved.evening)["pad"]["rows"][0]["change"] == [0, 0]


def test_any_bid_and_hidden_trumps_have_a_key() -> None:
    for variant, calls, keys in (
        ("eighty-three", (), {"0 bid 56", "0 bid 83"}),
        ("eighty-three", ("0 bid 70",), {"1 bid 71", "1 bid 83"}),
        ("twenty-nine", ("0 bid 16", "1 pass", "2 pass", "3 pass"), {"0 trump S", "0 trump *"}),
    ):
        before = kept(variant)
        offered = [*keys_of(tapped(before, *calls).evening).values()]
        assert keys <= {*offered}
        # A pass is not to be looked for below them.
        assert offered[0].endswith(" pass") == (variant == "eighty-three")


def test_made_and_set_have_a_key_where_points_do_not_tell() -> None:
    """S81, T110."""
    before = kept("twenty-nine", quick=True)
    hand = tapped(before, "maker 2", "bid 16", "points 0 19", "points 1 9")
    assert keys_of(hand.evening)["Made"] == "result made"
    asked = tapped(hand, "save")
    assert asked.asked == "save"
    made = tapped(hand, "result made")
    assert keys_of(made.evening)["Made"] == "result -"
    assert tapped(made, "save").evening.draft.scores == (1, 0)
    assert "Made" not in keys_of(kept(quick=True).evening)
    stopped = tapped(kept("twenty-nine"), *("0 bid 16", "1 pass", "2 pass", "3 pass"), "rest")
    counted = tapped(stopped, "points 0 19", "points 1 9", "result made")
    assert keys_of(counted.evening)["Made"] == "result -"
    assert tapped(counted, "save").evening.draft.scores == (1, 0)


def test_an_illegal_card_is_asked_about_and_taken_when_it_is_confirmed() -> None:
    asked = tapped(kept(), "0 bid 9", "1 bid 8", "2 pass")
    assert asked.asked == "1 bid 8"
    assert "does not go over" in asked_of(asked)["text"]
    waiting = replace(kept(), evening=asked.evening, asked=asked.asked)
    assert tapped(waiting, "no").asked == ""
    assert asked.evening.draft.choices == ("0 bid 9",)
    sure = tapped(asked, "! 1 bid 8")
    assert sure.asked == ""
    assert sure.evening.draft.choices == ("0 bid 9", "1 bid 8")


def test_taps_of_a_hand_without_cards_lead_to_the_next() -> None:
    saved = tapped(kept(quick=True), *HAND)
    assert saved.is_saved
    pad = screen_of(saved.evening)["pad"]
    assert pad["next"] == "Hand 2: ann deals, bo bids first."
    assert pad["rows"][0]["change"] == [-9, 6]
    assert pad["audit"] == "1 hand audited, in order"
    mended = tapped(saved, "mend 0", "points 0 9", "save")
    assert mended.evening.draft.scores != saved.evening.draft.scores


def test_what_cannot_be_taken_stops_what_follows() -> None:
    taken = tapped(kept(), "0 bid 7", "save", "1 bid 8")
    assert taken.told.startswith("Not taken: the hand is not over.")
    assert "1 later tap not taken" in taken.told
    assert ".." not in taken.told
    assert taken.evening.draft.choices == ("0 bid 7",)
    # The same tap twice, and one that is asked about with others behind it.
    assert tapped(kept(), "0 bid 7", "undo", "undo").told.endswith("in this hand.")
    asked = tapped(kept(), "0 bid 9", "1 bid 8", "2 pass", "3 pass")
    assert (asked.asked, asked.told) == ("1 bid 8", "2 later taps not taken.")


@pytest.mark.usefixtures("jobs_run_here")
def test_a_line_of_the_log_that_cannot_be_read_is_told(tmp_path: Path, visit: Visit) -> None:
    saved = replace(kept(), evening=tapped(kept(quick=True), *HAND).evening)
    keeping.write_file(keeping.evening_file(tmp_path, "sunday"), saved, builds_on=0)
    keeping.log_file(tmp_path, saved.log).write_bytes(b"oops\n")
    app = go(visit(tmp_path, urls.RECORD), urls.RECORD, draft="sunday")
    app.button(key="record-load").click().run()
    assert "1 new hand in the warehouse. 1 line not readable." in unmarked(text_of(app))


@pytest.mark.parametrize("value", [None, 7, {}, {"mark": "m", "base": "x", "taps": []}])
def test_what_is_no_message_is_left_alone(value: object) -> None:
    assert sent_of(value) is None


# --- What is kept
def test_the_second_device_is_told_and_damage_says_what_to_do(tmp_path: Path) -> None:
    path = keeping.evening_file(tmp_path, "sunday")
    first = keeping.write_file(path, kept(), builds_on=0)
    keeping.write_file(path, first, builds_on=1)
    with pytest.raises(ChangedElsewhereError, match="Another device"):
        keeping.write_file(path, first, builds_on=1)
    stored = keeping.read_file(path)
    assert stored is not None
    assert stored.revision == 2
    path.write_bytes(b"{")
    with pytest.raises(KeepingError, match="Move it away"):
        keeping.read_file(path)
    assert keeping.latest(tmp_path) == []


@pytest.fixture
def handing(tmp_path: Path) -> tuple[Path, Path, Kept]:
    sunday = keeping.evening_file(tmp_path, "sunday")
    done = tapped(kept(quick=True), *HAND).evening
    saved = keeping.write_file(sunday, replace(kept(quick=True), evening=done), builds_on=0)
    return keeping.log_file(tmp_path, "our evenings"), sunday, saved


def test_a_log_is_appended_to_once(tmp_path: Path, handing: tuple[Path, Path, Kept]) -> None:
    path, sunday, saved = handing
    again, count = keeping.hand_over(path, sunday, saved)
    assert (count, again.evening.unwritten()) == (1, [])
    assert keeping.hand_over(path, sunday, again)[1] == 0
    assert path.read_bytes().count(b"\n") == 1
    with pytest.raises(KeepingError, match="cannot be the name of a log"):
        keeping.log_file(tmp_path, "../x")


@pytest.mark.posix
@pytest.mark.parametrize("room", [0, 1, 100, None])
def test_a_log_is_as_it_was_where_the_disk_is_full(
    room: int | None, handing: tuple[Path, Path, Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, sunday, saved = handing
    path.write_bytes(b'{"id":"before"}')
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with monkeypatch.context() as patch:
        if room is None:
            # The log has room, and what is kept of the evening has none.
            patch.setattr(keeping, "write_file", _full)
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, limits[1]))
        try:
            with pytest.raises(KeepingError, match="cannot be written"):
                keeping.hand_over(path, sunday, saved)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b'{"id":"before"}'
    again, count = keeping.hand_over(path, sunday, saved)
    assert (count, again.evening.unwritten()) == (1, [])
    assert path.read_bytes().count(b"\n") == 2


def _full(path: Path, *_: object, **__: object) -> None:
    raise KeepingError(f"{path} cannot be written: No space left on device.")


# --- What is shown
def blocks_of(evening: Evening) -> dict[str, dict[str, Any]]:
    """Return the blocks shown, those of *More about this hand* among them, by their titles."""
    blocks = screen_of(evening)["blocks"]
    inner = [each for block in blocks if block["kind"] == "more" for each in block["blocks"]]
    return {block.get("title", ""): block for block in (*blocks, *inner)}


@pytest.mark.parametrize("quick", [True, False])
def test_undo_of_an_empty_hand_says_that_there_is_nothing(*, quick: bool) -> None:
    before = kept(quick=quick)
    taken = tapped(before, "undo")
    assert taken.told == "Not taken: there is nothing to take back in this hand."
    assert taken.evening.draft == before.evening.draft
    assert screen_of(before.evening)["undo"] == ""
    assert screen_of(tapped(before, "points 0 8").evening)["undo"] == "8 points of ann & cy"


def test_a_hand_whose_rest_is_not_noted_takes_its_points() -> None:
    """1.score: what was counted gives the score where the cards were not written down."""
    rest = tapped(kept(), "0 bid 9", "1 pass", "2 pass", "3 pass", "0 trump H", "rest")
    assert blocks_of(rest.evening)["Points taken"]["most"] == 14
    unsure = tapped(rest, "save")
    assert unsure.asked == "save"
    assert "no points yet" in asked_of(unsure)["text"]
    saved = tapped(rest, "points 0 9", "points 1 5", "save")
    assert saved.is_saved
    assert saved.evening.draft.scores == (9, 5)
    assert tapped(rest, "! save").is_saved


def test_what_is_seldom_noted_has_fields_of_its_own() -> None:
    """16.solo, 14.pair: alone and the pair only in games that have them."""
    shown = blocks_of(kept(quick=True).evening)
    assert {"Added to the score", "Remark"} < shown.keys()
    assert "King and queen of trumps" not in shown
    before = kept("lucknow", quick=True)
    assert {"Played alone", "King and queen of trumps"} < blocks_of(before.evening).keys()
    taken = tapped(before, "maker 1", "alone solo", "pair 2", "change 1 3", "remark late")
    hand = finished(taken.evening.draft).hand
    assert hand.known == Known(maker=1, alone="solo", pair=2)
    assert hand.remark == "late"
    solo = blocks_of(taken.evening)["Played alone"]["keys"][0]
    assert (solo["chosen"], solo["tap"]) == (True, "alone -")
    too_long = tapped(before, f"remark {'x' * 2001}")
    assert too_long.told == "Not taken: a remark has 2,000 characters at most; this has 2,001."


def test_a_trick_is_added_to_a_hand_without_cards() -> None:
    noted = ("maker 0", "bid 9", "trump H", "points 0 9", "points 1 5")
    taken = tapped(kept(quick=True), *noted, "trick")
    (leads,) = [block for block in screen_of(taken.evening)["blocks"] if "choices" in block]
    assert [choice["label"] for choice in leads["choices"]][2] == "cy led"
    played = tapped(taken, "2 play AS", "3 play 2S", "0 play 3S", "1 play 4S", "rest", "save")
    assert played.is_saved
    (ended,) = played.evening.hands()
    assert len(ended.hand.actions) == 4
    assert ended.scores == (9, 5)
    assert ended.replayed.findings == ()


@pytest.mark.parametrize(("variant", "points"), [("pedro", 14), ("pitch-with-fives", None)])
def test_points_of_others_are_filled_in(variant: str, points: int | None) -> None:
    """1.exchange; 5.points."""
    assert blocks_of(kept(variant, quick=True).evening)["Points taken"]["all"] == points


OWN = b"""extends = "pedro"
id = "ours"
title = "Our Pedro"
house_rules = ["O14"]

[game]
target = 51
"""


def test_rules_of_ones_own_are_carried_by_every_hand(tmp_path: Path, visit: Visit) -> None:
    rules = own_rules("ours.toml", OWN)
    assert resolve(rules).title == "Our Pedro"
    hand = finished(begin("sunday", rules, FOUR, dealer=3, quick=True).draft).hand
    assert hand.rules.definition is not UNSET
    assert resolve(hand.rules).rules(4).target == 51
    with pytest.raises(RecordingError, match=r"ours\.toml: .*target"):
        own_rules("ours.toml", OWN.replace(b"51", b'"many"'))
    # On the page their file replaces the game.
    keeping.write_file(keeping.evening_file(tmp_path, "sunday"), kept("pidro"), builds_on=0)
    app = visit(tmp_path, urls.RECORD)
    app.file_uploader(key="record-own").set_value(("ours.toml", OWN, "text/plain")).run()
    assert "Our Pedro" in text_of(app)
    app.button(key="record-start").click().run()
    assert begun_in(tmp_path).draft.rules.definition is not UNSET


def test_keys_of_the_pack_say_which_card_they_are() -> None:
    assert _key_said(JOKER, "trumps") == "the joker"
    assert _key_said(parse_card("TH"), "trumps") == "10 of trumps"


def test_a_card_laid_off_is_struck_out_only_while_the_dealer_may_not_take_it() -> None:
    """S26: the dealer in Nicaragua chooses from the discards too."""
    before = tapped(kept("nicaragua"), "0 bid 7", "1 pass", "2 pass", "3 pass", "0 trump S")
    before = tapped(before, "0 discard KC 2H", "0 draw ? ?")
    assert struck_out(before.evening) == set()
    assert struck_out(tapped(before, "3 rob KC").evening) == {"2H"}


def test_a_card_tapped_before_any_exchange_says_that_the_exchange_is_not_recorded() -> None:
    """8.surplus: nobody is asked whether they buried what nobody has written down."""
    bids = ("0 bid 30", "1 pass", "2 pass", "3 pass", "0 trump H", "0 kitty ? ? ? ?")
    after = tapped(kept("king-pedro"), *bids, "0 play AH", "1 play 2H", "2 play 5D")
    assert not after.asked
    assert after.evening.draft.choices[len(bids) :] == (
        *("gap exchange", "0 play AH", "1 play 2H", "2 play 5D"),
    )
