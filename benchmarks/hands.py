"""Big logs of distinct, valid hands: few games that bots played, turned into many.

No rule tells the suits apart, except that the off five has the colour of trumps, and none tells
the seats apart, except by the order they sit in. So a game stays valid, and every hand of it
becomes another, when the suits change names so that colours stay together (8 ways), when everybody
moves on by some seats (as many ways as there are seats), and when the first two cards that a seat
is dealt change places (2 ways a seat). Four seats make 512 hands of one.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import count, groupby, islice
from pathlib import Path
from typing import Final, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tricklog import core, schemas
from tricklog.core import generate, load_variant, variants
from tricklog.schemas.hand import Claimed, Hand, Player, decode_hand, encode_hand
from tricklog.schemas.limits import MAX_SEATS

MIXED: Final = "mixed"
"""In place of a variant: all of them, with equal shares of the hands."""
BASE_HANDS: Final = 5_000
"""Hands played by bots for one log, unless it has fewer."""
MOST_OF_ONE: Final = 400
"""Hands made of one at the most, of 512 that are possible."""
SEED: Final = 20_260
PLAYERS: Final = 5003
"""People who play: a prime, so that nobody sits at two seats of a table."""
FIRST_DAY: Final = date(2015, 1, 1)
DAYS: Final = 4000

SUITINGS: Final = tuple(
    bytes.maketrans(b"SHDC", suits)
    for suits in (b"SHDC", b"CHDS", b"SDHC", b"CDHS", b"HSCD", b"HCSD", b"DSCH", b"DCSH")
)
"""Renamings of the suits that keep the colour pairs. In a line only cards and trumps have these
letters: ids, names and verbs are written small."""
Item = TypeVar("Item")
_GAME: Final = b"@game"
_DAY: Final = b"@day"


@dataclass(frozen=True, slots=True)
class Table:
    """A variant and how many play it."""

    variant: str
    seats: int

    def base(self, hands: int) -> list[list[Hand]]:
        """Return games of ``hands`` hands in all, the same on every run; the last may break off."""
        path = _cache_folder() / f"{self.variant}-{self.seats}-{hands}.jsonl"
        if not path.exists():
            print(f"playing {hands:,} hands of {self.variant} for {self.seats}", file=sys.stderr)
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_suffix(".part")
            played = islice(generate(self.variant, hands, SEED, players=self.seats), hands)
            draft.write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in played))
            draft.replace(path)
        lines = path.read_bytes().splitlines()
        return [list(game) for _, game in groupby(map(decode_hand, lines), lambda hand: hand.game)]

    def others(self, hands: int) -> Iterator[tuple[int, bytes]]:
        """Yield endless games, each with its number of hands, until no new one can be made."""
        base = self.base(hands)
        for swaps in range(2**self.seats):
            for turn in range(self.seats):
                turned = [(len(game), template(game, turn, swaps)) for game in base]
                for suiting in SUITINGS:
                    for size, text in turned:
                        yield size, text.translate(suiting)


@cache
def _cache_folder() -> Path:
    """Return where played games are kept: a new place whenever rules or bots have changed."""
    digest = hashlib.sha256()
    for package in (core, schemas):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*")):
            if path.suffix in {".py", ".toml"}:
                digest.update(path.read_bytes())
    return Path(tempfile.gettempdir()) / "tricklog-benchmarks" / digest.hexdigest()[:16]


def tables(variant: str) -> list[Table]:
    """Return the tables at which a variant is played, one for every number of players."""
    return [Table(variant, seats) for seats in load_variant(variant).values["players"]]


def games(variant: str, hands: int) -> Iterator[tuple[int, bytes]]:
    """Yield games of ``variant`` or of all, ``MIXED``, as lines; each with its number of hands.

    ``hands`` is how many are wanted: it says from how many played hands the others are made. There
    are more games than that takes. The same arguments yield the same games.
    """
    names = variants() if variant == MIXED else (variant,)
    played = max(min(hands, BASE_HANDS), hands // MOST_OF_ONE)
    each = -(-played // len(names))
    sources = {name: _taking_turns(tables(name), each) for name in names}
    dealt = dict.fromkeys(names, 0)
    for number in count():
        name = min(dealt, key=dealt.__getitem__)
        size, text = next(sources[name])
        dealt[name] += size
        yield size, _dated(text, name, number)


def _taking_turns(places: list[Table], hands: int) -> Iterator[tuple[int, bytes]]:
    """Yield games of each table in turn."""
    each = -(-hands // len(places))
    playing = [place.others(each) for place in places]
    while True:
        for games_of_table in playing:
            game = next(games_of_table, None)
            if game is None:
                raise SystemExit("error: so many hands cannot be made of so few; play more of them")
            yield game


def _dated(text: bytes, variant: str, number: int) -> bytes:
    """Give a game its name, its day and its players."""
    day = FIRST_DAY + timedelta(days=number % DAYS)
    text = text.replace(_GAME, b"%s-%d" % (variant.encode(), number))
    text = text.replace(_DAY, day.isoformat().encode())
    for seat in range(MAX_SEATS):
        left_open = b"@%d" % seat
        if left_open not in text:
            break
        text = text.replace(left_open, b"player-%04d" % ((number * 13 + seat * 701) % PLAYERS))
    return text


def template(game: list[Hand], turn: int, swaps: int) -> bytes:
    """Return the lines of a game with everybody ``turn`` seats further on.

    ``swaps`` are the seats, by bit, whose first two cards change places. What ``games`` fills in is
    left open.
    """
    return b"".join(encode_hand(_turned(hand, turn, swaps)) + b"\n" for hand in game)


def _turned(hand: Hand, turn: int, swaps: int) -> Hand:
    seats = len(hand.players)
    sides = len(hand.scores) if hand.scores is not UNSET else seats
    places = [b"%d" % ((seat + turn) % seats) for seat in range(seats)]
    dealt = [] if hand.deal is UNSET else hand.deal
    deal = [_swapped(cards) if swaps >> seat & 1 else cards for seat, cards in enumerate(dealt)]
    minutes = 2 * (int(hand.hand) if hand.hand is not UNSET else 0)
    claimed: Claimed | UnsetType = UNSET
    claims = hand.whole_claims
    if claims is not UNSET:
        claimed = Claimed(
            _moved(claims.points, turn % sides),
            _moved(claims.change, turn % sides),
            _moved(claims.scores, turn % sides),
        )
    return replace(
        hand,
        id=f"{_GAME.decode()}-{hand.hand}",
        game=_GAME.decode(),
        players=[Player(id=f"@{seat}", kind="bot") for seat in range(seats)],
        dealer=(hand.dealt_by + turn) % seats,
        scores=_moved(hand.whole_scores, turn % sides),
        deal=_moved(deal, turn),
        actions=[places[int(action[0])].decode() + action[1:] for action in hand.actions],
        claimed=claimed,
        started_at=f"{_DAY.decode()}T{minutes // 60:02}:{minutes % 60:02}:00Z",
    )


def _moved(items: Sequence[Item] | UnsetType, by: int) -> list[Item] | UnsetType:
    """Return a list by seat or side with everything ``by`` places further on."""
    return UNSET if items is UNSET else [*items[len(items) - by :], *items[: len(items) - by]]


def _swapped(cards: str) -> str:
    first, second, rest = cards.split(" ", 2)
    return f"{second} {first} {rest}"


def kept_log(variant: str, hands: int) -> Path:
    """Return a log as ``write_log`` writes it; it is kept for the next benchmark that asks."""
    path = _cache_folder() / f"{variant}-{hands}-in-all.jsonl"
    if not path.exists():
        print(f"writing a log of {hands:,} hands, {variant}", file=sys.stderr)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        write_log(draft, variant, hands)
        draft.replace(path)
    return path


def write_log(path: Path, variant: str, hands: int) -> None:
    """Write a log of exactly ``hands`` hands; the last game may break off."""
    with path.open("wb") as file:
        for size, text in games(variant, hands):
            if size >= hands:
                file.write(b"".join(islice(text.splitlines(keepends=True), hands)))
                return
            file.write(text)
            hands -= size
