"""The engine: states, modes, verdicts, and cards that the record does not name."""

from collections.abc import Callable

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.each import check_each
from tests.kit.provoked import Provoked, on_actions, on_claims, on_the_deal
from tests.kit.sound_hands import (
    PASSES,
    SOUND,
    instead,
    king_pedro,
    pedro,
    pidro,
    place_of,
    swapped,
    twenty_nine,
    up_to,
)
from tests.kit.support import card_set, codes, hand_of, places
from tricklog.core import BadRecord, RulesetError, Verdict, View, replay
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.schemas.cards import parse_card
from tricklog.schemas.hand import Claimed, Hand, Player

SYSTEMS = sorted(SOUND)


def unrecorded(hand: Hand) -> Hand:
    """Return the hand with nothing known but the actions."""
    return replace(hand, deal=UNSET, stock=UNSET, kitty=UNSET)


def with_hidden(hand: Hand, *texts: str) -> Hand:
    """Return the hand with the cards of some actions not recorded."""
    for text in texts:
        seat, verb, *cards = text.split()
        hand = instead(hand, text, " ".join([seat, verb, *("?" for _ in cards)]))
    return hand


# --- States


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_state_does_not_depend_on_what_comes_after(system: str) -> None:
    hand = SOUND[system]()
    whole = replay(hand)
    for index in range(len(hand.actions)):
        part = replay(replace(hand, actions=hand.actions[:index], claimed=UNSET))
        # With one player left a hand may end early, and then that is its end.
        assert part.outcome or part.at(index) == whole.at(index), index


def test_states_are_views_of_their_own() -> None:
    replayed = replay(pedro())
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
        replay(pedro()).at(index)


def test_a_finished_trick_stays_on_the_table_until_the_next_lead() -> None:
    replayed = replay(pedro())
    lead = place_of(pedro(), "0 play JS")
    view = replayed.at(lead)
    assert [seat for seat, _ in view.trick] == [0, 1, 2, 3]
    assert (view.trick_number, view.turn, view.points) == (1, 0, (6, 0))
    assert replayed.at(lead + 1).trick == ((0, parse_card("JS")),)
    assert replayed.at(lead + 1).trick_number == 2


def test_a_rejected_hand_keeps_the_states_of_its_legal_prefix() -> None:
    hand = instead(pedro(), "0 play AS", "0 play AD")
    replayed = replay(hand)
    assert (replayed.verdict, replayed.played) == (Verdict.REJECTED, 12)
    assert replayed.at(12).phase == "play"
    assert replayed.at(20) == replace_index(replayed.at(12), 20)
    assert replayed.at_play == tuple(
        card_set(cards)
        for cards in (
            "AS KS QS JS TS 2S",
            "9S 8S 5S KC AC 8H",
            "7S 6S 5C 9H TH JH",
            "4S 3S QH KH AH 8D",
        )
    )


def replace_index(view: View, index: int) -> View:
    from dataclasses import replace as with_fields

    return with_fields(view, index=index)


def test_the_choice_is_an_answer_to_what_may_be_done() -> None:
    hand = pedro()
    at = replay(hand).at
    assert (at(0).choice.low, at(0).choice.high) == (7, 14)
    assert at(0).choice.sentence == "ann may bid 7 to 14 or pass."
    discard = at(5).choice
    assert (discard.verbs, discard.must, discard.least, discard.most) == (
        ("discard",),
        card_set("2C 3C 4C"),
        3,
        3,
    )
    rob = at(11).choice
    assert (rob.verbs, rob.must, rob.least, rob.most) == (("rob",), 0, 4, 4)
    assert at(13).choice.cards == card_set("9S 8S 5S")


# --- Modes


def test_strict_refuses_a_hand_at_its_first_finding() -> None:
    def check(case: Provoked) -> None:
        strict = replay(case.hand, mode="strict")
        assert strict.verdict == Verdict.REJECTED
        assert places(strict.findings) == [(case.code, case.pointer)]
        assert strict.outcome is None
        assert f"/actions/{strict.played}" == case.pointer

    check_each(on_actions(), check, lambda case: case.code)


OF_THE_WHOLE = {"discard-out-of-turn", "double-not-allowed"}
"""Whether such steps are recorded at all the whole record says, and not its beginning."""


def test_salvage_keeps_the_longest_legal_prefix() -> None:
    def check(case: Provoked) -> None:
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

    check_each(on_actions(), check, lambda case: case.code)


