"""The small sound hands of `sound_hands.txt`, one of each system: what tests break on purpose.

The four of `SOUND` are those of which tests know each action, `FAMILY` has the other systems of the
Pedro family, for four to seven players.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from tests.kit.rule_cases import Case, cases_in
from tests.kit.support import PLAYERS, actions_in, hand_of
from tricklog.schemas.hand import Claimed, Hand, decode_hand

PASSES = ["1 pass", "2 pass", "3 pass"]


@cache
def _rows() -> dict[str, Case]:
    return {row["name"]: row for row in cases_in(Path(__file__).with_suffix(".txt"))["hand"]}


def sound(name: str) -> Hand:
    """Return a hand with what it claims: the points taken are added, where it says no `change`."""
    row = _rows()[name]
    seats, points = len(row["deal"]), row["points"]
    row = {"change": points} | row
    piles: dict[str, Any] = {key: row[key] for key in ("stock", "kitty") if key in row}
    return hand_of(
        row.get("game", name),
        actions_in(row["actions"]),
        id=name,
        options=row.get("options"),
        players=PLAYERS[:seats],
        dealer=seats - 1,
        scores=[0] * len(points),
        deal=list(row["deal"]),
        claimed=Claimed(points=points, change=row["change"], scores=row["change"]),
        **piles,
    )


def _made(*names: str) -> dict[str, Callable[[], Hand]]:
    return {name: partial(sound, name) for name in names}


SOUND = _made("pedro", "pidro", "king-pedro", "twenty-nine")
FAMILY = _made(
    *("cinch", "nicaragua", "pitch-with-fives", "pitch-with-fives-O88", "sancho-6", "sancho-7"),
    *("snoozer-5", "ukrainian", "sixty-three", "eighty-three"),
)
pedro, pidro, king_pedro, twenty_nine = SOUND.values()
alone_with_trumps = partial(sound, "alone-with-trumps")


# --- Ways to break them
def place_of(hand: Hand, text: str) -> int:
    assert hand.actions.count(text) == 1, text
    return hand.actions.index(text)


def instead(hand: Hand, old: str, *new: str) -> Hand:
    index = place_of(hand, old)
    return replace(hand, actions=[*hand.actions[:index], *new, *hand.actions[index + 1 :]])


def swapped(hand: Hand, one: str, other: str) -> Hand:
    places = {one: other, other: one}
    return replace(hand, actions=[places.get(text, text) for text in hand.actions])


def up_to(hand: Hand, text: str) -> Hand:
    return replace(hand, actions=hand.actions[: place_of(hand, text) + 1])


# --- One hand for every finding
INVALID: Final = Path(__file__).parents[2] / "sample_logs" / "invalid"


@dataclass(frozen=True)
class Provoked:
    """Hands of one game, of which the last gives one finding and nothing else is wrong."""

    hands: tuple[Hand, ...]
    code: str
    pointer: str
    seat: int | None
    legal: str

    @property
    def hand(self) -> Hand:
        return self.hands[-1]


@cache
def provoked() -> tuple[Provoked, ...]:
    """Return a case of every code that a replay or a game can give."""
    # A log with such a seat is stopped by its reader, so only a hand made here gets that far.
    stopped = Provoked((instead(pedro(), "1 pass", "5 pass"),), "no-such-seat", "/actions/1", 5, "")
    return (stopped, *_of_samples())


def _of_samples() -> Iterator[Provoked]:
    expected: dict[str, list[dict[str, Any]]] = json.loads(
        (INVALID / "expected.json").read_text("utf-8")
    )
    for name, rows in expected.items():
        findings = [finding for row in rows for finding in row.get("findings", ())]
        if len(findings) == 1:
            (found,) = findings
            hands = tuple(map(decode_hand, (INVALID / name).read_bytes().splitlines()))
            yield Provoked(hands, *(found[key] for key in ("code", "pointer", "seat", "legal")))


def on_actions() -> list[Provoked]:
    return [each for each in provoked() if each.pointer.startswith("/actions")]


def on_claims() -> list[Provoked]:
    return [each for each in provoked() if each.pointer.startswith("/claimed")]


def on_games() -> list[Provoked]:
    return [each for each in provoked() if len(each.hands) > 1]


def on_the_deal() -> list[Provoked]:
    others = {each.code for each in (*on_actions(), *on_claims(), *on_games())}
    return [each for each in provoked() if each.code not in others]
