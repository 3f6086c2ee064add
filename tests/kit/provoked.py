"""The broken samples, each with the one finding that it gives, as tests of the engine take them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.kit.sound_hands import instead, pedro
from tricklog.schemas.hand import Hand, decode_hand

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
        """The hand with the finding."""
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
    """Return those of actions."""
    return [each for each in provoked() if each.pointer.startswith("/actions")]


def on_claims() -> list[Provoked]:
    """Return those of claims that do not hold."""
    return [each for each in provoked() if each.pointer.startswith("/claimed")]


def on_games() -> list[Provoked]:
    """Return those of what shows only beside the hand before."""
    return [each for each in provoked() if len(each.hands) > 1]


def on_the_deal() -> list[Provoked]:
    """Return those of what stands before the first action."""
    others = {each.code for each in (*on_actions(), *on_claims(), *on_games())}
    return [each for each in provoked() if each.code not in others]
