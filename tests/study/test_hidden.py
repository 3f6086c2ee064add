"""The second grade, of choices by who could not see all cards, and the worlds it goes by."""

import random
from collections import Counter
from itertools import combinations, islice
from math import comb, sqrt
from statistics import fmean
from unittest.mock import patch

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import alone_with_trumps, instead
from tests.kit.support import Options
from tests.kit.tiers import scaled, some
from tricklog import Replay, RulesRef, Verb, generate, replay, variants
from tricklog.core.native import library
from tricklog.core.study import Decision, Refused, Solver, open_hand
from tricklog.core.study.hidden import HiddenGrade, grade, hand_grades
from tricklog.core.study.knowledge import Known, known_to
from tricklog.core.study.shares import Share, Shares
from tricklog.core.study.worlds import World, Worlds
from tricklog.schemas.cards import cards_in, mask_of, names_in

SMALL = 6


def decisions_of(played: Replay) -> list[Decision]:
    return [each for each in open_hand(played).decisions if each.kind == "card"]


def judged(given: HiddenGrade | None) -> tuple[object, ...]:
    """Return all of a grade that its player could know."""
    assert given is not None
    score = given.score_loss and (given.score_loss.judged, given.score_loss.error)
    return given.choices, given.made, given.loss.judged, given.loss.error, score


@pytest.mark.parametrize("variant", some(["pidro", "twenty-nine", "pedro", "ukrainian"], 2))
def test_cards_a_player_could_not_see_change_nothing_of_what_they_could_judge(variant: str) -> None:
    changed = 0
    for played in played_hands(variant, 2, seed=9):
        solver = Solver(played.rules)
        for decision in decisions_of(played)[1:12:4]:
            at = decision.action
            given = grade(played, at, worlds=SMALL, solver=solver)
            if given is None:
                continue
            known = known_to(played, at, decision.seat)
            world = Worlds(known, random.Random(at)).draw()
            assert world is not None
            changed += world.state.holding != played.state_at(at).holding
            record = replace(world.record, actions=[*world.record.actions, played.hand.actions[at]])
            other = replay(record, ruleset=played.ruleset)
            assert judged(grade(other, at, worlds=SMALL)) == judged(given)
    assert changed


def test_losses_with_open_cards_are_what_was_judged_and_luck() -> None:
    (played,) = played_hands("pidro", 1, seed=9)
    solver = Solver(played.rules)
    losses = {each.action: each.loss for each in open_hand(played, solver).decisions}
    grades = hand_grades(played, worlds=SMALL, solver=solver)
    assert grades
    for each in grades:
        assert each.loss.open == losses[each.action]
        assert each.loss.judged + each.loss.luck == pytest.approx(each.loss.open)
        assert each.worlds == each.asked == SMALL
        chosen = each.choices[each.made]
        assert played.actions[each.action].card in chosen.cards
        sign = 1 if each.by_makers else -1
        others = [sign * other.mean for other in each.choices if other != chosen]
        if sign * chosen.mean > max(others):
            assert each.loss.judged <= 0
    # Bots that think of no worlds lose by what they could have judged.
    of_sancho = [hand_grades(each, worlds=SMALL) for each in played_hands("sancho", 2, seed=9)]
    assert sum(each.loss.judged for hand in of_sancho for each in hand) > 0


def test_the_same_decision_gets_the_same_grade_and_more_worlds_a_smaller_error() -> None:
    (played,) = played_hands("pedro", 1, seed=9)
    at = decisions_of(played)[0].action
    first, again, many = (grade(played, at, worlds=each) for each in (SMALL, SMALL, 80))
    assert first == again
    assert first is not None
    assert many is not None
    few_errors = sum(each.error for each in first.choices)
    assert sum(each.error for each in many.choices) < few_errors
    # A decision without a choice has none.
    assert grade(played, decisions_of(played)[-1].action) is None


@pytest.mark.skipif(not library.is_there(), reason="there is no library")
@pytest.mark.parametrize("variant", some(variants(), 4))
def test_worlds_and_grades_are_the_same_with_and_without_the_library(variant: str) -> None:
    for played in played_hands(variant, scaled(1, most=4), seed=9):
        solver = Solver(played.rules)
        for decision in decisions_of(played)[: scaled(12, most=100) : 5]:
            told = []
            for there in (True, False):
                with patch.object(library, "is_there", lambda there=there: there):
                    again = replay(played.hand)
                    known = known_to(again, decision.action, decision.seat)
                    worlds = Worlds(known, random.Random(variant))
                    drawn = [worlds.draw() for _ in range(2)]
                    graded = grade(again, decision.action, worlds=SMALL, solver=solver)
                told.append((known, drawn, graded))
            assert told[0] == told[1]


def test_against_a_hand_alone_players_are_judged_by_what_they_saw() -> None:
    """O46, O87: what the maker named in secret counts no more, what was chosen is known to all."""
    chosen = alone_with_trumps()
    rules = RulesRef("twenty-nine", options={"solo": "partner-hidden"})
    without = replace(instead(chosen, "0 trump S"), rules=rules)
    for hand in (chosen, without):
        played, first = replay(hand), hand.actions.index("0 play JS")
        grades = [grade(played, at, worlds=2) for at in range(first, first + 3)]
        told = [(each.seat, each.unit) for each in grades if each]
        assert told == [(seat, "tricks") for seat in (0, 1, 3)]


