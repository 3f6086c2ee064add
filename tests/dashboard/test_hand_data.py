"""The data of a hand for the card table: every step as ``Replay.at`` has it, names apart, small."""

import json
import re
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import pages_over
from tests.kit.app_pages import address_of, go, lead_of, open_app, table_of, warnings_of
from tests.kit.dashboard_logs import NASTY, first_hands, sample_hands, with_nasty_names
from tests.kit.log_lines import one_game, with_revoke, with_wrong_claim
from tests.kit.table_data import data_of, named, whole_frames
from tests.kit.tables import TABLES
from tricklog import Finding, Hand, Player, Verb, Verdict, core, encode_hand
from tricklog.core.render.sentences import in_order, moment_of
from tricklog.dashboard import card_table
from tricklog.dashboard.address import urls
from tricklog.dashboard.card_table.spoken import TABLE
from tricklog.dashboard.data.hand_data import hand_data, sign_of
from tricklog.dashboard.pages import record
from tricklog.dashboard.pages.record import SCRIPTS
from tricklog.dashboard.sections import given_hand
from tricklog.dashboard.sections.given_hand import chance_words, problems_of, read_cards
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import field
from tricklog.schemas.cards import card_name, mask_of, names_in, parse_card, parse_cards
from tricklog.schemas.languages.messages import plain
from tricklog.schemas.render import describe_action, player_labels

LARGEST = 60_000
"""Bytes of JSON a hand may take."""
BY_ID = {hand.id: hand for hand in TABLES}


def hand_of(variant: str) -> Hand:
    return first_hands(variant, 1)[0]


def masks(seats: list[dict[str, str]], name: str) -> tuple[int, ...]:
    return tuple(mask_of(parse_cards(seat[name])) for seat in seats)


@pytest.mark.parametrize("name", [*core.variants(), *BY_ID])
def test_every_step_is_the_table_before_the_action(name: str) -> None:
    """A hand of the samples of each variant, and one at each table."""
    hand = BY_ID[name] if name in BY_ID else sample_hands(name, 1)[0]
    replayed = core.replay(hand)
    data = data_of(replayed)
    text = json.dumps(data)
    assert len(text) < LARGEST
    assert json.loads(text) == data
    frames = whole_frames(data)
    assert len(frames) == len(replayed) + 1
    for step, frame in enumerate(frames):
        view, seats = replayed.at(step), frame["seats"]
        assert masks(seats, "hand") == tuple(view.holdings)
        assert masks(seats, "off") == tuple(view.discarded)
        assert [seat["unknown"] for seat in seats] == list(view.unknown)
        assert [seat["out"] for seat in seats] == list(view.out)
        assert (frame["turn"], frame["stock"]) == (view.turn, view.stock)
        assert frame["legal"] == names_in(view.choice.cards)
        assert frame["points"] == list(view.points)
        assert frame["trick"] == [[seat, card_name(card)] for seat, card in view.trick]
        assert mask_of(parse_cards(frame["kitty"])) == view.kitty
        if view.turn is not None:
            assert named(frame["due"], data) == view.choice.sentence
    labels = player_labels(hand)
    told = [named(step["told"], data) for step in data["steps"]]
    assert told == [describe_action(text, labels) for text in hand.actions]
    firsts = [group["first"] for group in data["groups"]]
    assert firsts == sorted(set(firsts))
    assert firsts[0] == 0
    tricks = [group for group in data["groups"] if "winner" in group]
    assert [group["winner"] for group in tricks] == [trick.winner for trick in replayed.tricks]
    for group, trick in zip(tricks, replayed.tricks, strict=True):
        assert group["title"] == f"Trick {trick.number}"
        assert group["first"] <= trick.first_action


def test_tricks_decisions_and_what_is_done_face_down_are_said_at_their_steps() -> None:
    replayed = core.replay(hand_of("pedro"))
    data = data_of(replayed)
    frames = whole_frames(data)
    # The last trick says who took it until the next lead.
    for trick in replayed.tricks:
        assert frames[trick.last_action + 1]["won"] == [trick.winner, trick.points]
        assert frames[trick.last_action]["won"] is None
    # Only a step with another way is a decision.
    for step, frame in enumerate(frames):
        view = replayed.at(step)
        if view.turn is None or view.choice.verbs == ("draw",):
            assert not frame["decision"]
        elif view.choice.verbs == ("play",):
            assert frame["decision"] == (view.choice.cards.bit_count() > 1)
        elif view.phase == "auction":
            assert frame["decision"]
    # What is done face down is reported without its cards.
    for verb in (Verb.DISCARD, Verb.DRAW):
        steps = [
            step
            for step, action in zip(data["steps"], replayed.actions, strict=True)
            if action.verb == verb
        ]
        assert steps
        for step in steps:
            assert not any(glyph in step["covered"] for glyph in "♠♥♦♣")
            assert step["covered"].startswith(sign_of(step["seat"]))
    assert not any("covered" in step for step in data["steps"] if "card" in step)


