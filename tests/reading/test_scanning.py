"""Scanning a line byte by byte: never more than the careful reader takes, and always the same."""

import json
import random
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, pairwise, product
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from benchmarks.translated import translated
from tests.kit.any_hand import HANDS, action_texts
from tests.kit.noise import broken
from tests.kit.random_play import hidden_record, random_hand
from tests.kit.rule_cases import rows_in
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import Claimed, Hand, Player, RulesRef, encode_hand, generate, variants
from tricklog.core.engine.records import dtype_of
from tricklog.ingest.reading.reader import parse_line
from tricklog.schemas.actions import Action, ActionError, action_cards, parse_action
from tricklog.schemas.cards import CARD_NAMES, parse_cards
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import (
    MAX_CARDS,
    ScannedAction,
    read_actions,
    read_cards,
    read_deal,
)
from tricklog.schemas.scan.line import ScannedLine, scan_line
from tricklog.schemas.scan.text import CAREFUL, SCANNED
from tricklog.schemas.scan.time import read_time
from tricklog.schemas.times import parse_time

LINE, ACTIONS, DEAL, CARDS, TIME = range(5)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NAMED: Final = 3000
_encoder: Final = msgspec.json.Encoder(order="deterministic")

Look = Callable[[list[int], bytes], list[int]]
Values = dict[str, Any]


class Room(NamedTuple):
    """What the scanning functions fill, lists or arrays."""

    lines: Any
    actions: Any
    named: Any
    cards: Any
    bounds: Any


def look(asked: Any, text: Any, room: Any) -> int:  # noqa: ANN401 - either run
    """Call one of the scanning functions with its number, the bounds of the text and the seats.

    What it returns stands where they stood; only a time gives more than one number.
    """
    if asked[0] == TIME:
        asked[0], asked[1], asked[2] = read_time(text, asked[1], asked[2])
    elif asked[0] == ACTIONS:
        asked[0] = read_actions(text, asked[1], asked[2], asked[3], room.actions, room.named)
    elif asked[0] == DEAL:
        asked[0] = read_deal(text, asked[1], asked[2], asked[3], room.cards, room.bounds)
    elif asked[0] == CARDS:
        asked[0] = read_cards(text, asked[1], asked[2], room.cards)
    else:
        asked[0] = scan_line(text, asked[1], asked[2], room.lines[0])
    return 0


def get(record: Any, name: str) -> Any:  # noqa: ANN401 - either run
    return record[name] if isinstance(record, np.void) else getattr(record, name)


class Span:
    """Bytes of which only a part may be looked at."""

    def __init__(self, text: bytes, start: int, end: int) -> None:
        self.text = text
        self.inside = range(start, end)

    def __getitem__(self, index: int) -> int:
        assert index in self.inside, f"byte {index} is outside {self.inside}"
        return self.text[index]


class Scanner:
    """Runs the scanning functions on a line and gathers what they find."""

    def __init__(self, look: Look, room: Room) -> None:
        self.look = look
        self.line = room.lines[0]
        self.actions, self.named, self.cards, self.bounds = room[1:]

    def at(self, what: int, text: bytes, start: int, end: int, seats: int = 7) -> Any:  # noqa: ANN401 - it may be anything
        """Return what one function makes of ``text[start:end]``: its code, and its values."""
        code, *more, _ = self.look([what, start, end, seats], text)
        if code < 0:
            return code, None
        if what == TIME:
            return SCANNED, tuple(more)
        if what == ACTIONS:
            return code, [self._action(row) for row in self.actions[:code]]
        if what == CARDS:
            return code, list(map(int, self.cards[:code]))
        if what == DEAL:
            places = pairwise(self.bounds[: seats + 1])
            return SCANNED, [list(map(int, self.cards[one:other])) for one, other in places]
        return SCANNED, self._line_values()

    def scan(self, text: bytes) -> tuple[int, Values | None]:
        """Return the code of a line, and its values when all of it is clean."""
        code, values = self.at(LINE, text, 0, len(text))
        if code != SCANNED:
            return code, None
        spans = values.pop("spans")
        seats = values["seats"]
        for name, what in PARTS.items():
            values[name] = None
            if spans[name][0] >= 0:
                start, end = spans[name]
                part, values[name] = self.at(what, text, start, end, seats)
                if part < 0:
                    return part, None
        values["seating"] = text[get(self.line, "rules_start") : get(self.line, "players_end")]
        return code, values | {key: text[slice(*spans[key])] for key in TEXTS if spans[key][0] >= 0}

    def _action(self, row: Any) -> tuple[Action, list[int]]:  # noqa: ANN401 - either run
        action = Action(*(int(get(row, each.name)) for each in fields(Action)))
        first = int(get(row, "first"))
        return action, [int(card) for card in self.named[first : first + action.size]]

    def _line_values(self) -> Values:
        found = self.line
        values: Values = {name: int(get(found, name)) for name in ("hand", "seats", "dealer")}
        for name, count in COUNTS.items():
            many = int(get(found, f"{count}_count"))
            values[name] = [int(number) for number in get(found, name)[: max(many, 0)]]
        values["winner_count"] = int(get(found, "winner_count"))
        values["spans"] = {
            name: (int(get(found, f"{name}_start")), int(get(found, f"{name}_end")))
            for name in (*PARTS, *TEXTS, "tail")
        }
        return values


