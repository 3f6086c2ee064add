"""The data of a hand for the card table: every step as ``Replay.at`` has it, names apart, small."""

import json
import re
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import address_of, go, open_app, table_of, text_of
from tests.kit.dashboard_logs import NASTY, first_hands, sample_hands, with_nasty_names
from tests.kit.log_lines import one_game, with_revoke, with_wrong_claim
from tests.kit.table_data import data_of, named, whole_frames
from tests.kit.tables import TABLES
from tricklog import Finding, Hand, Player, Verb, Verdict, core, encode_hand
from tricklog.core.render.sentences import in_order, moment_of
from tricklog.dashboard import card_table
from tricklog.dashboard.address import urls
from tricklog.dashboard.card_table.spoken import SCRIPTS
from tricklog.dashboard.data.hand_data import hand_data, sign_of
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

at_every_table = pytest.mark.parametrize("hand", [*core.variants(), *BY_ID], indirect=True)
"""A hand of the samples of each variant, and one at each table."""


def hand_of(variant: str) -> Hand:
    return first_hands(variant, 1)[0]


@pytest.fixture
def hand(request: pytest.FixtureRequest) -> Hand:
    """The first hand of a game of a variant, or a hand of `TABLES`."""
    name: str = request.param
    return BY_ID[name] if name in BY_ID else sample_hands(name, 1)[0]


@at_every_table
def test_every_step_is_the_table_before_the_action(hand: Hand) -> None:
    replayed = core.replay(hand)
    data = data_of(replayed)
    frames = whole_frames(data)
    assert len(frames) == len(replayed) + 1
    for step, frame in enumerate(frames):
        view = replayed.at(step)
        assert frame["turn"] == view.turn
        assert [mask_of(parse_cards(seat["hand"])) for seat in frame["seats"]] == list(
            view.holdings
        )
        assert [mask_of(parse_cards(seat["off"])) for seat in frame["seats"]] == list(
            view.discarded
        )
        assert [seat["unknown"] for seat in frame["seats"]] == list(view.unknown)
        assert [seat["out"] for seat in frame["seats"]] == list(view.out)
        assert frame["legal"] == names_in(view.choice.cards)
        assert frame["points"] == list(view.points)
        assert frame["trick"] == [[seat, card_name(card)] for seat, card in view.trick]
        assert frame["stock"] == view.stock
        assert mask_of(parse_cards(frame["kitty"])) == view.kitty
        if view.turn is not None:
            assert named(frame["due"], data) == view.choice.sentence


@at_every_table
def test_a_hand_is_small_and_every_action_has_its_place_in_the_record(hand: Hand) -> None:
    replayed = core.replay(hand)
    data = data_of(replayed)
    text = json.dumps(data)
    assert len(text) < LARGEST
    assert json.loads(text) == data
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


def test_the_last_trick_says_who_took_it_until_the_next_lead() -> None:
    replayed = core.replay(hand_of("pedro"))
    frames = whole_frames(data_of(replayed))
    for trick in replayed.tricks:
        assert frames[trick.last_action + 1]["won"] == [trick.winner, trick.points]
        assert frames[trick.last_action]["won"] is None


# --- A hidden trump
def test_before_it_is_shown_only_the_maker_knows_a_hidden_trump() -> None:
    replayed = core.replay(hand_of("twenty-nine"))
    data = data_of(replayed)
    frames = whole_frames(data)
    named_at = next(i for i, each in enumerate(replayed.actions) if each.verb == Verb.TRUMP)
    shown_at = next(i for i, each in enumerate(replayed.actions) if each.verb == Verb.REVEAL)
    assert frames[named_at]["trump"] is None
    for step in range(named_at + 1, shown_at + 1):
        assert frames[step]["secret"]
        assert frames[step]["knows"] == replayed.at(step).maker
        assert frames[step]["trump"] is not None
    for step in range(shown_at + 1, len(frames)):
        assert not frames[step]["secret"]
    covered = data["steps"][named_at]
    assert covered["secret"]
    assert named(covered["covered"], data).endswith("names trumps in secret")