def test_before_it_is_shown_only_the_maker_knows_a_hidden_trump() -> None:
    replayed = core.replay(hand_of("twenty-nine"))
    data = data_of(replayed)
    frames = whole_frames(data)
    verbs = [each.verb for each in replayed.actions]
    named_at, shown_at = verbs.index(Verb.TRUMP), verbs.index(Verb.REVEAL)
    assert frames[named_at]["trump"] is None
    for step in range(named_at + 1, shown_at + 1):
        assert frames[step]["secret"]
        assert frames[step]["knows"] == replayed.at(step).maker
        assert frames[step]["trump"] is not None
    assert not any(frame["secret"] for frame in frames[shown_at + 1 :])
    covered = data["steps"][named_at]
    assert covered["secret"]
    assert named(covered["covered"], data).endswith("names trumps in secret")
    # Who does not know the trump can sort without it.
    cards = data["plain"].split()
    assert mask_of(parse_cards(" ".join(cards))) == replayed.rules.pack
    assert cards[0][1] == "S"
    assert "plain" not in data_of(core.replay(hand_of("pedro")))


# --- What is wrong
def test_a_finding_stands_at_its_step_with_the_text_of_its_rule() -> None:
    hand, index = with_revoke(one_game("pidro"))
    data = data_of(core.replay(hand))
    (finding,) = data["findings"]
    assert (finding["step"], finding["title"]) == (index, "Revoke")
    assert "while holding" in finding["text"]
    for name in finding["rules"]:
        assert data["rules"][name]["title"]
        assert data["rules"][name]["text"]
    assert not any("](" in line for rule in data["rules"].values() for line in rule["text"])
    assert data["steps"][index]["wrong"]
    assert data["verdict"] == "irregular"
    # A wrong claim stands at the end, others where the replay says.
    hand = with_wrong_claim(one_game("pedro")[0])
    assert data_of(core.replay(hand))["findings"][0]["step"] == len(hand.actions)
    replayed = core.replay(with_revoke(one_game("twenty-nine"))[0])
    shown = [finding["step"] for finding in data_of(replayed)["findings"]]
    assert shown == [moment_of(finding, replayed) for finding in replayed.findings]


def test_a_rejected_hand_goes_on_as_void_steps_on_the_last_table() -> None:
    whole = hand_of("pedro")
    broken = replace(whole, actions=[*whole.actions[:3], "0 play 9H", *whole.actions[4:]])
    replayed = core.replay(broken)
    assert replayed.verdict is Verdict.REJECTED
    data, played = data_of(replayed), replayed.played
    assert data["steps"][played]["wrong"]
    assert all(step["void"] for step in data["steps"][played + 1 :])
    assert data["ending"] == [f"The record can be followed up to step {played} and no further."]
    assert all("seats" not in frame for frame in data["frames"][played + 1 :])


@pytest.mark.parametrize("variant", ["pedro", "twenty-nine", "king-pedro"])
@pytest.mark.parametrize("kept", [0, 1, 9, -1])
def test_a_record_that_stops_early_has_every_step_it_has(variant: str, kept: int) -> None:
    whole = hand_of(variant)
    hand = replace(whole, actions=whole.actions[:kept], claimed=UNSET, status=UNSET)
    replayed = core.replay(hand)
    data = data_of(replayed)
    assert len(data["frames"]) == len(hand.actions) + 1
    assert data["ending"] == ["The record ends here."]
    assert data["notes"] == list(replayed.doubts)


def test_cards_that_are_not_recorded_are_counted() -> None:
    whole = hand_of("pidro")
    assert whole.deal is not UNSET
    hidden = " ".join("?" for _ in whole.deal[1].split())
    hand = replace(whole, deal=[whole.deal[0], hidden, *whole.deal[2:]])
    seat = whole_frames(data_of(core.replay(hand)))[0]["seats"][1]
    assert (seat["unknown"], seat["hand"]) == (len(hidden.split()), "")


# --- Names
def test_no_sentence_holds_a_name_and_the_line_is_the_record() -> None:
    hand = with_nasty_names()
    data = data_of(core.replay(hand))
    assert data["names"] == player_labels(hand)
    assert "\u202e" not in "".join(data["names"])
    assert data["line"] == encode_hand(hand).decode()
    assert NASTY.split()[0] in data["line"]
    del data["names"], data["line"]
    assert "img" not in json.dumps(data)


