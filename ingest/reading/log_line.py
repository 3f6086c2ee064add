"""One line of a log and what it turned out to be: a hand, a blank, or a reject that says why."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from tricklog.ingest.reading.decode_errors import explain, locate_duplicate
from tricklog.ingest.reading.json_positions import Path, Place, place_at, place_of, too_deep_at
from tricklog.ingest.reading.rejects import HINTS, Reject, RejectCode, Trouble, pointer_to
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.schemas.actions import ActionError, parse_action
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.hand import FORMAT, Gap, Hand, Then, decode_hand, encode_hand
from tricklog.schemas.times import has_offset, order_time, parse_day, parse_time
from tricklog.schemas.words import counted

MAX_LINE: Final = 1 << 20
"""Bytes a line may have; a hand of the longest system needs about 5,000 without ``ext``."""
KEPT_OF_LONG_LINE: Final = 1 << 12


# --- Where the parts of a hand stand in its log, as it is written there

_WORD: Final = re.compile(r"[^\s,;()]+")
_LISTED: Final = re.compile(r"[^,;(&]*[^,;(&\s]")
_STATEMENT: Final = re.compile(r"[^;(]*[^;(\s]")
_SINGLE: Final = ("/actions/", "/claimed/winners/")
"""Pointers to what is one word of a text; others lead to statements."""


class Span(NamedTuple):
    """Where something stands: bytes of the file, lines and columns from 1, in characters."""

    byte: int
    length: int
    line: int
    column: int
    end_line: int
    end_column: int
    """The column after the last one."""


class WrittenJson(msgspec.Struct, frozen=True, tag="json"):
    """JSON as it stands in its log, over any number of lines."""

    line: int
    byte: int
    column: int
    """Of its first character."""
    text: bytes

    @property
    def is_on_one_line(self) -> bool:
        """Whether the number of its first line says where all of it is."""
        return b"\n" not in self.text

    def span_of(self, pointer: str) -> Span:
        """Return where a value stands with its key, or as much of the way to it as there is."""
        place = place_at(self.text, pointer) or Place(0, 0, len(self.text))
        return self.between(place.start, place.end)

    def between(self, start: int, end: int) -> Span:
        """Return the span of some bytes, which count from the first one of this text."""
        line, column = self._at(start)
        return Span(self.byte + start, end - start, line, column, *self._at(end))

    def _at(self, byte: int) -> tuple[int, int]:
        """Return line and column of a byte."""
        before = self.text[:byte]
        begin = before.rfind(b"\n") + 1
        first = 1 if begin else self.column
        column = first + len(before[begin:].decode("utf-8", "replace"))
        return self.line + before.count(b"\n"), column


class WrittenText(msgspec.Struct, frozen=True, tag="text"):
    """A hand written as text, or one that another program wrote in a way of its own."""

    line: int
    byte: int
    lines: tuple[tuple[int, int, bytes], ...] = ()
    """Number, first byte and text of each line."""
    places: dict[str, tuple[int, int]] = {}
    """Line and column of what JSON pointers lead to in the hand."""

    @property
    def is_on_one_line(self) -> bool:
        """Whether the number of its first line says all that is known of its place."""
        return not self.lines

    def span_of(self, pointer: str) -> Span:
        """Return where something is written, else where the hand begins."""
        place = None
        while pointer and (place := self.places.get(pointer)) is None:
            pointer = pointer.rpartition("/")[0]
        if place is not None:
            for number, byte, text in self.lines:
                if number == place[0]:
                    return _span_in_line(number, byte, text, place[1], _extent_of(pointer))
        return Span(self.byte, 0, self.line, 1, self.line, 1)


Written = WrittenJson | WrittenText
_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Written)


def encode_written(written: Written) -> bytes:
    """Return what ``decode_written`` reads."""
    return _ENCODER.encode(written)


def decode_written(content: bytes) -> Written:
    """Read what ``encode_written`` made."""
    written: Written = _DECODER.decode(content)
    return written


def _extent_of(pointer: str) -> re.Pattern[str]:
    """Return how far what a pointer leads to goes: a word, a name of a list, or a statement."""
    if pointer.startswith(_SINGLE):
        return _WORD
    return _LISTED if pointer.startswith("/players/") else _STATEMENT


def _span_in_line(
    number: int, byte: int, line: bytes, column: int, extent: re.Pattern[str]
) -> Span:
    """Return the span of what begins at a column of a line."""
    text = line.decode("utf-8", "replace")
    found = extent.match(text, column - 1)
    said = found[0] if found else ""
    start = len(text[: column - 1].encode())
    end_column = column + len(said)
    return Span(byte + start, len(said.encode()), number, column, number, end_column)


# --- One line


class LineKind(StrEnum):
    """What a line turned out to be."""

    HAND = "hand"
    BLANK = "blank"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log: a hand, a reject, or (with neither) blank.

    ``line`` counts from 1, in a range of a file from its first line on; ``byte`` is where the line
    starts in the file. A place that cannot be read, such as the broken end of an archive, is a line
    too, so that the counts say everything.
    """

    file: str
    line: int
    byte: int
    hand: Hand | None = None
    reject: Reject | None = None
    text: bytes = b""
    """The line as it was read, without its line feed; a hand over several lines on one."""
    warnings: tuple[Problem, ...] = ()
    """What of a hand that is written as text may not be what was meant."""
    written: Written | None = None
    """What stands in the log, where that is not ``text``."""

    @property
    def kind(self) -> LineKind:
        """Whether this is a hand, blank or quarantined."""
        if self.reject is not None:
            return LineKind.QUARANTINED
        return LineKind.BLANK if self.hand is None else LineKind.HAND

    @property
    def place(self) -> str:
        """Where it stands, as sentences about other lines name it."""
        return f"{self.file}:{self.line}"

    @property
    def is_on_one_line(self) -> bool:
        """Whether the log has one line for it, so that the number of that says where it is."""
        return self.written is None or self.written.is_on_one_line

    def span_of(self, pointer: str) -> Span:
        """Return where the value stands in the log to which a JSON pointer leads in the hand."""
        return (self.written or self._as_written).span_of(pointer)

    def span_of_byte(self, byte: int) -> Span:
        """Return the place of one byte of the file that lies in this line, or at its end."""
        here = self.written if isinstance(self.written, WrittenJson) else self._as_written
        start = min(max(byte - here.byte, 0), len(here.text))
        return here.between(start, min(start + 1, len(here.text)))

    def span_of_reject(self) -> Span:
        """Return where the trouble of a line in quarantine is: of a text the first one."""
        reject = self.reject
        if reject is None:
            return self.span_of("")
        if reject.problems:
            first = reject.problems[0]
            return Span(reject.byte, 1, first.line, first.column, first.line, first.column + 1)
        # A reject names a byte of its own, or else the value it points to.
        is_value = reject.pointer and reject.byte == self.byte
        return self.span_of(reject.pointer) if is_value else self.span_of_byte(reject.byte)

    @property
    def _as_written(self) -> WrittenJson:
        return WrittenJson(self.line, self.byte, 1, self.text)

    def rejected(self, trouble: Trouble) -> LogLine:
        """Return this line put into quarantine."""
        reject = Reject(
            file=self.file,
            line=self.line,
            byte=self.byte + (trouble.at or 0),
            code=trouble.code,
            pointer=trouble.pointer,
            message=trouble.message,
            hint=trouble.hint or HINTS[trouble.code],
            text=self.text,
        )
        return replace(self, hand=None, reject=reject)


