"""Which stored sheet a score sheet is, and which stored hands a corrected one takes the place of.

Ids of hands begin with the name of their sheet, and clubs give many sheets one name. A sheet whose
name is that of another one, of other people or without days and with other rows, gets the next name
that is free: ``scores-2``. Loaded again it is known by its people and rows, and keeps that name.
What a sheet without days is known by are its rows: one that has grown, or was corrected, still says
most of what it said.

A stored hand gives way only to its own sheet: it was read from one of the same name, and the sheet
now has another row in its place, or none. Hands of other sheets and of logs are not touched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import count, groupby
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from duckdb import DuckDBPyConnection
from msgspec import UNSET
from msgspec.structs import replace

from tricklog.ingest.loading.report import GivesWay, Superseded
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.forgotten_hands import of_line
from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.ingest.score_sheets.hands import EXT
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.store import warehouse
from tricklog.schemas.hand import Hand, content_hash

_MOST_COMPARED: Final = 40
"""Stored hands of a name that a sheet is compared with."""
_LEAST_LIKE: Final = 0.5
"""The share of rows of a stored sheet that another one has at most, by chance."""
_LEAST_OF_AN_EVENING: Final = 2 / 3
"""The share of rows that another evening has at most, by chance."""
_Said = tuple[object, ...]
"""What a row says of its own hand, by kind."""
_CLAIMED: Final = {"result": "result", "points": "points", "change": "change", "score": "scores"}
_CONTRACT: Final = ("maker", "bid", "trump", "stake")


class Stored(Protocol):
    """The hands of a warehouse."""

    def ids(self, start: str) -> Sequence[str]:
        """Return the ids that begin so."""

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        """Return the hands of ids, in their order."""


# --- Names


def recognised(
    settings: SheetSettings,
    paths: Iterable[str | Path],
    stored: Stored | None,
    forgotten: Forgotten | None = None,
    *,
    correct: bool = False,
) -> SheetSettings:
    """Return settings with names for the files whose own name is that of another sheet.

    ``correct`` says that each takes the place of a stored one: then it gets no name that is free,
    and rows that differ are no sign of another sheet.
    """
    sources = [each for each in find_sources(paths) if not each.is_pipe]
    often = Counter(settings.called(each.name) for each in sources)
    here: dict[str, dict[str, Hand]] = {}
    for source in sources:
        base = settings.called(source.name)
        if often[base] == 1 and not (stored and stored.ids(f"{base}:")):
            continue
        new = _hands_in(settings, source, forgotten)
        sheet = _name_of(base, new, stored, here, correct=correct)
        here[sheet.name] = here.get(sheet.name, {}) | new
        if sheet.name != base:
            settings = replace(settings, names={**settings.names, source.name: sheet.name})
        if not correct and (moved := sheet.elsewhere()):
            read = _hands_in(settings, source, None)
            told = {content_hash(read[end]): hand_id for end, hand_id in moved.items()}
            settings = replace(settings, moved=settings.moved | told)
    return settings


def _hands_in(
    settings: SheetSettings, source: Source, forgotten: Forgotten | None
) -> dict[str, Hand]:
    """Return the hands of a file by their ids, without what these begin with."""
    name = settings.called(source.name)
    found = {}
    for line in read_sheets(settings, source):
        if line.hand:
            new = of_line(line, forgotten).hand if forgotten else line.hand
            assert new
            # The name of the sheet may name somebody, too: places go by the id that was read.
            found[line.hand.id.removeprefix(name)] = new
    return found


def _name_of(
    base: str,
    new: Mapping[str, Hand],
    stored: Stored | None,
    here: Mapping[str, dict[str, Hand]],
    *,
    correct: bool,
) -> _Sheet:
    """Return a sheet by the name under which it is stored, or the first that is free."""
    of_one_table: dict[_Sheet, float] = {}
    for number in count(1):
        sheet = _Sheet(base if number == 1 else f"{base}-{number}", new, stored)
        old = sheet.some() | here.get(sheet.name, {})
        if not old:
            break
        if _are_of_one_table(new.values(), old.values()):
            likeness = _likeness(new, old)
            if likeness > _LEAST_LIKE or sheet.upside_down() > _LEAST_LIKE:
                return sheet
            of_one_table[sheet] = likeness
    if not correct:
        return sheet
    own = _Sheet(base, new, stored)
    return max(of_one_table, key=lambda each: of_one_table[each], default=own)


def _are_of_one_table(some: Iterable[Hand], others: Iterable[Hand]) -> bool:
    """Whether half of those who play in some hands, at least, play in the others, too."""
    people = [{player.id for hand in hands for player in hand.players} for hands in (some, others)]
    return 2 * len(people[0] & people[1]) >= min(map(len, people))


class _Sheet:
    """The rows of a sheet, by what their ids have behind its name, beside what is stored of that.

    A place is what an id has there: ``:2024-01-05:1:3``.
    """

    def __init__(self, name: str, new: Mapping[str, Hand], stored: Stored | None) -> None:
        self.name = name
        self._new = new
        self._stored = stored
        ids = stored.ids(f"{name}:") if stored else ()
        self._known = {each.removeprefix(name) for each in ids}

    def _hands(self, places: Iterable[str]) -> dict[str, Hand]:
        """Return those of the hands in some places that come from sheets, by their places."""
        if self._stored is None:
            return {}
        hands = self._stored.hands([self.name + each for each in places])
        return {
            hand_id.removeprefix(self.name): hand
            for hand_id, hand in hands.items()
            if hand.ext is not UNSET and EXT in hand.ext
        }

    def some(self) -> dict[str, Hand]:
        """Return hands that are stored of sheets of the name, those in new places if any."""
        shared = [each for each in self._new if each in self._known][:_MOST_COMPARED]
        step = len(self._known) // _MOST_COMPARED + 1
        return self._hands(shared or sorted(self._known)[::step])

    def upside_down(self) -> float:
        """Return the share of the last stored rows without a day that stand in one run upwards."""
        if self._stored is None:
            return 0.0
        last = sorted(self._known, key=_in_place)[-_MOST_COMPARED:]
        hands = self._stored.hands([self.name + each for each in last])
        before, rows = (
            [_told_by(hand)[1] for hand in some.values() if hand.started_at is UNSET]
            for some in (hands, self._new)
        )
        matcher = SequenceMatcher(None, before, rows[::-1], autojunk=False)
        upwards = matcher.find_longest_match().size
        return upwards / len(before) if upwards > 1 else 0.0

    def elsewhere(self) -> dict[str, str]:
        """Return the new rows that are stored from another place, each with the id of that hand."""
        fresh = {each: hand for each, hand in self._new.items() if each not in self._known}
        days = set(map(_day_in, self._new))
        gone = [each for each in self._known if _day_in(each) not in days] if fresh else []
        before = self._hands(sorted(gone, key=_in_place))
        found = _of_other_days(fresh, before, _LEAST_OF_AN_EVENING)
        found |= self._moved([each for each in fresh if each not in found])
        return {each: self.name + place for each, place in found.items()}

    def _moved(self, fresh: Sequence[str]) -> dict[str, str]:
        """Return the rows that are stored from another place of the same day, with those places.

        So it is with the last rows of a game where one was put in, and with rows in another order.
        """
        there = [each for each in self._new if each in self._known]
        if not (fresh and there):
            return {}
        games, days = set(map(_game_in, fresh)), set(map(_day_in, fresh))
        # Numbers that fall are games of their own, so rows in another order leave whole games
        # empty.
        gone = {each for each in self._known - self._new.keys() if _day_in(each) in days}
        of_games = {each for each in self._known if _game_in(each) in games}
        displaced = self._displaced(of_games | {*there[:_MOST_COMPARED]} | gone)
        if any(_game_in(each) not in games for each in displaced):
            displaced = self._displaced(self._known)
        places: dict[_Said, list[str]] = defaultdict(list)
        for place, hand in displaced.items():
            for said in _told_by(hand):
                places[said].append(place)
        found: dict[str, str] = {}
        for each in fresh:
            for place in (place for said in _told_by(self._new[each]) for place in places[said]):
                if displaced.pop(place, None) is not None:
                    found[each] = place
                    break
        return found

    def _displaced(self, places: Iterable[str]) -> dict[str, Hand]:
        """Return stored hands in whose places another row stands now, or none."""
        return {
            each: hand
            for each, hand in self._hands(sorted(places)).items()
            if not (each in self._new and {*_told_by(self._new[each])} & {*_told_by(hand)})
        }


def _of_other_days(
    new: Mapping[str, Hand], old: Mapping[str, Hand], least: float = _LEAST_LIKE
) -> dict[str, str]:
    """Return which rows of a sheet are stored under another day, each with that place.

    More than a share ``least`` of what is stored of a day then stands on the sheet under one day,
    in its order. A single row may be the same by chance.
    """
    days: dict[str, list[str]] = defaultdict(list)
    at: dict[_Said, set[str]] = defaultdict(set)
    for place in sorted(old, key=_in_place):
        days[_day_in(place)].append(place)
        at[_said_in(old[place])].add(_day_in(place))
    found: dict[str, str] = {}
    for _, grouped in groupby(sorted(new, key=_in_place), key=_day_in):
        rows = [*grouped]
        said = [_said_in(new[each]) for each in rows]
        for day in sorted(set().union(*(at.get(each, ()) for each in said))):
            before = days[day]
            matcher = SequenceMatcher(
                None, said, [_said_in(old[each]) for each in before], autojunk=False
            )
            pairs = [
                (rows[block.a + step], before[block.b + step])
                for block in matcher.get_matching_blocks()
                for step in range(block.size)
            ]
            if len(pairs) > least * len(before) and (len(pairs) > 1 or len(rows) == 1):
                found |= dict(pairs)
                break
    return found


def _likeness(new: Mapping[str, Hand], old: Mapping[str, Hand]) -> float:
    """Return the share of stored rows without a day that still say mostly the same in their places.

    Rows may have come in between, or gone: then those behind them that stand in one run count. It
    is 1 where no new row takes the place of an old one.
    """
    rows = {place: _said_in(hand) for place, hand in new.items() if hand.started_at is UNSET}
    before = {
        place: _said_in(old[place])
        for place in rows
        if place in old and old[place].started_at is UNSET
    }
    same = sum(_agree(rows[place], said) for place, said in before.items())
    moved = SequenceMatcher(None, [*before.values()], [*rows.values()], autojunk=False)
    return max(same, moved.find_longest_match().size) / len(before) if before else 1.0


def _game_in(place: str) -> str:
    return place.rpartition(":")[0]


def _day_in(place: str) -> str:
    """Return how the places of a day begin, or those of the rows of a sheet without a day."""
    return _game_in(_game_in(place))


def _in_place(hand_id: str) -> list[tuple[int, str]]:
    """Return by what ids of hands of sheets, or their ends, come in the order of the rows."""
    parts = hand_id.split(":")
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


# --- What a row says


def _said_in(hand: Hand) -> _Said:
    """Return what a row says of its own hand: the contract, the result, and what was scored.

    How the score changed stands for the running score, in which one correction changes all below.
    """
    change, after = (getattr(hand.claimed, name, UNSET) for name in ("change", "scores"))
    if change is UNSET and after is not UNSET and hand.scores is not UNSET:
        pairs = zip(after, hand.scores, strict=True)
        change = [None if None in pair else pair[0] - pair[1] for pair in pairs]
    told = UNSET if change is UNSET else tuple(change)
    return (*_contract_in(hand), _numbers(hand, "points"), told)


def _told_by(hand: Hand) -> tuple[_Said, _Said]:
    """Return all that a row says, once with the change of the score and once with the score.

    A row that was put in above it may change either.
    """
    row = (str(hand.started_at)[:10], hand.dealer)
    scored = (_numbers(hand, "points"), _numbers(hand, "scores"))
    return (*row, *_said_in(hand)), (*row, *_contract_in(hand), *scored)


def _contract_in(hand: Hand) -> _Said:
    contract = (getattr(hand.known, name, UNSET) for name in _CONTRACT)
    side = (_place_of(hand) or {}).get("side", UNSET)
    return (*contract, side, hand.status, getattr(hand.claimed, "result", UNSET))


def _numbers(hand: Hand, name: str) -> object:
    numbers = getattr(hand.claimed, name, UNSET)
    return UNSET if numbers is UNSET else tuple(numbers)


def _agree(one: _Said, other: _Said) -> bool:
    """Whether two rows say mostly the same, as a row and itself with a cell corrected do."""
    told = [pair for pair in zip(one, other, strict=True) if pair != (UNSET, UNSET)]
    return 2 * sum(first == second for first, second in told) > len(told)


def _emptied(now: Hand, before: Hand) -> list[str]:
    """Return what a row said before and says no more, as its columns are called."""

    def filled(hand: Hand) -> dict[str, int]:
        """Return in how many cells of each column something stands."""
        values = {
            "dealer": hand.dealer,
            **{name: getattr(hand.known, name, UNSET) for name in _CONTRACT},
            **{name: getattr(hand.claimed, of, UNSET) for name, of in _CLAIMED.items()},
            "remark": hand.remark,
        }
        cells = {key: each if isinstance(each, list) else [each] for key, each in values.items()}
        return {key: sum(cell not in (UNSET, None) for cell in each) for key, each in cells.items()}

    old = filled(before)
    return [name for name, cells in filled(now).items() if cells < old[name]]


def _place_of(hand: Hand) -> dict[str, Any] | None:
    """Return where on its sheet a hand stands; nothing for a hand of no sheet."""
    place = hand.ext.get(EXT) if hand.ext is not UNSET else None
    return place if isinstance(place, dict) else None


def _day_of(hand: Hand) -> str:
    return "" if hand.started_at is UNSET else str(hand.started_at)[:10]


# --- Sheets that were corrected


class _Row(NamedTuple):
    """What one row says now."""

    hand: Hand
    content: str
    place: Any
    said: _Said


@dataclass(slots=True)
class _Now:
    """What one sheet says now."""

    hands: dict[str, _Row] = field(default_factory=dict)
    """By the id of each hand."""
    games: set[str] = field(default_factory=set)
    tables: list[Hand] = field(default_factory=list)
    """A hand of each table that plays."""
    days: list[str] = field(default_factory=list)
    """The first and the last day, where it has any."""

    def add(self, hand: Hand) -> None:
        self.hands[hand.id] = _Row(hand, content_hash(hand), _place_of(hand), _said_in(hand))
        if not self.tables or self.tables[-1].players != hand.players:
            self.tables.append(hand)
        if hand.game is not UNSET:
            self.games.add(hand.game)
        if day := _day_of(hand):
            self.days = [min([day, *self.days]), max([day, *self.days])]

    def covers(self, hand: Hand) -> bool:
        """Whether a hand is of a game of the sheet, or of a day between its first and its last."""
        day = _day_of(hand)
        is_within = bool(day and self.days) and self.days[0] <= day <= self.days[-1]
        return hand.game in self.games or is_within

    def days_renamed(self, stored: Iterable[Hand]) -> set[str]:
        """Return the days under which hands are stored that have another day on the sheet now."""
        known = {hand.id: hand for hand in stored}
        fresh = {each: row.hand for each, row in self.hands.items() if each not in known}
        left = {
            each: hand
            for each, hand in known.items()
            if each not in self.hands and not self.covers(hand)
        }
        return {_day_of(left[each]) for each in _of_other_days(fresh, left).values()}


@dataclass(slots=True)
class _Day:
    """What is stored of a sheet and a day, beside what the sheet says now."""

    stored: int = 0
    same: int = 0
    """Hands of which the sheet says mostly what it said."""
    gone: int = 0
    players: dict[str, None] = field(default_factory=dict)
    emptied: dict[str, None] = field(default_factory=dict)
    """Columns of which a cell says nothing any more."""

    def add(self, hand: Hand, now: _Row | None, *, gives_way: bool) -> None:
        self.stored += 1
        if now:
            self.same += _agree(now.said, _said_in(hand))
            self.emptied |= dict.fromkeys(_emptied(now.hand, hand))
        if gives_way:
            self.gone += 1
            self.players |= dict.fromkeys(player.name or player.id for player in hand.players)


def superseded(
    current: Path | None,
    settings: SheetSettings,
    paths: Iterable[str | Path],
    forgotten: Forgotten | None = None,
) -> Superseded:
    """Return the stored hands that score sheets take the place of.

    Whoever was ``forgotten`` has another id in what is stored than in the sheets.
    A row is missed only from a sheet of which every row could be read.

    Raises ``WarehouseError`` where a hand that would give way is of another table.
    """
    if current is None:
        return Superseded()
    sheets: dict[tuple[str, str], _Now] = {}
    is_whole = True
    for read in read_sheets(settings, *paths):
        line = of_line(read, forgotten) if forgotten else read
        is_whole &= line.reject is None
        if line.hand:
            of = _sheet_of(line.hand, line.file, settings)
            sheets.setdefault(of, _Now()).add(line.hand)
    corrected, taken_out, moved, touched = [], [], [], set()
    days: dict[tuple[str, str], _Day] = {}
    with closing(warehouse.open_file(current, once=True)) as connection:
        for (prefix, name), sheet in sheets.items():
            stored = list(_stored(connection, prefix, name))
            renamed = sheet.days_renamed(hand for hand, _ in stored)
            for hand, content in stored:
                now = sheet.hands.get(hand.id)
                is_corrected = now is not None and now.content != content
                is_left = sheet.covers(hand) or _day_of(hand) in renamed
                is_gone = now is None and is_whole and is_left
                if now or is_gone:
                    day = days.setdefault((prefix.removesuffix(":"), _day_of(hand)), _Day())
                    day.add(hand, now, gives_way=is_corrected or is_gone)
                if is_corrected:
                    corrected.append(hand.id)
                elif now and now.place != _place_of(hand):
                    moved.append(hand.id)
                elif is_gone:
                    taken_out.append(hand.id)
                else:
                    continue
                if not _are_of_one_table([hand], sheet.tables):
                    names = ", ".join(player.name or player.id for player in hand.players)
                    raise warehouse.WarehouseError(
                        f"The hands stored as {prefix.removesuffix(':')} are of {names}, who do "
                        "not play in this sheet: it is another one of the same name. Load it "
                        "without --correct; then its hands get ids of their own."
                    )
                if hand.game is not UNSET:
                    touched.add(hand.game)
    gone = [
        GivesWay(
            *of,
            list(day.players),
            day.gone,
            day.stored,
            is_plain=2 * day.same > day.stored and not day.emptied,
            emptied=list(day.emptied),
        )
        for of, day in days.items()
        if day.gone
    ]
    return Superseded(corrected, taken_out, moved, sorted(touched), days=gone)


def _sheet_of(hand: Hand, file: str, settings: SheetSettings) -> tuple[str, str]:
    """Return how the ids of the hands of a sheet begin, and its name in its workbook."""
    name = str((_place_of(hand) or {}).get("sheet", ""))
    source = settings.called(file.removesuffix(f"[{name}]"))
    return f"{':'.join(filter(None, (source, name)))}:", name


def _stored(connection: DuckDBPyConnection, prefix: str, name: str) -> Iterator[tuple[Hand, str]]:
    """Return the stored hands of a sheet, and their content."""
    query = "SELECT hand_id FROM hands WHERE starts_with(hand_id, $prefix) ORDER BY hand_id"
    ids = [each for (each,) in connection.execute(query, {"prefix": prefix}).fetchall()]
    for stored in warehouse.hands(connection, ids):
        place = _place_of(stored.hand)
        if place is not None and str(place.get("sheet", "")) == name:
            yield stored.hand, stored.content_hash
