"""Deals thrown in because of the cards (docs/rules/17-bangladesh.md; O59, O61, O62, S101)."""

import pytest

from tests.kit.support import Options, hand_of, judged, play_table, rules_of
from tricklog import Hand, Verb, replay
from tricklog.core.engine import engine
from tricklog.core.engine.rules import early_end

# Seat 3 deals, and play goes round anticlockwise: 2, 1, 0, 3. Seat 2 bids 16 in clubs.
CALLS = ["2 bid 16", "1 pass", "3 pass", "0 pass"]
FIRST = ["JS KS 8S 7S", "JH 9H KH QH", "JC 9C 8C KC", "JD 9D KD QD"]
REST = ["AD TD 8D 7D", "9S AS TS QS", "AC TC QC 7C", "AH TH 8H 7H"]


def deal_of(first: list[str], rest: list[str]) -> list[str]:
    return [f"{now} {later}" for now, later in zip(first, rest, strict=True)]


def given(*actions: str, deal: list[str] | None = None, options: Options | None = None) -> Hand:
    return hand_of("bangladesh", list(actions), options=options, deal=deal or deal_of(FIRST, REST))


# --- The first two players need a point card among their first four (O59)
def without_points(seat: int) -> list[str]:
    """Return first cards of which those of a seat carry no points."""
    worthless = {0: "KS QS 8S 7S", 1: "KH QH 8H 7H", 2: "KC QC 8C 7C", 3: "KD QD 8D 7D"}
    return [worthless[each] if each == seat else cards for each, cards in enumerate(FIRST)]


def deal_without_points(seat: int) -> list[str]:
    first = without_points(seat)
    pack = {rank + suit for suit in "SHDC" for rank in "J9ATKQ87"}
    spare = sorted(pack - set(" ".join(first).split()))
    return deal_of(first, [" ".join(spare[4 * each : 4 * each + 4]) for each in range(4)])


# --- The defenders need a trump above the seven (O62)
def clubs_with(defenders: str) -> list[str]:
    """Seats 1 and 3 hold the clubs `defenders`; seats 0 and 2 all others, with points each."""
    theirs = defenders.split()
    ours = [rank + "C" for rank in "J9ATKQ87" if rank + "C" not in theirs]
    plain = [rank + suit for rank in "J9ATKQ87" for suit in "HSD"]
    hands: list[list[str]] = [[], theirs[:1], [], theirs[1:]]
    hands[2], hands[0] = ours[:4], ours[4:]
    for seat in (2, 1, 0, 3):
        while len(hands[seat]) < 8:
            hands[seat].append(plain.pop(0))
    return [" ".join(hand) for hand in (hands[0], hands[1], hands[2], hands[3])]


def test_o62_what_the_defenders_play_later_proves_it() -> None:
    # No deal is recorded, but every card comes to light.
    rules = rules_of("bangladesh")
    deal = clubs_with("7C")
    state = play_table(rules, "C", dict(enumerate(deal)), leader=2)
    assert early_end.by_defence(state, rules) == early_end.DUE
    hidden = play_table(rules, "C", {}, leader=2, size=8)
    assert early_end.by_defence(hidden, rules) == early_end.OPEN
    half = play_table(rules, "C", {2: deal[2], 0: deal[0]}, leader=2, size=8)
    assert early_end.by_defence(half, rules) == early_end.DUE
    assert judged(hidden, rules, "2 throw-in") == ["stopped-without-cause"]


def test_s101_nothing_else_is_offered_where_the_deal_is_thrown_in() -> None:
    replayed = replay(given(*CALLS, deal=deal_without_points(2)))
    state = replayed.state_at(0)
    rules = rules_of("bangladesh")
    for seat in range(4):
        assert engine.legal(state, rules, seat).verbs == 1 << Verb.THROW_IN
    assert replayed.at(0).choice.sentence == "cy is to throw the deal in."


@pytest.mark.parametrize(
    ("ranks", "held", "found"),
    [
        ("J9ATKQ87", "7C", early_end.DUE),
        ("J9ATKQ78", "8C", early_end.DUE),
        ("J9ATKQ78", "7C", early_end.NO_CAUSE),
        ("J9ATKQ6", "6C", early_end.DUE),
    ],
)
def test_o62_the_lowest_trump_is_of_the_pack_in_play(ranks: str, held: str, found: int) -> None:
    packets: Options = {"ranks": ranks, "packets": [4, len(ranks) - 4], "hand_size": len(ranks)}
    rules = rules_of("bangladesh", packets)
    clubs = [rank + "C" for rank in ranks if rank + "C" != held]
    hands = {0: "AS", 1: held, 2: " ".join(clubs), 3: "AD"}
    state = play_table(rules, "C", hands, leader=2)
    assert early_end.by_defence(state, rules) == found


def test_o62_o39_with_ranks_reversed_the_jack_is_the_lowest() -> None:
    rules = rules_of("bangladesh", {"twos": "suit-reversed"})
    for held, found in (("JC", early_end.DUE), ("7C", early_end.NO_CAUSE)):
        clubs = [rank + "C" for rank in "J9ATKQ87" if rank + "C" != held]
        hands = {0: "AS", 1: held, 2: " ".join(clubs), 3: "AD"}
        state = play_table(rules, "C-reversed", hands, leader=2)
        assert early_end.by_defence(state, rules) == found
