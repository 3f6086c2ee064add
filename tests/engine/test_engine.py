"""The engine: states, modes, verdicts, and cards that the record does not name."""

from dataclasses import replace as with_fields

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit import sound_hands
from tests.kit.support import card_set, codes, hand_of, places
from tests.kit.tiers import check_each
from tricklog import BadRecord, Claimed, Hand, Player, RulesetError, Verdict, replay
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.schemas.cards import parse_card

SYSTEMS = sorted(sound_hands.SOUND)


def unrecorded(hand: Hand) -> Hand:
    return replace(hand, deal=UNSET, stock=UNSET, kitty=UNSET)


# --- States
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_state_does_not_depend_on_what_comes_after(system: str) -> None:
    hand = sound_hands.SOUND[system]()
    whole = replay(hand)
    for index in range(len(hand.actions)):
        part = replay(replace(hand, actions=hand.actions[:index], claimed=UNSET))
        # With one player left a hand may end early, and then that is its end.
        assert part.outcome or part.at(index) == whole.at(index), index


def test_states_are_views_of_their_own() -> None:
    replayed = replay(sound_hands.pedro())
    views = [replayed.at(index) for index in range(len(replayed) + 1)]
    assert [replayed.at(index) for index in range(len(replayed) + 1)] == views
    phases = list(dict.fromkeys(view.phase for view in views))
    assert phases == ["auction", "trump", "discard", "refill", "rob", "play", "over"]
    assert views[0].turn == 0
    assert views[-1].turn is None
    assert views[-1].points == (9, 5)
    assert views[-1].choice.verbs == ()


@pytest.mark.parametrize("index", [-1, 37])
def test_there_is_no_state_outside_the_hand(index: int) -> None:
    with pytest.raises(IndexError, match="not within 0 to 36"):
        replay(sound_hands.pedro()).at(index)


def test_a_finished_trick_stays_on_the_table_until_the_next_lead() -> None:
    replayed = replay(sound_hands.pedro())
    lead = sound_hands.place_of(sound_hands.pedro(), "0 play JS")
    view = replayed.at(lead)
    assert [seat for seat, _ in view.trick] == [0, 1, 2, 3]
    assert (view.trick_number, view.turn, view.points) == (1, 0, (6, 0))
    assert replayed.at(lead + 1).trick == ((0, parse_card("JS")),)
    assert replayed.at(lead + 1).trick_number == 2


def test_a_rejected_hand_keeps_the_states_of_its_legal_prefix() -> None:
    hand = sound_hands.instead(sound_hands.pedro(), "0 play AS", "0 play AD")
    replayed = replay(hand)
    assert (replayed.verdict, replayed.played) == (Verdict.REJECTED, 12)
    assert replayed.at(12).phase == "play"
    assert replayed.at(20) == with_fields(replayed.at(12), index=20)
    held = "AS KS QS JS TS 2S, 9S 8S 5S KC AC 8H, 7S 6S 5C 9H TH JH, 4S 3S QH KH AH 8D"
    assert replayed.at_play == tuple(map(card_set, held.split(", ")))


def test_the_choice_is_an_answer_to_what_may_be_done() -> None:
    hand = sound_hands.pedro()
    at = replay(hand).at
    assert (at(0).choice.low, at(0).choice.high) == (7, 14)
    assert at(0).choice.sentence == "ann may bid 7 to 14 or pass."
    for index, verb, must, count in ((5, "discard", card_set("2C 3C 4C"), 3), (11, "rob", 0, 4)):
        choice = at(index).choice
        assert (choice.verbs, choice.must) == ((verb,), must)
        assert (choice.least, choice.most) == (count, count)
    assert at(13).choice.cards == card_set("9S 8S 5S")


# --- Modes
def test_strict_refuses_a_hand_at_its_first_finding() -> None:
    def check(case: sound_hands.Provoked) -> None:
        strict = replay(case.hand, mode="strict")
        assert strict.verdict == Verdict.REJECTED
        assert places(strict.findings) == [(case.code, case.pointer)]
        assert strict.outcome is None
        assert f"/actions/{strict.played}" == case.pointer

    check_each(sound_hands.on_actions(), check, lambda case: case.code)


OF_THE_WHOLE = {"discard-out-of-turn", "double-not-allowed"}
"""Whether such steps are recorded at all the whole record says, and not its beginning."""


def test_salvage_keeps_the_longest_legal_prefix() -> None:
    def check(case: sound_hands.Provoked) -> None:
        salvaged = replay(case.hand, mode="salvage")
        fatal = Fault[case.code.upper().replace("-", "_")] & FATAL
        assert salvaged.verdict == (Verdict.REJECTED if fatal else Verdict.INCOMPLETE)
        assert salvaged.outcome is None
        assert f"/actions/{salvaged.played}" == case.pointer
        if case.code in OF_THE_WHOLE:
            return
        actions = case.hand.actions[: salvaged.played]
        prefix = replay(replace(case.hand, actions=actions, claimed=UNSET))
        assert prefix.findings == ()
        assert (prefix.calls, prefix.tricks) == (salvaged.calls, salvaged.tricks)
        if prefix.outcome is None:
            assert prefix.at(salvaged.played) == salvaged.at(salvaged.played)

    check_each(sound_hands.on_actions(), check, lambda case: case.code)


