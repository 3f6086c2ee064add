"""What the decisions of a hand cost, in points and in score: they add up, under all rules."""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from unittest.mock import patch

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import random_play
from tests.kit.open_play import ALONE, NEVER_STOPPED, SHAPES
from tests.kit.random_play import dealt_hand, walk
from tests.kit.support import Options
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import Replay, Verb, generate, replay, variants
from tricklog.core.engine.policies import Phase
from tricklog.core.solver.score import change_at_end
from tricklog.core.study import Decision, LossKind, OpenHand, Refused, Solver, open_hand

SYSTEMS = some(variants(), 4)
CHOSEN = some([*SHAPES], 20)
"""Shapes of rules that are played."""
BUDGET = 400_000
"""Nodes for each value, so that hands of seven do not take seconds."""
HANDS = scaled(2, most=12)
MORE = {"twenty-nine-O33-O35": max(HANDS, 6)}
"""Under these rules the sixth hand has a pair that is not declared, which few hands come to."""
SCORED_ANYHOW: dict[str, tuple[str, Options]] = {
    "pedro-O13": (
        "pedro",
        {"made": "difference", "failed": "nothing", "defenders": "bid-and-own-if-set"},
    ),
    "pedro-O03-O07": ("pedro", {"slam": "double-if-made", "discarded_points": "opponents"}),
    "cinch-O20": ("cinch", {"all_pass": "no-contract"}),
    "cinch-O18": (
        "cinch",
        {"made": "bid-less-others", "failed": "nothing", "defenders": "bid-and-own-if-set"},
    ),
    "eighty-three-C21": ("eighty-three", {"made": "bid"}),
    "twenty-nine-O51": ("twenty-nine", {"half_rule": "up-to-half"}),
    "twenty-nine-O72": ("twenty-nine", {"unshown": "counts"}),
    "twenty-nine-S08": ("twenty-nine", {"early_end": "when-decided"}),
    "pedro-S08": ("pedro", {"early_end": "when-decided"}),
}
"""Rules that change the score and not the play."""


def random_hands(name: str) -> Iterator[Replay]:
    """Yield whole hands of random legal play under rules of a shape, without end."""
    shape = SHAPES.get(name)
    variant, options = (shape.variant, shape.options) if shape else SCORED_ANYHOW[name]
    stops = {} if name.endswith("S08") else NEVER_STOPPED
    eager = ALONE if shape and shape.alone else stops
    chance = random.Random(f"study/{name}")
    while True:
        hand = dealt_hand(variant, chance, options, shape.seats if shape else 4)
        with patch.dict(random_play.VOLUNTEERED, eager):
            yield replay(replace(hand, actions=[text for _, _, text in walk(hand, chance)]))


Studied = tuple[tuple[Replay, OpenHand], ...]


def study_some(replays: Iterable[Replay], count: int) -> Studied:
    """Return so many whole hands of one game studied, the first that can be, or all there are."""
    found: list[tuple[Replay, OpenHand]] = []
    solver: Solver | None = None
    for replayed in replays:
        solver = solver or Solver(replayed.rules)
        try:
            found.append((replayed, open_hand(replayed, solver, budget=BUDGET)))
        except Refused:
            continue
        if len(found) == count:
            break
    return tuple(found)


@cache
def studied(name: str) -> Studied:
    """Return hands under rules of a shape, the same ones at every call."""
    return study_some(random_hands(name), MORE.get(name, HANDS))


@cache
def games(system: str) -> Studied:
    """Return hands of a game that bots have played."""
    return study_some(map(replay, generate(system, games=1, seed=19)), HANDS)