PARTS: Final = {"actions": ACTIONS, "deal": DEAL, "stock": CARDS, "kitty": CARDS, "started": TIME}
TEXTS: Final = ("id", "game")
COUNTS: Final = {
    **{name: name for name in ("points", "change", "after")},
    "scores": "score",
    "winners": "winner",
}


def plain(**room: Any) -> Scanner:  # noqa: ANN401 - either run
    """Return the functions run in plain Python; ``room`` replaces the lists they fill."""
    lists: dict[str, Any] = {
        "lines": [ScannedLine()],
        "actions": [ScannedAction() for _ in range(MAX_ACTIONS)],
        "named": [0] * NAMED,
        "cards": [0] * (7 * MAX_CARDS),
        "bounds": [0] * 8,
    } | room
    filled = Room(**lists)

    def look_here(asked: list[int], text: bytes) -> list[int]:
        look(asked, Span(text, asked[1], asked[2]), filled)
        return asked

    return Scanner(look_here, filled)


@cache
def compiled() -> Scanner:
    room = Room(
        np.zeros(1, dtype=dtype_of(ScannedLine())),
        np.zeros(MAX_ACTIONS, dtype=dtype_of(ScannedAction())),
        np.zeros(NAMED, dtype=np.int64),
        np.zeros(7 * MAX_CARDS, dtype=np.int64),
        np.zeros(8, dtype=np.int64),
    )
    call = translated(look, np.zeros(4, np.int64), np.frombuffer(b"", dtype=np.uint8), room)

    def look_there(asked: list[int], text: bytes) -> list[int]:
        numbers = np.array(asked)
        call(numbers, np.frombuffer(text, dtype=np.uint8), room)()
        return [int(number) for number in numbers]

    return Scanner(look_there, room)


def codes(what: int, text: bytes, seats: int = 7) -> list[tuple[int, Any]]:
    """What each run makes of a text."""
    return [scanner.at(what, text, 0, len(text), seats) for scanner in scanners()]


def accepted(scanner: Scanner, text: bytes) -> Values | None:
    """Return the values of a line that is clean, with what is left to the caller done."""
    code, values = scanner.scan(text)
    if values is None or code != SCANNED:
        return None
    try:
        text.decode("utf-8")
        seating = b'{"rules":%s}' % values["seating"]
        decoded = msgspec.json.decode(seating, type=_Seating)
    except (UnicodeDecodeError, msgspec.MsgspecError):
        return None
    return values if _encoder.encode(decoded) == seating else None


class _Seating(msgspec.Struct, forbid_unknown_fields=True):
    rules: RulesRef
    players: list[Player]


def careful(text: bytes) -> Values | None:
    """Return the values of a canonical line as the careful reader has them."""
    hand = parse_line(text)
    return values_of(hand) if isinstance(hand, Hand) and encode_hand(hand) == text else None


