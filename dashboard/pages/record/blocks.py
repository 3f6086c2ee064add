"""What the recorder shows is made of blocks: keys, numbers to set, and what is seldom noted.

Each is a dictionary that ``recorder.js`` draws by its ``kind``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tricklog.core.engine.policies import Pair, Solo
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.core.recording.draft import NOT_TOLD, Told
from tricklog.core.recording.finishing import Finished
from tricklog.core.render.sentences import side_labels
from tricklog.schemas.languages.messages import message, say, say_in
from tricklog.schemas.limits import MAX_NOTE
from tricklog.schemas.render import player_labels

Block = dict[str, Any]
_ALONE: Final = {"solo": message("Solo"), "tenny": message("Tenny")}
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
    most = rules.all_points
    return {
        "kind": "numbers",
        "word": "points",
        "title": say("Points taken"),
        "note": say("together {points}", points=most)
        if fills
        else say("at most {points}", points=most),
        "rows": _rows(ended, points, is_points=True),
        "least": 0,
        "most": most,
        "all": most if fills else None,
        "wrong": say("A hand has {points} points: write a number from 0 to {points}.", points=most),
    }


def _rows(ended: Finished, values: Mapping[int, int], *, is_points: bool) -> list[Block]:
    return [
        {
            "side": side,
            "name": name,
            "value": values.get(side),
            "said": say("Points of {side}", side=name)
            if is_points
            else say("Added for {side}", side=name),
            "less": say("One less: {side}", side=name),
            "more": say("One more: {side}", side=name),
        }
        for side, name in enumerate(side_labels(ended.replayed))
    ]


def more_of(told: Told, ended: Finished) -> Block:
    """Return what is seldom written down: playing alone, a pair, the score, a remark, a trick."""
    change: Block = {
        "kind": "numbers",
        "word": "change",
        "title": say("Added to the score"),
        "note": say("if it was counted otherwise"),
        "rows": _rows(ended, told.change, is_points=False),
        "least": -_MOST_CHANGE,
        "most": _MOST_CHANGE,
        "all": None,
        "wrong": say("Write a whole number from −{most} to {most}.", most=_MOST_CHANGE),
    }
    remark = {
        "kind": "remark",
        "title": say_in("a heading", "Remark"),
        "value": told.remark,
        "most": MAX_NOTE,
    }
    blocks = [*_contract(told, ended), change, remark]
    if told.is_quick and "maker" in told.known:
        blocks.append(keys_of("", [key_of(say("Write down a trick"), "trick")]))
    is_used = bool(told.change or told.remark or {"alone", "pair"} & told.known.keys())
    title = say("More about this hand")
    return {"kind": "more", "title": title, "blocks": blocks, "open": is_used}


def _contract(told: Told, ended: Finished) -> list[Block]:
    rules, known = ended.replayed.rules, told.known
    ways = [
        name for name, has in (("solo", rules.solo != Solo.NONE), ("tenny", rules.tenny)) if has
    ]
    blocks = []
    if ways:
        keys = [
            key_of(str(_ALONE[way]), or_not("alone", way, known), chosen=known.get("alone") == way)
            for way in ways
        ]
        blocks.append(keys_of(say("Played alone"), keys))
    if rules.pair != Pair.NONE:
        keys = [
            key_of(name, or_not("pair", seat, known), chosen=known.get("pair") == seat)
            for seat, name in enumerate(player_labels(ended.hand))
        ]
        blocks.append(keys_of(say("King and queen of trumps"), keys, note=say("who declared them")))
    return blocks
