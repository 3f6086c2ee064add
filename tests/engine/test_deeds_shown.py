"""Whatever can be done at a table is shown: each verb, each contract, each pile of cards."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from tests.kit.random_play import random_hand
from tests.kit.support import Options, rules_of
from tricklog.core import Replay, View, replay
from tricklog.core.render.html import step_html
from tricklog.core.render.sentences import aside_text, contract_text, roles_said
from tricklog.core.render.terminal import cards_text, plain, table
from tricklog.dashboard.data.hand_data import frame_of, sign_of
from tricklog.schemas.actions import NO_TRUMP, TRUMP_CODES, Verb, parse_action, trump_suit
from tricklog.schemas.cards import cards_in, mask_of, parse_cards, pretty_card, pretty_cards
from tricklog.schemas.render import describe_action, player_labels, trump_sign, trump_words

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
                return replay(hand), index
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
    assert f"Then: {told}" in terminal(replayed, view)
    assert f"Then: {told}" in notebook(replayed, view)
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
    assert f"shown {pretty_cards(cards)}" in terminal(replayed, view)
    assert f"shown {pretty_cards(cards)}" in notebook(replayed, view)
    assert mask_of(parse_cards(frame_of(replayed, view)["shown"])) == cards
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
    raised = replace(view, doubles=doubles)
    assert contract_text(replayed, raised) == f"{contract_text(replayed, view)}, {word}"
    assert frame_of(replayed, raised)["stake"] == word
    assert frame_of(replayed, view)["stake"] == ""


def test_o46_o52_who_plays_alone_is_told_and_no_trumps_are(in_play: tuple[Replay, View]) -> None:
    replayed, view = in_play[0], replace(in_play[1], alone=2, trump=NO_TRUMP)
    assert contract_text(replayed, view) == "cy plays alone for all tricks"
    frame = frame_of(replayed, view)
    assert frame["contract"] == f"{sign_of(2)} plays alone for all tricks"
    assert frame["trump"] is None
    assert "alone" in map(str, roles_said(view, 2))
    assert not any("maker" in map(str, roles_said(view, seat)) for seat in range(4))


@pytest.mark.parametrize("name", [name for name in TRUMP_CODES if name not in {"?", "*"}])
def test_every_possible_trump_has_words_and_sign(name: str, in_play: tuple[Replay, View]) -> None:
    code = TRUMP_CODES[name]
    replayed, view = in_play[0], replace(in_play[1], trump=code)
    assert f"trumps {trump_words(code)}" in contract_text(replayed, view)
    assert frame_of(replayed, view)["trump"] == [trump_sign(code), trump_words(code)]
    assert ("reversed" in trump_words(code)) == ("reversed" in trump_sign(code))
    assert trump_suit(code) == ("SHDC".index(name[0]) if name[0] in "SHDC" else 4)


@pytest.mark.parametrize("name", ["H", "H-reversed"])
def test_o39_trumps_stand_first_in_a_hand_whichever_way_they_rank(name: str) -> None:
    cards = mask_of(parse_cards("JS AC 7H JH"))
    shown = cards_text(cards, rules_of("twenty-nine"), TRUMP_CODES[name]).plain
    assert shown.startswith("♥")


def test_o41_the_seventh_card_lies_under_the_pile(in_play: tuple[Replay, View]) -> None:
    card = cards_in(in_play[1].holdings[0])[0]
    replayed, view = in_play[0], replace(in_play[1], under=1 << card)
    assert f"under the pile {pretty_card(card)}" in terminal(replayed, view)
    frame = frame_of(replayed, replace(view, trump_public=False))
    assert mask_of(parse_cards(frame["under"])) == 1 << card
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
