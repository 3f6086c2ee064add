"""The bots: better than random play in every game, and each with the temperament of its name."""

import random
from collections.abc import Iterator
from itertools import islice, product

import pytest

from tests.kit.bot_games import Tally, against_random, among_bots
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import Hand, Verdict, generate, load_variant, replay, variants
from tricklog.core.bots.generate import TEMPERAMENTS, UNTRAINED, Bot, fit, play_game, practised
from tricklog.core.card_sense.choices import features_of, share_of
from tricklog.core.native import library
from tricklog.schemas.cards import mask_of, parse_cards

STEADY, BOLD, CAREFUL, WEAK = TEMPERAMENTS
CONTRACTS = 500
"""So many show the order of the temperaments in spite of luck."""


@pytest.mark.parametrize("variant", variants() if is_thorough() else ["pedro"])
def test_they_beat_random_play(variant: str) -> None:
    # A game of Lucknow has many times the hands of another, and luck less to say in it.
    games = 10 if variant == "lucknow" else 20
    tally = against_random(variant, games=games, seed=1)
    assert tally.finished == games
    assert tally.won_by_bots >= 0.9 * games


@pytest.fixture(scope="module", params=some(variants(), 1))
def among(request: pytest.FixtureRequest) -> Tally:
    # Games are of very different lengths: as many contracts say as much of each.
    tally = among_bots(request.param, games=100, seed=2, contracts=CONTRACTS)
    assert tally.bid.total() >= CONTRACTS
    return tally


def test_they_make_their_contracts_neither_always_nor_seldom(among: Tally) -> None:
    assert 0.4 <= among.made_rate <= 0.9


def test_the_bold_bid_more_and_make_less(among: Tally) -> None:
    assert among.bid[BOLD.name] > among.bid[STEADY.name] > among.bid[CAREFUL.name]
    assert among.rate_of(BOLD) < among.rate_of(STEADY)


@pytest.mark.parametrize(
    ("variant", "seats"), some([*product(("sancho", "snoozer"), (5, 6, 7))], 1)
)
def test_larger_tables_play_to_the_end(variant: str, seats: int) -> None:
    hands = list(generate(variant, 1, 3, players=seats))
    assert all(len(hand.players) == seats for hand in hands)
    outcome = replay(hands[-1]).outcome
    assert outcome
    assert outcome.game_over
    tally = against_random(variant, games=(games := scaled(4, most=12)), seed=1, seats=seats)
    assert tally.won_by_bots >= games - 1


def test_practice_is_the_same_each_time_and_minds_the_rules() -> None:
    pedro, king_pedro = load_variant("pedro"), load_variant("king-pedro")
    assert practised(pedro, 4) == practised(pedro, 4) != practised(king_pedro, 4)


def test_a_better_hand_is_worth_more() -> None:
    ruleset = load_variant("pedro")
    rules, mind = ruleset.rules(4), practised(ruleset, 4).mind()
    strong = mask_of(parse_cards("AS KS QS JS TS 5S 2S 3H 4H"))
    weak = mask_of(parse_cards("9S 7H 6H 4D 3D 8C 7C 6C 3C"))
    shares = [share_of(mind, features_of(rules, held, 0)) for held in (strong, weak)]
    assert shares[0] > shares[1] + 0.2


def test_a_fit_finds_what_the_figures_were_made_of() -> None:
    chance = random.Random(1)
    rules = load_variant("pedro").rules(4)
    rows = []
    for _ in range(400):
        cards = mask_of(chance.sample(range(52), 9))
        rows.append(features_of(rules, cards, 0))
    shares = [sum(w * x for w, x in zip(UNTRAINED.weights, row, strict=True)) for row in rows]
    found = fit(rows, shares)
    assert found.spread < 0.01
    assert found.weights == pytest.approx(UNTRAINED.weights, abs=0.02)


class Guest(Bot):
    """A bot at a table of players who are asked one by one."""


@pytest.mark.parametrize("variant", some(variants(), 3))
def test_the_library_plain_python_and_a_table_of_players_play_the_same_games(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_library = list(islice(games_of(variant, Bot), 6))
    assert all(replay(hand).verdict == Verdict.VALID for hand in by_library)
    assert list(islice(games_of(variant, Guest), 6)) == by_library
    monkeypatch.setattr(library, "is_there", lambda: False)
    assert list(islice(games_of(variant, Bot), 6)) == by_library


def games_of(variant: str, kind: type[Bot]) -> Iterator[Hand]:
    ruleset, chance = load_variant(variant), random.Random(5)
    (first,) = islice(generate(variant, 1, 1), 1)
    judgement = practised(ruleset, len(first.players))
    bots = [
        kind(TEMPERAMENTS[seat % len(TEMPERAMENTS)], seat, judgement, chance)
        for seat in range(len(first.players))
    ]
    while True:
        yield from play_game(first, ruleset, bots, chance)