def test_strict_and_salvage_stop_before_the_first_action_of_a_wrong_deal() -> None:
    for case in on_the_deal():
        for mode in ("strict", "salvage"):
            replayed = replay(case.hand, mode=mode)
            assert (replayed.played, replayed.outcome) == (0, None), case.code
            assert codes(replayed) == [case.code]


def test_a_wrong_claim_is_no_reason_to_drop_the_outcome_but_in_strict_mode() -> None:
    for case in on_claims():
        right = replay(replace(case.hand, claimed=UNSET)).outcome
        assert right
        assert replay(case.hand).verdict == Verdict.IRREGULAR
        assert replay(case.hand).outcome == right
        assert replay(case.hand, mode="salvage").outcome == right
        strict = replay(case.hand, mode="strict")
        assert (strict.verdict, strict.outcome, codes(strict)) == (
            Verdict.REJECTED,
            None,
            [case.code],
        )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_sound_hand_is_the_same_in_every_mode(system: str) -> None:
    hand = SOUND[system]()
    for mode in ("strict", "salvage"):
        replayed = replay(hand, mode=mode)
        assert (replayed.verdict, replayed.outcome) == (Verdict.VALID, replay(hand).outcome)


def test_a_wrong_lead_explained_by_a_claim_still_ends_the_legal_prefix() -> None:
    hand = swapped(pedro(), "3 play KH", "3 play 8D")
    lead = place_of(hand, "1 play KC")
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
        hand = replace(SOUND[system](), claimed=UNSET)
        ends = 3 if system in ("pidro", "king-pedro") else 0
        for count in range(len(hand.actions) - ends):
            stopped = replay(replace(hand, actions=hand.actions[:count]))
            assert (stopped.verdict, stopped.outcome) == (Verdict.INCOMPLETE, None), (system, count)
            assert len(stopped.doubts) == 1
            assert stopped.doubts[0].startswith("The record stops during ")


def test_incomplete_keeps_what_was_found_before() -> None:
    hand = swapped(pedro(), "2 play 7S", "2 play TH")
    stopped = replay(up_to(hand, "0 play KS"))
    assert (stopped.verdict, codes(stopped)) == (Verdict.INCOMPLETE, ["revoke"])
    claimed = Claimed(winners=[0, 3, 1, 0])
    stopped = replay(replace(up_to(pedro(), "0 play KS"), claimed=claimed))
    assert places(stopped.findings) == [("claimed-winner", "/claimed/winners/1")]


def test_a_rejected_hand_checks_no_claim_but_the_winners_of_its_tricks() -> None:
    hand = instead(pedro(), "0 play KS", "0 play KD")
    hand = replace(hand, claimed=Claimed(points=[0, 14], winners=[0, 3, 1, 0]))
    replayed = replay(hand)
    assert replayed.verdict == Verdict.REJECTED
    assert codes(replayed) == ["card-not-held", "claimed-winner"]


def test_irregular_goes_before_doubtful() -> None:
    hand = swapped(unrecorded(pedro()), "2 play 7S", "2 play TH")
    hand = with_hidden(hand, "3 play 4S")
    assert replay(hand).verdict == Verdict.IRREGULAR


# --- Cards that the record does not name


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_hand_without_a_deal_is_as_good_as_its_plays(system: str) -> None:
    hand = SOUND[system]()
    replayed = replay(unrecorded(hand))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    assert replayed.outcome == replay(hand).outcome


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_star_and_the_question_mark_are_both_unknown(system: str) -> None:
    hand = SOUND[system]()
    assert hand.deal is not UNSET
    for sign in "?*":
        deal = [" ".join([sign] * len(cards.split())) for cards in hand.deal]
        replayed = replay(replace(unrecorded(hand), deal=deal))
        assert (replayed.verdict, replayed.outcome) == (Verdict.VALID, replay(hand).outcome)


def test_unknown_first_fours_alone_make_no_hand_doubtful() -> None:
    hand = twenty_nine()
    assert hand.deal is not UNSET
    deal = ["? ? ? ? " + " ".join(cards.split()[4:]) for cards in hand.deal]
    replayed = replay(replace(hand, deal=deal))
    assert (replayed.verdict, replayed.doubts) == (Verdict.VALID, ())


@pytest.mark.parametrize("known", [True, False])
def test_a_later_play_proves_an_earlier_revoke(*, known: bool) -> None:
    hand = swapped(replace(pedro(), claimed=UNSET), "2 play 7S", "2 play TH")
    replayed = replay(hand if known else unrecorded(hand))
    assert places(replayed.findings) == [("revoke", "/actions/18")]
    assert replayed.findings[0].legal == "7S 5C"
    assert replayed.verdict == Verdict.IRREGULAR


