"""A hand log line taken apart into the columns of the warehouse, and put together again.

The columns hold every fact of the record once; ``line_of`` gives the canonical line back byte for
byte. A claim that the rules confirm is kept as no more than that, and comes back from the columns
``points``, ``change`` and ``scores``: whoever replaces those replaces the whole row.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from tricklog.core.engine import facts
from tricklog.core.engine.hand_replay import Workspace
from tricklog.ingest.store.long_texts import LONG
from tricklog.ingest.store.mornings import evening_of, likely
from tricklog.schemas import codes
from tricklog.schemas.actions import TAKES_BID, TAKES_TRUMP, Verb, action_cards, format_action
from tricklog.schemas.cards import CARD_COUNT, HIDDEN, card_name
from tricklog.schemas.hand import (
    FORMAT,
    FORMAT_WITH_GAPS,
    Claimed,
    Gap,
    Hand,
    Known,
    Player,
    needs_version_2,
)
from tricklog.schemas.limits import MAX_ACTION, MAX_ACTIONS
from tricklog.schemas.times import has_offset, parse_day, parse_time

COLUMNS: Final = (
    "hand_id, game, hand, rules, players, dealer, scores_before, deal, deeds, tail, started_at, "
    "points, change, scores"
)
"""What ``line_of`` needs of a hand joined with its seating, as a list for SQL."""
LONG_PLACES: Final = (3, 9)
"""Those of the columns that may hold a reference to a long text."""

_encode: Final = msgspec.json.Encoder(order="deterministic").encode
_OFFSET: Final = re.compile(r"(Z|[+-]\d\d:\d\d)$")
# No string can hold this text: a quote within one is escaped.
_SHORT_TIME: Final = re.compile(rf'"started_at":{codes.IN_COLUMNS}(Z|[+-]\d\d:\d\d)')

_CLAIM: Final = f'"claimed":{codes.IN_COLUMNS}'
_REST: Final = "!"
"""Ends actions at the beginning of a tail; the code of none holds it."""
_WITH_GAPS: Final = "@"
"""Begins the tail of a record in version 2, after such actions; no code of actions begins so."""
_ROOM: Final = MAX_ACTIONS * MAX_ACTION // 2
"""Bytes: a code takes less than half of what it stands for."""
_NAMES: Final = {chr(codes.ZERO + card): card_name(card) for card in range(HIDDEN, CARD_COUNT)}
_DEED: Final = re.compile(r"[e-v][^e-v]*")


class Tail(Struct, frozen=True):
    """The fields after the actions, as the line has them."""

    known: Known | UnsetType
    gaps: Sequence[Gap] | UnsetType
    claimed: Claimed | Raw | UnsetType
    status: str | UnsetType
    started_at: str | Raw | UnsetType
    times: dict[str, int] | UnsetType
    notes: dict[str, str] | UnsetType
    remark: str | UnsetType
    ext: dict[str, Any] | UnsetType


class Moment(NamedTuple):
    """When a hand began."""

    started_at: datetime | None
    """UTC, without a time zone; ``None`` where only the day is known, or the time at the table."""
    day: date | None
    """The local day at the table on which the evening of the hand began, see ``mornings``."""
    offset: str
    """The offset as recorded; empty where time and offset do not give back the text recorded."""


def moment_of(hand: Hand) -> Moment | None:
    """Return when the hand began, ``None`` when the record does not say."""
    if hand.started_at is UNSET:
        return None
    if not has_offset(hand.started_at):
        said = parse_day(hand.started_at)
        _, mark, clock = hand.started_at.upper().partition("T")
        return Moment(None, evening_of(said, int(clock[:2])) if mark else likely(said), "")
    local = parse_time(hand.started_at)
    started = local.astimezone(UTC).replace(tzinfo=None)
    found = _OFFSET.search(hand.started_at)
    exact = found is not None and _time_text(started, found[0]) == hand.started_at
    day = evening_of(local.date(), local.hour)
    return Moment(started, day, found[0] if found and exact else "")


def tail_of(hand: Hand, moment: Moment | None, confirmed: Claimed | None) -> str:
    """Return the canonical text of all that follows the actions, without the closing brace.

    A claim equal to ``confirmed``, which the row has in its columns, is ``~``. A time that column
    ``started_at`` gives back is ``~`` and its offset: ``"started_at":~+02:00``.
    """
    told = confirmed is not None and hand.claimed == confirmed
    claimed = Raw(codes.IN_COLUMNS.encode()) if told else hand.claimed
    exact = moment and moment.offset
    started = Raw(f"{codes.IN_COLUMNS}{exact}".encode()) if exact else hand.started_at
    tail = Tail(
        hand.known,
        hand.gaps,
        claimed,
        hand.status,
        started,
        hand.times,
        hand.notes,
        hand.remark,
        hand.ext,
    )
    return (_WITH_GAPS if needs_version_2(hand) else "") + _encode(tail)[1:-1].decode()


def written(write: Callable[..., int], workspace: Workspace, *arguments: object) -> str:
    """Return what a function of ``tricklog.core.engine.facts`` writes of a record."""
    room = bytearray(_ROOM)
    return room[: write(room, 0, workspace, *arguments)].decode("ascii")


def deeds_of(hand: Hand, workspace: Workspace) -> tuple[str, int, str]:
    """Return the code of the actions, how many it holds, and what the tail begins with.

    That is nothing, but for a hand whose actions take more than ``LONG`` bytes: then it is the code
    of those beyond, which no hand of any game comes to.
    """
    count, named = len(workspace.actions), _named(hand, workspace)

    def code(begin: int, end: int) -> str:
        return written(facts.write_deeds, workspace, named, begin, end)

    deeds = code(0, count)
    if len(deeds) <= LONG:
        return deeds, count, ""
    kept = bisect.bisect_right(range(count), LONG, key=lambda end: len(code(0, end))) - 1
    return code(0, kept), kept, code(kept, count) + _REST


def _named(hand: Hand, workspace: Workspace) -> list[int]:
    """Return all cards that the actions name, in their order."""
    named: list[int] = []
    for index, text in enumerate(hand.actions):
        action = workspace.actions[index]
        if action.size == 1:
            named.append(action.card)
        elif action.size:
            named += action_cards(text)
    return named


def rules_of(hand: Hand) -> str:
    """Return the canonical text of the rules a hand names."""
    return _encode(hand.rules).decode()


def line_of(row: tuple[Any, ...]) -> bytes:
    """Return the canonical line from the columns named by ``COLUMNS``, long texts in their places.

    Raises ``LookupError`` when one of these is lost, and ``ValueError`` for a tail that is none.
    """
    (hand_id, game, number, rules, players, dealer, before) = row[:7]
    (deal, deeds, tail, started, points, change, scores) = row[7:]
    if rules is None or tail is None:
        raise LookupError("a long text of it is lost or changed")
    actions = actions_of_code(deeds, len(players))
    if tail[:1] not in ("", '"', _WITH_GAPS):
        rest, ends, tail = tail.partition(_REST)
        if not ends:
            raise ValueError("the tail of it is none")
        actions += actions_of_code(rest, len(players))
    has_gaps = tail.startswith(_WITH_GAPS)
    tail = tail.removeprefix(_WITH_GAPS)
    dealt = zip(("deal", "stock", "kitty"), deal_of_code(deal), strict=True)
    fields = {
        "format": FORMAT_WITH_GAPS if has_gaps else FORMAT,
        "id": hand_id,
        "game": game,
        "hand": number,
        "rules": Raw(rules.encode()),
        "players": [
            Player(**{key: value for key, value in each.items() if value is not None})
            for each in players
        ],
        "dealer": dealer,
        "scores": before,
        **{key: None if part is UNSET else part for key, part in dealt},
        "actions": actions,
    }
    head = msgspec.json.encode({key: value for key, value in fields.items() if value is not None})
    if tail.startswith(_CLAIM) and not has_gaps:
        claim = _encode(Claimed(points, change, scores)).decode()
        tail = tail.replace(codes.IN_COLUMNS, claim, 1)
    tail = _SHORT_TIME.sub(lambda found: f'"started_at":"{_time_text(started, found[1])}"', tail)
    return head[:-1] + (b"," + tail.encode() if tail else b"") + b"}"


def _time_text(started: datetime, offset: str) -> str:
    if offset == "Z":
        return started.isoformat() + offset
    ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))
    return (started - ahead if offset[0] == "-" else started + ahead).isoformat() + offset


# --- Codes of cards and actions


def cards_of_code(code: str) -> str:
    """Return the list of cards as a log writes it: ``</=`` is ``AS ? 2H``."""
    return " ".join([_NAMES[each] for each in code])


def deal_of_code(code: str) -> tuple[list[str] | UnsetType, str | UnsetType, str | UnsetType]:
    """Return the hands, the stock and the kitty as a log writes them."""
    hands, stock, kitty = code.split(",")
    return (
        UNSET if hands == codes.NOT_RECORDED else [*map(cards_of_code, hands.split(" "))],
        UNSET if stock == codes.NOT_RECORDED else cards_of_code(stock),
        UNSET if kitty == codes.NOT_RECORDED else cards_of_code(kitty),
    )


def actions_of_code(code: str, seats: int) -> list[str]:
    """Return the actions of a hand of ``seats`` players as a log writes them."""
    actions = []
    for deed in _DEED.findall(code):
        first = ord(deed[0]) - codes.FIRST_PLAYER
        if first < 0:
            actions.append(_action(deed))
        else:
            actions += [
                format_action((first + later) % seats, Verb.PLAY, cards=[ord(card) - codes.ZERO])
                for later, card in enumerate(deed[1:])
            ]
    return actions


@lru_cache(maxsize=8192)
def _action(deed: str) -> str:
    """Return the action, other than a play, of a code by itself."""
    seat, verb = ord(deed[0]) - codes.FIRST_SEAT, Verb(ord(deed[1]) - codes.ZERO)
    argument = deed[2:]
    if verb in TAKES_BID:
        amount = 0
        for digit in argument:
            amount = amount * codes.BID_BASE + ord(digit) - codes.ZERO
        return format_action(seat, verb, amount)
    if verb in TAKES_TRUMP:
        return format_action(seat, verb, ord(argument) - codes.ZERO + HIDDEN)
    return format_action(seat, verb, cards=[ord(card) - codes.ZERO for card in argument])