def values_of(hand: Hand) -> Values:
    """Return the values of a hand, as ``Scanner.scan`` gives them."""
    claimed = Claimed() if hand.claimed is UNSET else hand.claimed
    values: Values = {
        "hand": hand.hand or 0,
        "seats": len(hand.players),
        "dealer": hand.dealer,
        "scores": hand.scores or [],
        "points": claimed.points or [],
        "change": claimed.change or [],
        "after": claimed.scores or [],
        "winners": claimed.winners or [],
        "winner_count": -1 if claimed.winners is UNSET else len(claimed.winners),
        "actions": [action_of(text) for text in hand.actions],
        "deal": None if hand.deal is UNSET else [parse_cards(cards) for cards in hand.deal],
        "stock": None if hand.stock is UNSET else parse_cards(hand.stock),
        "kitty": None if hand.kitty is UNSET else parse_cards(hand.kitty),
        "started": None if hand.started_at is UNSET else moment_of(hand.started_at),
        "id": hand.id.encode(),
        "seating": _encoder.encode(_Seating(hand.rules, hand.players))[len('{"rules":') : -1],
    }
    return values if hand.game is UNSET else values | {"game": hand.game.encode()}


def action_of(text: str) -> tuple[Action, list[int]]:
    """Return an action, and the cards it names in the order written."""
    return parse_action(text), action_cards(text)


def moment_of(text: str) -> tuple[int, int]:
    """Return the microseconds since 1970 and the local day of a time."""
    time = parse_time(text)
    return (time - EPOCH) // timedelta(microseconds=1), (time.date() - EPOCH.date()).days


# --- Scanning
PLAIN = plain()
SAMPLES = Path(__file__).parents[2] / "sample_logs" / "valid"
FULL = Hand(
    format="tricklog/1",
    id="club-é-1",
    game="club",
    hand=100_000,
    rules=RulesRef("pedro", version=1, options={"min_bid": 6, "x": 'a "]}" b'}),
    players=[
        Player("ann", name='An "the ace" \\ n', kind="human"),
        Player("b]o"),
        Player("c}y", kind="bot"),
        Player("dée", name="D"),
        Player("e"),
    ],
    dealer=4,
    scores=[0, -1_000_000, 1_000_000],
    deal=["AS KS", "", "? * JO", "2H", "TD"],
    stock="3C 4C",
    kitty="",
    actions=["0 bid 7", "1 bid 83-double", "2 bid 28-56", "4 trump NT-reversed", "3 rob 6H ? QS"],
    claimed=Claimed([9, 5], [9, -8], [1_000_000, -1_000_000], [0, 4, 2]),
    status="in_progress",
    started_at="2026-11-20T19:03:00.25+02:00",
)
FULL_LINE = encode_hand(FULL)


def scanners() -> list[Scanner]:
    """The functions in plain Python and, in the thorough tier, compiled, which takes long.

    In the first tier loads are what reads with them compiled.
    """
    return [PLAIN, compiled()] if is_thorough() else [PLAIN]


@cache
def sample_lines() -> tuple[bytes, ...]:
    logs = sorted(SAMPLES.rglob("*.jsonl"))
    return tuple(line for path in logs for line in path.read_bytes().splitlines())


def hands_of_all_kinds(each: int) -> list[Hand]:
    chance = random.Random(3)
    hands = [FULL]
    for variant in variants():
        hands += islice(generate(variant, each, seed=4), each)
        for _ in range(each):
            hand = random_hand(variant, chance, None)
            hands += [hand, broken(hand, chance), hidden_record(hand, chance, hidden_plays=True)]
    return hands


# --- What is clean is accepted, with the same values
def test_every_clean_line_is_accepted_with_the_values_of_the_reader() -> None:
    scanner = scanners()[-1]
    for line in some(sample_lines(), 40):
        expected = careful(line)
        assert expected is not None, line
        assert accepted(scanner, line) == expected, line
    # A few of many of these have actions of a seat that is not there.
    played = [encode_hand(hand) for hand in hands_of_all_kinds(scaled(1, most=6))]
    found = [accepted(scanner, line) for line in played]
    assert found == [careful(line) for line in played]
    assert len([values for values in found if values]) > len(played) * 0.9


@pytest.mark.thorough("the functions are compiled for it")
def test_plain_and_compiled_runs_agree() -> None:
    for line in [*sample_lines()[::40], *map(encode_hand, hands_of_all_kinds(1))]:
        assert accepted(PLAIN, line) == careful(line), line
        assert PLAIN.scan(line) == compiled().scan(line)


