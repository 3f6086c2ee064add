"""Rulings that no single action shows: who deals, what may be left out, what costs nothing."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kit import support
from tests.kit.log_lines import one_game, with_revoke
from tests.kit.random_play import dealt_hand
from tricklog import Finding, Hand, Replay, Verdict, check_game, generate, load_variant, variants
from tricklog.core import replay as replay_hand
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Doubling, Phase
from tricklog.core.engine.rules.table import hand_count
from tricklog.core.judging.setup import first_state
from tricklog.core.rulesets.policy_table import POLICIES, Choice
from tricklog.schemas.actions import VERB_NAMES, ActionError, Verb, parse_action


# --- The deal
def dealer_findings(hands: Sequence[Hand]) -> list[Finding]:
    """Findings about the dealer only: hands with a dealer put in do not fit their calls."""
    found = check_game([replay_hand(hand) for hand in hands])
    return [each for findings in found for each in findings if each.code == "wrong-dealer"]


@pytest.mark.parametrize(("direction", "step"), [("clockwise", 1), ("anticlockwise", 3)])
def test_s01_s84_anybody_deals_first_and_then_the_next_in_the_direction_of_play(
    direction: str, step: int
) -> None:
    first, second = list(generate("pedro", 1, 3, options={"direction": direction}))[:2]
    for dealer in range(4):
        for then in range(4):
            hands = [replace(first, dealer=dealer), replace(second, dealer=then)]
            due = (dealer + step) % 4
            assert [each.facts["due"] for each in dealer_findings(hands)] == [due] * (then != due)


def test_s23_in_which_packets_the_cards_came_is_not_judged() -> None:
    hand = dealt_hand("nicaragua", random.Random(1))
    ruleset = load_variant("nicaragua")
    before = first_state(hand, ruleset, [])[0]
    assert isinstance(hand.deal, list)
    turned = [" ".join(reversed(cards.split(" "))) for cards in hand.deal]
    assert first_state(replace(hand, deal=turned), ruleset, [])[0] == before
    assert [hand_count(before, seat) for seat in range(4)] == [7] * 4


def test_s35_pitch_with_fives_is_a_game_of_two_partnerships() -> None:
    ruleset = load_variant("pitch-with-fives")
    assert ruleset.values["players"] == [4]
    assert ruleset.sides(4) == 2
    assert [ruleset.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("variant", "sizes"),
    [
        ("sancho", {4: (13, 0), 5: (10, 2), 6: (8, 4), 7: (7, 3)}),
        ("snoozer", {4: (13, 1), 5: (10, 3), 6: (8, 5), 7: (7, 4)}),
    ],
)
def test_o24_s50_the_whole_pack_is_dealt_in_equal_hands(
    variant: str, sizes: dict[int, tuple[int, int]]
) -> None:
    ruleset = support.ruleset_for(variant, {"deal": "whole-pack"})
    for seats, (each, left) in sizes.items():
        rules = ruleset.rules(seats)
        assert (rules.dealt, rules.hand_size, rules.packet) == (each, each, each)
        assert rules.pack_size - seats * rules.dealt == left
        six = load_variant(variant).rules(seats)
        assert (six.dealt, six.hand_size) == (6, 6)


def test_s65_in_sixty_three_trumps_are_named_before_the_last_four_cards() -> None:
    rules = support.rules_of("sixty-three")
    hand = dealt_hand("sixty-three", random.Random(2))
    state = first_state(hand, load_variant("sixty-three"), [])[0]
    engine.start(state, rules)
    first = (hand.dealt_by + 1) % 4
    calls = [f"{first} bid 20", *(f"{(first + turn) % 4} pass" for turn in (1, 2, 3))]
    for call in calls:
        assert support.do(state, rules, call) == []
    assert state.phase == Phase.TRUMP
    assert [hand_count(state, seat) for seat in range(4)] == [9] * 4
    assert support.do(state, rules, f"{first} trump S") == []
    assert [hand_count(state, seat) for seat in range(4)] == [13] * 4


def test_t95_s75_eighty_three_deals_everything_and_the_bidder_has_seventeen() -> None:
    rules = support.rules_of("eighty-three")
    assert 4 * rules.dealt + rules.kitty_size == rules.pack_size == 53
    state = support.auction_table(rules)
    for call in ("0 bid 30", "1 pass", "2 pass", "3 pass"):
        assert support.do(state, rules, call) == []
    assert support.do(state, rules, "0 kitty AS KS QS JS JO") == []
    assert hand_count(state, 0) == 17
    assert state.phase == Phase.TRUMP
    (without,) = [r for r in load_variant("eighty-three").house_rules if r.cite == "O28"]
    values = {key: without.choices(key)[0] for key in without.values}
    smaller = support.ruleset_for("eighty-three", values).rules(4)  # type: ignore[arg-type]  # of several types
    assert 4 * smaller.dealt + smaller.kitty_size == smaller.pack_size == 52
    assert smaller.kitty_size == 4


# --- The auction
@pytest.mark.parametrize("bid", ["0", "-1", "7.5", "7,5", "½", "07", "7.0", "", "x"])
def test_s06_a_bid_is_a_whole_number_of_at_least_one(bid: str) -> None:
    with pytest.raises(ActionError, match="whole number from 1"):
        parse_action(f"0 bid {bid}")


@pytest.mark.parametrize("variant", variants())
def test_s06_no_game_takes_a_bid_of_nothing(variant: str) -> None:
    assert load_variant(variant).values["min_bid"] >= 1
    assert parse_action("0 bid 1").amount == 1


# --- Trumps in Twenty-Nine
@pytest.mark.parametrize("card", ["2S", "5S", "3H", "4D"])
def test_c25_of_the_hidden_card_only_the_suit_is_recorded(card: str) -> None:
    with pytest.raises(ActionError, match="name one trump"):
        parse_action(f"0 trump {card}")
    assert parse_action(f"0 trump {card[1]}").amount == "SHDC".index(card[1])


def test_c27_the_third_step_of_doubling_is_super_and_has_one_name() -> None:
    policy = POLICIES["doubling"]
    assert isinstance(policy, Choice)
    assert policy.names() == ["none", "double", "redouble", "super"]
    assert max(Doubling) is Doubling.SUPER
    assert VERB_NAMES[Verb.SUPER] == "super"
    with pytest.raises(ActionError, match="'set' is not a verb"):
        parse_action("1 set")


# --- The play
SURPLUS = "AS KS JS TS 9S 5S 3S 2S"


def test_c03_how_the_buried_cards_lie_changes_nothing() -> None:
    rules = support.rules_of("pedro")
    ends = []
    for pile in ("9S 3S", "3S 9S"):
        state = support.play_table(rules, "S", {0: SURPLUS}, size=rules.hand_size)
        assert support.do(state, rules, f"0 bury {pile}") == []
        assert support.do(state, rules, "0 play AS") == []
        ends.append(state)
    assert ends[0] == ends[1]
    assert [name for name in VERB_NAMES.values() if name.startswith("bury")] == ["bury"]


def test_s04_a_revoke_is_reported_and_costs_nothing() -> None:
    hand, _ = with_revoke(one_game("pedro"))
    replayed = replay_hand(hand)
    assert replayed.verdict == Verdict.IRREGULAR
    outcome = replayed.outcome
    assert outcome is not None
    assert outcome.maker is not None
    assert outcome.bid is not None
    # What the cards brought is what is scored, as if nothing had been wrong.
    assert outcome.points == points_of_the_tricks(replayed)
    side = outcome.maker % 2
    made = outcome.points[side] >= outcome.bid
    wanted = list(outcome.points)
    wanted[side] = outcome.points[side] if made else -outcome.bid
    assert list(outcome.change) == wanted


def points_of_the_tricks(replayed: Replay) -> tuple[int, ...]:
    points = [0] * replayed.rules.side_count
    for capture in replayed.captures:
        points[capture.side] += capture.points
    return tuple(points)


def shortened(variant: str, **options: Any) -> list[tuple[Hand, Replay]]:  # noqa: ANN401 - options
    """Hands of a variant, each without its last play, as they are replayed."""
    hands = [
        hand
        for hand in generate(variant, 3, 11, options=options or None)
        if " play " in hand.actions[-1]
    ]
    short = [replace(hand, actions=hand.actions[:-1]) for hand in hands]
    return [(hand, replay_hand(cut)) for hand, cut in zip(hands, short, strict=True)]


def test_s08_where_everybody_plays_on_a_record_without_the_last_card_is_incomplete() -> None:
    cut = shortened("pedro")
    assert len(cut) > 5
    assert {replayed.verdict for _, replayed in cut} == {Verdict.INCOMPLETE}


def test_s08_a_player_alone_in_the_hand_has_what_is_left() -> None:
    cut = shortened("pidro")
    over = [(hand, each) for hand, each in cut if each.verdict == Verdict.VALID]
    assert over
    for hand, replayed in over:
        whole = replay_hand(hand).outcome
        assert whole is not None
        assert replayed.outcome is not None
        assert replayed.outcome.change == whole.change
