"""Hands under other rules: what they score and are worth there, and why some do not fit."""

import random
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.at_table import begun, dealt, played
from tests.kit.log_lines import with_revoke
from tests.kit.tiers import scaled, some
from tricklog import RulesRef
from tricklog.core import Replay, Ruleset, generate, load_rules_file, load_variant, replay, variants
from tricklog.core.bots.generate import STEADY, Bot, play_out, practised
from tricklog.core.engine import engine
from tricklog.core.rulesets.ruleset import resolve
from tricklog.core.study import first_card, open_hand
from tricklog.core.study.elsewhere import (
    Elsewhere,
    NotThere,
    Reason,
    Rescored,
    Resolved,
    bare,
    elsewhere,
)
from tricklog.core.study.same_deal import table_of
from tricklog.schemas.actions import Verb, action_text, parse_action

SIDES = {"sancho": (4, 5, 6, 7), "snoozer": (5,)}
TABLES = [(name, seats) for name in variants() for seats in SIDES.get(name, (4,))]


@cache
def replays_of(variant: str, seats: int = 4, seed: int = 5) -> tuple[Replay, ...]:
    """The first hands of one game, those in which cards were played."""
    found = map(replay, islice(generate(variant, games=1, seed=seed, players=seats), 16))
    return tuple(each for each in found if first_card(each) < len(each))


def changed(tmp_path: Path, text: str) -> Ruleset:
    """House rules from a file."""
    path = tmp_path / "house.toml"
    path.write_text(text)
    return load_rules_file(path)


def not_there(found: Elsewhere | NotThere) -> NotThere:
    assert isinstance(found, NotThere), found
    return found


def fits(found: Elsewhere | NotThere) -> Elsewhere:
    assert isinstance(found, Elsewhere), found
    return found


def rescored(found: Elsewhere | NotThere) -> Rescored:
    answer = fits(found).rescored
    assert isinstance(answer, Rescored), answer
    return answer


# --- Under the rules it was played by
@pytest.mark.parametrize(("variant", "seats"), some(TABLES, 6))
def test_under_its_own_rules_a_hand_scores_what_it_scored(variant: str, seats: int) -> None:
    for here in replays_of(variant, seats):
        found = fits(elsewhere(here, here.ruleset, solve=False))
        assert found.same_calls
        assert found.hand == bare(here.hand)
        assert found.not_legal == ()
        answer = rescored(found)
        assert answer.here == answer.there
        assert answer.by_side == (0,) * here.rules.side_count
        outcome = here.outcome
        assert outcome is not None
        told = ("result", "maker", "bid", "need", "trump", "points", "taken", "stake", "alone")
        for each in told:
            assert getattr(answer.there, each) == getattr(outcome, each), each
        if not (here.rules.clamp or here.ruleset.values["both_over"] == "count-order"):
            assert answer.there.change == outcome.change


@settings(max_examples=scaled(20))
@given(seed=st.integers(0, 10_000), variant=st.sampled_from(variants()))
def test_any_hand_fits_its_own_rules_and_scores_the_same_there(seed: int, variant: str) -> None:
    here = replay(played(dealt(variant, seed), "one", ["a", "b", "c", "d"], seed))
    if first_card(here) == len(here):
        assert not_there(elsewhere(here, here.ruleset)).reason == Reason.RECORD
        return
    answer = rescored(elsewhere(here, here.ruleset, solve=False))
    assert answer.there == answer.here == here.outcome


@pytest.mark.parametrize("variant", ["pidro", "king-pedro", "snoozer"])
def test_the_value_under_its_own_rules_is_par(variant: str) -> None:
    here = replays_of(variant)[0]
    answer = fits(elsewhere(here, here.ruleset)).resolved
    assert isinstance(answer, Resolved)
    opened = open_hand(here)
    assert answer.value == answer.par_here == opened.par
    assert answer.need == answer.need_here == opened.need
    assert (answer.could_be_made, answer.unit) == (opened.could_be_made, opened.unit)
    unasked = fits(elsewhere(here, here.ruleset, solve=False)).resolved
    assert isinstance(unasked, NotThere)
    assert unasked.reason == Reason.SOLVER


# --- Under other rules
def test_points_and_score_change_with_the_rules_alone(tmp_path: Path) -> None:
    rules = changed(tmp_path, 'extends = "pedro"\n[pack]\nlow_to = "winner"\n')
    moved = made = 0
    for here in replays_of("pedro"):
        answer = rescored(elsewhere(here, rules, solve=False))
        twos = [each for each in here.captures if each.from_seat != each.by_seat]
        assert sum(answer.there.points) == sum(answer.here.points)
        moved += answer.here.points != answer.there.points
        assert twos or answer.here.points == answer.there.points
        # What Pedro scores Cinch scores as the difference.
        answer = rescored(elsewhere(here, load_variant("cinch"), solve=False))
        there = answer.there
        makers = here.ruleset.side_of(there.maker if there.maker is not None else 0)
        if there.result == "made":
            made += 1
            lead = there.points[makers] - there.points[1 - makers]
            assert there.change[makers] == max(0, lead)
            assert there.change[1 - makers] == max(0, -lead)
    assert moved
    assert made