def test_who_does_not_know_the_trump_can_sort_without_it() -> None:
    replayed = core.replay(hand_of("twenty-nine"))
    plain = data_of(replayed)["plain"].split()
    assert mask_of(parse_cards(" ".join(plain))) == replayed.rules.pack
    assert plain[0][1] == "S"
    assert "plain" not in data_of(core.replay(hand_of("pedro")))


@pytest.mark.parametrize(("variant", "verb"), [("pedro", Verb.DISCARD), ("pedro", Verb.DRAW)])
def test_what_is_done_face_down_is_reported_without_its_cards(variant: str, verb: Verb) -> None:
    replayed = core.replay(hand_of(variant))
    data = data_of(replayed)
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


# --- Decisions
def test_only_a_step_with_another_way_is_a_decision() -> None:
    replayed = core.replay(hand_of("pedro"))
    for step, frame in enumerate(whole_frames(data_of(replayed))):
        view = replayed.at(step)
        if view.turn is None or view.choice.verbs == ("draw",):
            assert not frame["decision"]
        elif view.choice.verbs == ("play",):
            assert frame["decision"] == (view.choice.cards.bit_count() > 1)
        elif view.phase == "auction":
            assert frame["decision"]


# --- What is wrong
def test_a_finding_stands_at_its_step_with_the_text_of_its_rule() -> None:
    hand, index = with_revoke(one_game("pidro"))
    data = data_of(core.replay(hand))
    (finding,) = data["findings"]
    assert finding["step"] == index
    assert finding["title"] == "Revoke"
    assert "while holding" in finding["text"]
    for name in finding["rules"]:
        assert data["rules"][name]["title"]
        assert data["rules"][name]["text"]
    assert not any("](" in line for rule in data["rules"].values() for line in rule["text"])
    assert data["steps"][index]["wrong"]
    assert data["verdict"] == "irregular"


def test_a_wrong_claim_stands_at_the_end() -> None:
    hand = with_wrong_claim(one_game("pedro")[0])
    data = data_of(core.replay(hand))
    assert data["findings"][0]["step"] == len(hand.actions)


def test_a_rejected_hand_goes_on_as_void_steps_on_the_last_table() -> None:
    whole = hand_of("pedro")
    broken = replace(whole, actions=[*whole.actions[:3], "0 play 9H", *whole.actions[4:]])
    replayed = core.replay(broken)
    assert replayed.verdict is Verdict.REJECTED
    data = data_of(replayed)
    assert data["steps"][replayed.played]["wrong"]
    assert all(step["void"] for step in data["steps"][replayed.played + 1 :])
    assert data["ending"] == [
        f"The record can be followed up to step {replayed.played} and no further."
    ]
    frames = data["frames"]
    assert all("seats" not in frame for frame in frames[replayed.played + 1 :])


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
    first = whole_frames(data_of(core.replay(hand)))[0]
    assert first["seats"][1]["unknown"] == len(hidden.split())
    assert first["seats"][1]["hand"] == ""


# --- Names
def test_no_sentence_holds_a_name() -> None:
    replayed = core.replay(with_nasty_names())
    data = data_of(replayed)
    assert data["names"] == player_labels(replayed.hand)
    assert "\u202e" not in "".join(data["names"])
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


def test_the_line_is_the_record_in_canonical_form() -> None:
    hand = with_nasty_names()
    assert data_of(core.replay(hand))["line"] == encode_hand(hand).decode()
    assert NASTY.split()[0] in data_of(core.replay(hand))["line"]


# --- Order
@pytest.mark.parametrize(("asked", "opened"), [(-1, 0), (5, 5), (9999, 37)])
def test_a_step_that_does_not_exist_is_the_nearest_one(asked: int, opened: int) -> None:
    replayed = core.replay(hand_of("pedro"))
    assert len(replayed) == 37
    assert hand_data(replayed, [], asked)["step"] == opened


def test_trumps_stand_first_with_the_off_five_among_them() -> None:
    replayed = core.replay(hand_of("pedro"))
    trump = replayed.at(len(replayed)).trump
    assert trump is not None
    trumps = {card for card in range(52) if replayed.rules.suit[trump][card] == trump}
    every = in_order(replayed.rules, trump, (1 << 52) - 1)
    assert set(every[: len(trumps)]) == trumps
    assert every[0] % 13 == 12


