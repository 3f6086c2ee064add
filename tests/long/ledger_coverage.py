"""How often intervals of the ledger cover what is so: ``python -m tests.long.ledger_coverage``.

``[CLUBS] [GAMES]``. Four people play the same season at one table again and again with other cards,
and where they sit is drawn before each game. One is dealt better cards: of two deals they get the
one with the better first hand for them. One plays without thinking, one bids far above their cards,
one is like the lucky one but for the luck.
What is so is the mean over all of the seasons; each season has its own average deals, too. Of the
intervals of 95 % that single seasons give, as ``tricklog show ledger`` and the page show them, 95
of 100 have to cover it, for what was planted and for everything else.
"""

import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple
from unittest.mock import patch

from msgspec.structs import replace

from tests.kit.accounts import key_of, seats_of_hands
from tests.kit.at_table import begun
from tests.kit.support import hand_of
from tricklog import Hand, Ruleset
from tricklog.core import load_variant, replay
from tricklog.core.bots import generate
from tricklog.core.bots.generate import Bot, Temperament, practised, with_cards
from tricklog.core.card_sense.choices import features_of, share_of, shuffled
from tricklog.core.engine.records import Rules
from tricklog.core.study import Solver
from tricklog.core.study.averages import Averages, value_deal
from tricklog.ingest.loading.workers import Aside, Done, Task, Team, cores
from tricklog.ingest.study.kept_ledgers import LedgerRow, row_of
from tricklog.ingest.study.season import Season, season_of

VARIANT: Final = "pidro"
SEATS: Final = 4
LUCKY, WEAK, BOLD, PLAIN = "lucky", "weak", "bold", "plain"
PEOPLE: Final = {
    LUCKY: Temperament("steady", -0.1, 0.0),
    WEAK: Temperament("weak in play", -0.1, 0.5),
    BOLD: Temperament("bold", 1.2, 0.0),
    PLAIN: Temperament("steady", -0.1, 0.0),
}
CLUBS: Final = 40
GAMES: Final = 16
DEALS: Final = 40
PLANTED: Final = (
    (LUCKY, "deal"),
    (WEAK, "own cards as maker's side"),
    (WEAK, "own cards in defence"),
    (BOLD, "own bids"),
)
_SIZE: Final = 1 << 17


def games_of(ruleset: Ruleset, games: int, seed: int) -> Iterator[list[Hand]]:
    """Yield the hands of each game."""
    judgement = practised(ruleset, SEATS)
    for game in range(games):
        chance = random.Random(f"{seed}/{game}")
        seated = chance.sample(sorted(PEOPLE), SEATS)
        dealer, name = chance.randrange(SEATS), f"game-{game}"
        first = hand_of(VARIANT, id="", players=seated, dealer=dealer, game=name)
        first = replace(first, started_at="2026-11-20T14:00:00Z")

        def dealt(
            rules: Rules, given: random.Random, first: Hand = first, at: int = seated.index(LUCKY)
        ) -> list[int]:
            def worth(cards: list[int]) -> float:
                """The share of the points that the lucky one may expect with their best suit."""
                held, mind = begun(with_cards(first, rules, cards), ruleset), judgement.mind()
                features = (features_of(rules, held.holding[at], trump) for trump in range(4))
                return max(share_of(mind, each) for each in features)

            return max([shuffled(rules, given) for _ in range(2)], key=worth)

        bots = [Bot(PEOPLE[name], seat, judgement, chance) for seat, name in enumerate(seated)]
        with patch.object(generate, "shuffled", dealt):
            yield list(generate.play_game(first, ruleset, bots, chance))


class Shown(NamedTuple):
    """A part as a season shows it."""

    who: str
    part: str
    value: float
    low: float
    high: float


def shown_by(season: Season) -> Iterator[Shown]:
    """Yield the parts of every player that have an interval."""
    for total in season.totals:
        names = [line.name for line in total.lines]
        for line in (*total.lines, *(each for each in total.summary if each.name not in names)):
            mean = line.mean
            if mean.low is not None and mean.high is not None and mean.high > mean.low:
                yield Shown(total.players[0], line.name, float(mean.value), mean.low, mean.high)


def season_played(asked: tuple[int, int]) -> list[Shown]:
    """Return what the season of a number, over so many games, shows."""
    seed, games = asked
    ruleset = load_variant(VARIANT)
    rules = ruleset.rules(SEATS)
    solver = Solver(rules)
    with tempfile.TemporaryDirectory() as folder:
        averages = Averages(ruleset, SEATS, folder=Path(folder))
        first = seed * DEALS
        averages.add([value_deal(number, solver) for number in range(first, first + DEALS)])
        kept: dict[tuple[bytes, str], LedgerRow] = {}
        hands = [hand for game in games_of(ruleset, games, seed) for hand in game]
        for hand in hands:
            kept[key_of(hand, ruleset.hash)] = row_of(replay(hand), solver, averages)
        seats = seats_of_hands(hands, rules, ruleset.hash)
        return list(
            shown_by(season_of(seats, kept, lambda *_: averages, by="player", unit="score"))
        )


def covered(seasons: Iterable[list[Shown]]) -> dict[tuple[str, str], tuple[int, int, float]]:
    """Return by player and part how many intervals cover the mean over seasons, of how many."""
    by_part: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for season in seasons:
        for each in season:
            by_part[each.who, each.part].append(each)
    found = {}
    for key, listed in by_part.items():
        truth = fmean(each.value for each in listed)
        found[key] = sum(each.low <= truth <= each.high for each in listed), len(listed), truth
    return found


def _tasks(clubs: int, games: int) -> Iterator[Task[tuple[int, int], list[Shown]] | Aside[None]]:
    # Run as a program this module has another name, by which no other process finds it.
    own = import_module("tests.long.ledger_coverage")
    for club in range(clubs):
        yield Task(own.season_played, (club, games), _SIZE)


def main(clubs: int, games: int) -> int:
    """Measure, print, and return 1 where too few are covered."""
    seasons = []
    with Team(cores()) as team:
        for done in team.do(_tasks(clubs, games)):
            assert isinstance(done, Done)
            seasons.append(done.result)
            print(f"season {len(seasons)} of {clubs}", file=sys.stderr, flush=True)
    found = covered(seasons)
    print(f"{VARIANT}, {clubs} seasons of {games} games")
    by_part: Counter[str] = Counter()
    of_part: Counter[str] = Counter()
    for (who, part), (hits, count, truth) in sorted(found.items()):
        by_part[part] += hits
        of_part[part] += count
        planted = " planted" if (who, part) in PLANTED else ""
        print(f"{who:6} {part:26} mean {truth:+6.2f}  covered {hits}/{count}{planted}")
    for part, hits in by_part.items():
        print(f"all    {part:26} {hits / of_part[part]:.1%} of {of_part[part]}")
    planted_hits = [found[key] for key in PLANTED if key in found]
    whole = sum(by_part.values()) / sum(of_part.values())
    told = sum(hits for hits, _, _ in planted_hits) / sum(count for _, count, _ in planted_hits)
    print(f"planted {told:.1%}, all {whole:.1%} of {sum(of_part.values())}")
    return int(not (told > 0.9 and 0.92 < whole < 0.98))


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    sys.exit(main(given[0] if given else CLUBS, given[1] if len(given) > 1 else GAMES))
