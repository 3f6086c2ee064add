"""A server that writes one event a line, many games mixed, and its adapter."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tests.kit.log_lines import generated, write_lines
from tricklog import Hand, RejectCode
from tricklog.ingest.adapters import Adapter, ForeignError, GroupBy
from tricklog.ingest.adapters.contract import CONTRACT
from tricklog.ingest.reading.reader import Block, LogLine, read_block


class Line(msgspec.Struct):
    game: str
    event: str


def events_of(hand: Hand) -> list[dict[str, Any]]:
    """A hand as events: what it says without its actions, each action, and the end."""
    bare = msgspec.to_builtins(msgspec.structs.replace(hand, actions=[]))
    first = {"game": hand.id, "event": "begin", "hand": bare}
    actions = [{"game": hand.id, "event": "action", "text": each} for each in hand.actions]
    return [first, *actions, {"game": hand.id, "event": "end"}]


def convert(lines: Sequence[dict[str, Any]]) -> list[Hand]:
    if lines[0]["event"] != "begin":
        raise ForeignError(RejectCode.BAD_VALUE, (0, "event"), "It has no beginning.", "Look.")
    for place, line in enumerate(lines[1:-1], start=1):
        if "text" not in line:
            raise ForeignError(RejectCode.MISSING_FIELD, (place,), "It has no text.", "Look.")
    hand = {**lines[0]["hand"], "actions": [line["text"] for line in lines[1:-1]]}
    return [msgspec.convert(hand, Hand)]


def is_end(line: dict[str, Any]) -> bool:
    return bool(line["event"] == "end")


EVENTS = Adapter(
    "events", "Events", convert, Line, CONTRACT, group_by=GroupBy(key="game", ends=is_end)
)
HANDS = generated("pedro", 1)[:4]


def as_lines(events: Sequence[dict[str, Any]], file: str = "log") -> list[LogLine]:
    text = b"".join(msgspec.json.encode(each) + b"\n" for each in events)
    return list(read_block(Block(file, 1, 0, text)))


def write_events(path: Path, events: Sequence[dict[str, Any] | bytes]) -> Path:
    lines = [each if isinstance(each, bytes) else msgspec.json.encode(each) for each in events]
    return write_lines(path, lines)


def mixed(dice: random.Random, *games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    left = [list(game) for game in games if game]
    found = []
    while left:
        game = dice.choice(left)
        found.append(game.pop(0))
        left = [each for each in left if each]
    return found
