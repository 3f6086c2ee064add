"""Figures of what decisions cost, counted once more from the study of each hand."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tests.kit.facts import Facts, assert_same, facts_in, figure, recounted, warehouse_of
from tests.kit.log_lines import generated
from tests.kit.solved import OF_SOLVED, solve_all
from tests.kit.stored import open_scope
from tests.kit.tiers import is_thorough
from tricklog import Filters, Hand, Replay, replay
from tricklog.core.study import Decision, OpenHand, Refused, Solver, open_hand
from tricklog.ingest.metrics import METRIC, Kind, measure
from tricklog.ingest.metrics.query import Cases, hands_behind
from tricklog.ingest.metrics.standings import standings
from tricklog.schemas.cards import RANKS

VARIANTS = ("pedro", "twenty-nine", "sancho")


@cache
def hands() -> list[Hand]:
    few = [*generated("twenty-nine", 1, 2)[:6], *generated("sancho", 1, 8)[:12]]
    return [*generated("pedro", 2, 5), *few]


db = warehouse_of("losses", hands, solve_all)
facts = facts_in("db")


@dataclass(frozen=True)
class Studied:
    """A hand with its study."""

    played: Replay
    hand: OpenHand

    @property
    def variant(self) -> str:
        return self.played.hand.rules.variant

    @property
    def made(self) -> bool | None:
        """Whether the contract was made; nothing where there was none to make or set."""
        assert self.played.outcome is not None
        return {"made": True, "set": False}.get(str(self.played.outcome.result))

    def decisions(self, seat: int | None = None) -> list[Decision]:
        return [each for each in self.hand.decisions if seat in (None, each.seat)]

    def player(self, seat: int) -> str:
        return self.played.hand.players[seat].id

    def role(self, seat: int) -> str:
        assert self.played.outcome is not None
        maker = self.played.outcome.maker
        assert maker is not None
        if seat == maker:
            return "maker"
        partners = self.played.rules.sides == 0 and (seat - maker) % 2 == 0
        return "partner" if partners else "defender"


@pytest.fixture(scope="module")
def studied() -> list[Studied]:
    """All hands that can be studied."""
    found = []
    solvers: dict[str, Solver] = {}
    for hand in hands():
        played = replay(hand)
        if hand.rules.variant not in solvers:
            solvers[hand.rules.variant] = Solver(played.rules)
        try:
            found.append(Studied(played, open_hand(played, solvers[hand.rules.variant])))
        except Refused:
            continue
    assert len(found) > 25
    return found


KEYS: dict[str, Callable[[Studied, Decision], object]] = {
    "player": lambda hand, each: hand.player(each.seat),
    "role": lambda hand, each: hand.role(each.seat),
    "seat": lambda _, each: each.seat,
    "trick": lambda _, each: each.trick,
    "turn": lambda _, each: each.turn + 1,
    "choices": lambda _, each: each.choices,
    "cost": lambda _, each: each.loss,
    "decision": lambda _, each: each.kind,
    "loss-kind": lambda _, each: each.loss_kind,
    "card-played": lambda _, each: RANKS[each.cards[0] % 13] if each.kind == "card" else None,
}


def is_choice(each: Decision) -> bool:
    return each.choices > 1 and each.loss is not None


def chosen(studied: list[Studied], by: str) -> list[tuple[str, Decision]]:
    """All choices, each with its value of a dimension, where it has one."""
    return [
        (str(key), each)
        for hand in studied
        for each in hand.decisions()
        if is_choice(each) and (key := KEYS[by](hand, each)) is not None
    ]


def test_accuracy_points_and_score_by_what_they_are(facts: Facts, studied: list[Studied]) -> None:
    for by in KEYS:
        due = recounted((key, float(each.loss == 0)) for key, each in chosen(studied, by))
        assert len(due) > 1 or by == "decision"
        assert_same(figure(facts, "accuracy", by), due, by)
    # By turns: each variant has every third kind of decisions, in the thorough tier all.
    for number, (variant, by) in enumerate(product(VARIANTS, KEYS)):
        if number % 3 and not is_thorough():
            continue
        own = chosen([hand for hand in studied if hand.variant == variant], by)
        points = recounted((key, each.loss or 0) for key, each in own)
        found = figure(facts, "cost-per-decision", by, variant=variant)
        assert_same(found, points, variant, by)
        score = recounted((k, each.score_loss) for k, each in own if each.score_loss is not None)
        found = figure(facts, "score-cost-per-decision", by, variant=variant)
        assert_same(found, score, variant, by)


def test_decisions_and_contracts_that_best_play_makes(facts: Facts, studied: list[Studied]) -> None:
    every = [each for hand in studied for each in hand.decisions()]
    alone = [float(each.choices == 1) for each in every]
    assert 0 < sum(alone) < len(alone)
    assert_same(figure(facts, "no-choice"), {"": (sum(alone) / len(alone), len(alone))})
    count = sum(map(is_choice, every))
    assert_same(figure(facts, "decisions"), {"": (count, count)})
    assert_same(figure(facts, "solved-hands"), {"": (len(studied), len(studied))})
    contracts = [
        (bool(hand.hand.could_be_made), bool(hand.made))
        for hand in studied
        if hand.hand.could_be_made is not None and hand.made is not None
    ]
    assert_same(figure(facts, "makeable"), recounted(("", float(could)) for could, _ in contracts))
    for name, wanted in (("makeable-made", True), ("unmakeable-made", False)):
        due = recounted(("", float(made)) for could, made in contracts if could == wanted)
        assert_same(figure(facts, name), due)
    # Makers against par is what all decisions came to.
    due = recounted(
        ("", sum((each.loss or 0) * (-1 if each.by_makers else 1) for each in hand.decisions()))
        for hand in studied
        if hand.variant == "pedro"
    )
    assert_same(figure(facts, "over-par", variant="pedro"), due)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_hand_cost_its_players(facts: Facts, studied: list[Studied], variant: str) -> None:
    """Who took no decision in a hand lost nothing in it, and the hand counts."""
    seated = [
        (hand, hand.player(seat), hand.decisions(seat))
        for hand in studied
        if hand.variant == variant
        for seat in range(hand.played.rules.seats)
    ]
    whole = recounted((who, sum(each.loss or 0 for each in own)) for _, who, own in seated)
    assert_same(figure(facts, "cost-per-hand", "player", variant=variant), whole)
    most = ((who, max((each.loss or 0 for each in own), default=0)) for _, who, own in seated)
    dearest = recounted(most)
    assert_same(figure(facts, "dearest", "player", variant=variant), dearest)
    score = recounted(
        (who, sum(each.score_loss or 0 for each in own))
        for hand, who, own in seated
        if hand.hand.score is not None
    )
    assert_same(figure(facts, "score-cost-per-hand", "player", variant=variant), score)
    frame = standings(facts, METRIC["cost-per-hand"], "player", Filters.of({"variant": variant}), 1)
    assert_same({row["player"]: (row["value"], row["n"]) for row in frame.to_dicts()}, whole)


def test_hands_are_found_by_a_kind_of_loss(facts: Facts, studied: list[Studied]) -> None:
    where = Filters.of({"loss-kind": "led trumps"})
    due = {
        hand.played.hand.id
        for hand in studied
        if any(each.loss_kind == "led trumps" for each in hand.decisions())
    }
    assert due
    for cases in (None, Cases(METRIC["cost-per-decision"])):
        query, parameters = hands_behind(cases, where)
        found = facts.execute(
            f"SELECT hand_id FROM ({query}) JOIN games.hands USING (hand_no)",  # noqa: S608 - our own
            parameters,
        ).fetchall()
        assert {name for (name,) in found} == due


def test_a_scope_has_the_decisions_of_its_hands(db: Path, studied: list[Studied]) -> None:
    own = [hand for hand in studied if hand.variant == "sancho"]
    due = sum(is_choice(each) for hand in own for each in hand.decisions())
    with open_scope(db, variants=("sancho",)) as within:
        assert figure(within, "decisions") == {"": (due, due)}


def test_every_figure_of_solved_hands_has_its_cases_here(facts: Facts) -> None:
    for metric in OF_SOLVED:
        frame = measure(facts, metric.name, ("variant",))
        assert frame.height == 3 or metric.kind != Kind.COUNT
        assert not frame.is_empty()
