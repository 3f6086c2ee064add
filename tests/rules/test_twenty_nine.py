"""Twenty-Nine: hidden trumps, asking and showing, the pair (docs/rules/14-twenty-nine.md)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Verdict, replay
from replay.engine import engine
from replay.engine.records import State
from replay.engine.rules import scoring
from replay.engine.rules.table import Legal
from schemas.actions import VERB_NAMES, Verb
from schemas.hand import Hand
from tests.kit.sound_hands import PASSES, instead, place_of, twenty_nine, up_to
from tests.kit.support import codes, do, hand_of, judged, places, play_table, plays, rules_of

RULES = rules_of("twenty-nine")
LAST_TRICK = rules_of("twenty-nine", {"last_trick_points": 1, "max_bid": 29})


def table(hands: dict[int, str], *, maker: int, leader: int = 0, trumps: str = "S") -> State:
    """Return a table at which trumps are still hidden."""
    state = play_table(RULES, trumps, hands, leader=leader, shown=False)
    state.maker = maker
    return state


def verbs(options: Legal) -> set[str]:
    return {name for verb, name in VERB_NAMES.items() if options.verbs >> verb & 1}


def asked(state: State, seat: int) -> set[str]:
    return verbs(engine.legal(state, RULES, seat))


def test_the_whole_hand() -> None:
    replayed = replay(twenty_nine())
    assert replayed.verdict == Verdict.VALID, replayed.findings
    assert replayed.outcome is not None
    assert (replayed.outcome.points, replayed.outcome.change) == ((16, 12), (1, 0))


def test_t104_the_next_to_the_dealer_leads_whoever_bid() -> None:
    hand = replace(twenty_nine(), claimed=UNSET)
    by_seat_2 = ["0 pass", "1 pass", "2 bid 16", "3 pass", "0 pass", "1 pass", "2 trump S"]
    actions = [*by_seat_2, "0 play JH"]
    view = replay(replace(hand, actions=by_seat_2)).at(len(by_seat_2))
    assert (view.phase, view.turn) == ("play", 0)
    assert replay(replace(hand, actions=actions)).findings == ()
    assert codes(replay(replace(hand, actions=[*by_seat_2, "2 play KH"]))) == ["wrong-leader"]


def test_t106_who_asked_need_not_trump() -> None:
    state = table({0: "AH 7C", 1: "7S 8C", 2: "JH QC", 3: "9H KC"}, maker=2)
    assert do(state, RULES, "0 play AH") == []
    assert asked(state, 1) == {"ask"}
    assert judged(state, RULES, "1 play 8C") == ["not-asked"]
    assert do(state, RULES, "1 ask") == []
    assert asked(state, 1) == set()
    assert asked(state, 2) == {"reveal"}
    assert judged(state, RULES, "1 play 8C") == ["not-shown"]
    assert do(state, RULES, "2 reveal S") == []
    assert engine.legal(state, RULES, 1).may.bit_count() == 2
    assert do(state, RULES, "1 play 8C") == []
    assert do(state, RULES, "2 play JH") == []
    assert do(state, RULES, "3 play 9H") == []
    assert (state.winner, state.points[:2]) == (2, [6, 0])


def test_the_trick_of_the_showing_counts_as_after_it() -> None:
    state = table({0: "AH 7C", 1: "7S 8C", 2: "JH QC", 3: "9H KC"}, maker=2)
    for text in ("0 play AH", "1 ask", "2 reveal S", "1 play 7S", "2 play JH", "3 play 9H"):
        assert do(state, RULES, text) == []
    assert (state.winner, state.points[:2]) == (1, [0, 6])


def test_s80_hidden_trumps_that_are_led_are_a_suit_like_others() -> None:
    state = table({0: "7S 7C", 1: "9S 8C", 2: "JS QC", 3: "9H KC"}, maker=2)
    for text in ("0 play 7S", "1 play 9S", "2 play JS", "3 ask", "2 reveal S", "3 play 9H"):
        assert do(state, RULES, text) == []
    assert (state.winner, state.points[:2]) == (2, [7, 0])


def test_t107_a_maker_who_cannot_follow_must_show() -> None:
    state = table({0: "AH 7C", 1: "7S 8C", 2: "JH QC", 3: "9H KC"}, maker=1)
    do(state, RULES, "0 play AH")
    assert asked(state, 1) == {"reveal"}
    assert judged(state, RULES, "1 play 8C") == ["not-shown"]
    assert judged(state, RULES, "1 reveal H") == ["reveal-differs"]
    assert do(state, RULES, "1 reveal S") == []
    assert do(state, RULES, "1 play 8C") == []


def test_s80_nobody_shows_or_asks_while_able_to_follow() -> None:
    state = table({0: "AH 7C", 1: "QH 8C", 2: "JH QC", 3: "9H KC"}, maker=1)
    assert judged(state, RULES, "1 reveal S") == ["reveal-without-cause"]
    do(state, RULES, "0 play AH")
    assert judged(state, RULES, "1 reveal S") == ["reveal-without-cause"]
    assert judged(state, RULES, "1 ask") == ["ask-without-cause"]
    assert judged(state, RULES, "2 ask") == ["ask-without-cause"]
    assert judged(state, RULES, "2 reveal S") == ["reveal-by-other"]


@pytest.mark.parametrize("shown", [True, False])
def test_a_needless_question_is_one_finding_answered_or_not(*, shown: bool) -> None:
    state = table({0: "AH 7C", 1: "QH 8C", 2: "JH QC", 3: "9H KC"}, maker=2)
    do(state, RULES, "0 play AH")
    assert do(state, RULES, "1 ask") == ["ask-without-cause"]
    if shown:
        assert do(state, RULES, "2 reveal S") == []
    assert do(state, RULES, "1 play QH") == []
    assert do(state, RULES, "2 play JH") == []
    assert do(state, RULES, "3 play 9H") == []
    assert state.revealed == shown


def test_a_question_not_answered_counts_as_answered() -> None:
    state = table({0: "AH 7C", 1: "7S 8C", 2: "JH QC", 3: "9H KC"}, maker=2)
    for text in ("0 play AH", "1 ask"):
        assert do(state, RULES, text) == []
    assert do(state, RULES, "1 play 7S") == ["not-shown"]
    assert do(state, RULES, "2 play JH") == []
    assert do(state, RULES, "3 play 9H") == []
    assert state.winner == 1


def test_trumps_are_asked_for_once() -> None:
    state = table({0: "AH 7C", 1: "7S 8C", 2: "JD QC", 3: "9D KC"}, maker=3)
    for text in ("0 play AH", "1 ask", "3 reveal S", "1 play 8C", "2 play JD", "3 play 9D"):
        assert do(state, RULES, text) == []
    assert do(state, RULES, "0 play 7C") == []
    assert judged(state, RULES, "1 ask") == ["ask-without-cause"]
    assert judged(state, RULES, "3 reveal S") == ["reveal-without-cause"]


# --- King and queen of trumps


def with_pair(text: str, hand: Hand | None = None, seat: int = 0) -> Hand:
    """Return the whole hand with a declaration after an action."""
    return instead(replace(hand or twenty_nine(), claimed=UNSET), text, text, f"{seat} pair")


def test_t110_the_pair_lowers_what_the_makers_need() -> None:
    outcome = replay(with_pair("3 play 7C")).outcome
    assert outcome is not None
    assert (outcome.bid, outcome.need, outcome.result) == (16, 15, "made")
    hand = instead(twenty_nine(), "0 bid 16", "0 bid 20")
    failed = replay(replace(hand, claimed=UNSET)).outcome
    assert failed is not None
    assert (failed.need, failed.result, failed.change) == (20, "set", (-1, 0))
    saved = replay(with_pair("3 play 7C", hand)).outcome
    assert saved is not None
    assert (saved.need, saved.result, saved.change) == (16, "made", (1, 0))


def test_t112_only_after_a_trick_of_ones_own_side() -> None:
    state = table({0: "AH 7C 8H", 1: "JD 8C 9D", 2: "KS QS KC", 3: "7S TH JC"}, maker=2)
    assert judged(state, RULES, "2 pair") == ["pair-not-now"]
    for text in ("0 play AH", "1 ask", "2 reveal S", "1 play JD", "2 play KC", "3 play TH"):
        assert do(state, RULES, text) == []
    assert state.winner == 0
    assert asked(state, 2) == {"pair"}
    assert judged(state, RULES, "3 pair") == ["pair-not-now"]
    assert judged(state, RULES, "0 pair") == ["pair-not-held"]
    for text in ("0 play 7C", "1 play 8C", "2 play QS", "3 play JC"):
        assert do(state, RULES, text) == []
    assert judged(state, RULES, "2 pair") == ["pair-not-held"]


def test_t112_not_after_a_trick_of_the_others() -> None:
    state = table({0: "AH 7C 8H", 1: "JD 8C 9D", 2: "KS QS KC", 3: "7S JS JC"}, maker=2)
    for text in ("0 play AH", "1 ask", "2 reveal S", "1 play JD", "2 play KC", "3 play 7S"):
        assert do(state, RULES, text) == []
    assert state.winner == 3
    assert asked(state, 2) == set()
    assert judged(state, RULES, "2 pair") == ["pair-not-now"]


def test_t113_not_when_one_of_the_two_has_been_played() -> None:
    # The queen of trumps falls in trick 1, before anybody knows trumps.
    state = table({0: "AS TS 8H", 1: "JS 8C 9D", 2: "KS QS JH", 3: "7S TH JC"}, maker=2)
    for text in ("0 play AS", "1 play JS", "2 play QS", "3 play 7S"):
        assert do(state, RULES, text) == []
    for text in ("1 play 9D", "2 reveal S", "2 play JH", "3 play TH", "0 play TS"):
        assert do(state, RULES, text) == []
    assert state.winner == 0
    assert asked(state, 2) == set()
    assert judged(state, RULES, "2 pair") == ["pair-not-held"]


def test_s82_the_last_moment_is_after_trick_6() -> None:
    hand = twenty_nine()
    view = replay(hand).at(place_of(hand, "0 play KS"))
    assert view.choice.verbs == ("play", "pair")
    assert replay(with_pair("3 play KC")).findings == ()
    assert codes(replay(with_pair("3 play AS"))) == ["pair-not-now"]
    assert codes(replay(with_pair("0 play KS"))) == ["pair-not-now"]


def test_s82_it_is_declared_once() -> None:
    twice = with_pair("3 play 7S", with_pair("3 play 7C"))
    assert codes(replay(twice)) == ["pair-not-now"]


def test_the_defenders_pair_raises_the_need() -> None:
    # Seat 1 plays the hand now, and seat 0 declares king and queen against them.
    made = ["0 pass", "1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump S"]
    hand = replace(twenty_nine(), claimed=UNSET)
    tricks = [text for text in hand.actions[5:] if text not in ("1 ask", "0 reveal S")]
    tricks.insert(1, "1 reveal S")
    plain = replay(replace(hand, actions=[*made, *tricks]))
    assert plain.outcome is not None
    assert (plain.findings, plain.outcome.need, plain.outcome.result) == ((), 16, "set")
    paired = replay(with_pair("3 play 7C", replace(hand, actions=[*made, *tricks])))
    assert paired.outcome is not None
    assert (paired.findings, paired.outcome.need) == ((), 20)


# --- The end


EVEN = [
    "JH 9H JD 9D JC 9C JS 9S",
    "AH TH AD TD AC TC AS TS",
    "KH QH KD QD KC QC KS QS",
    "8H 7H 8D 7D 8C 7C 8S 7S",
]


def even_hand(scores: list[int]) -> Hand:
    """Everybody has two cards of each suit, so trumps never come to light."""
    tricks = [
        " ".join(f"{seat} {rank}{suit}" for seat, rank in enumerate(ranks))
        for suit in "HDCS"
        for ranks in ("JAK8", "9TQ7")
    ]
    actions = ["0 bid 28", *PASSES, "0 trump H", *plays(*tricks)]
    return replace(hand_of("twenty-nine", actions), deal=EVEN, scores=scores)


def test_t116_s81_a_hand_in_which_nobody_was_ever_void_is_void() -> None:
    replayed = replay(even_hand([5, -5]))
    assert replayed.verdict == Verdict.VALID
    assert replayed.outcome is not None
    assert replayed.outcome.result == "void"
    assert replayed.outcome.points == (28, 0)
    assert (replayed.outcome.change, replayed.outcome.scores) == ((0, 0), (5, -5))
    assert replayed.outcome.winner_side is None


def test_t115_the_ends_of_a_game() -> None:
    for before, after, winner in (([5, 0], (6, 0), 0), ([-5, 5], (-4, 5), None)):
        outcome = replay(replace(twenty_nine(), scores=before, claimed=UNSET)).outcome
        assert outcome is not None
        assert (outcome.scores, outcome.winner_side) == (after, winner)
    set_hand = instead(replace(twenty_nine(), claimed=UNSET), "0 bid 16", "0 bid 17")
    for before, after, winner in (([-5, 0], (-6, 0), 1), ([1, 0], (0, 0), None)):
        outcome = replay(replace(set_hand, scores=before)).outcome
        assert outcome is not None
        assert (outcome.scores, outcome.winner_side) == (after, winner)


def test_o35_the_last_trick_counts_one() -> None:
    hand = replace(twenty_nine(), claimed=UNSET)
    rules = replace(hand.rules, options={"last_trick_points": 1, "max_bid": 29})
    outcome = replay(replace(hand, rules=rules)).outcome
    assert outcome is not None
    assert outcome.points == (16, 13)
    assert LAST_TRICK.all_points == 29


def test_a_reveal_names_the_trump_the_maker_chose() -> None:
    hand = replace(twenty_nine(), claimed=UNSET)
    assert places(replay(instead(hand, "0 reveal S", "0 reveal H")).findings) == [
        ("reveal-differs", "/actions/7")
    ]
    hidden = instead(hand, "0 trump S", "0 trump *")
    replayed = replay(hidden)
    assert replayed.verdict == Verdict.VALID
    assert replayed.outcome == replay(hand).outcome
    assert replay(up_to(hidden, "1 ask")).at(7).trump_public is False


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


def test_o63_not_after_one_of_the_two_was_played() -> None:
    rules = rules_of("bangladesh")
    state = play_table(rules, "S", {2: "KS QS", 1: "JH AH", 0: "7H 8H", 3: "7D 8D"}, leader=2)
    state.trick, state.reveal_trick = 3, 2
    assert do(state, rules, "2 play KS") == []
    assert judged(state, rules, "2 pair") == ["pair-not-held"]
