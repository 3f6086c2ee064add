"""Options that programs play by, over whole hands. See docs/rules/18-as-played.md."""

import pytest
from msgspec.structs import replace

from tests.kit.support import rules_of, table_in
from tricklog import Hand, RulesRef, Verdict, generate, replay
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules import early_end

PACK_FIRST = RulesRef("pidro", options={"house_rules": ["O66"]})


def verbs_of_dealer(hand: Hand) -> list[str]:
    words = [text.split() for text in hand.actions]
    return [verb for seat, verb, *_ in words if seat == str(hand.dealer)]


@pytest.mark.parametrize("seed", range(1, 9))
def test_o66_a_dealer_who_lays_off_before_taking_the_pack_is_found(seed: int) -> None:
    hands = [
        hand
        for hand in generate("pidro", 1, seed)
        if verbs_of_dealer(hand).index("discard") < verbs_of_dealer(hand).index("rob")
    ]
    assert hands
    for hand in hands:
        assert replay(hand).verdict == Verdict.VALID
        found = replay(replace(hand, rules=PACK_FIRST))
        first = found.findings[0]
        assert (first.code, first.seat) == ("discard-out-of-turn", hand.dealer)
        assert first.message.endswith("before taking the rest of the stock, which comes first.")
        assert found.verdict == Verdict.IRREGULAR


def test_o66_the_dealer_lays_off_once_after_taking_the_pack() -> None:
    for hand in generate("pidro", 2, 1, options={"house_rules": ["O66"]}):
        assert replay(hand).verdict == Verdict.VALID
        verbs = [verb for verb in verbs_of_dealer(hand) if verb in ("discard", "rob")]
        assert verbs == ["rob", "discard"]
        assert replay(replace(hand, rules=RulesRef("pidro"))).verdict != Verdict.VALID


def decided(rules: Rules, points: list[int], tricks: list[int], *, shown: bool) -> int:
    """Return for which side a hand of Twenty-Nine is decided: seat 0 has bid 16."""
    state: State = table_in(rules, Phase.PLAY, "S", {})
    state.maker, state.high_bid, state.revealed = 0, 16, int(shown)
    state.points[:2] = points
    state.tricks_won[:4] = tricks
    return early_end.decided_for(state, rules, 0)


def test_o73_nothing_is_decided_while_one_side_may_take_every_trick() -> None:
    plain = rules_of("twenty-nine", {"early_end": "when-decided"})
    sweeps = rules_of("twenty-nine", {"early_end": "when-decided", "sweep": "doubles"})
    assert decided(plain, [16, 0], [3, 0, 2, 0], shown=True) == 0
    assert decided(sweeps, [16, 0], [3, 0, 2, 0], shown=True) == early_end.UNDECIDED
    assert decided(sweeps, [16, 0], [3, 1, 2, 0], shown=True) == 0


def test_o72_a_hand_with_hidden_trumps_is_decided_where_it_counts_and_no_pair_can_change_it() -> (
    None
):
    options = {"early_end": "when-decided", "unshown": "counts"}
    counts = rules_of("twenty-nine", {**options, "pair": "none"})
    with_pair = rules_of("twenty-nine", options)
    void = rules_of("twenty-nine", {"early_end": "when-decided", "pair": "none"})
    assert decided(counts, [16, 3], [4, 1, 2, 0], shown=False) == 0
    assert decided(with_pair, [16, 3], [4, 1, 2, 0], shown=False) == early_end.UNDECIDED
    assert decided(void, [16, 3], [4, 1, 2, 0], shown=False) == early_end.UNDECIDED
