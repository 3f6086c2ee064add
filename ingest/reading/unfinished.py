"""Records made while a hand was still being played, and the later record that goes on from them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core import Ruleset, Verdict, replay
from tricklog.schemas.hand import Gap, Hand

_IN_COMMON = ("id", "game", "hand", "rules", "players")
"""Fields that records of one hand have alike."""
_NOT_KNOWN = ("?", "*")


def continues(later: Hand, earlier: Hand, ruleset: Ruleset | None = None) -> bool:
    """Whether a record says all that an unfinished one says, and what was done after it.

    ``ruleset``: the rules to replay by, instead of those that the hands name.
    """
    return (
        len(earlier.actions) < len(later.actions)
        and all(getattr(earlier, name) == getattr(later, name) for name in _IN_COMMON)
        and _is_kept(_said(earlier), _said(later))
        and _is_unfinished(earlier, ruleset)
    )


def _said(hand: Hand) -> Any:  # noqa: ANN401 - JSON
    """Return the fields of a record, but for what it says of its end."""
    gaps = [] if hand.gaps is UNSET else [each for each in hand.gaps if not _is_end(hand, each)]
    said = msgspec.to_builtins(replace(hand, gaps=gaps or UNSET, status=UNSET, ext=UNSET))
    return {name: value for name, value in said.items() if name != "format"}


def _is_end(hand: Hand, gap: Gap) -> bool:
    return gap.before == len(hand.actions)


def _is_kept(before: object, now: object) -> bool:
    """Whether a value still says what it said before; lists, and lists of cards, may be longer."""
    match before, now:
        case None, _:
            return True
        case dict(), dict():
            return all(name in now and _is_kept(before[name], now[name]) for name in before)
        case list(), list():
            return len(before) <= len(now) and all(map(_is_kept, before, now))
        case str(), str():
            words, later = before.split(), now.split()
            return len(words) <= len(later) and all(
                word in (other, *_NOT_KNOWN) for word, other in zip(words, later, strict=False)
            )
    return before == now


def _is_unfinished(hand: Hand, ruleset: Ruleset | None) -> bool:
    """Whether a record says that its hand was still being played, or stops before the end."""
    return (
        hand.status == "in_progress"
        or (hand.gaps is not UNSET and any(_is_end(hand, gap) for gap in hand.gaps))
        or replay(hand, ruleset=ruleset).verdict is Verdict.INCOMPLETE
    )
