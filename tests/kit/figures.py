"""Games that tests of figures count in, and their warehouses, made once for all processes.

Four people sit together in every order, in four games, and in each variant a game begins every
four days. Five play alone in another warehouse, and a third has a game of every variant. All of
them are to be read only.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import cache
from itertools import groupby, permutations
from pathlib import Path

from msgspec.structs import replace

from tests.kit.facts import shared_facts
from tests.kit.log_lines import generated
from tests.kit.made_once import played
from tests.kit.page_blocks import REPOSITORY
from tests.kit.solved import grade_some, solve_all, value_few
from tricklog import Filters, Hand, Player, Replay, Verdict, read, replay

PEOPLE = ("ann", "bo", "cy", 'dee "; DROP')
FIRST, SECOND, THIRD, RARE = "pedro", "pidro", "king-pedro", "twenty-nine"
GAMES = {FIRST: (24, 1), SECOND: (21, 8), THIRD: (12, 4), RARE: (2, 3)}
"""By variant how many games there are, and their seed. The last ones are too few to compare."""
SOLVED = Filters.of({"variant": SECOND, "hand-number": "1..2"})
"""What is solved of them: hands of a game that is solved in no time."""
FEW_OF_SAMPLES = (
    Filters.of({"variant": ("pidro", "sancho"), "hand-number": "1"}),
    Filters.of({"result": "thrown_in", "hand-number": "1..3"}),
)
"""Samples held against par: some of cheap games, and deals passed out."""


def seated(hands: Iterable[Hand], order: tuple[str, ...]) -> Iterator[Hand]:
    for hand in hands:
        yield replace(
            hand,
            id=f"{hand.id} {order[0]}",
            game=f"{hand.game} {order[0]}",
            players=[Player(each) for each in order],
        )


@cache
def of_four() -> tuple[Hand, ...]:
    """Return the games of four who sit together in every order."""
    found: list[Hand] = []
    orders = list(permutations(PEOPLE))
    for variant, (games, seed) in GAMES.items():
        by_game = groupby(generated(variant, games, seed), key=lambda hand: hand.game)
        for number, (_, hands) in enumerate(by_game):
            day = date(2026, 1, 5) + timedelta(days=4 * number)
            found += [
                replace(hand, started_at=f"{day}T19:00:00Z")
                for hand in seated(hands, orders[7 * number % len(orders)])
            ]
    return tuple(found)


@cache
def of_singles() -> tuple[Hand, ...]:
    """Return games of five who each play alone."""
    return played("sancho", 4, 2, players=5)


@cache
def sound(variant: str = "") -> tuple[Replay, ...]:
    """Return the replays of the valid hands of a variant; of all games of four by default."""
    hands = of_singles() if variant == "sancho" else of_four()
    wanted = [hand for hand in hands if variant in ("", hand.rules.variant)]
    return tuple(item for item in map(replay, wanted) if item.verdict is Verdict.VALID)


def of_samples() -> Iterator[Hand]:
    """Yield the first game of every sample, and some hands with findings."""
    folder = REPOSITORY / "sample_logs"
    for pattern in ("valid/*/*.jsonl", "invalid/play/*.jsonl"):
        for path in sorted(folder.glob(pattern)):
            yield from [item.hand for item in read(path) if item.hand][:14]


def work_out_some(db: Path) -> None:
    solve_all(db, SOLVED)
    january = Filters.of({"variant": SECOND, "hand-number": "1"}, until=date(2026, 1, 25))
    value_few(db, of=[january])
    grade_some(db, hands=1, of=Filters.of({"variant": SECOND}))


def work_out_samples(db: Path) -> None:
    solve_all(db, Filters.of({"hand-number": "1..2"}))
    value_few(db, of=FEW_OF_SAMPLES)
    grade_some(db, of=Filters.of({"variant": "pidro", "hand-number": "1..2"}))


figures = shared_facts("figures", of_four, work_out_some)
"""The facts of the games of four, some of them solved."""
singles = shared_facts("singles", of_singles)
"""The facts of the games in which each plays alone."""
samples = shared_facts("samples", of_samples, work_out_samples)
"""The facts of a game of every variant, solved, and of some hands with findings."""
