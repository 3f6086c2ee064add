"""Log lines for tests: one sound hand, lines made from it, and generated hands, broken or not."""

import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.made_once import played
from tricklog import Claimed, Hand, LogLine, Reject, card_name, cards_in, core, encode_hand
from tricklog.ingest.adapters import Converted

SOUND: dict[str, Any] = {
    "format": "tricklog/1",
    "id": "club-1",
    "rules": {"variant": "pedro", "version": 1, "options": {"min_bid": 6}},
    "players": [{"id": "ann"}, {"id": "bo"}, {"id": "cy"}, {"id": "dee", "kind": "bot"}],
    "dealer": 3,
    "actions": ["0 bid 7", "1 pass", "2 bid 9", "3 pass", "2 trump H"],
    "deal": ["AS KS", "QS JS", "TS ?", "* 2H"],
    "stock": "3C 4C",
    "claimed": {"points": [9, 5], "winners": [0, 3]},
    "status": "in_progress",
    "started_at": "2026-11-20T19:03:00+02:00",
    "times": {"0": 1200},
    "notes": {"4": 'with a "sigh"'},
    "ext": {"club/table": [1, {"a": None}]},
}


def record(**changes: object) -> dict[str, Any]:
    """The sound hand with some fields changed; ``...`` removes a field."""
    made = copy.deepcopy(SOUND) | changes
    return {key: value for key, value in made.items() if value is not ...}


def line(**changes: object) -> bytes:
    """The sound hand as one line, with some fields changed; ``...`` removes a field."""
    return json.dumps(record(**changes)).encode()


SOUND_LINE = line()


def generated(variant: str, games: int = 2, seed: int = 5) -> tuple[Hand, ...]:
    return played(variant, games, seed)


def one_game(variant: str) -> tuple[Hand, ...]:
    return played(variant, 1, 7)


def write_hands(path: Path, hands: Iterable[Hand]) -> Path:
    return write_lines(path, map(encode_hand, hands))


def write_lines(path: Path, lines: Iterable[bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(text + b"\n" for text in lines))
    return path


def moved_on(hand: Hand) -> Hand:
    """The same hand with the deal one seat further: its record no longer fits the game."""
    return replace(hand, dealer=(hand.dealt_by + 1) % len(hand.players))


def reject_of(item: LogLine | Converted) -> Reject:
    """The reject of a line or record that has one."""
    assert item.reject is not None, item
    return item.reject


def logged_field(hands: Sequence[Hand], field: str) -> list[Any]:
    """What the log of each hand says of a field, such as ``claimed.points``; ``None``: nothing."""
    found: list[Any] = [json.loads(encode_hand(hand)) for hand in hands]
    for key in field.split("."):
        found = [
            [member.get(key) for member in each] if isinstance(each, list) else each.get(key)
            for each in [{} if each is None else each for each in found]
        ]
    return found


# --- Hands with a known fault
def with_revoke(hands: Iterable[Hand]) -> tuple[Hand, int]:
    """A hand whose one fault is a revoke, and the index of the action that is it."""
    return next(pair for hand in hands for pair in _revokes(hand))


def _revokes(hand: Hand) -> Iterator[tuple[Hand, int]]:
    """Let a player play two cards the other way round, wherever that is a revoke and no more."""
    replayed = core.replay(hand)
    for index, action in enumerate(hand.actions):
        seat, verb, *_ = action.split(" ")
        if verb != "play":
            continue
        view = replayed.at(index)
        barred = view.holdings[int(seat)] & ~view.choice.cards
        for card in cards_in(barred):
            later = f"{seat} play {card_name(card)}"
            actions = [
                later if text == action else action if text == later else text
                for text in hand.actions
            ]
            broken = replace(hand, actions=actions, claimed=UNSET)
            if [item.code for item in core.replay(broken).findings] == ["revoke"]:
                yield broken, index


def with_wrong_claim(hand: Hand) -> Hand:
    outcome = core.replay(hand).outcome
    assert outcome is not None
    points = list(outcome.points)
    points[0] += 1
    return replace(hand, claimed=Claimed(points=points))
