"""What the solver does not take on is refused with a sentence, by rules and state alone."""

from copy import deepcopy

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.open_play import SHAPES
from tests.kit.support import ruleset_for
from tricklog.core import Verdict, generate, replay
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import NO_TRUMPS, Rules, State, copy_state
from tricklog.core.judging.replayer import Replay
from tricklog.core.study import Refused, Solver, open_hand, refusal, refusal_of_state
from tricklog.schemas.hand import Hand, OptionValue


def rules_of(variant: str, seats: int, **options: OptionValue) -> Rules:
    # A ruleset keeps its record, and these are to be changed.
    return deepcopy(ruleset_for(variant, options).rules(seats))


@pytest.mark.parametrize("name", SHAPES)
def test_every_way_of_playing_is_taken_on(name: str) -> None:
    assert refusal(SHAPES[name].rules) is None


def off_five_in_secret() -> Rules:
    rules = rules_of("twenty-nine", 4)
    rules.suit[0][3 * 13 + 3] = 0
    rules.suit[NO_TRUMPS][3 * 13 + 3] = 3
    rules.pack |= 1 << 3 * 13 + 3
    return rules


def with_points(points: int) -> Rules:
    rules = rules_of("pedro", 4)
    rules.points[0][12] = points
    return rules


def with_pair(**fields: int) -> Rules:
    rules = rules_of("twenty-nine", 4)
    for name, value in fields.items():
        setattr(rules, name, value)
    return rules


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (
            rules_of(
                "sancho",
                5,
                game_point="count",
                both_over="makers",
                points={"A": 1, "J": 1, "5": 5, "2": 1},
            ),
            "game_point is count where each plays alone",
        ),
        (with_pair(sides=1, side_count=4), "pair changes the contract where each plays alone"),
        (off_five_in_secret(), "trump_call is secret while a card changes its suit"),
        (with_points(1600), "points come to more than 1500"),
        (with_points(-1), "points below nothing"),
        (with_pair(pair_shift=500), "pair_shift is more than 400"),
    ],
)
def test_rules_are_refused_with_the_rule_and_the_reason(rules: Rules, words: str) -> None:
    assert (refusal(rules) or "").startswith(words)
    with pytest.raises(Refused, match=words):
        Solver(rules, compiled=False)


@pytest.fixture(scope="module")
def played() -> Replay:
    return replay(next(iter(generate("pedro", 1, 3))))


def first_lead(played: Replay) -> State:
    states = (played.state_at(index) for index in range(len(played)))
    return copy_state(next(state for state in states if state.phase == Phase.PLAY))


def changed(state: State, **fields: int) -> State:
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def without_a_card(state: State) -> State:
    state.unknown[state.turn] = 1
    return state


def with_unnamed_card(state: State) -> State:
    state.played = 1
    state.trick_cards[state.turn] = -1
    return state


def with_too_many(state: State) -> State:
    state.trick = 3
    return state


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda state: changed(state, thrown_in=1), "the deal is thrown in"),
        (lambda state: changed(state, trick=0), "the play has not begun"),
        (lambda state: changed(state, maker=-1), "nobody is the maker"),
        (lambda state: changed(state, trump=-1), "the record does not say what trumps are"),
        (lambda state: changed(state, seventh_unknown=1), "the record does not say what trumps"),
        (lambda state: changed(state, owed=2), "somebody has played out of turn"),
        (without_a_card, "the record does not name every card in hand"),
        (with_unnamed_card, "the record does not name every card of the trick"),
        (with_too_many, "somebody holds more cards than there are tricks"),
    ],
)
def test_moments_are_refused_with_the_reason(played: Replay, change: object, words: str) -> None:
    assert callable(change)
    state = change(first_lead(played))
    assert (refusal_of_state(state, played.rules) or "").startswith(words)
    with pytest.raises(Refused, match=words):
        Solver(played.rules, compiled=False).value(state)


def test_a_sound_moment_is_not_refused(played: Replay) -> None:
    assert refusal_of_state(first_lead(played), played.rules) is None


def test_records_that_are_not_valid_have_no_values(played: Replay) -> None:
    hand = played.hand
    plays = [index for index, text in enumerate(hand.actions) if " play " in text]
    moved = next(at for at, text in enumerate(hand.actions) if text.split()[1] in ("bury", "play"))
    spoilt = replace(hand, actions=[each for at, each in enumerate(hand.actions) if at != plays[5]])
    with pytest.raises(Refused, match="only valid play has a value"):
        open_hand(replay(spoilt))
    bare = replace(hand, actions=hand.actions[:moved], claimed=UNSET, status="incomplete")
    with pytest.raises(Refused, match="the record shows no play"):
        open_hand(replay(bare))


def test_a_record_that_stops_early_has_no_value_after_a_fault() -> None:
    hand = next(iter(generate("pedro", 1, 5)))
    first = next(place for place, deed in enumerate(hand.actions) if " play " in deed)
    leader = int(hand.actions[first][0])
    dealt = (hand.deal or [])[(leader + 1) % 4].split()
    kept = replace(hand, claimed=UNSET, status="in_progress")
    played = replay(replace(kept, actions=hand.actions[: first + 4]))
    assert not played.findings
    assert open_hand(played, budget=50).decisions
    played = wrong_lead(kept, first, (leader + 1) % 4, dealt)
    assert played.verdict is Verdict.INCOMPLETE
    with pytest.raises(Refused, match="the record is irregular"):
        open_hand(played, budget=50)


def wrong_lead(hand: Hand, first: int, seat: int, cards: list[str]) -> Replay:
    """Another player leads, a card that they have kept, and the record stops."""
    for card in cards:
        found = replay(replace(hand, actions=[*hand.actions[:first], f"{seat} play {card}"]))
        if [each.code for each in found.findings] == ["wrong-leader"]:
            return found
    raise AssertionError("nobody can lead wrongly")
