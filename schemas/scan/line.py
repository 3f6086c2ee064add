"""Scanning the canonical line of a hand: where its fields stand, and its numbers.

A line is walked once, in the order of ``tricklog.schemas.hand.Hand``, without building a string or
a list. Nothing is accepted that ``tricklog.schemas.hand`` would not read, and nothing that it would
write in other bytes; only three things are left to the caller: that the line is UTF-8, that
``rules`` and ``players``, which are given as they stand, decode and are canonical, and that the
cards, actions and the time are read (``tricklog.schemas.scan.actions``,
``tricklog.schemas.scan.time``). All that is unusual, and all that is wrong, is ``CAREFUL``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tricklog.schemas.limits import (
    MAX_HAND,
    MAX_LIST,
    MAX_NAME,
    MAX_SCORE,
    MAX_SEATS,
    MAX_TIME,
    MAX_WINNERS,
    MIN_SEATS,
)
from tricklog.schemas.scan.text import (
    CAREFUL,
    SCANNED,
    past,
    past_list,
    past_string,
    past_text,
    past_value,
    read_number,
    read_numbers,
)


def _per_side() -> list[int]:
    return [0] * MAX_SEATS


@dataclass(slots=True)
class ScannedLine:
    """Where the fields of a line stand, ``start`` to ``end``, both -1 for a field that is absent.

    Strings without their quotes, lists and objects with their brackets.
    """

    id_start: int = -1
    id_end: int = -1
    game_start: int = -1
    game_end: int = -1
    rules_start: int = -1
    players_end: int = -1
    """Rules and players stand between ``rules_start`` and here, with the key of the latter."""
    deal_start: int = -1
    deal_end: int = -1
    stock_start: int = -1
    stock_end: int = -1
    kitty_start: int = -1
    kitty_end: int = -1
    actions_start: int = -1
    actions_end: int = -1
    tail_start: int = -1
    """The comma after ``actions``, or the brace that ends the line."""
    tail_end: int = -1
    """The brace that ends the line."""
    started_start: int = -1
    started_end: int = -1
    hand: int = 0
    """Number of the hand in its game, 0 when absent."""
    seats: int = 0
    dealer: int = -1
    score_count: int = 0
    """Entries of ``scores``, 0 when absent."""
    claimed_end: int = -1
    """After the brace that ends ``claimed``."""
    points_count: int = 0
    """Entries of ``points``, the card points claimed; 0 when absent."""
    change_count: int = 0
    """Entries of ``change``, the change claimed; 0 when absent."""
    after_count: int = 0
    """Entries of ``after``, the scores claimed; 0 when absent."""
    winner_count: int = -1
    """Entries of ``winners``, -1 when absent."""
    scores: list[int] = field(default_factory=_per_side)
    points: list[int] = field(default_factory=_per_side)
    change: list[int] = field(default_factory=_per_side)
    after: list[int] = field(default_factory=_per_side)
    winners: list[int] = field(default_factory=lambda: [0] * MAX_WINNERS)


def scan_line(text: bytes, start: int, end: int, found: ScannedLine) -> int:
    """Fill ``found`` from the line ``text[start:end]``, without its line feed.

    Returns ``SCANNED`` or ``CAREFUL``, when ``found`` means nothing. Times, notes and what else a
    line may say at its end are for the careful reader.
    """
    _forget(found)
    at = _scan_names(text, start, end, found)
    at = _scan_table(text, at, end, found)
    at = _scan_cards(text, at, end, found)
    at = past(text, at, end, b',"actions":')
    found.actions_start = at
    at = past_list(text, at, end)
    found.actions_end = at
    found.tail_start = at
    found.tail_end = end - 1
    at = _scan_claimed(text, at, end, found)
    found.claimed_end = at
    at = _scan_status(text, at, end)
    at, found.started_start, found.started_end = _past_part(
        text, at, end, b',"started_at":"', 0, MAX_TIME
    )
    return SCANNED if past(text, at, end, b"}") == end else CAREFUL


def scan_opening(text: bytes, start: int, end: int, found: ScannedLine) -> int:
    """Fill ``found`` from the line ``text[start:end]`` up to its scores.

    Returns ``SCANNED``, or ``CAREFUL`` when ``scan_line`` would return that for what was looked at.
    """
    _forget(found)
    at = _scan_names(text, start, end, found)
    return SCANNED if _scan_table(text, at, end, found) >= 0 else CAREFUL


def _forget(found: ScannedLine) -> None:
    found.hand = found.score_count = 0
    found.points_count = found.change_count = found.after_count = 0
    found.winner_count = -1


def _scan_names(text: bytes, at: int, end: int, found: ScannedLine) -> int:
    at = past(text, at, end, b'{"format":"tricklog/1","id":"')
    found.id_start = at
    at = past_text(text, at, end, 1, MAX_NAME)
    found.id_end = at - 1
    at, found.game_start, found.game_end = _past_part(text, at, end, b',"game":"', 1, MAX_NAME)
    hand = past(text, at, end, b',"hand":')
    if hand >= 0:
        at, found.hand = read_number(text, hand, end)
        if not 1 <= found.hand <= MAX_HAND:
            return CAREFUL
    return at


def _scan_table(text: bytes, at: int, end: int, found: ScannedLine) -> int:
    at = past(text, at, end, b',"rules":')
    found.rules_start = at
    at = past_value(text, at, end) if past(text, at, end, b"{") >= 0 else CAREFUL
    at = past(text, at, end, b',"players":')
    at = _scan_players(text, at, end, found)
    found.players_end = at
    at = past(text, at, end, b',"dealer":')
    at, found.dealer = read_number(text, at, end)
    if not 0 <= found.dealer < found.seats:
        return CAREFUL
    scores = past(text, at, end, b',"scores":[')
    if scores >= 0:
        at, found.score_count = _read_per_side(text, scores, end, found.scores)
    return at


def _scan_players(text: bytes, at: int, end: int, found: ScannedLine) -> int:
    at = past(text, at, end, b'[{"id":"')
    seats = 0
    while at >= 0:
        seats += 1
        at = _past_player(text, at, end)
        more = past(text, at, end, b',{"id":"')
        if more < 0:
            break
        at = more
    found.seats = seats
    return past(text, at, end, b"]") if MIN_SEATS <= seats <= MAX_SEATS else CAREFUL


def _past_player(text: bytes, at: int, end: int) -> int:
    """Return the place after a player whose id starts at ``at``."""
    at = past_string(text, at, end)
    name = past(text, at, end, b',"name":"')
    if name >= 0:
        at = past_string(text, name, end)
    bot = past(text, at, end, b',"kind":"bot"')
    human = past(text, at, end, b',"kind":"human"')
    return past(text, max(at, bot, human) if at >= 0 else CAREFUL, end, b"}")


def _scan_cards(text: bytes, at: int, end: int, found: ScannedLine) -> int:
    found.deal_start = found.deal_end = past(text, at, end, b',"deal":')
    if found.deal_start >= 0:
        at = past_list(text, found.deal_start, end)
        found.deal_end = at
    at, found.stock_start, found.stock_end = _past_part(text, at, end, b',"stock":"', 0, MAX_LIST)
    at, found.kitty_start, found.kitty_end = _past_part(text, at, end, b',"kitty":"', 0, MAX_LIST)
    return at


def _past_part(
    text: bytes, at: int, end: int, key: bytes, least: int, most: int
) -> tuple[int, int, int]:
    """Return the place after a string, and where its content starts and ends, -1 if absent."""
    start = past(text, at, end, key)
    if start < 0:
        return at, -1, -1
    at = past_text(text, start, end, least, most)
    return at, start, at - 1


def _scan_claimed(text: bytes, at: int, end: int, found: ScannedLine) -> int:
    inside = past(text, at, end, b',"claimed":')
    if inside < 0:
        return at
    empty = past(text, inside, end, b"{}")
    if empty >= 0:
        return empty
    # The brace takes the place of the comma before the first key that is there.
    at = past(text, inside, end, b'{"points":[')
    if at >= 0:
        at, found.points_count = _read_per_side(text, at, end, found.points)
        inside = at
    change = past(text, inside, end, b',"change":[' if found.points_count else b'{"change":[')
    if change >= 0:
        inside, found.change_count = _read_per_side(text, change, end, found.change)
    some = found.points_count + found.change_count
    after = past(text, inside, end, b',"scores":[' if some else b'{"scores":[')
    if after >= 0:
        inside, found.after_count = _read_per_side(text, after, end, found.after)
    some += found.after_count
    winners = past(text, inside, end, b',"winners":[' if some else b'{"winners":[')
    if winners >= 0:
        inside, found.winner_count = read_numbers(
            text, winners, end, found.winners, 0, found.seats - 1
        )
    return past(text, inside, end, b"}")


def _read_per_side(text: bytes, at: int, end: int, numbers: list[int]) -> tuple[int, int]:
    """Fill ``numbers`` with one score per side; return the place after them, and how many."""
    at, count = read_numbers(text, at, end, numbers, -MAX_SCORE, MAX_SCORE)
    return (at, count) if count >= 2 else (CAREFUL, 0)


def _scan_status(text: bytes, at: int, end: int) -> int:
    word = past(text, at, end, b',"status":"')
    if word < 0:
        return at
    return max(
        past(text, word, end, b'complete"'),
        past(text, word, end, b'in_progress"'),
        past(text, word, end, b'abandoned"'),
        past(text, word, end, b'thrown_in"'),
        past(text, word, end, b'claimed"'),
        past(text, word, end, b'decided"'),
    )
