"""How hands and replays look: on a terminal, as text and in a notebook, whatever is done."""

import html
import json
import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace as with_fields
from functools import cache
from io import StringIO
from unicodedata import category

import pytest
from msgspec.structs import replace
from rich.console import Console

from tests.kit.log_lines import one_game, with_revoke, with_wrong_claim
from tests.kit.random_play import random_hand
from tests.kit.support import Options, card_set, hand_of, rules_of
from tests.kit.tiers import is_thorough, some
from tricklog import Hand, Player, Replay, View, core
from tricklog.core.render.html import replay_html, step_html
from tricklog.core.render.sentences import aside_text, contract_text, roles_said
from tricklog.core.render.terminal import cards_text, overview, plain, table
from tricklog.dashboard.data.hand_data import frame_of, sign_of
from tricklog.schemas.actions import NO_TRUMP, TRUMP_CODES, Verb, parse_action, trump_suit
from tricklog.schemas.cards import cards_in, pretty_card, pretty_cards
from tricklog.schemas.citations import citations, text_of
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import (
    card_words,
    describe_action,
    hand_html,
    hand_text,
    player_labels,
    suits_text,
    trump_sign,
    trump_words,
)

VARIANTS = core.variants()
SPREAD = some(VARIANTS, 5)


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


def test_names_trumps_and_cards_in_words() -> None:
    assert describe_action("1 play 9H", ["ann", "bo"]) == "bo plays nine of hearts"
    assert [trump_words(code) for code in (0, 4, 6, 10, -1)] == [
        *("spades", "no trumps", "spades reversed", "the seventh card", "a suit not recorded")
    ]
    assert (card_words(-2), card_words(52)) == ("a hidden card", "the joker")
    assert suits_text("2H TS AH ? * ? JO") == "♠ 10  ♥ A 2  Joker  + 2 not recorded  + 1 hidden"
    assert suits_text("") == "none"


@pytest.mark.parametrize("bad", ["\x1b[31m", "\x07", "\u202e", "\u2028", "\x9b", "\x00"])
def test_text_from_logs_cannot_steer_the_screen(bad: str) -> None:
    shown = one_line(f"a{bad}b")
    assert shown.startswith("a")
    assert not set("\x1b\x07\u202e\u2028\x9b\x00") & set(shown)


