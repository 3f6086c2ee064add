"""`tricklog record`: hands typed in, from a file of what is typed, and what stands in the log."""

from pathlib import Path

import pytest

from replay import Verdict, replay
from schemas.hand import Hand, decode_hand
from tests.cli.command_line import CommandLine

TABLE = ("--game", "pedro", "--players", "Ann, Bo, Cy, Dee")
CARDS = """\
7
p
8
p
hearts
gap exchange
Ah
2h
♥4
10h
rest
points 0 9
points 1 5
save
"""


@pytest.fixture
def typed(tricklog: CommandLine, tmp_path: Path) -> "Typed":
    return Typed(tricklog, tmp_path / "log.jsonl")


class Typed:
    """The command, given lines as if they were typed."""

    def __init__(self, tricklog: CommandLine, log: Path) -> None:
        self.tricklog = tricklog
        self.log = log

    def __call__(self, lines: str, *arguments: str) -> str:
        """Type lines, and return all that is said."""
        ran = self.tricklog("record", self.log, *arguments, stdin=lines.encode())
        return ran.text + ran.stderr

    def hands(self) -> list[Hand]:
        return [*map(decode_hand, self.log.read_bytes().splitlines())]


def test_a_hand_is_typed_and_stands_in_the_log(typed: Typed) -> None:
    said = typed(CARDS, *TABLE)
    assert "Ann may bid 7 to 14 or pass." in said
    assert "Cy bid 8 with hearts as trumps and made it." in said
    assert "Hand 2: Ann deals, Bo bids first. Ann & Cy 9, Bo & Dee 5." in said
    (hand,) = typed.hands()
    assert hand.actions[-4:] == ["2 play AH", "3 play 2H", "0 play 4H", "1 play TH"]
    assert replay(hand).verdict == Verdict.PARTIAL


def test_what_is_not_finished_goes_on_with_the_next_call(typed: Typed) -> None:
    first, rest = CARDS.split("Ah", 1)
    assert "A hand is not finished" in typed(first, *TABLE)
    assert "not finished" in typed("", *TABLE)
    assert not typed.log.exists()
    typed(f"Ah{rest}")
    assert [hand.actions[0] for hand in typed.hands()] == ["0 bid 7"]
    typed("")
    assert len(typed.hands()) == 1


def test_an_illegal_card_is_asked_about_and_kept(typed: Typed) -> None:
    lines = CARDS.partition("rest")[0] + "Kd\n3d\nJh\nQd\n3h\nno\n3h\nyes\nrest\nsave\n"
    said = typed(lines, *TABLE)
    assert said.count("Was it really so?") >= 1
    codes = [finding.code for finding in replay(typed.hands()[0]).findings]
    assert codes
    assert said.count("✗") >= len(codes)


def test_a_score_pad_is_one_line_a_hand(typed: Typed) -> None:
    said = typed(
        "Cy 9 d 8 6\nsave\nbo 8 9\nsave\npad\nundo hand\nundo\nbo 14\nundo\n", *TABLE, "--quick"
    )
    assert "  1  Cy bid 9 with diamonds as trumps and was set. Ann & Cy -9, Bo & Dee 6" in said
    assert [hand.claimed.scores for hand in typed.hands() if hand.claimed] == [[-9, 6]]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fly", "'fly' is not understood. You may write 7, 8, 9"),
        ("14h", "bid one whole number"),
        ("save", "the hand is not over: The record stops during the auction"),
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
    said = " ".join(typed(f"{line}\n", *TABLE).split())
    assert "Not taken: " in said
    assert why in said


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "nothing is being recorded there yet"),
        (("--game", "pedr", "--players", "a,b,c,d"), "there is no variant 'pedr'"),
        ((*TABLE, "--dealer", "Eve"), "Eve does not sit at the table"),
        ((*TABLE, "--scores", "many"), "'many' are no scores"),
        ((*TABLE, "--scores", "1,2,3"), "there are 2 sides"),
        (("--game", "pedro", "--players", "a,b,c"), "player"),
    ],
)
def test_a_table_that_cannot_be_says_why(
    typed: Typed, arguments: tuple[str, ...], why: str
) -> None:
    assert why in typed("", *arguments)
    assert not typed.log.exists()