def test_a_card_that_is_not_legal_there_stops_the_scoring_and_not_the_value() -> None:
    seen = 0
    for here in replays_of("sixty-three"):
        found = elsewhere(here, load_variant("ukrainian"))
        if isinstance(found, NotThere):
            continue
        assert isinstance(found.resolved, Resolved)
        assert found.resolved.value.is_exact
        for each in found.not_legal:
            assert here.actions[each.action].seat == each.seat
            assert here.hand.actions[each.action] == f"{each.seat} play {each.cards}"
        if found.not_legal:
            seen += 1
            assert isinstance(found.rescored, NotThere)
            assert found.rescored.reason == Reason.PLAY
            assert found.rescored.rule.startswith("9.")
            assert found.rescored.action == found.not_legal[0].action
    assert seen


def test_stricter_following_refuses_just_the_hands_in_which_somebody_ruffed(tmp_path: Path) -> None:
    strict = changed(tmp_path, 'extends = "pedro"\n[play]\nplain_follow = "follow"\n')
    ruffs = []
    for here in (*replays_of("pedro"), *replays_of("pedro", seed=6)):
        there = fits(elsewhere(here, strict, solve=False)).rescored
        ruffed = False
        for trick in here.tricks:
            state = here.state_at(trick.first_action)
            suit, cards = here.rules.suit[state.trump], here.rules.suit_cards[state.trump]
            led = suit[trick.plays[0][1]]
            ruffed |= led != state.trump and any(
                cards[led] & state.holding[seat] and suit[card] == state.trump
                for seat, card in trick.plays
            )
        ruffs.append(ruffed)
        assert isinstance(there, Rescored) == (not ruffed)
    assert any(ruffs)


def test_other_calls_stand_in_where_the_recorded_ones_are_not_legal() -> None:
    there = load_variant("twenty-nine")
    stood_in = 0
    for here in replays_of("lucknow"):
        found = elsewhere(here, there, solve=False)
        if isinstance(found, NotThere):
            continue
        after = replay(found.hand, ruleset=there)
        assert after.outcome is not None
        assert here.outcome is not None
        assert (after.outcome.maker, after.outcome.bid) == (here.outcome.maker, here.outcome.bid)
        wrong = [each for each in after.findings if each.code != "reveal-differs"]
        assert not wrong or found.not_legal
        stood_in += not found.same_calls
    assert stood_in


def test_sides_that_are_others_there_are_not_subtracted() -> None:
    rules = resolve(RulesRef("sancho", options={"players": [4], "sides": "partners"}))
    answer = rescored(elsewhere(replays_of("sancho", 4)[0], rules, solve=False))
    assert len(answer.here.points) == 4
    assert len(answer.there.points) == 2
    assert answer.by_side is None


# --- What does not fit
@pytest.mark.parametrize(
    ("variant", "seats", "there", "reason", "rule", "words"),
    [
        ("sancho", 5, "pedro", Reason.SEATS, "1.players", "takes 4 players, and here 5 sat down"),
        ("sancho", 5, "twenty-nine", Reason.SEATS, "14.players", "takes 4 players"),
        ("twenty-nine", 4, "bangladesh", Reason.DIRECTION, "17.", "goes round anticlockwise"),
        ("pedro", 4, "twenty-nine", Reason.PACK, "14.pack", "a pack of 32 cards"),
        ("king-pedro", 4, "eighty-three", Reason.PACK, "11.pack", "is played with the joker"),
        ("eighty-three", 4, "king-pedro", Reason.PACK, "8.", "is played without the joker"),
        ("pedro", 4, "king-pedro", Reason.DEAL, "8.deal", "deals 12 cards to each player"),
        ("pitch-with-fives", 4, "sancho", Reason.EXCHANGE, "0.order", "cannot lay off now"),
        ("sancho", 4, "pitch-with-fives", Reason.EXCHANGE, "5.", "is to lay off"),
        ("pidro", 4, "pedro", Reason.EXCHANGE, "1.rob", "instead of"),
    ],
)
def test_a_deal_that_does_not_fit_is_refused_with_the_first_reason(
    variant: str, seats: int, there: str, reason: Reason, rule: str, words: str
) -> None:
    rules = load_variant(there)
    found = [elsewhere(each, rules, solve=False) for each in replays_of(variant, seats)]
    of_reason = [each for each in found if isinstance(each, NotThere) and each.reason == reason]
    assert of_reason
    assert any(each.rule.startswith(rule) and words in each.sentence for each in of_reason)
    assert all(rules.title in each.sentence for each in of_reason)