def test_what_is_taken_out_are_control_characters_halves_of_pairs_and_turns_of_text() -> None:
    assert one_line("a\nb\tc") == "a b c"
    # Beyond the first plane no sign is of a kind that goes.
    everything = "".join(map(chr, range(sys.maxunicode + 1 if is_thorough() else 0x10000)))
    left = set(one_line(everything))
    gone = {sign for sign in everything if sign not in left}
    turns = set("\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert gone == {sign for sign in everything if category(sign) in {"Cc", "Cs"}} | turns


# --- Sets of cards
def test_cards_stand_by_suit_and_the_ranks_of_the_game_and_trumps_come_first() -> None:
    assert cards_text(card_set("2S AS TH 9C")).plain == "♠ A 2  ♥ 10  ♣ 9"
    # With the other five among them.
    text = cards_text(card_set("AS 5H 4D 6D 5D AC"), rules_of("pedro"), trump=2)
    assert text.plain == "♦ 6 5 5♥ 4  ♠ A  ♣ A"
    shown = cards_text(card_set("AS KS JS 9S TS"), rules_of("twenty-nine")).plain
    assert shown == "♠ J 9 A 10 K"


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
    assert cards_text(card_set("AS KS 9S 2S 3H"), legal=card_set(legal)).plain == shown


# --- The table
@pytest.mark.parametrize("variant", SPREAD)
def test_every_step_shows_every_card_held_once_and_the_legal_ones(variant: str) -> None:
    hand = one_game(variant)[0]
    replayed = core.replay(hand)
    names = [player.id for player in hand.players]
    for index, view in enumerate(replayed):
        shown = plain(table(view, replayed), 120)
        assert shown.splitlines()[0].lstrip().startswith(f"{index} ")
        bare = re.sub(r"[\[\]]", "", shown)
        for held in view.holdings:
            assert cards_text(held, replayed.rules, view.trump).plain in bare
        if index == len(replayed):
            continue
        assert f"Then: {describe_action(hand.actions[index], names)}" in shown
        if " play " in hand.actions[index]:
            assert view.turn is not None
            held, legal = view.holdings[view.turn], view.choice.cards
            marked = cards_text(held, replayed.rules, view.trump, legal).plain
            assert marked in shown
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


def test_what_a_record_lacks_or_claims_shows_where_it_belongs() -> None:
    replayed = core.replay(with_wrong_claim(one_game("pidro")[0]))
    assert replayed.findings
    assert "✗ " in plain(table(replayed.at(len(replayed)), replayed))
    assert "✗ " not in plain(table(replayed.at(0), replayed))
    hand = one_game("pedro")[0]
    assert isinstance(hand.deal, list)
    first, second, *others = hand.deal
    for deal, shown in (
        ([first, first[:2] + second[2:], *others], "✗ card-twice"),
        (["? ? ? ? ? ? ? ? ?", second, *others], "not recorded"),
    ):
        replayed = core.replay(replace(hand, deal=deal))
        assert shown in plain(table(replayed.at(0), replayed))
    stopped = core.replay(replace(hand, actions=hand.actions[:6]))
    assert "incomplete: The record stops" in str(stopped)


def test_names_are_never_markup_or_control_characters_and_shared_ones_are_told_apart() -> None:
    hand = with_names(one_game("pedro")[0], "[red]evil[/red]", "\x1b[31mred\x07", "a\nb")
    replayed = core.replay(hand)
    at_the_table = plain(table(replayed.at(3), replayed), 140)
    for shown in (at_the_table, str(replayed), hand_text(hand)):
        assert not {"\x1b", "\x07"} & set(shown)
    assert "[red]evil[/red]" in at_the_table
    shared = str(core.replay(with_names(one_game("pedro")[0], "ann", "bo")))
    assert "bo (p1)" in shared
    assert "ann (seat" not in shared


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


def test_a_hand_shows_even_what_cannot_be_read_and_when_little_is_in_it() -> None:
    full = one_game("pedro")[0]
    hand = replace(full, deal=["1X", "", "", ""], actions=["nonsense", "0 play ZZ"])
    assert "1X" in str(hand)
    assert "nonsense" in str(hand)
    assert "1X" in hand_html(hand)
    bare = hand_of("pedro", [], id="x")
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


# --- Whatever can be done at a table
Screen = Callable[[Replay, View], str]


def terminal(replayed: Replay, view: View) -> str:
    return plain(table(view, replayed), 120)


def notebook(replayed: Replay, view: View) -> str:
    return step_html(replayed, view.index)


def page(replayed: Replay, view: View) -> str:
    return json.dumps(frame_of(replayed, view), ensure_ascii=False)


SCREENS: tuple[Screen, ...] = (terminal, notebook, page)


@cache
def hand_with(variant: str, verb: str, *options: tuple[str, object]) -> tuple[Replay, int]:
    """A hand of random legal play in which the verb comes up, and the action it first is."""
    overlay: Options = dict(options)  # type: ignore[arg-type]  # a policy takes what it takes
    for seed in range(2000):
        hand = random_hand(variant, random.Random(seed), overlay)
        for index, action in enumerate(hand.actions):
            if action.split()[1] == verb:
                return core.replay(hand), index
    raise AssertionError(f"nobody has come to {verb} in {variant}")


DEEDS = (
    ("ukrainian", "fold"),
    ("ukrainian", "give"),
    ("ukrainian", "discard-up"),
    ("sixty-three", "give"),
    ("eighty-three", "kitty"),
    ("cinch", "show", ("surplus_shown", True)),
    ("king-pedro", "bury"),
    ("lucknow", "ditto"),
)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: f"{deed[0]} {deed[1]}")
def test_what_a_player_does_is_reported_before_he_does_it(
    deed: tuple[str, str, *tuple[tuple[str, object], ...]],
) -> None:
    replayed, index = hand_with(*deed)
    told = describe_action(replayed.hand.actions[index], player_labels(replayed.hand))
    view = replayed.at(index)
    for screen in (terminal, notebook):
        assert f"Then: {told}" in screen(replayed, view)
    assert view.choice.sentence in terminal(replayed, view)
    # A turn that may pass in silence is not over before the next deed shows that it did.
    passes = view.choice.least == 0 and view.choice.most > 0
    assert deed[1] in view.choice.verbs or deed[1] == "discard-up" or passes


def test_who_has_folded_is_shown_from_then_on() -> None:
    replayed, index = hand_with("ukrainian", "fold")
    seat = replayed.actions[index].seat
    for step in (index + 1, len(replayed) - 1):
        view = replayed.at(step)
        assert view.out[seat]
        assert view.folded[seat]
        for screen in SCREENS:
            assert screen(replayed, view).count("folded") == view.folded.count(True)
    assert not replayed.at(index).out[seat]


def test_what_is_given_lies_in_the_hand_of_the_partner() -> None:
    replayed, index = hand_with("ukrainian", "give")
    action = replayed.actions[index]
    partner = (action.seat + 2) % 4
    before, after = replayed.at(index), replayed.at(index + 1)
    assert after.holdings[action.seat] == before.holdings[action.seat] & ~action.cards
    assert after.holdings[partner] == before.holdings[partner] | action.cards


