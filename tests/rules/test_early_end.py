"""Stopping play when the contract is decided (S08): made or set, whatever comes."""

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.sound_hands import instead, twenty_nine, up_to
from tests.kit.support import Options, judged, play_table, rules_of
from tricklog import Hand, Verb, replay
from tricklog.core.engine import engine
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import early_end

DECIDED: Options = {"early_end": "when-decided"}

# Seats 0 and 2 play the hand. After trick 5 they have 13 points, after trick 6 they have 16. Trick
# 7 brings the others 5, and 7 points are left.
FIFTH, SIXTH, SEVENTH = "3 play QC", "3 play KC", "3 play AS"


def stopped(after: str, *words: str, bid: int = 16, options: Options = DECIDED) -> Hand:
    hand = instead(replace(twenty_nine(), claimed=UNSET), "0 bid 16", f"0 bid {bid}")
    hand = replace(up_to(hand, after), rules=replace(hand.rules, options=dict(options)))
    return replace(hand, actions=[*hand.actions, *words])


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
