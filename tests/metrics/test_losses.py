"""Figures of what decisions cost, counted once more from the study of each hand."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

from tests.kit.log_lines import generated, write_hands
from tests.kit.made_once import made_once
from tests.kit.solved import OF_SOLVED, solve_all
from tests.kit.tiers import is_thorough
from tricklog import ingest
from tricklog.core import Replay, replay
from tricklog.core.study import Decision, OpenHand, Refused, Solver, open_hand
from tricklog.ingest.facts.files import open_facts, open_scope_of
from tricklog.ingest.metrics import METRIC, Kind, measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.query import Cases, hands_behind
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import current_snapshot
from tricklog.schemas.cards import RANKS
from tricklog.schemas.hand import Hand

VARIANTS = ("pedro", "twenty-nine", "sancho")


@cache
def hands() -> list[Hand]:
    return [
        *generated("pedro", 2, 5),
        *generated("twenty-nine", 1, 2)[:6],
        *generated("sancho", 1, 8)[:12],
    ]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:

    def make(folder: Path) -> None:
        ingest.load(write_hands(folder / "log.jsonl", hands()), db=folder / "db")
        solve_all(folder / "db")

    return made_once(tmp_path_factory, "losses", make) / "db"


@pytest.fixture(scope="module")
def facts(db: Path) -> Iterator[DuckDBPyConnection]:
    with open_facts(db) as connection:
        yield connection


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
        solver = solvers[hand.rules.variant]
        try:
            found.append(Studied(played, open_hand(played, solver)))
        except Refused:
            continue
    assert len(found) > 25
    return found


Cell = tuple[float, int]
Recount = dict[Any, Cell]


def recounted(cases: Iterator[tuple[Any, float]]) -> Recount:
    """Return the mean and the number of the values by key."""
    values: dict[Any, list[float]] = defaultdict(list)
    for key, value in cases:
        values[key].append(value)
    return {key: (sum(each) / len(each), len(each)) for key, each in values.items()}


def figure(facts: DuckDBPyConnection, name: str, *by: str, **chosen: str) -> Recount:
    rows = measure(facts, name, by, Filters.of(chosen), 1).to_dicts()
    return {tuple(str(row[each]) for each in by): (row["value"], row["n"]) for row in rows}


def same(found: Recount, due: Recount, *asked: str) -> None:
    nearly: Mapping[Any, object] = {key: (pytest.approx(v), n) for key, (v, n) in due.items()}
    assert found == nearly, asked


def is_choice(each: Decision) -> bool:
    return each.choices > 1 and each.loss is not None


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


def test_accuracy_by_what_decisions_are(facts: DuckDBPyConnection, studied: list[Studied]) -> None:
    for by, key_of in KEYS.items():
        due = recounted(
            ((str(key),), float(each.loss == 0))
            for hand in studied
            for each in hand.decisions()
            if is_choice(each) and (key := key_of(hand, each)) is not None
        )
        assert len(due) > 1 or by == "decision"
        same(figure(facts, "accuracy", by), due, by)


def test_points_and_score_of_decisions(facts: DuckDBPyConnection, studied: list[Studied]) -> None:
    """By turns: each variant has every third kind of decisions, in the thorough tier all."""
    for number, (variant, by) in enumerate(product(VARIANTS, KEYS)):
        if number % 3 and not is_thorough():
            continue
        chosen = [
            (hand, each, (str(KEYS[by](hand, each)),))
            for hand in studied
            for each in hand.decisions()
            if hand.variant == variant and is_choice(each) and KEYS[by](hand, each) is not None
        ]
        points = recounted((key, each.loss or 0) for _, each, key in chosen)
        same(figure(facts, "cost-per-decision", by, variant=variant), points, variant, by)
        score = recounted(
            (key, each.score_loss) for _, each, key in chosen if each.score_loss is not None
        )
        same(figure(facts, "score-cost-per-decision", by, variant=variant), score, variant, by)


def test_decisions_and_those_without_a_choice(
    facts: DuckDBPyConnection, studied: list[Studied]
) -> None:
    every = [each for hand in studied for each in hand.decisions()]
    alone = [float(each.choices == 1) for each in every]
    assert 0 < sum(alone) < len(alone)
    same(figure(facts, "no-choice"), {(): (sum(alone) / len(alone), len(alone))})
    count = sum(map(is_choice, every))
    same(figure(facts, "decisions"), {(): (count, count)})
    same(figure(facts, "solved-hands"), {(): (len(studied), len(studied))})


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_hand_cost_its_players(
    facts: DuckDBPyConnection, studied: list[Studied], variant: str
) -> None:
    """Who took no decision in a hand lost nothing in it, and the hand counts."""
    seated = [
        (hand, seat)
        for hand in studied
        if hand.variant == variant
        for seat in range(hand.played.rules.seats)
    ]
    for name, value in (
        ("cost-per-hand", sum),
        ("dearest", lambda each: max(each, default=0)),
    ):
        due = recounted(
            ((hand.player(seat),), value([each.loss or 0 for each in hand.decisions(seat)]))
            for hand, seat in seated
        )
        same(figure(facts, name, "player", variant=variant), due)
    due = recounted(
        ((hand.player(seat),), sum(each.score_loss or 0 for each in hand.decisions(seat)))
        for hand, seat in seated
        if hand.hand.score is not None
    )
    same(figure(facts, "score-cost-per-hand", "player", variant=variant), due)


def test_contracts_that_best_play_makes(facts: DuckDBPyConnection, studied: list[Studied]) -> None:
    contracts = [
        (bool(hand.hand.could_be_made), bool(hand.made))
        for hand in studied
        if hand.hand.could_be_made is not None and hand.made is not None
    ]
    same(figure(facts, "makeable"), recounted(((), float(could)) for could, _ in contracts))
    for name, wanted in (("makeable-made", True), ("unmakeable-made", False)):
        due = recounted(((), float(made)) for could, made in contracts if could == wanted)
        same(figure(facts, name), due)


def test_makers_against_par_is_what_all_decisions_came_to(
    facts: DuckDBPyConnection, studied: list[Studied]
) -> None:
    due = recounted(
        (
            (),
            sum((each.loss or 0) * (-1 if each.by_makers else 1) for each in hand.decisions()),
        )
        for hand in studied
        if hand.variant == "pedro"
    )
    same(figure(facts, "over-par", variant="pedro"), due)


def test_players_are_ranked_by_what_their_decisions_cost(facts: DuckDBPyConnection) -> None:
    chosen = Filters.of({"variant": "pedro"})
    frame = standings(facts, METRIC["cost-per-hand"], "player", chosen, 1)
    ranked = {(row["player"],): (row["value"], row["n"]) for row in frame.to_dicts()}
    assert len(ranked) == 4
    same(figure(facts, "cost-per-hand", "player", variant="pedro"), ranked)


def test_hands_are_found_by_a_kind_of_loss(
    facts: DuckDBPyConnection, studied: list[Studied]
) -> None:
    chosen = Filters.of({"loss-kind": "led trumps"})
    due = {
        hand.played.hand.id
        for hand in studied
        if any(each.loss_kind == "led trumps" for each in hand.decisions())
    }
    assert due
    for cases in (None, Cases(METRIC["cost-per-decision"])):
        query, parameters = hands_behind(cases, chosen)
        found = facts.execute(
            f"SELECT hand_id FROM ({query}) JOIN games.hands USING (hand_no)",  # noqa: S608 - our own
            parameters,
        ).fetchall()
        assert {name for (name,) in found} == due


def test_a_scope_has_the_decisions_of_its_hands(db: Path, studied: list[Studied]) -> None:
    snapshot = current_snapshot(db)
    assert snapshot
    chosen = [hand for hand in studied if hand.variant == "sancho"]
    due = sum(is_choice(each) for hand in chosen for each in hand.decisions())
    with open_scope_of(snapshot, Scope(variants=("sancho",))) as within:
        assert figure(within, "decisions") == {(): (due, due)}


def test_every_figure_of_solved_hands_has_its_cases_here(facts: DuckDBPyConnection) -> None:
    for metric in OF_SOLVED:
        frame = measure(facts, metric.name, ("variant",))
        assert frame.height == 3 or metric.kind != Kind.COUNT
        assert not frame.is_empty()