def is_usual(hand: Hand) -> bool:
    """Whether the line is in no need of the careful reader."""
    names = [hand.id] + ([] if hand.game is UNSET else [hand.game])
    return all(
        len(name.encode()) <= 200 and msgspec.json.encode(name) == f'"{name}"'.encode()
        for name in names
    )


@settings(max_examples=scaled(20))
@given(HANDS)
def test_any_sound_hand_without_escapes_in_its_names_and_without_extras_is_accepted(
    hand: Hand,
) -> None:
    bare = replace(hand, times=UNSET, notes=UNSET, ext=UNSET)
    line, whole = encode_hand(bare), encode_hand(hand)
    expected = careful(line)
    for scanner in scanners():
        assert accepted(scanner, line) == (expected if is_usual(bare) else None)
    code, _ = PLAIN.at(LINE, line, 0, len(line))
    assert {found for found, _ in codes(LINE, whole)} == {code if whole == line else CAREFUL}


def test_any_part_of_a_claim_may_be_absent() -> None:
    parts = product(("points", "change", "scores", "winners"), repeat=2)
    said: list[dict[str, Any]] = [{one: [1, 2], other: [3, 2]} for one, other in parts]
    for claimed in (*(Claimed(**each) for each in said), Claimed(winners=[]), Claimed(), UNSET):
        line = encode_hand(replace(FULL, claimed=claimed))
        assert accepted(PLAIN, line) == careful(line) is not None, claimed


def test_the_tail_is_what_follows_the_actions() -> None:
    for hand in (FULL, replace(FULL, claimed=UNSET, status=UNSET, started_at=UNSET)):
        line = encode_hand(hand)
        _, values = PLAIN.at(LINE, line, 0, len(line))
        start, end = values["spans"]["tail"]
        assert line[end:] == b"}"
        bare = encode_hand(replace(hand, claimed=UNSET, status=UNSET, started_at=UNSET))
        assert line[:start] + b"}" == bare


# --- What is broken is never accepted
MARKS = b'"\\[]{},: -0123456789SHDCTJQKAO?*Z+.ebt\x00\x1f\x7f\xc3\xa9\xff'


def spoilt(line: bytes, chance: random.Random) -> bytes:
    """Return the line with a small change, most often one that keeps its shape."""
    at = chance.randrange(len(line))
    mark = bytes([chance.choice(MARKS)])
    other = chance.randrange(len(line))
    change = chance.randrange(8)
    words = line.split(b'"')
    if change == 0:
        return line[:at]
    if change == 1:
        words[chance.randrange(len(words))] = chance.choice(words)
        return b'"'.join(words)
    if change == 2:
        words = line.split(b" ")
        return b" ".join([*words[:at], *words[other:]])
    middle, after = {
        3: (mark, 0),
        4: (b"", chance.randint(1, 4)),
        5: (line[other : other + chance.randint(1, 30)], 0),
        6: (bytes([line[at] ^ 1 << chance.randrange(8)]), 1),
        7: (mark, 1),
    }[change]
    return line[:at] + middle + line[at + after :]


def test_no_spoilt_line_is_accepted_that_the_reader_refuses() -> None:
    lines = [*sample_lines()[::9], *[FULL_LINE] * 40]
    tries = scaled(700)
    for scanner in scanners():
        chance, clean = random.Random(8), 0
        for _ in range(tries):
            text = spoilt(chance.choice(lines), chance)
            if chance.random() < 0.2:
                text = spoilt(text, chance) if text else text
            found = accepted(scanner, text)
            if found is not None:
                clean += 1
                assert found == careful(text), text
        # Changes such as another card leave a sound line, so that both answers are put to the test.
        assert tries / 30 < clean < tries * 2 / 3