def test_seats_are_looked_at_before_the_pack_and_the_pack_before_the_deal(tmp_path: Path) -> None:
    for variant, seats, there, reason in (
        ("sancho", 5, "twenty-nine", Reason.SEATS),
        ("pedro", 4, "eighty-three", Reason.PACK),
    ):
        found = not_there(elsewhere(replays_of(variant, seats)[0], load_variant(there)))
        assert found.reason == reason
    other = 'extends = "king-pedro"\n[deal]\nkitty_size = 3\n[exchange]\nrefill = "nobody"\n'
    found = not_there(elsewhere(replays_of("king-pedro")[0], changed(tmp_path, other)))
    assert found.reason == Reason.DEAL
    assert "lays 3 cards aside as the kitty, and here it was 4 cards" in found.sentence


def test_a_number_beyond_the_scale_is_refused_with_the_scale() -> None:
    lucknow = load_variant("lucknow")
    (low, *_) = (x for x in replays_of("twenty-nine") if x.outcome and x.outcome.bid == 15)
    found = not_there(elsewhere(low, lucknow))
    assert found.reason == Reason.CONTRACT
    assert found.rule == lucknow.cite("min_bid")
    assert found.sentence.endswith("15 cannot be bid; bids go from 16 to 28.")


def test_a_hand_without_a_number_does_not_fit_where_somebody_has_to_bid() -> None:
    """A deal that everybody passed, played by bots from there on."""
    hand = played(dealt("cinch", 3, dealer=0), "one", ["a", "b", "c", "d"], 3)
    spoken = [f"{seat} pass" for seat in (1, 2, 3, 0)]
    ruleset = replay(hand).ruleset
    rules = ruleset.rules(4)
    state = begun(replace(hand, actions=[]), ruleset)
    for each in spoken:
        assert not engine.apply(state, rules, parse_action(each))
    chance = random.Random(1)
    bots = [Bot(STEADY, seat, practised(ruleset, 4), chance) for seat in range(4)]
    after = [action_text(each) for each in play_out(bots, state, rules)]
    here = replay(replace(hand, actions=[*spoken, *after], claimed=UNSET))
    assert here.outcome is not None
    assert here.outcome.no_contract
    found = not_there(elsewhere(here, load_variant("pedro")))
    assert found.reason == Reason.CONTRACT
    assert "somebody" in found.sentence or "has to bid" in found.sentence


def test_a_doubled_stake_does_not_fit_where_nobody_doubles() -> None:
    bangladesh = load_variant("bangladesh")
    plain = resolve(RulesRef("bangladesh", options={"doubling": "none"}))
    doubled = 0
    for hand in replays_of("bangladesh"):
        # The stake is doubled after the trump is chosen, where that is legal.
        named = next(at for at, each in enumerate(hand.actions) if each.verb == Verb.TRUMP) + 1
        double = f"{(hand.actions[named - 1].seat + 1) % 4} double"
        rest = [each for each in hand.hand.actions[named:] if not each.endswith(" pass")]
        actions = [*hand.hand.actions[:named], double, *rest]
        here = replay(replace(bare(hand.hand), actions=actions))
        if here.verdict == "valid":
            doubled += 1
            found = not_there(elsewhere(here, plain, solve=False))
            assert found.reason == Reason.CONTRACT
            assert here.actions[found.action or 0].verb == Verb.DOUBLE
            assert isinstance(elsewhere(here, bangladesh, solve=False), Elsewhere)
    assert doubled


def test_only_whole_valid_hands_are_taken_elsewhere() -> None:
    here = replays_of("pedro")[0]
    rules = load_variant("cinch")
    wrong = replay(with_revoke([each.hand for each in replays_of("pedro")])[0])
    assert not_there(elsewhere(wrong, rules)).reason == Reason.RECORD
    cut = replay(replace(here.hand, actions=here.hand.actions[:-3], claimed=UNSET))
    assert "incomplete" in not_there(elsewhere(cut, rules)).sentence
    assert here.hand.deal is not UNSET
    torn = [here.hand.deal[0][:-2] + "?", *here.hand.deal[1:]]
    unsure = replay(replace(here.hand, deal=torn))
    assert not_there(elsewhere(unsure, rules)).reason == Reason.RECORD


def test_a_table_counts_what_the_hand_adds_by_itself() -> None:
    for here in replays_of("twenty-nine"):
        table, answer = table_of(here), rescored(elsewhere(here, here.ruleset, solve=False))
        assert table is not None
        first = [(here.hand.dealt_by + places[0]) % 4 for places in table.sides]
        sides = [here.ruleset.side_of(seat) for seat in first]
        assert table.change == tuple(answer.here.change[side] for side in sides)