def test_what_is_not_in_the_pack_stands_last_in_its_suit() -> None:
    replayed = core.replay(hand_of("twenty-nine"))
    strange = parse_card("2S")
    assert not replayed.rules.pack >> strange & 1
    spades = mask_of(parse_cards("2S 7S AS"))
    assert in_order(replayed.rules, None, spades)[-1] == strange


def test_findings_are_shown_where_the_replay_says() -> None:
    hand, _ = with_revoke(one_game("twenty-nine"))
    replayed = core.replay(hand)
    shown = [finding["step"] for finding in data_of(replayed)["findings"]]
    assert shown == [moment_of(finding, replayed) for finding in replayed.findings]


# --- The component
def test_every_script_is_part_of_the_component_and_makes_no_markup_of_text() -> None:
    folder = Path(card_table.__file__).parent
    scripts = {path.stem: path.read_text("utf-8") for path in folder.glob("*.js")}
    assert set(scripts) == set(SCRIPTS)
    for name, script in scripts.items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval", script)
        assert "http" not in script.replace('"http://www.w3.org/2000/svg"', ""), name


# --- A hand that somebody gives
GOOD = "AH KH JH 5H 5D 9H 3H 2C 4C 8S 7S 6C"


def names(text: str) -> list[int]:
    read = read_cards(text)
    assert not read.unknown
    return list(read.cards)


@pytest.mark.parametrize(
    "text",
    [
        *("AH TS 5D 5H", "ah 10s 5d 5h", "hA, s10; d5/h5", "♥A ♠10 ♦5 ♥5", "A♥︎ 10♠️ 5♦ 5♡"),
        *("AhTs5d5h", "♥A♠10♦5♥5", "(AH)|(TS)|_5D_|5H."),
    ],
)
def test_cards_are_read_as_people_write_them(text: str) -> None:
    assert names(text) == parse_cards("AH TS 5D 5H")


def test_ranks_of_one_suit_and_the_joker_may_stand_together() -> None:
    assert names("♥AKJ5 ♣105") == parse_cards("AH KH JH 5H TC 5C")
    assert names("AKJ5h 105c") == parse_cards("AH KH JH 5H TC 5C")
    assert names("joker Jo") == parse_cards("JO JO")
    assert names(" , ") == []


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


def test_chances_are_told_in_tenths() -> None:
    assert [chance_words(each) for each in (0.0, 0.1, 0.7, 1.0)] == [
        *("hardly ever", "once in 10", "7 times in 10", "nearly always")
    ]


@pytest.mark.parametrize(
    ("bids", "passes", "games", "said"),
    [
        (40, 0, 20, "Nobody passes these: 40 bids and no pass, so"),
        (0, 9, 5, "Nobody bids these: no bid, and passed 9 of 9 times, so"),
        (40, 3, 20, "40 bid and 3 passed with cards worth this, and it takes 15 of each, so"),
        (40, 20, 9, "passed with cards worth this in 9 games, and it takes 10 games, so"),
    ],
)
def test_what_cannot_be_compared_is_said(bids: int, passes: int, games: int, said: str) -> None:
    row = {"bids": bids, "passes": passes, "games": games, "enough": False}
    assert said in given_hand._decision_words(row)
    assert given_hand._decision_words(None).startswith("Nobody has had to call")


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.1, 2, "those who bid did better"),
        (-2, -0.1, "those who passed did better"),
        (-1, 1, "cannot tell yet"),
    ],
)
def test_who_did_better_is_said_where_there_is_no_doubt(low: float, high: float, said: str) -> None:
    assert given_hand.better_words({"low": low, "high": high}) == said


# --- The form
@pytest.fixture(scope="module")
def guide(season: Path) -> field.Guide:
    with open_facts(season) as facts:
        found = field.guide_of(field.study(facts, field.Table("king-pedro", "4 partners")))
    assert found is not None
    return found


