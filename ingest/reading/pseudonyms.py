"""Hands without the names of people: each id becomes another one, which only a key connects.

A pseudonym is a keyed hash (HMAC with SHA-256) of what it stands for. With one key a player has the
same pseudonym in every hand and file, so that figures stay what they are; without the key nobody
can find out, or try out, whom it stands for.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.schemas.hand import Hand, Player

LEAST_KEY: Final = 16
"""Characters that a key has at least, as a shorter one can be tried out."""
_DIGITS: Final = 16
"""Characters of a pseudonym, of 32 kinds: no two of a billion ids share one, as good as surely."""
_LEAST_NAME: Final = 2
"""Letters of a name that is looked for in remarks; a single one stands in many words."""


class WeakKeyError(ValueError):
    """A key that protects nobody; the sentence says what it lacks."""


def key_of(given: str) -> bytes:
    """Return the key that a file holds, or standard input where ``-`` is given.

    Raises ``WeakKeyError`` for one that is too short, and for a file that cannot be read: what is
    given is never the key itself, as anybody could guess a path that was mistyped.
    """
    try:
        key = sys.stdin.buffer.read() if given == "-" else Path(given).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise WeakKeyError(
            f"The key must be a file that holds it, or - for standard input; {given!r} cannot be "
            f"read: {why}."
        ) from error
    key = key.strip()
    if len(key) < LEAST_KEY:
        raise WeakKeyError(
            f"A key has at least {LEAST_KEY} characters; this has {len(key)}. A shorter one can be "
            "found by trying."
        )
    return key


class Pseudonyms:
    """What ids become under one key."""

    def __init__(self, key: bytes, *, keep_remarks: bool = True) -> None:
        """Take the key; remarks are dropped where they are not to be kept."""
        self._key = key
        self._keep_remarks = keep_remarks
        self.remarks = 0
        """Remarks that were kept so far, with known names replaced."""

    def of_hand(self, hand: Hand) -> Hand:
        """Return a hand whose people have pseudonyms; bots keep their names.

        Names and ``ext`` go. Cards, actions, rules, results and times stay. In remarks the names
        and ids of this table are replaced; of anybody else nothing is known there.
        """
        known = self._known(hand.players)
        notes = hand.notes if self._keep_remarks else UNSET
        remark = hand.remark if self._keep_remarks else UNSET
        if notes is not UNSET:
            self.remarks += len(notes)
            notes = {place: _replaced(text, known) for place, text in notes.items()}
        if remark is not UNSET:
            self.remarks += 1
            remark = _replaced(remark, known)
        return replace(
            hand,
            id=self._of("hand", hand.id),
            game=hand.game if hand.game is UNSET else self._of("game", hand.game),
            players=[
                each if each.kind == "bot" else Player(id=self.player(each.id), kind=each.kind)
                for each in hand.players
            ],
            notes=notes,
            remark=remark,
            ext=UNSET,
        )

    def player(self, player: str) -> str:
        """Return the pseudonym of a player's id."""
        return self._of("player", player)

    def _of(self, kind: str, text: str) -> str:
        digest = hmac.new(self._key, f"{kind}\n{text}".encode(), hashlib.sha256).digest()
        return f"{kind}-{base64.b32encode(digest).decode().lower()[:_DIGITS]}"

    def _known(self, players: Sequence[Player]) -> dict[str, str]:
        """Return what people of a hand are called, folded, and what takes its place."""
        found = {}
        for each in players:
            if each.kind == "bot":
                continue
            for name in (each.id, each.name):
                if name is not UNSET and len(name) >= _LEAST_NAME:
                    found[name.casefold()] = self.player(each.id)
        return found


def _replaced(text: str, known: dict[str, str]) -> str:
    """Return a remark with every name of the table replaced, whatever its capital letters.

    A word that begins with a name is replaced whole: what is left of it would give the name away.
    """
    if not known:
        return text
    longest_first = sorted(known, key=len, reverse=True)
    any_name = "|".join(map(re.escape, longest_first))
    names = re.compile(rf"(?<!\w)({any_name})\w*", re.IGNORECASE)
    # A letter may have two small forms, of which only one is the name's.
    return names.sub(lambda found: known.get(found[1].casefold(), "somebody"), text)