OUTSIDE = {
    "no object": b"[]",
    "empty": b"",
    "white space": FULL_LINE + b" ",
    "carriage return": FULL_LINE + b"\r",
    "space in the actions": FULL_LINE.replace(b'"1 bid', b' "1 bid'),
    "space in the deal": FULL_LINE.replace(b'["AS KS",', b'["AS KS", '),
    "not UTF-8": FULL_LINE.replace("é".encode(), b"\xe9", 1),
    "open end": FULL_LINE[:-1],
    "eight players": FULL_LINE.replace(b'{"id":"e"}', b",".join([b'{"id":"e"}'] * 4)),
    "three players": encode_hand(replace(FULL, players=FULL.players[:3])),
    "long name": FULL_LINE.replace(b'"game":"club"', b'"game":"' + b"x" * 201 + b'"'),
    **{
        name: FULL_LINE.replace(old.encode(), new.encode())
        for name, old, new in rows_in(Path(__file__).with_name("spoilt.txt"))
    },
}


def test_what_is_not_canonical_or_not_sound_is_left_to_the_reader() -> None:
    assert accepted(PLAIN, FULL_LINE) is not None
    for name, line in OUTSIDE.items():
        assert line != FULL_LINE, name
        assert careful(line) is None, name
        for scanner in scanners():
            assert accepted(scanner, line) is None, name


def test_limits_of_actions_and_cards_are_those_of_the_reader() -> None:
    scanner = scanners()[-1]
    for more, sound in ((0, True), (1, False)):
        for hand in (
            replace(FULL, actions=["0 pass"] * (MAX_ACTIONS + more)),
            replace(FULL, stock=" ".join("?" * (MAX_CARDS + more))),
        ):
            line = encode_hand(hand)
            assert (accepted(scanner, line) is not None) == (careful(line) is not None) == sound
    for cards in ("AS " * 53, "AS " * 54, "? " * 79 + "AS"):
        line = encode_hand(replace(FULL, kitty=cards.strip()))
        assert (accepted(scanner, line) is None) == (careful(line) is None)
    for many in (52, 53, 54):
        actions = [f"0 draw {' '.join(CARD_NAMES[:many])}", f"0 draw {' '.join('?' * many)}"]
        line = encode_hand(replace(FULL, actions=actions))
        assert accepted(scanner, line) == careful(line)


# --- Actions, cards and times by themselves
@st.composite
def near(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text as it should be, or with some letters left out, put in or exchanged."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        letters = st.text(
            st.sampled_from(' "0127-dSHNT?*AJOrx\u0663é\\') | st.characters(), max_size=2
        )
        text = text[:at] + draw(letters) + text[at + draw(st.integers(0, 2)) :]
    return text


def tried(text: str, read: Any) -> Any:  # noqa: ANN401 - whatever is read
    try:
        return read(text)
    except (ActionError, ValueError):
        return None


def as_json(texts: list[str]) -> bytes:
    """Write texts as a log has them, also halves of letters, which no other encoder writes."""
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


@example("\ud800")
@given(near(action_texts()))
def test_an_action_is_read_as_the_reader_reads_it(text: str) -> None:
    expected = tried(text, action_of)
    for found in codes(ACTIONS, as_json([text])):
        assert found == ((CAREFUL, None) if expected is None else (1, [expected]))


CARD_LISTS = st.lists(st.sampled_from([*CARD_NAMES, "?", "*"]), max_size=60).map(" ".join)


@given(near(CARD_LISTS))
def test_cards_are_read_as_the_reader_reads_them(text: str) -> None:
    expected = tried(text, parse_cards) if len(text) <= 160 else None
    for found in codes(CARDS, text.encode("utf-8", "surrogatepass")):
        assert found == ((CAREFUL, None) if expected is None else (len(expected), expected))


@example(["", "", "\ud800"], 4)
@example(["AS", "KS", "QS \ud800", "JS"], 4)
@settings(max_examples=scaled(20))
@given(st.lists(near(CARD_LISTS), min_size=3, max_size=8), st.integers(4, 7))
def test_a_deal_is_read_as_the_reader_reads_it(texts: list[str], seats: int) -> None:
    lists = [tried(text, parse_cards) if len(text) <= 160 else None for text in texts]
    sound = None not in lists and len(texts) == seats
    for found in codes(DEAL, as_json(texts), seats):
        assert found == ((SCANNED, lists) if sound else (CAREFUL, None))


