"""The sample of a score sheet: an evening a week for three years, from games of bots.

``./dev regenerate sheets`` writes it.
"""

import csv
import datetime as dt
import io
from itertools import groupby
from pathlib import Path

from tests.kit.score_sheets import Scored, scored
from tests.regenerate.samples import OF_SAMPLES

PATH = Path(__file__).resolve().parents[2] / "sample_logs" / "sheets" / "three-years-of-pedro.csv"
EVENINGS = 156
_EARLIER = dt.timedelta(weeks=52)
"""What has all of its days lie in the past: a load warns of those that are still to come."""
_SEATS = tuple(f"{OF_SAMPLES}{name}" for name in ("first", "second", "third", "fourth"))
_HEADINGS = (
    "Date", "Dealer", "Bidder", "Bid", "Made/set", "Points we", "Points they",
    "Score we", "Score they",
)  # fmt: skip


def text() -> str:
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


def write() -> None:
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(text(), "utf-8")
