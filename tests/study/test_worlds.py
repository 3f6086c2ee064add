"""Worlds: deals that fit what a seat knows, each as likely as it should be."""

import random
from collections import Counter
from itertools import combinations, islice
from math import comb, sqrt

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.support import Options
from tests.kit.tiers import some
from tricklog.core import generate, replay
from tricklog.core.judging.replayer import Replay
from tricklog.core.rulesets.variant_names import variants
from tricklog.core.study import open_hand
from tricklog.core.study.knowledge import Known, known_to
from tricklog.core.study.shares import Share, Shares
from tricklog.core.study.worlds import Worlds
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import CARD_NAMES, cards_in, mask_of

DRAWN = 3_000
SIGMAS = 5


def fits(found: Counter[object], weights: dict[object, float], drawn: int) -> bool:
    """Return whether what was drawn is as frequent as weights say, by chi-square."""
    total = sum(weights.values())
    assert set(found) <= {each for each, weight in weights.items() if weight > 0}
    square = 0.0
    for each, weight in weights.items():
        expected = drawn * weight / total
        square += (found[each] - expected) ** 2 / expected if expected else 0.0
    freedom = sum(weight > 0 for weight in weights.values()) - 1
    return square < freedom + SIGMAS * sqrt(2 * freedom)


def hands_of(
    variant: str, count: int = 3, seed: int = 5, options: Options | None = None
) -> list[Replay]:
    """Return some generated hands that come to play."""
    replays = map(replay, generate(variant, games=2, seed=seed, options=options))
    played = (each for each in replays if any(one.verb == Verb.PLAY for one in each.actions))
    return list(islice(played, count))


def test_shares_are_drawn_as_often_as_there_are_ways() -> None:
    cards, marked = mask_of([0, 1, 2, 13, 14, 15]), mask_of([0, 1, 2])
    places = [
        Share(2, mask_of([0, 1, 2, 13, 14]), lambda count: float(comb(count, 1))),
        Share(2, cards),
        Share(2, cards & ~1),
    ]
    weights: dict[object, float] = {}
    for first in combinations(cards_in(cards), 2):
        for second in combinations([card for card in cards_in(cards) if card not in first], 2):
            got = [mask_of([*first]), mask_of([*second])]
            got.append(cards & ~got[0] & ~got[1])
            allowed = all(not each & ~place.may for each, place in zip(got, places, strict=True))
            if allowed:
                weights[tuple(got)] = float((got[0] & marked).bit_count())
    shares = Shares(cards, marked, places)
    assert shares.ways == pytest.approx(sum(weights.values()))
    chance = random.Random(1)
    found: Counter[object] = Counter(tuple(shares.draw(chance)) for _ in range(DRAWN))
    assert fits(found, weights, DRAWN)


@pytest.mark.parametrize(
    ("variant", "options"),
    [*((variant, {}) for variant in variants()), ("king-pedro", {"drop_out": "when-trump-led"})],
)
def test_every_world_replays_without_a_finding_and_shows_its_player_what_they_saw(
    variant: str, options: Options
) -> None:
    chance = random.Random(variant)
    for played in hands_of(variant, 1, options=options):
        for decision in open_hand(played).decisions[::5]:
            if decision.kind != "card":
                continue
            known = known_to(played, decision.action, decision.seat)
            world = Worlds(known, chance).draw()
            assert world is not None, played.actions[decision.action]
            text = played.hand.actions[decision.action]
            record = replace(world.record, actions=[*world.record.actions, text])
            again = replay(record, ruleset=played.ruleset)
            assert not again.findings
            now = played.state_at(decision.action)
            assert world.state.holding[decision.seat] == now.holding[decision.seat]
            seen = known_to(again, decision.action, decision.seat)
            assert seen.actions == known.actions


def ending(variant: str, unseen: int) -> tuple[Replay, int, Known]:
    """Return a moment of a hand with so few cards unseen, trumps known, the maker not to play."""
    for played in hands_of(variant, 20):
        for decision in open_hand(played).decisions:
            known = known_to(played, decision.action, decision.seat)
            apart = sum(known.hidden.values()) == known.unseen.bit_count() == unseen
            if apart and known.trump is not None and known.maker != decision.seat:
                return played, decision.action, known
    raise AssertionError(f"no such ending of {variant}")


def swapped(played: Replay, action: int, hands: dict[int, int]) -> Replay:
    """Return the hand until an action, with the cards left in some hands replaced."""
    now = played.state_at(action)
    deal = []
    for seat, dealt in enumerate(played.dealt):
        cards = dealt & ~now.holding[seat] | hands.get(seat, now.holding[seat])
        deal.append(" ".join(CARD_NAMES[card] for card in cards_in(cards)))
    actions = played.hand.actions[:action]
    hand = replace(played.hand, deal=deal, claimed=UNSET, status=UNSET, actions=actions)
    return replay(hand, ruleset=played.ruleset)


def every_world(played: Replay, action: int, known: Known) -> dict[object, float]:
    """Return all ways to deal the unseen cards that replay, weighed by the trumps of the maker."""
    seats = list(known.hidden)
    trumps = known.rules.trump_cards[known.trump or 0]
    weights: dict[object, float] = {}
    cards = cards_in(known.unseen)
    for first in combinations(cards, known.hidden[seats[0]]):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, known.hidden[seats[1]]):
            third = [card for card in rest if card not in second]
            parts = [mask_of([*part]) for part in (first, second, third)]
            hands = dict(zip(seats, parts, strict=True))
            again = swapped(played, action, hands)
            if again.findings or again.played < action:
                continue
            state = again.state_at(action)
            if state.turn == known.seat:
                made = known.shown.get(known.maker, 0) | hands[known.maker]
                weights[tuple(parts)] = float((made & trumps).bit_count())
    return weights


@pytest.mark.parametrize("variant", some(["twenty-nine", "lucknow"], 1))
def test_worlds_are_drawn_as_often_as_all_deals_that_replay_are_likely(variant: str) -> None:
    played, action, known = ending(variant, 6)
    weights = every_world(played, action, known)
    assert len(weights) > 1
    worlds = Worlds(known, random.Random(2))
    found: Counter[object] = Counter()
    drawn = DRAWN // 4
    for _ in range(drawn):
        world = worlds.draw()
        assert world is not None
        found[tuple(world.state.holding[seat] for seat in known.hidden)] += 1
    assert fits(found, weights, drawn)


def test_who_did_not_follow_holds_none_of_the_suit() -> None:
    proved = 0
    for played in hands_of("twenty-nine", 6):
        for decision in open_hand(played).decisions[-8:]:
            known = known_to(played, decision.action, decision.seat)
            now = played.state_at(decision.action)
            for seat in known.hidden:
                assert not now.holding[seat] & known.unseen & ~known.may_hold[seat]
                proved += known.may_hold[seat] != known.rules.pack
    assert proved


def test_players_know_what_they_laid_off_and_not_what_others_did() -> None:
    (played,) = hands_of("pedro", 1)
    decision = open_hand(played).decisions[0]
    known = known_to(played, decision.action, decision.seat)
    for index, action in enumerate(known.actions):
        recorded = played.actions[index]
        if recorded.verb in (Verb.DISCARD, Verb.DRAW, Verb.ROB):
            own = recorded.seat == decision.seat
            assert action.cards == (recorded.cards if own else 0)
            assert action.size == recorded.size
    own_off = played.state_at(decision.action).discarded[decision.seat]
    assert own_off
    assert not known.unseen & own_off