ODD_TIMES = [
    *("2026-11-20t19:03:00Z", "2026-11-20T19:03:00z", "2026-11-20T19:03:60Z"),
    *("2026-11-20T24:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"),
    *("2026-11-20T19:03:00", "2026-11-20", "2026-11-20T19:03Z", "2026-11-20T19:03:00.Z"),
    *("2026-11-20T19:03:00+0200", "2026-11-20T19:03:00+24:00", "2026-11-20T19:03:00+01:60"),
    *("2026-11-20T19:03:00.1234567Z", "1899-12-31T23:59:59Z", "2026-02-29T12:00:00Z"),
    *("2100-02-29T12:00:00Z", "2026-00-10T12:00:00Z", "2026-04-31T12:00:00Z"),
    *("", "2026-11-20T19:03:00ZZ", "2026-11-20T19:03:00Z "),
]


def test_unusual_times_are_left_to_the_reader() -> None:
    for text in ODD_TIMES:
        assert {code for code, _ in codes(TIME, text.encode())} == {CAREFUL}, text


TIMES = st.builds(
    "{0:04}-{1:02}-{2:02}T{3:02}:{4:02}:{5:02}{6}{7}".format,
    st.integers(1890, 2210),
    st.integers(0, 13),
    st.integers(0, 32),
    st.integers(0, 25),
    st.integers(0, 61),
    st.integers(0, 61),
    st.sampled_from(["", ".5", ".000001", ".120", ".999999", ".", ".1234567"]),
    st.sampled_from(["Z", "+02:00", "-11:30", "+00:00", "-00:00", "+23:59", "-24:00", "+1:00"]),
)


@given(near(TIMES) | TIMES)
def test_a_time_is_never_read_otherwise_than_the_reader_reads_it(text: str) -> None:
    expected = tried(text, moment_of)
    for _, moment in codes(TIME, text.encode("utf-8", "surrogatepass")):
        assert moment is None or moment == expected


def test_every_day_and_offset_of_two_centuries_is_read() -> None:
    time = datetime(1900, 1, 1, tzinfo=UTC)
    offsets = ["Z", "+14:00", "-12:00", "+05:45", "-00:30"]
    fractions = ["", ".1", ".023", ".654321"]
    # Seven days at once keep to no month and to no leap year.
    day = timedelta(days=0 if is_thorough() else 6, hours=23, minutes=59, seconds=7)
    index, scanner = 0, scanners()[-1]
    while time.year < 2200:
        index += 1
        text = f"{time:%Y-%m-%dT%H:%M:%S}{fractions[index % 4]}{offsets[index % 5]}"
        found = scanner.at(TIME, text.encode(), 0, len(text))
        assert found == (SCANNED, moment_of(text)), text
        time += day


# --- Nothing is read, or written, outside its bounds
POISONS = (b'"', b"]", b"}", b"\xff", b"0")


def test_nothing_after_the_end_is_looked_at() -> None:
    _, values = PLAIN.at(LINE, FULL_LINE, 0, len(FULL_LINE))
    spans = [(what, *values["spans"][name]) for name, what in PARTS.items()]
    for what, start, end in [(LINE, 0, len(FULL_LINE)), *spans]:
        for stop in range(start, end + 1):
            # In plain Python a look outside is an error by itself.
            expected = PLAIN.at(what, FULL_LINE[:stop], start, stop, 5)
            assert (expected[0] < 0) or stop == end or what in {CARDS, TIME}
            tails = [FULL_LINE[stop:], *(poison * 60 for poison in POISONS)]
            for tail in tails if is_thorough() else ():
                buffer = FULL_LINE[:stop] + tail
                assert compiled().at(what, buffer, start, stop, 5) == expected


def test_nothing_is_written_beyond_the_room() -> None:
    _, values = PLAIN.at(LINE, FULL_LINE, 0, len(FULL_LINE))
    for name, room, needed in (
        ("actions", "actions", 5),
        ("actions", "named", 3),
        ("deal", "cards", 7),
        ("deal", "bounds", 6),
        ("stock", "cards", 2),
    ):
        start, end = values["spans"][name]
        for many in range(12):
            items = [ScannedAction() for _ in range(many)] if room == "actions" else [0] * many
            code, _ = plain(**{room: items}).at(PARTS[name], FULL_LINE, start, end, 5)
            assert (code >= 0) == (many >= needed)
