"""Bid or pass with cards that a viewer names: the cards read, and the form on the page."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import go, open_app, table_of, text_of
from tricklog.dashboard.address import urls
from tricklog.dashboard.sections import given_hand
from tricklog.dashboard.sections.given_hand import chance_words, problems_of, read_cards
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import field
from tricklog.schemas.cards import mask_of, parse_cards

GOOD = "AH KH JH 5H 5D 9H 3H 2C 4C 8S 7S 6C"


def names(text: str) -> list[int]:
    read = read_cards(text)
    assert not read.unknown
    return list(read.cards)


@pytest.mark.parametrize(
    "text",
    [
        "AH TS 5D 5H",
        "ah 10s 5d 5h",
        "hA, s10; d5/h5",
        "♥A ♠10 ♦5 ♥5",
        "A♥︎ 10♠️ 5♦ 5♡",
        "AhTs5d5h",
        "♥A♠10♦5♥5",
        "(AH)|(TS)|_5D_|5H.",
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
def test_who_did_better_is_said_where_the_interval_leaves_no_doubt(
    low: float, high: float, said: str
) -> None:
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


def plain(markdown: str) -> str:
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
    (warning,) = (plain(each.value) for each in app.warning)
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
    (warning,) = (plain(each.value) for each in app.warning)
    for name, value in odd.items():
        assert f"{name} “{value}”" in warning
    assert f"a bid of {guide.least} is made" in lead_of(app)


def test_the_least_bid_is_taken_as_the_box_writes_and_shows_it(app: AppTest) -> None:
    same_cards(app, **{"hand-held": GOOD, "hand-least": "31.5"})
    assert not app.warning
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
    told = dict(app.query_params)
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
