"""Cases of naming trumps and of moments in play: `naming` and `moment` in `cases/VARIANT/*.txt`.

A moment is a table with some hands, the actions up to it, and what is so then: the words and cards
that a seat is offered, what is judged legal and what not, who has won the last trick.
"""

from tests.kit.rule_cases import Case
from tests.kit.support import card_names, card_set, do, judged, play_table, table_in
from tests.rules.test_cases import cases, check_judgements, rules_for
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import play
from tricklog.schemas.actions import TRUMP_CODES, VERB_NAMES, Verb


@cases("naming")
def test_naming(variant: str, case: Case) -> None:
    """Just the trumps of the case may be named; all others are trumps this game does not have."""
    rules = rules_for(variant, case)
    state = table_in(rules, Phase.TRUMP, "?", {})
    state.turn = 0
    legal = case["legal"].split()
    offered = engine.legal(state, rules, 0)
    named = [name for name, code in TRUMP_CODES.items() if code >= 0 and offered.trumps >> code & 1]
    assert offered.verbs == 1 << Verb.TRUMP
    assert sorted(named) == sorted(legal)
    for name, code in TRUMP_CODES.items():
        expected = [] if name in legal or code < 0 else ["trump-unknown"]
        assert judged(state, rules, f"0 trump {name}") == expected, name


def moment(rules: Rules, case: Case) -> State:
    """Return the table of a case; a seventh card without a name is one not recorded."""
    hands = {int(seat): hand for seat, hand in case["hands"].items()}
    leader = case.get("leader", 0)
    state = play_table(rules, case["trumps"], hands, shown=case.get("shown", False))
    state.maker = case["maker"]
    if state.seventh_called:
        under = case.get("under", "")
        state.seventh, state.seventh_unknown = card_set(under), int(not under)
        state.trump = "SHDC".index(under[1]) if under else state.trump
    state.trick = 0
    play.start_play(state, rules, leader)
    state.trick = case.get("trick", 1)
    return state


@cases("moment")
def test_moment(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    state = moment(rules, case)
    for text in filter(None, case.get("steps", "").split(", ")):
        assert do(state, rules, text) == [], text
    if "seat" in case:
        options = engine.legal(state, rules, case["seat"])
        verbs = {name for verb, name in VERB_NAMES.items() if options.verbs >> verb & 1}
        assert verbs == set(case["verbs"].split())
        assert card_names(options.may) == set(case.get("cards", "").split())
    check_judgements(state, rules, "", case)
    if "winner" in case:
        assert (state.winner, state.points[:2]) == (case["winner"], case["points"])
    if "revealed" in case:
        assert bool(state.revealed) == case["revealed"]