def parse_line(text: bytes) -> Hand | Trouble:
    """Return the hand one line of JSON holds, or what is wrong with it.

    Everything is checked that can be seen without the rules: the text, the JSON, the types, the
    grammar of cards and actions, and that seats and indexes exist.
    """
    if not text.isascii():
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"Byte {error.start} of the line is not UTF-8 text."
            return Trouble(RejectCode.INVALID_UTF8, "", message, error.start)
    deep = too_deep_at(text)
    if deep is not None:
        message = "Objects and lists are nested too deep."
        return Trouble(RejectCode.TOO_DEEP, "", message, deep)
    try:
        hand = decode_hand(text)
    except msgspec.DecodeError as error:
        return explain(text, error)
    if _may_repeat_a_key(text, hand) and (trouble := locate_duplicate(text)):
        return trouble
    return _first_trouble(text, hand)


def _may_repeat_a_key(text: bytes, hand: Hand) -> bool:
    # A repeated key is dropped by the decoder, so the canonical form has fewer quotes than the
    # line; only a line that writes quotes as \u0022 could hide that.
    return b"\\u0022" in text or text.count(b'"') != encode_hand(hand).count(b'"')


# --- What a hand must fulfil beyond the types of its fields, before any rule is asked


_Found = tuple[RejectCode, Path, str]
"""What is wrong: its code, where it stands, a sentence."""