def test_with_a_small_budget_there_are_fewer_worlds_or_none() -> None:
    (played,) = played_hands("pedro", 1, seed=9)
    at = decisions_of(played)[0].action
    whole, fewer, budget = grade(played, at, worlds=40), None, 2_000
    while fewer is None:
        try:
            fewer = grade(played, at, worlds=40, budget=budget)
        except Refused:
            budget *= 4
    assert whole is not None
    assert fewer.worlds <= whole.worlds
    assert fewer.asked == 40
    with pytest.raises(Refused, match="budget"):
        grade(played, at, budget=1)


@pytest.mark.parametrize("variant", some(variants(), 3))
def test_a_grade_is_counted_from_what_the_solver_says_of_each_world(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what looks best in one half of the worlds is valued in the other."""
    drawn: list[World | None] = []
    draw = Worlds.draw

    def noted(self: Worlds) -> World | None:
        drawn.append(draw(self))
        return drawn[-1]

    monkeypatch.setattr(Worlds, "draw", noted)
    compared = 0
    for played in played_hands(variant, 2, seed=9):
        solver = Solver(played.rules)
        for decision in [each for each in decisions_of(played) if not each.showed][::5]:
            drawn.clear()
            given = grade(played, decision.action, worlds=SMALL, solver=solver)
            if given is None:
                continue
            compared += 1
            best, sign = (max, 1) if decision.by_makers else (min, -1)
            is_known = known_to(played, decision.action, decision.seat).trump is not None
            rows = []
            for world in drawn:
                assert world is not None
                row: dict[object, int] = {}
                for each in solver.choices(world.state):
                    # Who has to see the trump first chooses a card after that.
                    cards = tuple(sorted(each.cards)) if is_known or not each.shows else ()
                    key = each.kind, cards, each.shows
                    row[key] = best(row.get(key, each.value.low), each.value.low)
                rows.append(row)
            keys = [(each.kind, each.cards, each.shows) for each in given.choices]
            assert set(keys) == set.intersection(*map(set, rows))
            assert given.by_makers == decision.by_makers
            means = [fmean(row[key] for row in rows) for key in keys]
            assert [each.mean for each in given.choices] == pytest.approx(means)
            lost = []
            for seen, others in ((rows[::2], rows[1::2]), (rows[1::2], rows[::2])):
                sums = {key: sum(row[key] for row in seen) for key in keys}
                top, made = best(sums.values()), keys[given.made]
                chosen = made if sums[made] == top else next(k for k in keys if sums[k] == top)
                lost += [sign * (row[chosen] - row[made]) for row in others]
            assert given.loss.judged == pytest.approx(fmean(lost))
    assert compared


DRAWN = 3_000


def fits(found: Counter[object], weights: dict[object, float], drawn: int) -> bool:
    """Return whether what was drawn is as frequent as weights say, by chi-square."""
    total = sum(weights.values())
    assert set(found) <= {each for each, weight in weights.items() if weight > 0}
    square = 0.0
    for each, weight in weights.items():
        expected = drawn * weight / total
        square += (found[each] - expected) ** 2 / expected if expected else 0.0
    freedom = sum(weight > 0 for weight in weights.values()) - 1
    return square < freedom + 5 * sqrt(2 * freedom)


def played_hands(
    variant: str, count: int = 3, seed: int = 5, options: Options | None = None
) -> list[Replay]:
    """Return some generated hands that come to play."""
    replays = map(replay, generate(variant, games=2, seed=seed, options=options))
    played = (each for each in replays if any(one.verb == Verb.PLAY for one in each.actions))
    return list(islice(played, count))


# --- Worlds: deals that fit what a seat knows, each as likely as it should be
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
def test_every_world_replays_as_its_player_saw_it(variant: str, options: Options) -> None:
    chance = random.Random(variant)
    for played in played_hands(variant, 1, options=options):
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
    for played in played_hands(variant, 20):
        for decision in open_hand(played).decisions:
            known = known_to(played, decision.action, decision.seat)
            apart = sum(known.hidden.values()) == known.unseen.bit_count() == unseen
            if apart and known.trump is not None and known.maker != decision.seat:
                return played, decision.action, known
    raise AssertionError(f"no such ending of {variant}")


def every_world(played: Replay, action: int, known: Known) -> dict[object, float]:
    """Return all ways to deal the unseen cards that replay, weighed by the trumps of the maker."""
    seats = list(known.hidden)
    trumps = known.rules.trump_cards[known.trump or 0]
    now, actions = played.state_at(action), played.hand.actions[:action]
    weights: dict[object, float] = {}
    cards = cards_in(known.unseen)
    for first in combinations(cards, known.hidden[seats[0]]):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, known.hidden[seats[1]]):
            third = [card for card in rest if card not in second]
            parts = [mask_of([*part]) for part in (first, second, third)]
            hands = dict(zip(seats, parts, strict=True))
            deal = [
                names_in(dealt & ~held | hands.get(seat, held))
                for seat, (dealt, held) in enumerate(zip(played.dealt, now.holding, strict=False))
            ]
            hand = replace(played.hand, deal=deal, claimed=UNSET, status=UNSET, actions=actions)
            again = replay(hand, ruleset=played.ruleset)
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
    for played in played_hands("twenty-nine", 6):
        for decision in open_hand(played).decisions[-8:]:
            known = known_to(played, decision.action, decision.seat)
            now = played.state_at(decision.action)
            for seat in known.hidden:
                assert not now.holding[seat] & known.unseen & ~known.may_hold[seat]
                proved += known.may_hold[seat] != known.rules.pack
    assert proved


def test_players_know_what_they_laid_off_and_not_what_others_did() -> None:
    (played,) = played_hands("pedro", 1)
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
