"""Whole hands under the options about hidden trumps (docs/rules/15; O37 to O40, O48, O49)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from replay import Replay, Verdict, replay
from schemas.actions import TRUMP_CODES
from schemas.hand import Hand
from tests.kit.sound_hands import PASSES, instead, twenty_nine, up_to
from tests.kit.support import Options, codes, hand_of, places, plays

# The sound hand: seat 1 has no heart, seats 1 and 2 have no spade, and seat 0 leads to the end.


def under(options: Options, *changes: tuple[str, str]) -> Hand:
    """Return the sound hand with actions replaced; several are separated by a comma."""
    hand = replace(twenty_nine(), claimed=UNSET)
    for old, new in changes:
        hand = instead(hand, old, *filter(None, new.split(", ")))
    return replace(hand, rules=replace(hand.rules, options=dict(options)))


def sound(replayed: Replay) -> tuple[str, tuple[int, ...], list[int | None]]:
    assert replayed.verdict == Verdict.VALID, replayed.findings
    assert replayed.outcome is not None
    winners = [trick.winner for trick in replayed.tricks]
    return replayed.outcome.result, replayed.outcome.points, winners


def with_tricks(hand: Hand, *tricks: str) -> Hand:
    """Return the hand with other tricks after the one in which trumps were shown."""
    before = hand.actions[: hand.actions.index("3 play 7C") + 1]
    return replace(hand, actions=[*before, *plays(*tricks)])


# --- No trumps


JOKER: Options = {"no_trump": "joker"}
TO_NO_TRUMPS = (("0 trump S", "0 trump NT"), ("0 reveal S", "0 reveal NT"))


def test_o37_t128_a_hand_without_trumps() -> None:
    hand = under(JOKER, *TO_NO_TRUMPS)
    result, points, winners = sound(replay(hand))
    # As with spades, but the ace and ten of spades that seat 3 keeps to the end win two tricks.
    assert (result, points, winners) == ("made", (16, 12), [0, 0, 0, 0, 0, 0, 3, 3])
    outcome = replay(hand).outcome
    assert outcome is not None
    assert outcome.trump == TRUMP_CODES["NT"]


def test_o37_a_spade_on_a_heart_never_wins() -> None:
    hand = with_tricks(under(JOKER, *TO_NO_TRUMPS), "0 9H 1 JD 2 KH 3 AS")
    assert [trick.winner for trick in replay(hand).tricks] == [0, 0]
    ruffed = with_tricks(under({}), "0 9H 1 JD 2 KH 3 AS")
    assert [trick.winner for trick in replay(ruffed).tricks] == [0, 3]


def test_o37_t128_no_pair() -> None:
    hand = under(JOKER, *TO_NO_TRUMPS, ("3 play 7C", "3 play 7C, 0 pair"))
    assert codes(replay(hand)) == ["pair-not-now"]
    assert codes(replay(under(JOKER, ("3 play 7C", "3 play 7C, 0 pair")))) == []


def test_o37_without_the_option_a_suit_is_chosen() -> None:
    replayed = replay(under({}, *TO_NO_TRUMPS))
    assert places(replayed.findings) == [("trump-unknown", "/actions/4")]
    assert replayed.findings[0].legal == "trump"


def test_s86_a_hand_without_a_request_is_void_at_no_trumps_too() -> None:
    even = [f"{seat} {rank}" for seat, rank in enumerate("JAK8")]
    other = [f"{seat} {rank}" for seat, rank in enumerate("9TQ7")]
    tricks = [
        " ".join(f"{card}{suit}" for card in cards) for suit in "HDCS" for cards in (even, other)
    ]
    hand = under(JOKER)
    hand = replace(
        hand,
        actions=["0 bid 16", *PASSES, "0 trump NT", *plays(*tricks)],
        deal=[
            "JH 9H JD 9D JC 9C JS 9S",
            "AH TH AD TD AC TC AS TS",
            "KH QH KD QD KC QC KS QS",
            "8H 7H 8D 7D 8C 7C 8S 7S",
        ],
    )
    assert sound(replay(hand))[0] == "void"


# --- Reversed ranks


REVERSED: Options = {"twos": "no-trump-reversed"}
TWO: Options = {"twos": "suit-reversed"}


def reversed_hand(options: Options, name: str, *tricks: str) -> Hand:
    changes = (("0 trump S", f"0 trump {name}"), ("0 reveal S", f"0 reveal {name}"))
    return with_tricks(under(options, *changes), *tricks)


def test_o38_sevens_are_high_from_the_trick_of_the_showing_on() -> None:
    # JH was led to it, seat 2 put 7H, and the others have no heart: the seven has it.
    hand = reversed_hand(
        REVERSED, "NT-reversed", "2 QH 3 8C 0 TH 1 8D", "2 KH 3 KC 0 AH 1 QD", "2 JC 3 QC 0 QS 1 JD"
    )
    replayed = replay(hand)
    assert replayed.findings == ()
    assert [trick.winner for trick in replayed.tricks] == [2, 2, 2, 3]
    # In the usual order the jack would have won at once, and seat 2 had no lead.
    plain = replay(reversed_hand({"no_trump": "joker"}, "NT", "2 QH 3 8C 0 TH 1 8D"))
    assert codes(plain) == ["wrong-leader"]


def test_o38_points_are_unchanged() -> None:
    hand = reversed_hand(REVERSED, "NT-reversed", "2 QH 3 8C 0 9H 1 JD")
    replayed = replay(hand)
    assert [(trick.winner, trick.points) for trick in replayed.tricks] == [(2, 3), (2, 5)]


def test_o38_tricks_before_it_keep_the_usual_order() -> None:
    deal = ["JS 9S 7H", "AS TS 8H", "KS QS 9H", "8S 7S AH"]
    hand = replace(
        under(REVERSED),
        actions=[
            *("0 bid 16", *PASSES, "0 trump NT-reversed"),
            *plays("0 JS 1 AS 2 KS 3 7S", "0 7H 1 8H 2 9H 3 AH"),
        ],
        deal=[f"{cards} ? ? ? ? ?" for cards in deal],
    )
    replayed = replay(hand)
    assert replayed.findings == ()
    assert [trick.winner for trick in replayed.tricks] == [0, 2]


def test_o39_within_suits_and_trumps_stay_trumps() -> None:
    # Seat 3 ruffs the second trick with the ace, then the seven of spades beats jack and nine.
    hand = reversed_hand(TWO, "S-reversed", "2 QH 3 AS 0 9H 1 8D", "3 7S 0 JS 1 JD 2 8H")
    replayed = replay(hand)
    assert replayed.findings == ()
    assert [trick.winner for trick in replayed.tricks] == [2, 3, 3]
    assert replayed.at(8).trump == TRUMP_CODES["S-reversed"]
    pair = instead(hand, "3 play 7C", "3 play 7C", "0 pair")
    assert replay(pair).findings == ()


@pytest.mark.parametrize("name", ["NT-reversed", "S-reversed"])
def test_o38_o39_without_the_option_a_two_shows_its_suit(name: str) -> None:
    replayed = replay(reversed_hand({}, name))
    assert places(replayed.findings) == [("trump-unknown", "/actions/4")]
    assert replayed.findings[0].rule.split()[0] == "14.trump-call"


@pytest.mark.parametrize(
    ("options", "name"), [(TWO, "NT-reversed"), (REVERSED, "S-reversed"), (REVERSED, "NT")]
)
def test_s87_each_option_has_its_own_trumps(options: Options, name: str) -> None:
    assert codes(replay(reversed_hand(options, name))) == ["trump-unknown"]


@pytest.mark.parametrize(("name", "winner"), [("NT", 0), ("NT-reversed", 2)])
def test_o40_red_or_black(name: str, winner: int) -> None:
    replayed = replay(reversed_hand({"no_trump": "colours"}, name))
    assert replayed.findings == ()
    assert replayed.tricks[0].winner == winner


def test_o38_a_hidden_indicator_shows_what_it_is() -> None:
    hand = instead(reversed_hand(REVERSED, "NT-reversed"), "0 trump NT-reversed", "0 trump *")
    replayed = replay(hand)
    assert replayed.findings == ()
    assert replayed.tricks[0].winner == 2
    assert codes(replay(instead(hand, "0 reveal NT-reversed", "0 reveal S-reversed"))) == [
        "trump-unknown"
    ]


# --- Asking is a choice


OPTIONAL: Options = {"ask": "optional"}


def without(hand: Hand, *texts: str) -> Hand:
    return replace(hand, actions=[text for text in hand.actions if text not in texts])


def test_o48_t107_nobody_has_to_ask_and_the_hand_is_void() -> None:
    silent = without(under(OPTIONAL), "1 ask", "0 reveal S")
    result, points, _ = sound(replay(silent))
    assert (result, points) == ("void", (16, 12))
    base = replay(replace(silent, rules=replace(silent.rules, options=UNSET)))
    assert codes(base) == ["not-asked"]


def test_o48_t119_until_the_showing_a_trump_is_a_card_like_others() -> None:
    # Seat 3 throws the ace of spades on a heart, and it wins nothing.
    hand = under(OPTIONAL, ("3 play 7C", "3 play AS"))
    silent = up_to(without(hand, "1 ask", "0 reveal S"), "3 play 7S")
    replayed = replay(silent)
    assert replayed.tricks[0].winner == 0
    asked = replay(up_to(hand, "2 play 7H"))
    assert asked.findings == ()


def asked_by_3(card: str, options: Options = OPTIONAL) -> Hand:
    """Seat 1 throws a diamond in silence, and seat 3, without hearts too, asks."""
    before = ["0 bid 16", *PASSES, "0 trump S", "0 play JH", "1 play 7D", "2 play 7H"]
    hand = under(options)
    return replace(hand, actions=[*before, "3 ask", "0 reveal S", f"3 play {card}"])


def test_o48_who_asks_has_to_trump() -> None:
    replayed = replay(asked_by_3("7S"))
    assert replayed.findings == ()
    assert replayed.tricks[0].winner == 3
    for card in ("7C", "KC"):
        found = replay(asked_by_3(card))
        assert places(found.findings) == [("not-trumped", "/actions/10")]
        assert found.findings[0].legal == "AS TS 8S 7S"
        assert found.findings[0].rule.split()[0] == "O48"
    base = replay(asked_by_3("7C", {}))
    assert codes(base) == ["not-asked"]


def test_o48_a_trump_not_recorded_may_have_been_in_the_hand() -> None:
    hand = replace(asked_by_3("7C"), deal=UNSET)
    replayed = replay(hand)
    assert replayed.findings == ()
    trumps = replayed.state_at(len(replayed)).doubt_cards
    assert trumps.bit_count() >= 8


def test_o48_the_maker_may_show_and_then_trumps() -> None:
    # Seat 1 plays the hand, and has no heart.
    made = ["0 pass", "1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump D"]
    lead = [*made, "0 play JH"]
    for rest, found in (
        (["1 play 7D"], []),
        (["1 reveal D", "1 play 7D"], []),
        (["1 ask"], ["ask-without-cause"]),
    ):
        hand = replace(under(OPTIONAL), actions=[*lead, *rest])
        assert codes(replay(hand)) == found
    base = replace(under({}), actions=[*lead, "1 play 7D"])
    assert codes(replay(base)) == ["not-shown"]


def test_s92_a_maker_without_a_trump_may_show_and_play_anything() -> None:
    made = ["0 pass", "1 bid 16", "2 pass", "3 pass", "0 pass", "1 trump C"]
    hand = replace(under(OPTIONAL), actions=[*made, "0 play JH", "1 reveal C", "1 play 7D"])
    assert replay(hand).findings == ()


# --- Guessing


GUESS: Options = {"ask": "end-of-trick"}
FIRST_TRICK = ("0 play JH", "1 play 7D", "2 play 7H", "3 play 7S")


def guessed(*rest: str, options: Options = GUESS, trump: str = "S") -> Hand:
    hand = under(options)
    calls = ["0 bid 16", *PASSES, f"0 trump {trump}"]
    return replace(hand, actions=[*calls, *FIRST_TRICK, *rest])


REST = plays("3 AS 0 JS 1 8D 2 8H", "0 9H 1 QD 2 QH 3 8S", "3 KC 0 KS 1 KD 2 TC")


def test_o49_the_trump_is_shown_at_the_end_and_wins_the_trick() -> None:
    replayed = replay(guessed("0 reveal S", *REST))
    assert replayed.findings == ()
    assert [trick.winner for trick in replayed.tricks] == [3, 0, 3, 0]
    assert not replayed.at(8).trump_public
    assert (replayed.at(9).trump_public, replayed.at(9).turn) == (True, 0)
    assert replayed.tricks[0].last_action == 8


def test_o49_the_record_may_leave_the_showing_out() -> None:
    silent, said = replay(guessed(*REST)), replay(guessed("0 reveal S", *REST))
    assert silent.findings == ()
    assert [trick.winner for trick in silent.tricks] == [trick.winner for trick in said.tricks]


def test_o49_a_record_that_hides_trumps_has_to_show_them() -> None:
    shown = replay(guessed("0 reveal S", *REST, trump="*"))
    assert shown.findings == ()
    assert [trick.winner for trick in shown.tricks] == [3, 0, 3, 0]
    assert shown.tricks[0].first_action == 5
    silent = replay(guessed(*REST, trump="*"))
    assert (silent.findings, silent.verdict) == ((), Verdict.INCOMPLETE)
    assert "does not say what was trumps" in silent.doubts[0]
    waiting = replay(guessed(trump="*"))
    assert waiting.verdict == Verdict.INCOMPLETE
    assert waiting.at(9).turn == 0


def test_o49_nobody_demands_it_earlier() -> None:
    calls = ["0 bid 16", *PASSES, "0 trump S", "0 play JH"]
    for words in (["1 ask"], ["1 ask", "0 reveal S"]):
        asked = replace(under(GUESS), actions=[*calls, *words, "1 play 7D"])
        assert codes(replay(asked)) == ["ask-without-cause"]
    early = replace(under(GUESS), actions=[*calls, "0 reveal S", "1 play 7D"])
    assert codes(replay(early)) == ["reveal-without-cause"]
    base = replay(guessed("0 reveal S", options={}))
    assert codes(base)[0] == "not-asked"


def test_o49_from_then_on_all_is_as_usual() -> None:
    late = replay(guessed("0 reveal S", *REST, "0 play AH", "1 ask"))
    assert codes(late) == ["ask-without-cause"]
    again = replay(guessed("0 reveal S", *REST[:1], "0 reveal S"))
    assert codes(again) == ["reveal-without-cause"]


def test_o49_a_declared_pair_says_that_trumps_have_come_out() -> None:
    # Anybody may have thrown a card to the first trick, but none is named.
    def declared(trump: str) -> Hand:
        unnamed = [f"{seat} play ?" for seat in range(4)]
        return hand_of(
            "twenty-nine",
            ["0 bid 16", *PASSES, f"0 trump {trump}", *unnamed, "0 pair", "0 reveal S"],
            options=GUESS,
            deal=[
                *("AS KS QS JS KD 7H QD TD", "TS 9S 8S 7S JD 8D 9D 7D"),
                *("AH KH QH JH AC KC JC QC", "9H TH 8H AD 8C TC 9C 7C"),
            ],
        )

    assert codes(replay(declared("S"))) == []
    untold = replay(declared("*"))
    assert (untold.findings, untold.verdict) == ((), Verdict.INCOMPLETE)
    assert "does not say what was trumps" in untold.doubts[0]


@pytest.mark.parametrize("pair", ["at-once", "at-once-with-a-trick", "after-reveal"])
def test_o49_s103_a_pair_declared_later_says_so_as_well(pair: str) -> None:
    # Nobody has to declare right after the trick that has perhaps brought trumps out.
    def declared(*after: str) -> list[str]:
        unnamed = [f"{seat} play ?" for seat in range(4)]
        hand = hand_of(
            "twenty-nine",
            ["0 bid 16", *PASSES, "0 trump S", *unnamed, *after, "0 pair"],
            options={**GUESS, "pair": pair},
            deal=[
                *("AS KS QS JS KD 7H QD TD", "TS 9S 8S 7S JD 8D 9D 7D"),
                *("AH KH QH JH AC KC JC QC", "9H TH 8H AD 8C TC 9C 7C"),
            ],
        )
        return codes(replay(hand))

    assert declared() == []
    assert declared("0 play KD", "1 play JD") == []
