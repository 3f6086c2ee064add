"""The ledger of a hand as it counts for one player, and who chose what.

Amounts are of the player's own side: its change of score less that of the other side; in points
what the makers take counts for them and against the others. Parts are split by who chose, and they
sum to the result exactly. Where each plays alone only hands count in which the player was maker.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, get_args

import polars as pl

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study.ledger import Ledger
from tricklog.core.study.sampling import Unit
from tricklog.schemas.hand import Hand, content_hash

Entry = Literal[
    "start",
    "deal",
    "draw",
    "own bids",
    "partner's bids",
    "opponents' bids",
    "own exchange",
    "partner's exchange",
    "opponents' exchange",
    "own cards as maker's side",
    "own cards in defence",
    "partner's cards",
    "opponents' cards",
    "result",
]
ENTRIES: Final[tuple[Entry, ...]] = get_args(Entry)
"""Entries in order; the last one is the sum of all others."""
_CHOSEN: Final[dict[str, tuple[Entry, Entry, Entry]]] = {
    "auction": ("own bids", "partner's bids", "opponents' bids"),
    "exchange": ("own exchange", "partner's exchange", "opponents' exchange"),
    "makers": ("own cards as maker's side", "partner's cards", "opponents' cards"),
    "defence": ("own cards in defence", "partner's cards", "opponents' cards"),
}
"""By part of the ledger: what the player, their partner and others chose in it."""

Account = dict[Entry, Fraction]
"""One hand, as it counts for one player."""


def account_of(ledger: Ledger, seat: int, unit: Unit, *, alone: bool = False) -> Account | None:
    """Return what a hand brought the side of ``seat``, by entry; ``None`` where it does not count.

    That is where the ledger has no account in ``unit``, or where each plays ``alone`` and somebody
    else was the maker.
    """
    if ledger.why_not(unit) or (alone and seat != ledger.maker):
        return None
    made = seat in ledger.makers
    sign = 1 if made else -1
    account: Account = dict.fromkeys(ENTRIES, Fraction(0))
    account["start"] = sign * ledger.start.of(unit)
    account["result"] = sign * ledger.result.of(unit)
    for term in ledger.terms:
        if term.name in ("deal", "draw"):
            entry: Entry = "deal" if term.name == "deal" else "draw"
            account[entry] = sign * term.amount.of(unit)
            continue
        own, partners, others = _CHOSEN[term.name]
        for chooser, amount in term.players:
            same_side = (chooser in ledger.makers) == made
            entry = own if chooser == seat else partners if same_side else others
            account[entry] += sign * amount.of(unit)
    return account


# --- Hands as ``tricklog.ingest.study.season`` takes them from a warehouse, without one
def key_of(hand: Hand, ruleset: str) -> tuple[bytes, str]:
    return bytes.fromhex(content_hash(hand)), ruleset


def seats_of_hand(
    names: Sequence[str], sides: Sequence[int], **of_hand: object
) -> Iterator[dict[str, Any]]:
    """Yield a row for each seat of a valid hand; ``of_hand`` are further columns."""
    for seat, name in enumerate(names):
        same = [at for at, side in enumerate(sides) if side == sides[seat] and at != seat]
        row = {"day": None, "verdict": "valid", "seats": len(names), "seat": seat, "player": name}
        yield {**row, "side_no": sides[seat], "partners": [names[at] for at in same], **of_hand}


def seats_of_hands(hands: Sequence[Hand], rules: Rules, ruleset: str) -> pl.DataFrame:
    """The rows of ``seats_of`` for valid hands of one game, the newest first as there."""
    games: dict[str, int] = {}
    rows: list[dict[str, Any]] = []
    for number, hand in enumerate(hands):
        names = [each.id for each in hand.players]
        rows += seats_of_hand(
            names,
            [side_of(rules, seat) for seat in range(len(names))],
            variant=hand.rules.variant,
            hand_no=number,
            game_no=games.setdefault(str(hand.game), len(games)),
            ruleset=ruleset,
            content=key_of(hand, ruleset)[0],
        )
    return pl.DataFrame(rows[::-1])