def _first_trouble(text: bytes, hand: Hand) -> Hand | Trouble:
    """Return ``hand`` when it is sound, else the first thing wrong with it.

    ``text`` is the line it was read from; it tells the byte.
    """
    for code, path, message in _troubles(hand):
        place = place_of(text, path)
        return Trouble(code, pointer_to(*path), message, place.start if place else None)
    return hand


def _troubles(hand: Hand) -> Iterator[_Found]:
    yield from _no_seat(hand, ("dealer",), hand.dealer)
    yield from _card_troubles(hand)
    for index, text in enumerate(hand.actions):
        try:
            seat = parse_action(text).seat
        except ActionError as error:
            yield RejectCode.BAD_ACTION, ("actions", index), f"{error}."
        else:
            yield from _no_seat(hand, ("actions", index), seat, RejectCode.BAD_ACTION)
    if hand.claimed is not UNSET and hand.claimed.winners is not UNSET:
        for index, winner in enumerate(hand.claimed.winners):
            yield from _no_seat(hand, ("claimed", "winners", index), winner)
    for field, remarks in (("times", hand.times), ("notes", hand.notes)):
        for key in () if remarks is UNSET else remarks:
            if int(key) >= len(hand.actions):
                message = f"There is no action {key}; the hand has {len(hand.actions)}."
                yield RejectCode.BAD_VALUE, (field, str(key)), message
    if hand.started_at is not UNSET:
        is_time = hand.format == FORMAT or has_offset(hand.started_at)
        try:
            (parse_time if is_time else parse_day)(hand.started_at)
        except ValueError as error:
            yield RejectCode.BAD_VALUE, ("started_at",), f"{error}."
    yield from _gap_troubles(hand)


def _no_seat(
    hand: Hand,
    path: Path,
    seat: int | UnsetType | None,
    code: RejectCode = RejectCode.BAD_VALUE,
) -> Iterator[_Found]:
    """Yield that nobody sits at a seat, where that is so."""
    count = len(hand.players)
    if isinstance(seat, int) and seat >= count:
        message = f"There is no seat {seat}: the {count} players sit at 0 to {count - 1}."
        yield code, path, message


def _card_troubles(hand: Hand) -> Iterator[_Found]:
    deal = () if hand.deal is UNSET else hand.deal
    if deal:
        yield from _other_count(hand, ("deal",), deal, "The deal has cards")
    lists: list[tuple[Path, str]] = [(("deal", seat), cards) for seat, cards in enumerate(deal)]
    lists += [
        ((k,), v) for k, v in (("stock", hand.stock), ("kitty", hand.kitty)) if v is not UNSET
    ]
    for path, cards in lists:
        try:
            parse_cards(cards)
        except ValueError as error:
            yield RejectCode.BAD_CARD, path, f"{error}."


def _other_count(
    hand: Hand, path: Path, listed: Sequence[object] | UnsetType, what: str
) -> Iterator[_Found]:
    """Yield that a list has not just one entry for each player, where that is so."""
    if listed is not UNSET and len(listed) != len(hand.players):
        seats, players = counted(len(listed), "seat"), counted(len(hand.players), "player")
        yield RejectCode.BAD_VALUE, path, f"{what} for {seats} and {players}."


# --- What is said of its gaps, and of what is known all the same