def test_a_later_play_proves_that_somebody_could_follow() -> None:
    # Seat 1 asks with a heart in hand, which nothing but a later trick shows.
    hand = unrecorded(twenty_nine())
    hand = replace(hand, claimed=UNSET)
    hand = instead(hand, "1 play JD", "1 play 7H")
    hand = instead(hand, "2 play 7H", "2 play JD")
    assert codes(replay(hand))[:1] == ["ask-without-cause"]


def never_seen(hand: Hand) -> Hand:
    """Seat 3 throws a club on trumps, and nobody ever sees the four of spades."""
    return instead(hand, "3 play 4S", "3 play QC")


def test_doubtful_when_an_unseen_card_could_have_been_due() -> None:
    hand = unrecorded(never_seen(replace(pedro(), claimed=UNSET)))
    hand = instead(hand, "3 discard 6C 7C 8C 9C TC JC QC", "3 discard 6C 7C 8C 9C TC JC ?")
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.DOUBTFUL, ())
    assert replayed.doubts
    assert replayed.outcome is not None
    # The same with the deal is a proven revoke.
    assert codes(replay(never_seen(replace(pedro(), claimed=UNSET)))) == ["card-not-held"]


def test_a_wrong_claim_in_a_doubtful_hand_is_a_doubt() -> None:
    hand = unrecorded(never_seen(pedro()))
    hand = instead(hand, "3 discard 6C 7C 8C 9C TC JC QC", "3 discard 6C 7C 8C 9C TC JC ?")
    hand = replace(hand, claimed=Claimed(points=[2, 12], winners=[0, 0, 1, 0, 0, 1]))
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.DOUBTFUL, ())
    assert [text.split(" (")[0] for text in replayed.doubts[1:]] == [
        "Trick 6",
        "The record claims 2 : 12 as the points taken; by the rules it is 9 : 5.",
    ]


@pytest.mark.parametrize(
    ("make", "card"),
    [(pedro, "JH"), (king_pedro, "AD"), (pidro, "7C")],
    ids=["pedro", "king-pedro", "pidro"],
)
def test_an_unseen_plain_card_makes_no_doubt(make: Callable[[], Hand], card: str) -> None:
    """What was laid off and never mattered need not be known."""
    hand = make()
    hidden = [
        " ".join("?" if word == card else word for word in text.split(" "))
        if " discard " in text or " draw " in text or " rob " in text
        else text
        for text in hand.actions
    ]
    replayed = replay(unrecorded(replace(hand, actions=hidden)))
    assert (replayed.verdict, replayed.outcome) == (Verdict.VALID, replay(hand).outcome)


@pytest.mark.parametrize("system", ["pedro", "twenty-nine"])
def test_a_card_that_the_hand_leaves_no_choice_about_is_known(system: str) -> None:
    hand = SOUND[system]()
    for text in [text for text in hand.actions if " play " in text]:
        replayed = replay(with_hidden(hand, text))
        assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ()), text
        assert replayed.outcome == replay(hand).outcome


def test_two_cards_not_named_make_a_hand_doubtful_but_not_wrong() -> None:
    hand = with_hidden(pedro(), "2 play 7S", "2 play 5C")
    replayed = replay(hand)
    assert (replayed.verdict, replayed.findings) == (Verdict.DOUBTFUL, ())
    # Another lead may be right when the trick may have gone elsewhere.
    hand = with_hidden(pedro(), "1 play 9S", "1 play KC")
    assert replay(hand).verdict == Verdict.DOUBTFUL


def test_what_a_hidden_discard_was_is_reported_by_what_is_played() -> None:
    hand = with_hidden(pedro(), "1 discard 2H 3H 4H 5H 6H 7H", "1 draw KC AC 8H")
    replayed = replay(hand)
    assert replayed.verdict == Verdict.VALID
    assert replayed.at(9).discarded[1] == card_set("2H 3H 4H 5H 6H 7H")
    assert replayed.at(12).holdings[1] == card_set("9S 8S 5S KC AC 8H")


def test_a_hidden_kitty_and_surplus_are_reported_by_what_is_played() -> None:
    hand = with_hidden(king_pedro(), "0 kitty 7H 8H 9H TH", "0 bury 8S")
    for each in (hand, replace(hand, kitty=UNSET), replace(hand, kitty="? ? ? ?")):
        replayed = replay(each)
        assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
        assert replayed.tricks[0].buried == card_set("8S")