def test_losses_add_up_are_of_one_kind_and_the_score_by_points_is_that_of_the_engine() -> None:
    """The losses are what lies between par and outcome; under all rules, and as bots play."""
    kinds: set[LossKind | None] = set()
    every = {name: studied(name) for name in (*CHOSEN, *SCORED_ANYHOW)}
    every |= {f"{system} of bots": games(system) for system in SYSTEMS}
    for name, hands in every.items():
        assert hands
        for replayed, hand in hands:
            try:
                check_sums(hand)
                assert hand.no_score if hand.score is None else hand.no_score is None
                if hand.score is not None:
                    # It is that of the hand as it ended.
                    end = replayed.state_at(len(replayed))
                    assert hand.score_outcome == change_at_end(end, replayed.rules)
                for each in hand.decisions:
                    # A loss has one kind, and who has one choice loses nothing.
                    assert each.choices >= 1
                    assert (each.loss_kind is not None) == ((each.loss or 0) > 0)
                    assert each.choices > 1 or not each.loss
                    assert each.trick >= 1
                    assert 0 <= each.turn < replayed.rules.seats
            except AssertionError as error:
                error.add_note(f"{name}: {replayed.hand.actions}")
                raise
            kinds |= {each.loss_kind for each in hand.decisions}
        if name in SHAPES:
            check_listed(name)
    assert kinds == {*LossKind, None} or not is_thorough()
    assert len(kinds) > len(LossKind) - 3
    refused = {name for name in CHOSEN for _, hand in studied(name) if hand.score is None}
    # Free asking (O48, O83), the point called game by count (C15).
    due = {"pitch-with-fives-C15", "twenty-nine-O75"}
    due |= {f"twenty-nine-{options}" for options in ("O41-O48", "O48-O71", "O55-O83")}
    assert refused == due & {*CHOSEN}
    assert all(hand.score for system in SYSTEMS for _, hand in games(system))


def check_listed(name: str) -> None:
    """Check that choices are those that the solver lists."""
    for replayed, hand in studied(name)[: scaled(1)]:
        solver = Solver(replayed.rules)
        for each in hand.decisions:
            action = each.action
            # Before the first lead somebody may still lay cards off or take some.
            if each.kind != "card" or replayed.state_at(action).phase != Phase.PLAY:
                continue
            shows = (Verb.ASK, Verb.REVEAL, Verb.PAIR)
            while each.showed and replayed.actions[action - 1].verb in shows:
                action -= 1
            listed = solver.choices(replayed.state_at(action), budget=1)
            assert len(listed) == each.choices, (name, action)


def check_sums(hand: OpenHand) -> None:
    """Check that the losses of makers and others are what the outcome differs from par by."""
    if any(each.loss is None for each in hand.decisions):
        return
    points = sum(signed(each, each.loss) for each in hand.decisions)
    assert points == hand.par.low - hand.outcome.low
    if hand.score is None:
        assert all(each.score_loss is None for each in hand.decisions)
        return
    assert None not in (hand.score_par, hand.score_outcome)
    scored = sum(signed(each, each.score_loss) for each in hand.decisions)
    assert hand.score_par == scored + (hand.score_outcome or 0)


def signed(decision: Decision, loss: int | None) -> int:
    """Return by how much a loss lowers what the makers get; losses are never below 0."""
    assert loss is not None
    assert loss >= 0
    return loss if decision.by_makers else -loss


def test_a_hand_stopped_early_has_a_score_only_if_the_cards_left_would_not_count() -> None:
    nine, pedro = (
        {hand.no_score for whole, hand in studied(name) if whole.state_at(len(whole)).decided}
        for name in ("twenty-nine-S08", "pedro-S08")
    )
    assert nine == {None}
    (reason,) = {each for each in pedro if each}
    assert reason.startswith("play stopped before its end")
    # One that stops in mid-play is scored as best play ends it.
    whole, _ = games("pedro")[0]
    cut = replay(replace(whole.hand, actions=whole.hand.actions[:-9], claimed=UNSET))
    hand = open_hand(cut)
    check_sums(hand)
    assert hand.score is not None
    assert hand.score_outcome == hand.score.change(hand.outcome.low)
