"""Stopping play when the contract is decided (S08): made or set, whatever comes."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, replay
from replay.engine import engine
from replay.engine.records import Rules, State
from replay.engine.rules import early_end
from schemas.actions import Verb
from schemas.hand import Hand
from tests.kit.sound_hands import instead, pedro, twenty_nine, up_to
from tests.kit.support import Options, codes, do, hand_of, judged, play_table, rules_of

DECIDED: Options = {"early_end": "when-decided"}

# Seats 0 and 2 play the hand. After trick 5 they have 13 points, after trick 6 they have 16. Trick
# 7 brings the others 5, and 7 points are left.
FIFTH, SIXTH, SEVENTH = "3 play QC", "3 play KC", "3 play AS"


def stopped(after: str, *words: str, bid: int = 16, options: Options = DECIDED) -> Hand:
    hand = instead(replace(twenty_nine(), claimed=UNSET), "0 bid 16", f"0 bid {bid}")
    hand = replace(up_to(hand, after), rules=replace(hand.rules, options=dict(options)))
    return replace(hand, actions=[*hand.actions, *words])


def judgement(hand: Hand) -> tuple[list[str], str | None]:
    replayed = replay(hand)
    return codes(replayed), replayed.outcome.result if replayed.outcome else None


def test_s08_without_the_option_play_goes_on_to_the_end() -> None:
    for word in ("0 decided", "1 concede"):
        assert judgement(stopped(SIXTH, word, options={})) == (["not-now"], None)


def test_s08_the_contract_is_made() -> None:
    replayed = replay(stopped(SIXTH, "0 decided"))
    assert replayed.verdict == Verdict.VALID
    assert replayed.outcome is not None
    assert (replayed.outcome.points, replayed.outcome.change) == ((16, 0), (1, 0))
    assert judgement(stopped(SIXTH, "3 decided")) == ([], "made")
    assert judgement(stopped(FIFTH, "0 decided")) == (["stopped-without-cause"], "set")
    assert judgement(stopped(SIXTH, "0 decided", bid=17)) == (["stopped-without-cause"], "set")


def test_s08_the_contract_cannot_be_made_any_more() -> None:
    assert judgement(stopped(SEVENTH, "0 decided", bid=24)) == ([], "set")
    assert judgement(stopped(SEVENTH, "0 decided", bid=23)) == (["stopped-without-cause"], "set")
    assert judgement(stopped(SIXTH, "0 decided", bid=24)) == (["stopped-without-cause"], "set")


def test_o51_s94_a_lost_contract_is_decided_when_its_stake_is() -> None:
    # Of 28 points the makers need 20, and 10 save them from the double loss.
    def rules_for(half: str) -> Rules:
        return rules_of("twenty-nine", {**DECIDED, "half_rule": half})

    def decided(half: str, bid: int, makers: int, others: int) -> int:
        rules = rules_for(half)
        state: State = play_table(rules, "S", {})
        state.maker, state.high_bid, state.revealed = 0, bid, 1
        state.points[:2] = [makers, others]
        return early_end.decided_for(state, rules, 0)

    undecided = early_end.UNDECIDED
    assert decided("none", 20, 5, 8) == undecided
    assert decided("none", 20, 5, 9) == 1
    assert decided("less-than-half", 20, 5, 10) == undecided
    assert decided("less-than-half", 20, 10, 10) == 1
    assert decided("up-to-half", 20, 10, 10) == undecided
    assert decided("up-to-half", 20, 11, 10) == 1
    assert decided("less-than-half", 20, 5, 19) == 1


def test_s08_the_last_trick_counts_in() -> None:
    # With a point for the last trick 8 are left after trick 7.
    options: Options = {**DECIDED, "last_trick_points": 1, "max_bid": 29}
    late = stopped(SEVENTH, "0 decided", bid=24, options=options)
    assert judgement(late) == (["stopped-without-cause"], "set")
    assert judgement(stopped(SEVENTH, "0 decided", bid=25, options=options)) == ([], "set")


@pytest.mark.parametrize(
    ("after", "bid", "givers"), [(SIXTH, 16, {1, 3}), (SEVENTH, 24, {0, 2}), (FIFTH, 16, set())]
)
def test_s08_only_the_side_that_loses_may_give_up(after: str, bid: int, givers: set[int]) -> None:
    for seat in range(4):
        found = codes(replay(stopped(after, f"{seat} concede", bid=bid)))
        assert found == ([] if seat in givers else ["stopped-without-cause"]), seat


def test_s08_it_is_offered_just_where_it_is_judged_legal() -> None:
    hand = stopped(SEVENTH, bid=24)
    replayed = replay(hand)
    for index in range(len(hand.actions) + 1):
        state = replayed.state_at(index)
        for seat in range(4):
            offered = engine.legal(state, replayed.rules, seat).verbs
            for word, verb in (("decided", Verb.DECIDED), ("concede", Verb.CONCEDE)):
                found = judged(state, replayed.rules, f"{seat} {word}")
                assert (found == []) == bool(offered >> verb & 1), (index, seat, word)


def test_s08_nothing_follows() -> None:
    hand = stopped(SIXTH, "0 decided", "0 play KS")
    assert codes(replay(hand)) == ["after-the-end"]


# --- A pair that may still be declared


def table(
    hands: dict[int, str], points: tuple[int, int], bid: int, *, pair: str = "after-own-trick"
) -> tuple[State, Rules]:
    """Return a table at which seat 0 plays spades, and leads to trick 6."""
    rules = rules_of("twenty-nine", {**DECIDED, "pair": pair})
    state = play_table(rules, "S", hands, trick=6)
    state.high_bid = bid
    state.points[:2] = points
    return state, rules


def test_14_pair_a_pair_of_the_defenders_may_still_undo_it() -> None:
    hands = {0: "7C 8C 9C", 1: "KS QS 7D", 2: "7H 8H 9H", 3: "8D 9D TD"}
    state, rules = table(hands, (18, 2), 16)
    assert judged(state, rules, "0 decided") == ["stopped-without-cause"]
    # Not when it changes nothing, when there is none to declare any more, or where there are none.
    for points, pair in (((20, 0), "after-own-trick"), ((18, 2), "none")):
        state, rules = table(hands, points, 16, pair=pair)
        assert judged(state, rules, "0 decided") == []
    short = {0: "7C 8C", 1: "KS QS", 2: "7H 8H", 3: "8D 9D"}
    state, rules = table(short, (18, 2), 16)
    assert judged(state, rules, "0 decided") == []
    split = {**hands, 1: "KS 7S 7D", 3: "QS 9D TD"}
    state, rules = table(split, (18, 2), 16)
    assert judged(state, rules, "0 decided") == []


def test_14_pair_a_pair_of_the_makers_may_still_save_it() -> None:
    hands = {0: "7C 8C 9C", 1: "8D 9D TD", 2: "KS QS 7D", 3: "7H 8H 9H"}
    state, rules = table(hands, (12, 11), 20)
    assert judged(state, rules, "0 decided") == ["stopped-without-cause"]
    state, rules = table(hands, (10, 13), 20)
    assert judged(state, rules, "0 decided") == []
    state, rules = table(hands, (12, 11), 20, pair="none")
    assert judged(state, rules, "0 decided") == []


def test_14_pair_once_declared_it_counts_and_no_other_comes() -> None:
    hands = {0: "7C 8C 9C", 1: "KS QS 7D", 2: "7H 8H 9H", 3: "8D 9D TD"}
    state, rules = table(hands, (18, 2), 16)
    state.pair_side = 1
    assert judged(state, rules, "0 decided") == ["stopped-without-cause"]
    state.points[:2] = [20, 2]
    assert judged(state, rules, "0 decided") == []


def test_a_pair_that_is_only_possible_leaves_it_in_doubt() -> None:
    # Nobody knows whether seat 1 holds king and queen.
    state, rules = table({0: "7C 8C 9C", 2: "7H 8H 9H", 3: "8D 9D TD"}, (18, 2), 16)
    state.unknown[1] = 3
    assert do(state, rules, "0 decided") == []
    assert (state.decided, state.doubt) == (1, 1)
    state, rules = table({0: "7C 8C KS", 2: "7H 8H 9H", 3: "8D 9D TD"}, (18, 2), 16)
    state.unknown[1] = 3
    assert do(state, rules, "0 decided") == []
    assert (state.decided, state.doubt) == (1, 0)


def test_s81_a_hand_that_may_become_void_is_not_decided() -> None:
    state, rules = table({0: "7C 8C", 1: "8D 9D", 2: "7D 8H", 3: "7H 9H"}, (28, 0), 16)
    assert judged(state, rules, "0 decided") == []
    state.revealed = 0
    assert judged(state, rules, "0 decided") == ["stopped-without-cause"]


def test_plays_that_are_not_recorded_leave_it_open() -> None:
    hand = stopped(SIXTH, "0 decided")
    hidden = instead(hand, "0 play TH", "0 play ?")
    hidden = instead(hidden, "2 play TC", "2 play ?")
    replayed = replay(replace(hidden, deal=UNSET))
    assert (replayed.findings, replayed.verdict) == ((), Verdict.DOUBTFUL)


def test_the_option_is_for_every_game() -> None:
    # Bid 9 in Pedro: with trick 4 the makers have what they need.
    def pedro_until(text: str) -> Hand:
        hand = up_to(replace(pedro(), claimed=UNSET), text)
        hand = replace(hand, rules=replace(hand.rules, options=dict(DECIDED)))
        return replace(hand, actions=[*hand.actions, "1 decided"])

    assert codes(replay(pedro_until("3 play QH"))) == ["stopped-without-cause"]
    assert codes(replay(pedro_until("0 play TS"))) == []


# Seat 3 of Nicaragua keeps one trump and is filled up; the dealer then takes nothing.
REFILLED = [
    *("1 pass", "2 bid 10", "3 bid {bid}", "0 pass", "3 trump C", "1 discard QC 9C 7C"),
    *("2 discard 5D 5H", "3 discard TH KS QS 8C 5C 3C", "0 discard 4C", "1 draw TC KC"),
    *("2 draw 8H", "3 draw 4D TS AH 6H JD"),
]


def refilled(word: str, bid: int) -> Hand:
    return hand_of(
        "nicaragua",
        [*(text.format(bid=bid) for text in REFILLED), word],
        options={**DECIDED, "hand_size": 6, "max_bid": 30},
        dealer=0,
        deal=[
            *("5S TD 2D JS 4C QH 2S", "8D 6D 7C QC 9S 6C 9C"),
            *("6S 5D 5H 3D 7S 3S KD", "KS 5C TH 8C 3C JC QS"),
        ],
        stock="TC KC 8H 6H JD AH TS 4D 2H 2C JH 7D 9D 7H QD 4H AS KH AD 8S 3H 9H AC 4S",
    )


def test_s08_play_may_stop_before_the_first_lead_though_somebody_said_nothing() -> None:
    assert judgement(refilled("3 decided", 12)) == (["stopped-without-cause"], "set")
    # There are 14 points in all.
    assert judgement(refilled("3 decided", 15)) == ([], "set")
    assert judgement(refilled("0 concede", 15)) == (["stopped-without-cause"], "set")


def test_s18_points_of_cards_laid_off_decide_as_well() -> None:
    state, rules = table({0: "7C", 1: "8D", 2: "7D", 3: "7H"}, (14, 8), 20, pair="none")
    assert judged(state, rules, "0 decided") == ["stopped-without-cause"]
    state.discard_points[0] = 6
    assert judged(state, rules, "0 decided") == []
    state.discard_points[:2] = [0, 1]
    assert judged(state, rules, "0 decided") == []
