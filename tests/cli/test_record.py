"""`tricklog record`: hands typed in, from a file of what is typed, and what stands in the log."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tricklog.core import Verdict, replay
from tricklog.schemas.hand import Hand, decode_hand

SEATS = "--players 'Ann, Bo, Cy, Dee'"
TABLE = f"--variant pedro {SEATS}"
QUICK = f"{TABLE} --quick"
CARDS = "7\np\n8\np\nhearts\ngap exchange\nAh\n2h\n♥4\n10h\nrest\npoints 0 9\npoints 1 5\nsave\n"


class Typed:
    def __init__(self, tricklog: CommandLine) -> None:
        self.tricklog = tricklog
        self.log = Path("log.jsonl")

    def __call__(self, lines: str, table: str = "") -> str:
        ran = self.tricklog(f"record {self.log} {table}", stdin=lines.encode())
        return ran.text + ran.stderr

    def hands(self) -> list[Hand]:
        return [*map(decode_hand, self.log.read_bytes().splitlines())]


@pytest.fixture
def typed(tricklog: CommandLine) -> Typed:
    return Typed(tricklog)


def test_a_hand_is_typed_and_stands_in_the_log(typed: Typed) -> None:
    said = typed(CARDS, TABLE)
    assert "Ann may bid 7 to 14 or pass." in said
    assert "Cy bid 8 with hearts as trumps and made it." in said
    assert "Hand 2: Ann deals, Bo bids first. Ann & Cy 9, Bo & Dee 5." in said
    (hand,) = typed.hands()
    assert hand.actions[-4:] == ["2 play AH", "3 play 2H", "0 play 4H", "1 play TH"]
    assert replay(hand).verdict == Verdict.PARTIAL


def test_what_is_not_finished_goes_on_with_the_next_call(typed: Typed) -> None:
    first, rest = CARDS.split("Ah", 1)
    assert "Hand 1 is not finished" in typed(first, TABLE)
    assert "not finished" in typed("", TABLE)
    assert not typed.log.exists()
    typed(f"Ah{rest}")
    assert [hand.actions[0] for hand in typed.hands()] == ["0 bid 7"]
    typed("")
    assert len(typed.hands()) == 1
    assert "Hand 2 is over but not saved" in typed("quick\nCy 9 d 8 6\nquit\n")


def test_a_score_pad_is_one_line_a_hand(typed: Typed) -> None:
    said = typed("Cy 9 d 8 6\nsave\nbo 8 9\nsave\npad\nundo hand\nundo\nbo 14\nundo\n", QUICK)
    assert "  1  Cy bid 9 with diamonds as trumps and was set. Ann & Cy -9, Bo & Dee 6" in said
    assert [hand.claimed.scores for hand in typed.hands() if hand.claimed] == [[-9, 6]]


def test_of_two_players_with_one_name_the_id_is_typed(typed: Typed) -> None:
    anns = "--variant pedro --players 'Ann, Ann <ann-2>, Cy, Dee'"
    not_taken = "Not taken: Ann is ann or ann-2: type the id."
    quick = "Ann 7 h 8 6\nann-2 8 s 8 6\nsave\nann 7 h 8 6\nsave\n"
    assert not_taken in typed(quick, f"{anns} --quick")
    assert [hand.known.maker for hand in typed.hands() if hand.known] == [1, 0]
    typed.log = Path("cards.jsonl")
    cards = "Ann pass\nann pass\nann-2 bid 7\ndeal ann-2 10h KD\nrest\nsave\nyes\n"
    assert not_taken in typed(cards, anns)
    (hand,) = typed.hands()
    assert hand.actions == ["0 pass", "1 bid 7"]


def test_what_is_done_is_not_taken_for_an_id(typed: Typed) -> None:
    players = "'Ann, Bo <h>, Cy <7>, Dee <p>'"
    lines = "7\nBo pass\n7 pass\np\nh\nrest\nsave\nyes\n"
    typed(lines, f"--variant pedro --players {players}")
    (hand,) = typed.hands()
    assert hand.actions == ["0 bid 7", "1 pass", "2 pass", "3 pass", "0 trump H"]


@pytest.mark.parametrize("suit", ["s", "S", "spades", "♠", "Pata"])
def test_trumps_are_told_by_any_word_for_them(typed: Typed, suit: str) -> None:
    typed(f"Cy 9 8 6\ntrump {suit}\nsave\n", QUICK)
    assert [hand.known.trump for hand in typed.hands() if hand.known] == ["S"]
    typed.log = Path("cards.jsonl")
    typed(f"7\np\np\np\ntrump {suit}\nrest\nsave\nyes\n", TABLE)
    assert typed.hands()[0].actions[-1:] == ["0 trump S"]


def test_trumps_that_the_maker_alone_knows_are_offered(typed: Typed) -> None:
    said = typed("16\np\np\np\n?\ntrump *\nrest\nsave\nyes\n", f"--variant twenty-nine {SEATS}")
    assert "Now: trump S, trump H, trump D, trump C, trump *\n" in said
    assert typed.hands()[0].actions[-1:] == ["0 trump *"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fly", "'fly' is not understood. You may write 7, 8, 9"),
        ("14h", "bid one whole number"),
        ("7\nsave", "the hand is not over: The record stops during the auction"),
        ("save", "nothing of this hand is recorded yet"),
        ("quick\nundo", "nothing to take back in this hand"),
        ("quick\nCy 9 d 19", "'19' cannot be the points of a side: a hand has 14"),
        ("quick\nCy 9 d 8 -6", "write a number from 0 to 14"),
        ("mend 4", "there is no hand 4"),
        ("undo", "nothing to take back"),
        ("redo", "nothing was taken back"),
        ("points x 4", "'x' is not a whole number"),
        ("gap lunch", "say one of trumps, exchange, tricks"),
        ("Ann discard XX", "'XX' is not a card"),
        ("quick\nAnn 9", "write who bid, how much"),
    ],
)
def test_what_cannot_be_taken_says_why(typed: Typed, line: str, why: str) -> None:
    said = " ".join(typed(f"{line}\n", TABLE).split())
    assert "Not taken: " in said
    assert why in said


def test_undo_takes_back_what_was_said_at_once(typed: Typed) -> None:
    said = typed("Cy 9 d 8 6\nundo\nundo\nredo\nsave\nundo\nquit\n", QUICK)
    assert "Taken back: maker Cy, bid 9, trumps diamonds, 8 points of Ann & Cy, 6 " in said
    assert "there is nothing to take back in this hand." in said
    assert "in this hand; undo hand opens the one before again." in said
    assert said.count("Type who bid, how much, trumps and points, the makers' first: Cy 7 d") == 3
    assert said.count("Cy bid 9 with diamonds as trumps and was set.") == 3
    assert len(typed.hands()) == 1
    typed.log = Path("cards.jsonl")
    said = typed("7\nrest\npoints 0 9\npoints 1 5\nundo\nundo\nundo\nundo\nundo\n", TABLE)
    for back in ("5 points of Bo & Dee", "9 points of Ann & Cy", "rest not noted", "Ann bids 7"):
        assert f"Taken back: {back}." in said
    assert said.count("nothing to take back") == 1


def test_a_hand_without_points_is_saved_only_when_that_is_meant(typed: Typed) -> None:
    first = typed("7\np\np\np\nh\nrest\nsave\n", TABLE)
    assert "Save it as it is? The hand has no points yet" in first
    assert not typed.log.exists()
    again = typed("no\npoints 0 9\npoints 1 5\nsave\n")
    assert "Save it as it is? The hand has no points yet" in again
    assert "Hand 2: Ann deals, Bo bids first. Ann & Cy 9, Bo & Dee 5." in again


def test_what_the_rules_do_not_allow_is_asked_about_without_cards_too(typed: Typed) -> None:
    """1.auction, 1.points: a bid below the lowest, and points that do not come to fourteen."""
    said = typed("Cy 5 d 8 6\nno\nCy 9 d 8 5\nyes\nsave\nyes\n", QUICK)
    assert "Was it really so? Cy won the auction with 5, but the lowest bid is 7." in said
    assert "8 : 5 as the points taken, 13 together; a hand has 14." in said
    assert [finding.code for finding in replay(typed.hands()[0]).findings] == ["claimed-points"]
    assert "✗" in said


@pytest.mark.parametrize(("game", "asked"), [("pedro", True), ("king-pedro", False)])
def test_hands_are_thrown_in_where_rules_have_it(typed: Typed, game: str, *, asked: bool) -> None:
    """8.auction: if all four pass, the cards are thrown in; 1.auction: the dealer must bid."""
    lines = "passed\nyes\nsave\n" if asked else "passed\nsave\n"
    said = typed(lines, f"--variant {game} {SEATS} --quick")
    assert ("In this game no hand is thrown in." in said) == asked
    assert ("passed, if the cards were thrown in" in said) != asked
    assert "Hand 2: Ann deals" in said


def test_points_that_may_stay_out_of_play_are_not_made_up(typed: Typed) -> None:
    """5.points: what the others took is not the rest where cards are left in the stock."""
    said = typed("Cy 5 d 6\nCy 5 d 6 2\nsave\n", f"--variant pitch-with-fives {SEATS} --quick")
    assert "give the points of both sides" in " ".join(said.split())
    assert [hand.claimed.points for hand in typed.hands() if hand.claimed] == [[6, 2]]


def test_the_prompt_of_the_dealer_lists_no_pack(typed: Typed) -> None:
    said = " ".join(typed("9\np\np\np\nh\n", f"--variant cinch {SEATS}").split())
    assert "Dee may rob the stock: 0 to 6 of the cards nobody has seen." in said