def test_strict_and_salvage_stop_before_the_first_action_of_a_wrong_deal() -> None:
    for case in sound_hands.on_the_deal():
        for mode in ("strict", "salvage"):
            replayed = replay(case.hand, mode=mode)
            assert (replayed.played, replayed.outcome) == (0, None), case.code
            assert codes(replayed) == [case.code]


def test_a_wrong_claim_is_no_reason_to_drop_the_outcome_but_in_strict_mode() -> None:
    for case in sound_hands.on_claims():
        right = replay(replace(case.hand, claimed=UNSET)).outcome
        assert right
        assert replay(case.hand).verdict == Verdict.IRREGULAR
        assert replay(case.hand).outcome == right
        assert replay(case.hand, mode="salvage").outcome == right
        strict = replay(case.hand, mode="strict")
        assert (strict.verdict, strict.outcome) == (Verdict.REJECTED, None)
        assert codes(strict) == [case.code]


def test_a_wrong_lead_explained_by_a_claim_still_ends_the_legal_prefix() -> None:
    hand = sound_hands.swapped(sound_hands.pedro(), "3 play KH", "3 play 8D")
    lead = sound_hands.place_of(hand, "1 play KC")
    order = ["0 play TS", "1 play KC", "2 play 9H", "3 play 8D"]
    hand = replace(
        hand,
        actions=[*hand.actions[:lead], *order, *hand.actions[lead + 4 :]],
        claimed=Claimed(winners=[0, 0, 0, 0, 0, 0]),
    )
    assert codes(replay(hand)) == ["claimed-winner"]
    for mode in ("strict", "salvage"):
        replayed = replay(hand, mode=mode)
        assert (codes(replayed), replayed.played) == (["wrong-leader"], lead)


# --- Verdicts
def test_incomplete_wherever_a_record_stops() -> None:
    for system in SYSTEMS:
        hand = replace(sound_hands.SOUND[system](), claimed=UNSET)
        ends = 3 if system in ("pidro", "king-pedro") else 0
        for count in range(len(hand.actions) - ends):
            stopped = replay(replace(hand, actions=hand.actions[:count]))
            assert (stopped.verdict, stopped.outcome) == (Verdict.INCOMPLETE, None), (system, count)
            assert len(stopped.doubts) == 1
            assert stopped.doubts[0].startswith("The record stops during ")


# --- Cards that the record does not name
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_sound_hand_is_the_same_in_every_mode_and_without_its_deal(system: str) -> None:
    """Without any, and with stars or question marks for its cards: it is as good as its plays."""
    hand = sound_hands.SOUND[system]()
    outcome = replay(hand).outcome
    bare = unrecorded(hand)
    signs = [[" ".join(sign * len(cards.split())) for cards in hand.deal or ()] for sign in "?*"]
    found = [replay(hand, mode="strict"), replay(hand, mode="salvage"), replay(bare)]
    found += [replay(replace(bare, deal=deal)) for deal in signs]
    for each in found:
        assert (each.verdict, each.findings) == (Verdict.VALID, ())
        assert each.outcome == outcome


def test_a_wrong_claim_in_a_doubtful_hand_is_a_doubt() -> None:
    # Seat 3 throws a club on trumps, and nobody ever sees the four of spades.
    hand = unrecorded(sound_hands.instead(sound_hands.pedro(), "3 play 4S", "3 play QC"))
    hand = sound_hands.instead(
        hand, "3 discard 6C 7C 8C 9C TC JC QC", "3 discard 6C 7C 8C 9C TC JC ?"
    )
    hand = replace(hand, claimed=Claimed(points=[2, 12], winners=[0, 0, 1, 0, 0, 1]))
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.DOUBTFUL, ())
    assert [text.split(" (")[0] for text in replayed.doubts[1:]] == [
        "Trick 6",
        "The record claims 2 : 12 as the points taken; by the rules it is 9 : 5.",
    ]


@pytest.mark.parametrize("system", ["pedro", "twenty-nine"])
def test_a_card_that_the_hand_leaves_no_choice_about_is_known(system: str) -> None:
    hand = sound_hands.SOUND[system]()
    for text in [text for text in hand.actions if " play " in text]:
        seat, verb, _ = text.split()
        replayed = replay(sound_hands.instead(hand, text, f"{seat} {verb} ?"))
        assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ()), text
        assert replayed.outcome == replay(hand).outcome


# --- Records that cannot be read at all
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"actions": ["0 bid 7", "1 hop"]}, "/actions/1"),
        ({"actions": ["0 play XX"]}, "/actions/0"),
        ({"deal": ["AS"] * 3}, "/deal"),
        ({"deal": ["AS", "KS", "10S", "QS"]}, "/deal/2"),
        ({"stock": "AS  KS"}, "/stock"),
        ({"kitty": "A"}, "/kitty"),
        ({"dealer": 4}, "/dealer"),
    ],
)
def test_unreadable_parts_are_pointed_at(change: dict[str, object], pointer: str) -> None:
    with pytest.raises(BadRecord) as caught:
        replay(replace(sound_hands.pedro(), **change))
    assert caught.value.pointer == pointer


def test_a_table_of_another_size_is_refused_and_no_seat_left_out() -> None:
    players = [Player(id=name) for name in "abcde"]
    with pytest.raises(RulesetError) as caught:
        replay(replace(sound_hands.pedro(), players=players))
    assert caught.value.pointer == "/players"
    actions = ["0 bid 9", *sound_hands.PASSES, "0 trump S"]
    assert codes(replay(hand_of("pedro", [*actions, "4 play AS"]))) == ["no-such-seat"]