def test_trumps_shown_and_left_in_the_stock_lie_beside_the_hands() -> None:
    replayed, index = hand_with("cinch", "show", ("surplus_shown", True))
    cards = replayed.actions[index].cards
    view = replayed.at(index + 1)
    assert view.shown == cards
    for screen in (terminal, notebook):
        assert f"shown {pretty_cards(cards)}" in screen(replayed, view)
    assert card_set(frame_of(replayed, view)["shown"]) == cards
    assert aside_text(replayed.at(index)).count("shown") == 0


# --- Contracts, shown whatever engine came to them
@pytest.fixture(scope="module")
def in_play() -> tuple[Replay, View]:
    replayed, index = hand_with("twenty-nine", "play")
    return replayed, replayed.at(index)


@pytest.mark.parametrize(("doubles", "word"), [(1, "doubled"), (2, "redoubled"), (3, "super")])
def test_o42_o43_o44_a_stake_is_told(doubles: int, word: str, in_play: tuple[Replay, View]) -> None:
    replayed, view = in_play
    assert "," in contract_text(replayed, view)
    assert not contract_text(replayed, view).endswith("doubled")
    raised = with_fields(view, doubles=doubles)
    assert contract_text(replayed, raised) == f"{contract_text(replayed, view)}, {word}"
    assert frame_of(replayed, raised)["stake"] == word
    assert frame_of(replayed, view)["stake"] == ""


def test_o46_o52_who_plays_alone_is_told_and_no_trumps_are(in_play: tuple[Replay, View]) -> None:
    replayed, view = in_play[0], with_fields(in_play[1], alone=2, trump=NO_TRUMP)
    assert contract_text(replayed, view) == "cy plays alone for all tricks"
    frame = frame_of(replayed, view)
    assert frame["contract"] == f"{sign_of(2)} plays alone for all tricks"
    assert frame["trump"] is None
    assert "alone" in map(str, roles_said(view, 2))
    assert not any("maker" in map(str, roles_said(view, seat)) for seat in range(4))


@pytest.mark.parametrize("name", [name for name in TRUMP_CODES if name not in {"?", "*"}])
def test_every_possible_trump_has_words_and_sign(name: str, in_play: tuple[Replay, View]) -> None:
    code = TRUMP_CODES[name]
    replayed, view = in_play[0], with_fields(in_play[1], trump=code)
    assert f"trumps {trump_words(code)}" in contract_text(replayed, view)
    assert frame_of(replayed, view)["trump"] == [trump_sign(code), trump_words(code)]
    assert ("reversed" in trump_words(code)) == ("reversed" in trump_sign(code))
    assert trump_suit(code) == ("SHDC".index(name[0]) if name[0] in "SHDC" else 4)


@pytest.mark.parametrize("name", ["H", "H-reversed"])
def test_o39_trumps_stand_first_in_a_hand_whichever_way_they_rank(name: str) -> None:
    cards = card_set("JS AC 7H JH")
    shown = cards_text(cards, rules_of("twenty-nine"), TRUMP_CODES[name]).plain
    assert shown.startswith("♥")


def test_o41_the_seventh_card_lies_under_the_pile(in_play: tuple[Replay, View]) -> None:
    card = cards_in(in_play[1].holdings[0])[0]
    replayed, view = in_play[0], with_fields(in_play[1], under=1 << card)
    assert f"under the pile {pretty_card(card)}" in terminal(replayed, view)
    frame = frame_of(replayed, with_fields(view, trump_public=False))
    assert card_set(frame["under"]) == 1 << card
    assert frame["secret"]
    assert frame["knows"] is None


def test_every_verb_has_words() -> None:
    arguments = {Verb.BID: " 7", Verb.TRUMP: " H", Verb.REVEAL: " H", Verb.CLAIM: " 2H 3S"}
    bare = {Verb.PASS, Verb.DITTO, Verb.TENNY, Verb.FOLD, Verb.OUT, Verb.ASK, Verb.PAIR, Verb.SOLO}
    bare |= {Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER, Verb.THROW_IN, Verb.CONCEDE, Verb.DECIDED}
    told = set()
    for verb in Verb:
        name = verb.name.lower().replace("_", "-")
        text = f"0 {name}{arguments.get(verb, '' if verb in bare else ' 5H')}"
        assert parse_action(text).verb == verb
        told.add(describe_action(text, ["ann"]))
    assert len(told) == len(Verb)
    assert all(words.startswith("ann ") for words in told)


# --- Citations
def test_every_citation_leads_to_its_title_and_its_text_alone() -> None:
    for name, citation in citations().items():
        title, blank, *text = text_of(name).splitlines()
        assert (title, blank) == (f"### {name} · {citation.title}", "")
        assert "".join(text) or name[0].isdigit(), name
        assert not [line for line in text if line.startswith(("#", "<"))], name
    for variant in VARIANTS:
        for cite in core.load_variant(variant).cites.values():
            assert set(cite.split()) <= set(citations())