def test_trumps_not_recorded_end_what_can_be_judged() -> None:
    for system in ("pedro", "pidro", "king-pedro"):
        for sign in "?*":
            replayed = replay(instead(SOUND[system](), "0 trump S", f"0 trump {sign}"))
            assert (replayed.verdict, replayed.findings) == (Verdict.INCOMPLETE, ())
            assert (replayed.played, replayed.outcome) == (4, None)
            assert "trumps" in replayed.doubts[0]


def test_hidden_trumps_need_no_name_until_they_are_shown() -> None:
    hand = twenty_nine()
    for trump in ("?", "*"):
        secret = instead(hand, "0 trump S", f"0 trump {trump}")
        assert replay(secret).verdict == Verdict.VALID
        assert replay(secret).outcome == replay(hand).outcome
    known = instead(hand, "0 reveal S", "0 reveal ?")
    assert (replay(known).verdict, replay(known).outcome) == (Verdict.VALID, replay(hand).outcome)
    unknown = instead(known, "0 trump S", "0 trump *")
    assert (replay(unknown).verdict, replay(unknown).played) == (Verdict.INCOMPLETE, 7)


# --- Unknown is not anything


def test_a_card_is_in_one_place_though_no_deal_says_where() -> None:
    hand = replace(unrecorded(pedro()), claimed=UNSET)
    for old, new, code in (
        ("1 play KC", "1 play AS", "card-not-held"),
        ("1 play KC", "1 play 2C", "card-not-held"),
        ("1 draw KC AC 8H", "1 draw 2C AC 8H", "card-not-in-stock"),
        ("3 rob QH KH AH 8D", "3 rob QH KH AH 6C", "card-not-in-stock"),
        ("2 discard 2D 3D 4D 5D 6D 7D", "2 discard 2D 3D 4D 5D 6D 2C", "card-not-held"),
    ):
        broken = instead(hand, old, new)
        assert places(replay(broken).findings) == [(code, f"/actions/{place_of(broken, new)}")]
    hand = replace(unrecorded(king_pedro()), claimed=UNSET)
    kitty = instead(hand, "0 trump S", "0 trump S")
    assert hand.actions == kitty.actions
    known = replace(hand, deal=["? " * 11 + "AS", *(["? " * 11 + "?"] * 2), "? " * 11 + "2S"])
    broken = instead(known, "0 kitty 7H 8H 9H TH", "0 kitty 7H 8H 9H 2S")
    assert codes(replay(broken)) == ["card-not-in-kitty"]


def test_an_unknown_card_is_one_of_the_pack() -> None:
    hand = replace(unrecorded(twenty_nine()), claimed=UNSET)
    for card in ("6S", "2H", "JO"):
        broken = instead(hand, "0 play JS", f"0 play {card}")
        assert codes(replay(broken)) == ["card-not-held"]


def test_a_pair_is_not_declared_with_a_card_seen_elsewhere() -> None:
    hand = replace(unrecorded(twenty_nine()), claimed=UNSET)
    assert replay(instead(hand, "3 play 7C", "3 play 7C", "0 pair")).findings == ()
    hand = instead(hand, "3 play 7S", "3 play 7S", "2 pair")
    assert codes(replay(hand)) == ["pair-not-held"]


def test_who_declares_a_pair_holds_both() -> None:
    hand = replace(unrecorded(up_to(twenty_nine(), "3 play 7C")), claimed=UNSET)
    replayed = replay(replace(hand, actions=[*hand.actions, "0 pair"]))
    view = replayed.at(len(replayed))
    assert replayed.findings == ()
    assert (view.holdings[0], view.unknown[0]) == (card_set("KS QS"), 5)


def test_a_card_dealt_twice_to_one_hand_leaves_the_count_right() -> None:
    hand = replace(pedro(), claimed=UNSET)
    assert hand.deal is not UNSET
    deal = [*hand.deal]
    deal[1] = deal[1].replace("7H", "6H")
    replayed = replay(replace(hand, deal=deal))
    assert places(replayed.findings) == [("card-twice", "/deal/1")]
    assert replayed.verdict == Verdict.IRREGULAR


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
        replay(replace(pedro(), **change))
    assert caught.value.pointer == pointer


def test_a_table_of_another_size_is_refused() -> None:
    players = [Player(id=name) for name in "abcde"]
    with pytest.raises(RulesetError) as caught:
        replay(replace(pedro(), players=players))
    assert caught.value.pointer == "/players"


def test_no_seat_may_be_left_out_of_the_table() -> None:
    actions = ["0 bid 9", *PASSES, "0 trump S"]
    assert codes(replay(hand_of("pedro", [*actions, "4 play AS"]))) == ["no-such-seat"]