def _gap_troubles(hand: Hand) -> Iterator[_Found]:
    if hand.known is not UNSET:
        yield from _no_seat(hand, ("known", "maker"), hand.known.maker)
        yield from _no_seat(hand, ("known", "pair"), hand.known.pair)
    if hand.claimed is not UNSET and hand.claimed.by is not UNSET and hand.claimed.result is UNSET:
        message = "A result by so many points says whether the contract was made or set."
        yield RejectCode.BAD_VALUE, ("claimed", "by"), message
    before, trick = -1, 0
    for place, gap in enumerate(() if hand.gaps is UNSET else hand.gaps):
        path: Path = ("gaps", place)
        if message := _order_trouble(hand, gap, before):
            yield RejectCode.BAD_VALUE, (*path, "before"), message
        if gap.tricks is not UNSET:
            if gap.missing != "tricks":
                message = "Tricks are numbered in a gap in which tricks are missing."
                yield RejectCode.BAD_VALUE, (*path, "tricks"), message
            elif not trick < gap.tricks[0] <= gap.tricks[1]:
                message = (
                    "The first trick that is missing comes before the last, and after earlier gaps."
                )
                yield RejectCode.BAD_VALUE, (*path, "tricks"), message
            trick = gap.tricks[1]
        if gap.then is not UNSET:
            yield from _then_troubles(hand, (*path, "then"), gap.then)
        before = gap.before


def _order_trouble(hand: Hand, gap: Gap, before: int) -> str:
    """Return what is wrong with the place of a gap: it stands behind the one before it."""
    count = len(hand.actions)
    if gap.before > count:
        return f"There is no place before action {gap.before}; the hand has {count}."
    if gap.before <= before:
        return "Gaps stand in the order of the actions, and one at each place."
    if gap.missing == "rest" and gap.before < count:
        return f"The rest is missing after the last action, so before action {count}."
    return ""


def _then_troubles(hand: Hand, path: Path, then: Then) -> Iterator[_Found]:
    yield from _no_seat(hand, (*path, "winner"), then.winner)
    yield from _other_count(hand, (*path, "tricks_won"), then.tricks_won, "There is an entry")
    yield from _other_count(hand, (*path, "holdings"), then.holdings, "There is an entry")
    lists: list[tuple[Path, str | UnsetType | None]] = [
        ((*path, "holdings", seat), text)
        for seat, text in enumerate(() if then.holdings is UNSET else then.holdings)
    ]
    seen: set[int] = set()
    for place, text in (*lists, ((*path, "seen"), then.seen)):
        try:
            known = parse_cards(text) if isinstance(text, str) else ()
        except ValueError as error:
            yield RejectCode.BAD_CARD, place, f"{error}."
            continue
        cards = [card for card in known if card >= 0]
        if len(cards) > len(set(cards)) or seen.intersection(cards):
            yield RejectCode.BAD_CARD, place, "A card is named twice."
        seen.update(cards)


# --- Times at which no hand can have begun: of a clock that was never set, or that runs ahead


_ZERO: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""What a clock says that was never set."""
_FIRST: Final = datetime(1901, 1, 1, tzinfo=UTC).timestamp()
"""Sheets count their days from 1900: where one has no day, it says that it was then."""
_DAY: Final = timedelta(days=1).total_seconds()
"""By so much, at most, the clock at a table differs from UTC."""


def odd_time(line: LogLine) -> tuple[Problem, ...]:
    """Return what to note of the time of a hand; nothing where it may be right."""
    if line.hand is None or line.hand.started_at is UNSET:
        return ()
    return odd_time_at(line.line, order_time(line.hand.started_at))


def odd_time_at(line: int, started: float) -> tuple[Problem, ...]:
    """Return what to note of a hand that began so many seconds after 1970."""
    is_to_come = started > latest()
    if not is_to_come and started >= _FIRST and abs(started) > _DAY:
        return ()
    day = (_ZERO + timedelta(seconds=started)).date()
    why = "which is still to come" if is_to_come else "where a clock begins that was never set"
    message = f"the hand began on {day}, {why}: check what wrote its field started_at"
    return (Problem(line, 1, Severity.WARNING, message),)


def are_plain(first: float, last: float) -> bool:
    """Is there nothing to note of any time between these two, in seconds since 1970?"""
    return first > _DAY and last <= latest()


def latest() -> float:
    """Return when the last hand may have begun, in seconds since 1970."""
    return time.time() + _DAY
