"""Which stored sheet a score sheet is, when others of its name are stored as well.

Ids of hands begin with the name of their sheet, and clubs give many sheets one name. A sheet whose
name is that of another one, of other people or without days and with other rows, gets the next name
that is free: ``scores-2``. Loaded again it is known by its people and rows, and keeps that name.
What a sheet without days is known by are its rows: one that has grown, or was corrected, still says
most of what it said.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import SequenceMatcher
from itertools import count, groupby
from pathlib import Path
from typing import Final, Protocol

from msgspec import UNSET
from msgspec.structs import replace

from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.forgotten_hands import of_line
from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.ingest.score_sheets.hands import EXT
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.schemas.hand import Hand, content_hash

_MOST_COMPARED: Final = 40
"""Stored hands of a name that a sheet is compared with."""
_LEAST_LIKE: Final = 0.5
"""The share of rows of a stored sheet that another one has at most, by chance."""
_LEAST_OF_AN_EVENING: Final = 2 / 3
"""The share of rows that another evening has at most, by chance."""
Said = tuple[object, ...]
"""What a row says of its own hand, by kind."""


class Stored(Protocol):
    """The hands of a warehouse."""

    def ids(self, start: str) -> Sequence[str]:
        """Return the ids that begin so."""

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        """Return the hands of ids, in their order."""


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
        name = _name_of(base, new, stored, here, correct=correct)
        here[name] = here.get(name, {}) | new
        if name != base:
            settings = replace(settings, names={**settings.names, source.name: name})
        if stored and not correct and (moved := _elsewhere(name, new, stored)):
            read = _hands_in(settings, source, None)
            told = {content_hash(read[end]): hand_id for end, hand_id in moved.items()}
            settings = replace(settings, moved=settings.moved | told)
    return settings


def _hands_in(
    settings: SheetSettings, source: Source, forgotten: Forgotten | None
) -> dict[str, Hand]:
    """Return the hands of a file by their ids, without what these begin with."""
    lines = read_sheets(settings, source)
    name = settings.called(source.name)
    found = {}
    for each in lines:
        if each.hand:
            new = of_line(each, forgotten).hand if forgotten else each.hand
            assert new
            found[each.hand.id.removeprefix(name)] = new
    return found


def are_of_one_table(some: Iterable[Hand], others: Iterable[Hand]) -> bool:
    """Whether half of those who play in some hands, at least, play in the others, too."""
    people = [{player.id for hand in hands for player in hand.players} for hands in (some, others)]
    return 2 * len(people[0] & people[1]) >= min(map(len, people))


def _name_of(
    base: str,
    new: Mapping[str, Hand],
    stored: Stored | None,
    here: Mapping[str, dict[str, Hand]],
    *,
    correct: bool,
) -> str:
    """Return the name under which a sheet is stored, or the first that is free."""
    of_one_table: dict[str, float] = {}
    for number in count(1):
        name = base if number == 1 else f"{base}-{number}"
        old = (_stored(name, new, stored) if stored else {}) | here.get(name, {})
        if not old:
            free = name
            break
        if are_of_one_table(new.values(), old.values()):
            likeness = _likeness(new, old)
            if likeness > _LEAST_LIKE or _upside_down(name, new, stored) > _LEAST_LIKE:
                return name
            of_one_table[name] = likeness
    return max(of_one_table, key=lambda each: of_one_table[each], default=base) if correct else free


def _stored(name: str, new: Mapping[str, Hand], stored: Stored) -> dict[str, Hand]:
    """Return hands that are stored of sheets of a name, those in the places of new ones if any."""
    known = {each.removeprefix(name) for each in stored.ids(f"{name}:")}
    shared = [each for each in new if each in known][:_MOST_COMPARED]
    ends = shared or sorted(known)[:: len(known) // _MOST_COMPARED + 1]
    return _hands_of_sheets(name, ends, stored)


def _hands_of_sheets(name: str, places: Iterable[str], stored: Stored) -> dict[str, Hand]:
    """Return those of the hands in some places that come from sheets, by their places."""
    hands = stored.hands([name + each for each in places])
    return {
        hand_id.removeprefix(name): hand
        for hand_id, hand in hands.items()
        if hand.ext is not UNSET and EXT in hand.ext
    }


def _elsewhere(name: str, new: Mapping[str, Hand], stored: Stored) -> dict[str, str]:
    """Return the new rows that are stored from another place, each with the id of that hand."""
    known = {each.removeprefix(name) for each in stored.ids(f"{name}:")}
    under_other_days = _under_other_days(name, known, new, stored)
    left = {each: hand for each, hand in new.items() if each not in under_other_days}
    return under_other_days | _moved(name, known, left, stored)


def _under_other_days(
    name: str, known: Set[str], new: Mapping[str, Hand], stored: Stored
) -> dict[str, str]:
    """Return the rows of evenings that are stored under days that the sheet no longer has."""
    fresh = {each: hand for each, hand in new.items() if each not in known}
    days = {_day_in(each) for each in new}
    gone = [each for each in known if _day_in(each) not in days] if fresh else []
    before = _hands_of_sheets(name, sorted(gone, key=_in_place), stored)
    found = of_other_days(fresh, before, _LEAST_OF_AN_EVENING)
    return {each: name + place for each, place in found.items()}


def of_other_days(
    new: Mapping[str, Hand], old: Mapping[str, Hand], least: float = _LEAST_LIKE
) -> dict[str, str]:
    """Return which rows of a sheet are stored under another day, each with that place.

    More than a share ``least`` of what is stored of a day then stands on the sheet under one day,
    in its order. A single row may be the same by chance.
    """
    days: dict[str, list[str]] = defaultdict(list)
    for place in sorted(old, key=_in_place):
        days[_day_in(place)].append(place)
    at: dict[Said, set[str]] = defaultdict(set)
    for place, hand in old.items():
        at[said_in(hand)].add(_day_in(place))
    found: dict[str, str] = {}
    for _, grouped in groupby(sorted(new, key=_in_place), key=_day_in):
        rows = [*grouped]
        said = [said_in(new[each]) for each in rows]
        for day in sorted(set().union(*(at.get(each, ()) for each in said))):
            before = days[day]
            matcher = SequenceMatcher(
                None, said, [said_in(old[each]) for each in before], autojunk=False
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


def _moved(name: str, known: Set[str], new: Mapping[str, Hand], stored: Stored) -> dict[str, str]:
    """Return the rows that are stored from another place of the same day, with those ids.

    So it is with the last rows of a game where one was put in, and with rows in another order.
    """
    fresh = [each for each in new if each not in known]
    there = [each for each in new if each in known]
    if not (fresh and there):
        return {}
    games = {_game_in(each) for each in fresh}
    # Numbers that fall are games of their own, so rows in another order leave whole games empty.
    days = {_day_in(each) for each in fresh}
    gone = {each for each in known - new.keys() if _day_in(each) in days}
    looked_at = (
        {each for each in known if _game_in(each) in games} | {*there[:_MOST_COMPARED]} | gone
    )
    displaced = _displaced(name, looked_at, new, stored)
    if any(_game_in(each) not in games for each in displaced):
        displaced = _displaced(name, known, new, stored)
    places: dict[Said, list[str]] = defaultdict(list)
    for place, hand in displaced.items():
        for said in _told_by(hand):
            places[said].append(place)
    found: dict[str, str] = {}
    for each in fresh:
        old = (place for said in _told_by(new[each]) for place in places[said])
        for place in old:
            if displaced.pop(place, None) is not None:
                found[each] = name + place
                break
    return found


def _displaced(
    name: str, places: Iterable[str], new: Mapping[str, Hand], stored: Stored
) -> dict[str, Hand]:
    """Return stored hands of a sheet in whose places another row stands now, or none."""
    hands = _hands_of_sheets(name, sorted(places), stored)
    return {
        each: hand
        for each, hand in hands.items()
        if not (each in new and {*_told_by(new[each])} & {*_told_by(hand)})
    }


def _game_in(place: str) -> str:
    return place.rpartition(":")[0]


def _day_in(place: str) -> str:
    """Return how the places of a day begin, or those of the rows of a sheet without a day."""
    return _game_in(_game_in(place))


def _told_by(hand: Hand) -> tuple[Said, Said]:
    """Return all that a row says, once with the change of the score and once with the score.

    A row that was put in above it may change either.
    """
    day = str(hand.started_at)[:10]
    return (
        (day, hand.dealer, *said_in(hand)),
        (day, hand.dealer, *_contract_in(hand), _numbers(hand, "points"), _numbers(hand, "scores")),
    )


def _likeness(new: Mapping[str, Hand], old: Mapping[str, Hand]) -> float:
    """Return the share of stored rows without a day that still say mostly the same in their places.

    Rows may have come in between, or gone: then those behind them that stand in one run count. It
    is 1 where no new row takes the place of an old one.
    """
    rows = {place: said_in(hand) for place, hand in new.items() if hand.started_at is UNSET}
    before = {
        place: said_in(old[place])
        for place in rows
        if place in old and old[place].started_at is UNSET
    }
    same = sum(agree(rows[place], said) for place, said in before.items())
    moved = SequenceMatcher(None, [*before.values()], [*rows.values()], autojunk=False)
    return max(same, moved.find_longest_match().size) / len(before) if before else 1.0


def _upside_down(name: str, new: Mapping[str, Hand], stored: Stored | None) -> float:
    """Return the share of the last stored rows without a day that stand in one run upwards."""
    if stored is None:
        return 0.0
    known = sorted(stored.ids(f"{name}:"), key=_in_place)
    hands = stored.hands(known[-_MOST_COMPARED:])
    before = [_told_by(hand)[1] for hand in hands.values() if hand.started_at is UNSET]
    rows = [_told_by(hand)[1] for hand in new.values() if hand.started_at is UNSET]
    upwards = SequenceMatcher(None, before, rows[::-1], autojunk=False).find_longest_match().size
    return upwards / len(before) if upwards > 1 else 0.0


def _in_place(hand_id: str) -> list[tuple[int, str]]:
    """Return by what ids of hands of sheets, or their ends, come in the order of the rows."""
    parts = hand_id.split(":")
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def said_in(hand: Hand) -> Said:
    """Return what a row says of its own hand: the contract, the result, and what was scored.

    How the score changed stands for the running score, in which one correction changes all below.
    """
    change, after = (getattr(hand.claimed, name, UNSET) for name in ("change", "scores"))
    if change is UNSET and after is not UNSET and hand.scores is not UNSET:
        pairs = zip(after, hand.scores, strict=True)
        change = [None if None in pair else pair[0] - pair[1] for pair in pairs]
    told = UNSET if change is UNSET else tuple(change)
    return (*_contract_in(hand), _numbers(hand, "points"), told)


def _contract_in(hand: Hand) -> Said:
    contract = (getattr(hand.known, name, UNSET) for name in ("maker", "bid", "trump", "stake"))
    place = hand.ext.get(EXT) if hand.ext is not UNSET else None
    side = place.get("side", UNSET) if isinstance(place, dict) else UNSET
    return (*contract, side, hand.status, getattr(hand.claimed, "result", UNSET))


def _numbers(hand: Hand, name: str) -> object:
    numbers = getattr(hand.claimed, name, UNSET)
    return UNSET if numbers is UNSET else tuple(numbers)


def emptied(now: Hand, before: Hand) -> list[str]:
    """Return what a row said before and says no more, as its columns are called."""
    pairs = [
        ("dealer", now.dealer, before.dealer),
        *((name, getattr(now.known, name, UNSET), getattr(before.known, name, UNSET))
          for name in ("maker", "bid", "trump", "stake")),
        *((name, getattr(now.claimed, field, UNSET), getattr(before.claimed, field, UNSET))
          for name, field in _CLAIMED.items()),
        ("remark", now.remark, before.remark),
    ]  # fmt: skip
    return [name for name, new, old in pairs if _filled(new) < _filled(old)]


def _filled(value: object) -> int:
    """Return in how many cells something stands, given the value of a row that they make."""
    cells = value if isinstance(value, list) else [value]
    return sum(each not in (UNSET, None) for each in cells)


_CLAIMED: Final = {"result": "result", "points": "points", "change": "change", "score": "scores"}


def agree(one: Said, other: Said) -> bool:
    """Whether two rows say mostly the same, as a row and itself with a cell corrected do."""
    told = [pair for pair in zip(one, other, strict=True) if pair != (UNSET, UNSET)]
    return 2 * sum(first == second for first, second in told) > len(told)
