"""The generated samples of `samples.txt`, and a way to write them again.

``./dev regenerate`` writes them, after a change of the bots or of the format.
"""

import csv
import datetime as dt
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.rule_cases import fields_in, rows_in
from tests.kit.score_sheets import Scored, scored
from tricklog.core import generate
from tricklog.schemas.hand import Hand, OptionValue, encode_hand

FOLDER = Path(__file__).resolve().parents[2] / "sample_logs" / "valid"
OF_SAMPLES = "sample:"
"""What ids of hands, games and players begin with in the samples, and nowhere else."""


def as_sample(hand: Hand) -> Hand:
    """The hand with ids that only samples have; its players keep their names."""
    players = [
        replace(each, id=OF_SAMPLES + each.id, name=each.name or each.id) for each in hand.players
    ]
    game = UNSET if hand.game is UNSET else OF_SAMPLES + hand.game
    return replace(hand, id=OF_SAMPLES + hand.id, game=game, players=players)


@dataclass(frozen=True)
class Sample:
    """A file of generated games: the arguments of ``tricklog.core.bots.generate``."""

    variant: str
    name: str
    games: int
    seed: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    players: int | None = None

    @property
    def path(self) -> Path:
        return FOLDER / self.variant / f"{self.name}.jsonl"

    def text(self) -> bytes:
        hands = generate(
            self.variant, self.games, self.seed, players=self.players, options=self.options
        )
        return b"".join(encode_hand(as_sample(hand)) + b"\n" for hand in hands)


def _samples() -> Iterator[Sample]:
    for variant, name, games, seed, players, options in rows_in(Path(__file__).with_suffix(".txt")):
        yield Sample(
            variant, name, int(games), int(seed), fields_in(options), int(players or 0) or None
        )


SAMPLES = (*_samples(),)


def write() -> None:
    for sample in SAMPLES:
        sample.path.parent.mkdir(parents=True, exist_ok=True)
        sample.path.write_bytes(sample.text())


# --- A score sheet: an evening a week for three years, from games of bots
SAMPLE_SHEET = FOLDER.parent / "sheets" / "three-years-of-pedro.csv"
EVENINGS = 156
_EARLIER = dt.timedelta(weeks=52)
"""What has all of its days lie in the past: a load warns of those that are still to come."""
_SEATS = tuple(f"{OF_SAMPLES}{name}" for name in ("first", "second", "third", "fourth"))
_HEADINGS = (
    "Date", "Dealer", "Bidder", "Bid", "Made/set", "Points we", "Points they",
    "Score we", "Score they",
)  # fmt: skip


def sheet_text() -> str:
    """Return the sheet: games one below the other, with a blank row between two."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";", lineterminator="\n")
    writer.writerow(_HEADINGS)
    for _, hands in groupby(scored("pedro", EVENINGS, 17), key=lambda each: each.game):
        writer.writerows(map(_row, hands))
        writer.writerow([])
    return file.getvalue()


def _row(hand: Scored) -> list[object]:
    maker = "" if hand.maker is None else _SEATS[hand.maker]
    day = (hand.date - _EARLIER).strftime("%d.%m.%Y")
    return [day, _SEATS[hand.dealer], maker, hand.bid, hand.result, *hand.points, *hand.scores]


def write_sheet() -> None:
    SAMPLE_SHEET.parent.mkdir(exist_ok=True)
    SAMPLE_SHEET.write_text(sheet_text(), "utf-8")