@pytest.fixture
def app(season: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(season, monkeypatch)


def lead_of(app: AppTest) -> str:
    """The sentence that answers, as people read it; empty without one."""
    bodies = [
        each.proto.body for each in app.get("html") if '<p class="tl-lead"' in each.proto.body
    ]
    return re.sub(r"<[^>]*>", "", bodies[0]) if bodies else ""


def unmarked(markdown: str) -> str:
    return markdown.replace("\\", "").replace("\N{WORD JOINER}", "")


def same_cards(app: AppTest, **parameters: str) -> AppTest:
    return go(app, urls.BIDS, **{"view": "Same cards", "question": "bid-or-pass", **parameters})


def test_a_hand_in_the_address_is_answered(app: AppTest, guide: field.Guide) -> None:
    link = {"hand-place": "second after the dealer", "hand-holder": "an opponent"}
    same_cards(app, **{"hand-held": GOOD.lower().replace(" ", ","), "hand-least": "34.0"}, **link)
    found = field.given_hand(guide, field.Held(GOOD, 2, "others", 34))
    lead = lead_of(app)
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
    told = {each["bid"]: each["such cards make it"] for each in bids_of(app)}
    assert told == {str(bid): chance_words(chance) for bid, chance in found.chances}
    assert not app.warning


def bids_of(app: AppTest) -> list[dict[str, str]]:
    """The chances of all bids, a row of several bids as many rows."""
    rows = []
    for row in table_of(app, "Chance to make each bid"):
        first, _, last = row["bid"].partition(" to ")
        rows += [row | {"bid": str(bid)} for bid in range(int(first), int(last or first) + 1)]
    return rows


def test_a_bad_hand_is_told_all_that_is_wrong(app: AppTest) -> None:
    same_cards(app, **{"hand-held": "AH AH JO <b>zz</b>"})
    (warning,) = (unmarked(each.value) for each in app.warning)
    for words in ("No card", "zz", "More than once: A♥", "Not in the pack", "2 cards"):
        assert words in warning
    assert not lead_of(app)
    app.text_input(key="hand-held").set_value(GOOD).run()
    assert not app.exception
    assert not app.warning
    assert lead_of(app).startswith("Best in hearts")


@pytest.mark.parametrize("least", ["inf", "999", "-1"])
def test_an_odd_address_is_told_and_left_out(app: AppTest, guide: field.Guide, least: str) -> None:
    odd = {"hand-place": "nowhere", "hand-holder": "<i>", "hand-least": least}
    same_cards(app, **{"hand-held": GOOD}, **odd)
    (warning,) = (unmarked(each.value) for each in app.warning)
    for name, value in odd.items():
        assert f"{name} “{value}”" in warning
    assert f"a bid of {guide.least} is made" in lead_of(app)


def test_the_least_bid_is_taken_as_the_box_shows_it(app: AppTest) -> None:
    same_cards(app, **{"hand-held": GOOD, "hand-least": "31.0"})
    assert not app.warning
    app.number_input(key="hand-least").set_value(31.5).run()
    assert "a bid of 32 is made" in lead_of(app)


def test_the_example_fills_the_form_and_the_address(
    app: AppTest, guide: field.Guide, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_cards(app)
    assert not lead_of(app)
    app.button(key="hand-example").click().run()
    assert not app.exception
    assert guide.example is not None
    assert app.text_input(key="hand-held").value == guide.example.cards
    assert f"a bid of {guide.example.least} is made" in lead_of(app)
    assert "Those who bid with cards worth this scored" in lead_of(app)
    told = address_of(app)
    assert told["hand-held"] == guide.example.cards
    # The address that the page writes shows the same to whoever opens it.
    shown = lead_of(app)
    assert not app.warning
    app.text_input(key="hand-held").set_value("").run()
    assert not lead_of(app)
    opened = same_cards(open_app(season, monkeypatch), **told)
    assert not opened.warning
    assert lead_of(opened) == shown


def test_without_a_field_no_hand_is_judged(
    club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(club_warehouse, monkeypatch)
    same_cards(app, **{"hand-held": GOOD})
    assert "too few contracts of this game to say what a hand is worth" in text_of(app)
    assert not app.warning