def test_a_game_finding_gives_way_to_the_signs_of_its_names() -> None:
    hand = replace(hand_of("pedro"), players=[Player(name) for name in ("a", "An", "Ann", "Bo")])
    finding = Finding(
        "wrong-dealer", "/dealer", {}, "0.deal", plain("Ann dealt, but a deal was An's."), seat=0
    )
    data = hand_data(core.replay(hand), [(finding, None)])
    text = data["findings"][0]["text"]
    assert text == f"{sign_of(2)} dealt, but {sign_of(0)} deal was {sign_of(1)}'s."
    assert named(text, data) == finding.message


# --- Order
@pytest.mark.parametrize(("asked", "opened"), [(-1, 0), (5, 5), (9999, 37)])
def test_a_step_that_does_not_exist_is_the_nearest_one(asked: int, opened: int) -> None:
    replayed = core.replay(hand_of("pedro"))
    assert len(replayed) == 37
    assert hand_data(replayed, [], asked)["step"] == opened


def test_trumps_stand_first_with_the_off_five_among_them_and_strange_cards_last() -> None:
    replayed = core.replay(hand_of("pedro"))
    trump = replayed.at(len(replayed)).trump
    assert trump is not None
    trumps = {card for card in range(52) if replayed.rules.suit[trump][card] == trump}
    every = in_order(replayed.rules, trump, (1 << 52) - 1)
    assert set(every[: len(trumps)]) == trumps
    assert every[0] % 13 == 12
    # What is not in the pack stands last in its suit.
    replayed = core.replay(hand_of("twenty-nine"))
    strange = parse_card("2S")
    assert not replayed.rules.pack >> strange & 1
    assert in_order(replayed.rules, None, mask_of(parse_cards("2S 7S AS")))[-1] == strange


# --- The component
def test_every_script_is_part_of_a_component_and_makes_no_markup_of_text() -> None:
    folders = [Path(package.__file__ or "").parent for package in (card_table, record)]
    assert {path for folder in folders for path in folder.glob("*.js")} == {*TABLE, *SCRIPTS}
    for path in (*TABLE, *SCRIPTS):
        script = path.read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval", script)
        assert "http" not in script.replace('"http://www.w3.org/2000/svg"', ""), path


# --- A hand that somebody gives
GOOD = "AH KH JH 5H 5D 9H 3H 2C 4C 8S 7S 6C"
FOUR = "AH TS 5D 5H"


def test_cards_are_read_as_people_write_them() -> None:
    for text, cards in (
        *((text, FOUR) for text in (FOUR, "ah 10s 5d 5h", "hA, s10; d5/h5", "♥A ♠10 ♦5 ♥5")),
        *((text, FOUR) for text in ("A♥︎ 10♠️ 5♦ 5♡", "AhTs5d5h", "♥A♠10♦5♥5")),
        ("(AH)|(TS)|_5D_|5H.", FOUR),
        # Ranks of one suit and the joker may stand together.
        ("♥AKJ5 ♣105", "AH KH JH 5H TC 5C"),
        ("AKJ5h 105c", "AH KH JH 5H TC 5C"),
        ("joker Jo", "JO JO"),
        (" , ", ""),
    ):
        read = read_cards(text)
        assert not read.unknown
        assert list(read.cards) == parse_cards(cards)


@pytest.mark.parametrize("word", ["1H", "AX", "H", "A", "AHK", "?", "*", "JOK", "é", "100H", "<b>"])
def test_what_is_no_card_is_named(word: str) -> None:
    read = read_cards(f"KS {word} 2C")
    assert read.cards == tuple(parse_cards("KS 2C"))
    assert [each.strip("<>") for each in read.unknown] == [word.strip("<>")]


def test_all_problems_are_said_at_once() -> None:
    pack = mask_of(parse_cards("AH KH QH"))
    told = problems_of(read_cards("AH ha QH 2C xx"), pack, 4)
    assert [each.partition(":")[0] for each in told] == [
        *("No card", "More than once", "Not in the pack of this game", "3 cards")
    ]
    assert "“xx”" in told[0]
    assert told[1].endswith("A♥.")
    assert told[2].endswith("2♣.")
    assert problems_of(read_cards("AH KH"), pack, 2) == []
    (many,) = problems_of(read_cards(" ".join(f"x{each}" for each in range(9))), pack, 0)
    assert "“x4”, “x5” and 3 more." in many


def test_what_cannot_be_compared_is_said() -> None:
    for bids, passes, games, said in (
        (40, 0, 20, "Nobody passes these: 40 bids and no pass, so"),
        (0, 9, 5, "Nobody bids these: no bid, and passed 9 of 9 times, so"),
        (40, 3, 20, "40 bid and 3 passed with cards worth this, and it takes 15 of each, so"),
        (40, 20, 9, "passed with cards worth this in 9 games, and it takes 10 games, so"),
    ):
        row = {"bids": bids, "passes": passes, "games": games, "enough": False}
        assert said in given_hand._decision_words(row)


