"""Twenty-Nine: hidden trumps, asking and showing, the pair (docs/rules/14-twenty-nine.md)."""

from tests.kit.support import do, judged, play_table, rules_of
from tricklog.core.engine import engine
from tricklog.core.engine.rules import scoring
from tricklog.schemas.actions import Verb


# --- The marriage of Bangladesh (O63)
def test_t142_o63_it_may_be_declared_in_the_middle_of_a_trick() -> None:
    rules = rules_of("bangladesh")
    hands = {0: "KS QS 7H", 2: "7S 8H 9H", 1: "JH AH TH", 3: "8S 7D 8D"}
    state = play_table(rules, "S", hands, leader=2, trick=3)
    state.high_bid, state.reveal_trick = 20, 3
    assert do(state, rules, "2 play 8H") == []
    # The trick in which trumps were shown has to be over.
    assert judged(state, rules, "0 pair") == ["pair-not-now"]
    state.reveal_trick = 2
    assert judged(state, rules, "0 pair") == []
    assert engine.legal(state, rules, 0).verbs >> Verb.PAIR & 1
    assert do(state, rules, "1 play JH") == []
    assert judged(state, rules, "2 pair") == ["pair-not-held"]
    assert do(state, rules, "0 pair") == []
    assert scoring.points_needed(state, rules) == 16
    base = rules_of("twenty-nine")
    assert judged(state, base, "0 pair") == ["pair-not-now"]
