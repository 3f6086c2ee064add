"""What was planted into seasons is covered by their intervals, as often as these say.

Seasons are made of ledgers drawn at random, with what was planted known exactly: one player is
dealt better cards, one bids too high, one plays weakly. ``tests.long.ledger_coverage`` does the
same with hands that are dealt, played and worked out, of which one season is looked at here.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.kit.accounts import seats_of_hand
from tests.long import ledger_coverage as club
from tricklog.core.study.averages import Averages
from tricklog.ingest.study.kept_ledgers import STOCKS, Key, LedgerRow
from tricklog.ingest.study.season import season_of

SEASONS = 400
LUCKY, BOLD, WEAK, PLAIN = range(4)
NAMES = ("lucky", "bold", "weak", "plain")
LUCK, TOO_HIGH, CARDS, WEAK_CARDS = 1.5, -4.0, -1.5, -3.5
TRUE = {
    ("lucky", "deal"): LUCK,
    ("weak", "deal"): LUCK,
    ("plain", "deal"): -LUCK,
    ("bold", "own bids"): TOO_HIGH / 4,
    ("plain", "own bids"): 0.0,
    ("weak", "own cards as maker's side"): WEAK_CARDS / 2,
    ("weak", "own cards in defence"): WEAK_CARDS / 2,
    ("lucky", "own cards in defence"): CARDS / 2,
    ("weak", "draw"): 0.0,
}
"""Means a hand, by player and part. Lucky and weak sit on one side; each side makes half."""
Interval = tuple[float, float]


@pytest.fixture(scope="module")
def averages(tmp_path_factory: pytest.TempPathFactory) -> Averages:
    """An average deal that brings nothing, for certain."""
    found = Averages("0" * 64, 4, folder=tmp_path_factory.mktemp("averages"))
    found.add([(((0, 0, 1), (0, 0, 1)), None)] * 3)
    return found


def season(chance: np.random.Generator) -> tuple[pl.DataFrame, dict[Key, LedgerRow]]:
    """Return the hands of a season and their ledgers; hands of a game go together."""
    kept: dict[Key, LedgerRow] = {}
    seats: list[dict[str, Any]] = []
    for game in range(16):
        shift = chance.normal(0, 2)
        for _ in range(int(chance.integers(5, 12))):
            hand = {"variant": "pidro", "ruleset": "rules", "hand_no": len(kept), "game_no": game}
            content = len(kept).to_bytes(16)
            kept[content, "rules"] = row(chance, shift)
            seats += seats_of_hand(NAMES, (0, 1, 0, 1), **hand, content=content)
    return pl.DataFrame(seats), kept


def row(chance: np.random.Generator, shift: float) -> LedgerRow:
    """Return the ledger of a hand of somebody who made the bid."""
    maker = int(chance.integers(4))
    sign = np.array([1 if (seat - maker) % 2 == 0 else -1 for seat in range(4)])
    at_par = sign[LUCKY] * (LUCK + shift) + chance.normal(0, 6)
    draw = chance.normal(0, 4)
    auction = np.zeros(4)
    auction[maker] = chance.normal(TOO_HIGH if maker == BOLD else 0.0, 3)
    cost = np.array([WEAK_CARDS if seat == WEAK else CARDS for seat in range(4)])
    cards = sign * -chance.gamma(0.5, -2 * cost)
    ours = sign > 0
    amounts = [at_par, draw, 0.0, *auction, *np.zeros(4), *(cards * ours), *(cards * ~ours)]
    whole = np.rint(np.array(amounts) * STOCKS).astype(int)
    whole[2] = whole.sum()
    return LedgerRow(
        None,
        maker=maker,
        makers=int(sum(1 << seat for seat in range(4) if ours[seat])),
        score=tuple(int(each) for each in whole),
        points=tuple(int(each) for each in whole),
    )


def seasons(averages: Averages, seed: int, count: int) -> Iterator[dict[tuple[str, str], Interval]]:
    """Yield the intervals of what was planted, season by season."""
    chance = np.random.default_rng(seed)
    for _ in range(count):
        seats, kept = season(chance)
        found = season_of(seats, kept, lambda *_: averages, by="player", unit="score")
        by_name = {total.players[0]: total for total in found.totals}
        means = {(name, part): by_name[name].line(part).mean for name, part in TRUE}
        assert None not in [end for mean in means.values() for end in (mean.low, mean.high)]
        yield {key: (mean.low or 0.0, mean.high or 0.0) for key, mean in means.items()}


@pytest.mark.thorough("many seasons; intervals too narrow find what was not planted, as well")
def test_intervals_cover_what_was_planted(averages: Averages) -> None:
    hits = dict.fromkeys(TRUE, 0)
    for found in seasons(averages, 5, SEASONS):
        for key, truth in TRUE.items():
            hits[key] += found[key][0] <= truth <= found[key][1]
    whole = sum(hits.values()) / (SEASONS * len(TRUE))
    assert 0.92 < whole < 0.98, hits
    assert min(hits.values()) > 0.85 * SEASONS, hits


def test_what_was_planted_is_found_and_nothing_else(averages: Averages) -> None:
    """Over seasons on end the interval leaves out 0 where something is, and only there."""
    apart = dict.fromkeys(TRUE, 0)
    for found in seasons(averages, 6, 30):
        for key, (low, high) in found.items():
            apart[key] += not low <= 0 <= high
    assert apart["weak", "own cards in defence"] > 25
    assert apart["bold", "own bids"] > 10
    assert apart["plain", "own bids"] < 6
    assert apart["weak", "draw"] < 6


@pytest.mark.thorough("thirty games are played and worked out")
def test_what_is_put_into_a_club_comes_out() -> None:
    """Of hands that are dealt, played and worked out, as the page shows them."""
    found = {(each.who, each.part): each for each in club.season_played((1, 30))}
    assert found[club.LUCKY, "deal"].low > 0
    for name in club.PEOPLE:
        assert found[name, "draw"].low <= 0 <= found[name, "draw"].high, name
    for part in ("own bids", "own cards as maker's side", "own cards in defence"):
        lucky, plain = found[club.LUCKY, part], found[club.PLAIN, part]
        assert max(lucky.low, plain.low) <= min(lucky.high, plain.high), part
    for name, part in ((club.WEAK, "own cards in defence"), (club.BOLD, "own bids")):
        for other in {*club.PEOPLE} - {name}:
            assert found[name, part].high < found[other, part].value, (part, other)