def test_chances_are_told_in_tenths_and_who_did_better_where_there_is_no_doubt() -> None:
    assert [chance_words(each) for each in (0.0, 0.1, 0.7, 1.0)] == [
        *("hardly ever", "once in 10", "7 times in 10", "nearly always")
    ]
    told = [
        given_hand.better_words({"low": low, "high": high})
        for low, high in ((0.1, 2), (-2, -0.1), (-1, 1))
    ]
    assert told == [*("those who bid did better", "those who passed did better", "cannot tell yet")]
    assert given_hand._decision_words(None).startswith("Nobody has had to call")


# --- The form
@pytest.fixture(scope="module")
def guide(season: Path) -> field.Guide:
    with open_facts(season) as facts:
        found = field.guide_of(field.study(facts, field.Table("king-pedro", "4 partners")))
    assert found is not None
    return found


app = pages_over("season")


def lead_in(app: AppTest) -> str:
    return re.sub(r"<[^>]*>", "", lead_of(app))


def same_cards(app: AppTest, **parameters: str) -> AppTest:
    return go(app, urls.BIDS, **{"view": "Same cards", "question": "bid-or-pass", **parameters})


def test_a_hand_in_the_address_is_answered(app: AppTest, guide: field.Guide) -> None:
    link = {"hand-place": "second after the dealer", "hand-holder": "an opponent"}
    same_cards(app, **{"hand-held": GOOD.lower().replace(" ", ","), "hand-least": "34.0"}, **link)
    found = field.given_hand(guide, field.Held(GOOD, 2, "others", 34))
    lead = lead_in(app)
    assert lead.startswith(f"Best in hearts ♥, about {found.expected:.1f} points: a bid of 34 is")
    assert "A♥" in lead
    row = found.decision
    assert row is not None
    assert row["enough"]
    for name in ("bid_score", "bid_low", "bid_high", "pass_score", "pass_low", "pass_high"):
        assert f"{row[name]:+z.1f}".replace("-", "−") in lead
    assert [each["n"] for each in table_of(app, "Bid or pass with this hand")] == [
        *(str(row["bids"]), str(row["passes"]), str(row["bids"] + row["passes"]))
    ]
    told = dict[str, str]()
    for each in table_of(app, "Chance to make each bid"):
        # A row may stand for several bids.
        first, _, last = each["bid"].partition(" to ")
        bids = range(int(first), int(last or first) + 1)
        told |= {str(bid): each["such cards make it"] for bid in bids}
    assert told == {str(bid): chance_words(chance) for bid, chance in found.chances}
    assert not app.warning
    # The least bid is taken as the box shows it.
    app.number_input(key="hand-least").set_value(31.5).run()
    assert "a bid of 32 is made" in lead_in(app)


def test_a_bad_hand_is_told_all_that_is_wrong(app: AppTest) -> None:
    same_cards(app, **{"hand-held": "AH AH JO <b>zz</b>"})
    for words in ("No card", "zz", "More than once: A♥", "Not in the pack", "2 cards"):
        assert words in warnings_of(app)
    assert len(app.warning) == 1
    assert not lead_in(app)
    app.text_input(key="hand-held").set_value(GOOD).run()
    assert not app.exception
    assert not app.warning
    assert lead_in(app).startswith("Best in hearts")


@pytest.mark.parametrize("least", ["inf", "999", "-1"])
def test_an_odd_address_is_told_and_left_out(app: AppTest, guide: field.Guide, least: str) -> None:
    odd = {"hand-place": "nowhere", "hand-holder": "<i>", "hand-least": least}
    same_cards(app, **{"hand-held": GOOD}, **odd)
    assert len(app.warning) == 1
    for name, value in odd.items():
        assert f"{name} “{value}”" in warnings_of(app)
    assert f"a bid of {guide.least} is made" in lead_in(app)


def test_the_example_fills_the_form_and_the_address(
    app: AppTest, guide: field.Guide, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_cards(app)
    assert not lead_in(app)
    app.button(key="hand-example").click().run()
    assert not app.exception
    assert guide.example is not None
    assert app.text_input(key="hand-held").value == guide.example.cards
    assert f"a bid of {guide.example.least} is made" in lead_in(app)
    assert "Those who bid with cards worth this scored" in lead_in(app)
    told = address_of(app)
    assert told["hand-held"] == guide.example.cards
    # The address that the page writes shows the same to whoever opens it.
    shown = lead_in(app)
    assert not app.warning
    app.text_input(key="hand-held").set_value("").run()
    assert not lead_in(app)
    opened = same_cards(open_app(season, monkeypatch), **told)
    assert not opened.warning
    assert lead_in(opened) == shown
