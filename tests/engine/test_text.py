"""How hands and replays look: on a terminal, as plain text and in a notebook."""

import html
import re
import sys
from io import StringIO
from unicodedata import category

import pytest
from msgspec.structs import replace
from rich.console import Console

from tests.kit.log_lines import one_game, with_revoke, with_wrong_claim
from tests.kit.tiers import is_thorough, some
from tricklog import Hand, Player, core
from tricklog.core.render.html import replay_html, step_html
from tricklog.core.render.terminal import cards_text, overview, plain, table
from tricklog.schemas.cards import cards_in, mask_of, parse_cards
from tricklog.schemas.citations import citations, text_of
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import (
    card_words,
    describe_action,
    hand_html,
    hand_text,
    suits_text,
    trump_words,
)

VARIANTS = core.variants()
SPREAD = some(VARIANTS, 5)


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


def with_names(hand: Hand, *names: str) -> Hand:
    """The hand with players of these names, the last name for all who are left."""
    players = [
        Player(id=f"p{seat}", name=names[min(seat, len(names) - 1)])
        for seat in range(len(hand.players))
    ]
    return replace(hand, players=players)


# --- Words
@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("2 play AH", "Seat 2 plays ace of hearts"),
        ("0 bid 7", "Seat 0 bids 7"),
        ("0 bid 28-56", "Seat 0 bids 28-56"),
        ("1 pass", "Seat 1 passes"),
        ("2 trump H", "Seat 2 names hearts"),
        ("2 trump NT-reversed", "Seat 2 names no trumps reversed"),
        ("2 trump *", "Seat 2 names a hidden suit"),
        ("0 discard TC 8C ?", "Seat 0 lays off 10♣ 8♣ ?"),
        ("3 claim 6H QS", "Seat 3 takes 6♥ for Q♠"),
        ("3 rob 6H JO", "Seat 3 robs the stock of 6♥ Joker"),
        ("1 play ?", "Seat 1 plays a card not recorded"),
        ("1 reveal C", "Seat 1 shows the trump: clubs"),
        ("not an action\x1b", "not an action"),
    ],
)
def test_an_action_reads_as_a_sentence(action: str, sentence: str) -> None:
    assert describe_action(action) == sentence


def test_a_sentence_calls_players_by_their_names() -> None:
    assert describe_action("1 play 9H", ["ann", "bo"]) == "bo plays nine of hearts"


def test_trumps_and_cards_in_words() -> None:
    assert [trump_words(code) for code in (0, 4, 6, 10, -1)] == [
        *("spades", "no trumps", "spades reversed", "the seventh card", "a suit not recorded"),
    ]
    assert card_words(-2) == "a hidden card"
    assert card_words(52) == "the joker"


def test_card_lists_of_a_log_read_suit_by_suit() -> None:
    assert suits_text("2H TS AH ? * ? JO") == "♠ 10  ♥ A 2  Joker  + 2 not recorded  + 1 hidden"
    assert suits_text("") == "none"


@pytest.mark.parametrize("bad", ["\x1b[31m", "\x07", "\u202e", "\u2028", "\x9b", "\x00"])
def test_text_from_logs_cannot_steer_the_screen(bad: str) -> None:
    assert one_line(f"a{bad}b").startswith("a")
    assert not set("\x1b\x07\u202e\u2028\x9b\x00") & set(one_line(f"a{bad}b"))


def test_text_from_logs_stays_on_its_line() -> None:
    assert one_line("a\nb\tc") == "a b c"


