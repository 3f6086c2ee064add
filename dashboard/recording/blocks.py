"""What the recorder shows is made of blocks: keys, numbers to set, and what is seldom noted.

Each is a dictionary that ``recorder.js`` draws by its ``kind``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from replay.engine.policies import Pair, Solo
from replay.judging.gaps.points import have_all_points
from replay.recording import Finished
from replay.recording.draft import NOT_TOLD, Told
from replay.render.sentences import side_labels
from schemas.limits import MAX_NOTE
from schemas.render import player_labels

Block = dict[str, Any]
_MOST_CHANGE: Final = 999
"""What a score changes by at the most, in a field of the page."""


def keys_of(title: str, keys: Sequence[Block], note: str = "") -> Block:
    """Return a row of keys."""
    return {"kind": "keys", "title": title, "note": note, "keys": list(keys)}


def key_of(
    label: str, tap: str, *, chosen: bool = False, grey: bool = False, suit: int | None = None
) -> Block:
    """Return a key, and the tap that it sends."""
    return {"label": label, "tap": tap, "chosen": chosen, "grey": grey, "suit": suit}


def or_not(word: str, value: str | int, known: Mapping[str, Any]) -> str:
    """Return the tap for something that may be left out: a second one takes it back."""
    return f"{word} {NOT_TOLD}" if known.get(word) == value else f"{word} {value}"


def points_of(ended: Finished, points: Mapping[int, int]) -> Block:
    """Return the fields for the points each side took; the rest is the others', where it must be.

    Where points may stay out of play nothing is known of the others.
    """
    rules = ended.replayed.rules
    fills = rules.side_count == 2 and have_all_points(rules)  # noqa: PLR2004 - the makers and the others
    return {
        "kind": "numbers",
        "word": "points",
        "title": "Points taken",
        "note": f"together {rules.all_points}" if fills else f"at most {rules.all_points}",
        "rows": _rows(ended, points),
        "least": 0,
        "most": rules.all_points,
        "all": rules.all_points if fills else None,
        "wrong": f"A hand has {rules.all_points} points: write a number from 0 to "
        f"{rules.all_points}.",
    }


def _rows(ended: Finished, values: Mapping[int, int]) -> list[Block]:
    return [
        {"side": side, "name": name, "value": values.get(side)}
        for side, name in enumerate(side_labels(ended.replayed))
    ]


def more_of(told: Told, ended: Finished) -> Block:
    """Return what is seldom written down: playing alone, a pair, the score, a remark, a trick."""
    change: Block = {
        "kind": "numbers",
        "word": "change",
        "title": "Added to the score",
        "note": "if it was counted otherwise",
        "rows": _rows(ended, told.change),
        "least": -_MOST_CHANGE,
        "most": _MOST_CHANGE,
        "all": None,
        "wrong": f"Write a whole number from −{_MOST_CHANGE} to {_MOST_CHANGE}.",
    }
    remark = {"kind": "remark", "title": "Remark", "value": told.remark, "most": MAX_NOTE}
    blocks = [*_contract(told, ended), change, remark]
    if told.is_quick and "maker" in told.known:
        blocks.append(keys_of("", [key_of("Write down a trick", "trick")]))
    is_used = bool(told.change or told.remark or {"alone", "pair"} & told.known.keys())
    return {"kind": "more", "title": "More about this hand", "blocks": blocks, "open": is_used}


def _contract(told: Told, ended: Finished) -> list[Block]:
    rules, known = ended.replayed.rules, told.known
    ways = [
        name for name, has in (("solo", rules.solo != Solo.NONE), ("tenny", rules.tenny)) if has
    ]
    blocks = []
    if ways:
        keys = [
            key_of(way.capitalize(), or_not("alone", way, known), chosen=known.get("alone") == way)
            for way in ways
        ]
        blocks.append(keys_of("Played alone", keys))
    if rules.pair != Pair.NONE:
        keys = [
            key_of(name, or_not("pair", seat, known), chosen=known.get("pair") == seat)
            for seat, name in enumerate(player_labels(ended.hand))
        ]
        blocks.append(keys_of("King and queen of trumps", keys, note="who declared them"))
    return blocks