def test_what_is_taken_out_are_control_characters_halves_of_pairs_and_turns_of_text() -> None:
    # Beyond the first plane no sign is of a kind that goes.
    everything = "".join(map(chr, range(sys.maxunicode + 1 if is_thorough() else 0x10000)))
    left = set(one_line(everything))
    gone = {sign for sign in everything if sign not in left}
    turns = set("\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert gone == {sign for sign in everything if category(sign) in {"Cc", "Cs"}} | turns


# --- Sets of cards
def test_cards_stand_by_suit_and_rank() -> None:
    assert cards_text(mask("2S AS TH 9C")).plain == "♠ A 2  ♥ 10  ♣ 9"


def test_trumps_come_first_with_the_other_five_among_them() -> None:
    rules = core.load_variant("pedro").rules(4)
    text = cards_text(mask("AS 5H 4D 6D 5D AC"), rules, trump=2)
    assert text.plain == "♦ 6 5 5♥ 4  ♠ A  ♣ A"


def test_twenty_nine_has_its_own_order_of_ranks() -> None:
    rules = core.load_variant("twenty-nine").rules(4)
    assert cards_text(mask("AS KS JS 9S TS"), rules).plain == "♠ J 9 A 10 K"


@pytest.mark.parametrize(
    ("legal", "shown"),
    [
        ("AS KS", "♠ [A K] 9 2  ♥ 3"),
        ("AS 9S", "♠ [A] K [9] 2  ♥ 3"),
        ("2S 3H", "♠ A K 9 [2]  ♥ [3]"),
        ("", "♠ A K 9 2  ♥ 3"),
    ],
)
def test_legal_cards_stand_in_brackets(legal: str, shown: str) -> None:
    assert cards_text(mask("AS KS 9S 2S 3H"), legal=mask(legal)).plain == shown


# --- The table
@pytest.mark.parametrize("variant", SPREAD)
def test_every_step_shows_every_card_held_once(variant: str) -> None:
    hand = one_game(variant)[0]
    replayed = core.replay(hand)
    for index in range(len(replayed) + 1):
        view = replayed.at(index)
        shown = plain(table(view, replayed), 120)
        assert shown.splitlines()[0].lstrip().startswith(f"{index} ")
        for held in view.holdings:
            assert cards_text(held, replayed.rules, view.trump).plain in re.sub(
                r"[\[\]]", "", shown
            )
        if index < len(replayed):
            assert f"Then: {describe_action(hand.actions[index], names(hand))}" in shown


def names(hand: Hand) -> list[str]:
    return [player.id for player in hand.players]


@pytest.mark.parametrize("variant", SPREAD)
def test_the_legal_cards_are_those_of_the_rules(variant: str) -> None:
    hand = one_game(variant)[0]
    replayed = core.replay(hand)
    steps = [n for n, action in enumerate(hand.actions) if " play " in action]
    for index in steps:
        view = replayed.at(index)
        assert view.turn is not None
        shown = cards_text(
            view.holdings[view.turn], replayed.rules, view.trump, view.choice.cards
        ).plain
        assert shown in plain(table(view, replayed), 120)
        assert "[" in shown


@pytest.mark.parametrize("variant", SPREAD)
def test_the_overview_tells_the_whole_hand(variant: str) -> None:
    hand = one_game(variant)[0]
    replayed = core.replay(hand)
    shown = plain(overview(replayed), 120)
    assert f"Hand {hand.id} · {replayed.ruleset.title} · valid" in shown
    assert replayed.outcome is not None
    assert "Points: " in shown
    assert str(replayed) == plain(overview(replayed))
    for trick in replayed.tricks:
        assert re.search(rf"^ *{trick.number} ", shown, flags=re.MULTILINE)


def test_a_finding_shows_at_its_step_with_its_rule() -> None:
    hand, index = with_revoke(one_game("pedro"))
    replayed = core.replay(hand)
    at_it = plain(table(replayed.at(index), replayed))
    assert "✗ revoke: " in at_it
    assert "Rule 1.follow Following to a trick" in at_it
    assert "✗" not in plain(table(replayed.at(index - 1), replayed))
    assert f"revoke at action {index}" in str(replayed)
    assert "irregular: 1 finding" in str(replayed)


def test_a_wrong_claim_shows_at_the_end() -> None:
    replayed = core.replay(with_wrong_claim(one_game("pidro")[0]))
    assert replayed.findings
    assert "✗ " in plain(table(replayed.at(len(replayed)), replayed))
    assert "✗ " not in plain(table(replayed.at(0), replayed))


def test_a_fault_of_the_deal_shows_at_the_start() -> None:
    hand = one_game("pedro")[0]
    assert isinstance(hand.deal, list)
    deal = [hand.deal[0], hand.deal[0][:2] + hand.deal[1][2:], *hand.deal[2:]]
    replayed = core.replay(replace(hand, deal=deal))
    assert "✗ card-twice" in plain(table(replayed.at(0), replayed))


def test_a_record_that_breaks_off_says_so() -> None:
    hand = one_game("pedro")[0]
    replayed = core.replay(replace(hand, actions=hand.actions[:6]))
    assert "incomplete: The record stops" in str(replayed)


def test_unknown_cards_are_counted() -> None:
    hand = one_game("pedro")[0]
    assert isinstance(hand.deal, list)
    replayed = core.replay(replace(hand, deal=["? ? ? ? ? ? ? ? ?", *hand.deal[1:]]))
    assert "not recorded" in plain(table(replayed.at(0), replayed))


def test_names_are_never_markup_or_control_characters() -> None:
    hand = with_names(one_game("pedro")[0], "[red]evil[/red]", "\x1b[31mred\x07", "a\nb")
    replayed = core.replay(hand)
    for shown in (plain(table(replayed.at(3), replayed), 140), str(replayed), hand_text(hand)):
        assert "\x1b" not in shown
        assert "\x07" not in shown
    assert "[red]evil[/red]" in plain(table(replayed.at(3), replayed), 140)


def test_players_who_share_a_name_are_reported_apart() -> None:
    replayed = core.replay(with_names(one_game("pedro")[0], "ann", "bo"))
    assert "bo (seat 1)" in str(replayed)
    assert "ann (seat" not in str(replayed)


def test_a_terminal_gets_colours_and_a_pipe_none() -> None:
    replayed = core.replay(one_game("twenty-nine")[0])
    screen = Console(file=StringIO(), force_terminal=True, color_system="standard", width=120)
    with screen.capture() as capture:
        screen.print(replayed)
    assert "\x1b[31m" in capture.get()
    assert "\x1b" not in str(replayed)


# --- The record itself
@pytest.mark.parametrize("variant", SPREAD)
def test_a_hand_shows_itself(variant: str) -> None:
    hand = one_game(variant)[0]
    shown = str(hand)
    assert shown == hand_text(hand)
    assert f"Hand {hand.id}" in shown
    assert isinstance(hand.deal, list)
    for dealt in hand.deal:
        assert suits_text(dealt) in shown
    assert "Claimed: points" in shown


def test_a_hand_shows_even_what_cannot_be_read() -> None:
    hand = replace(one_game("pedro")[0], deal=["1X", "", "", ""], actions=["nonsense", "0 play ZZ"])
    assert "1X" in str(hand)
    assert "nonsense" in str(hand)
    assert "1X" in hand_html(hand)


def test_a_hand_with_little_in_it_shows_itself() -> None:
    full = one_game("pedro")[0]
    bare = Hand(
        format="tricklog/1", id="x", rules=full.rules, players=full.players, dealer=0, actions=[]
    )
    assert str(bare).startswith("Hand x\npedro · complete\n")


# --- Notebooks
def test_a_notebook_gets_html_with_every_card() -> None:
    replayed = core.replay(one_game("king-pedro")[0])
    page = replayed._repr_html_()
    assert page == replay_html(replayed)
    assert page.count("<tr>") == page.count("</tr>")
    for card in cards_in(replayed.dealt[0]):
        assert cards_text(1 << card).plain.split()[0] in page
    assert f"Hand {replayed.hand.id}" in replayed.hand._repr_html_()


def test_every_step_has_html() -> None:
    hand, index = with_revoke(one_game("pidro"))
    replayed = core.replay(hand)
    for step in range(len(replayed) + 1):
        assert ("<b>revoke</b>" in step_html(replayed, step)) == (step == index)
    with pytest.raises(IndexError):
        step_html(replayed, len(replayed) + 1)


def test_names_are_escaped_in_html() -> None:
    evil = "<script>alert(1)</script>"
    hand = with_names(with_revoke(one_game("pedro"))[0], evil)
    replayed = core.replay(replace(hand, id=evil))
    for page in (replay_html(replayed), hand_html(replayed.hand), step_html(replayed, 5)):
        assert "<script" not in page
        assert html.escape(evil) in page


# --- Citations
def test_every_citation_leads_to_its_title_and_its_text_alone() -> None:
    for name, citation in citations().items():
        title, blank, *text = text_of(name).splitlines()
        assert (title, blank) == (f"### {name} · {citation.title}", "")
        assert "".join(text) or name[0].isdigit(), name
        assert not [line for line in text if line.startswith(("#", "<"))], name


def test_every_citation_of_every_variant_exists() -> None:
    for variant in VARIANTS:
        for cite in core.load_variant(variant).cites.values():
            assert set(cite.split()) <= set(citations())
