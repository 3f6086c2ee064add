"""Tables of one deal in words, for pages and the command line alike."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from tricklog.core.study import Value
from tricklog.core.study.same_deal import Compared, Table
from tricklog.ingest.metrics.figure_words import between_text
from tricklog.ingest.study.same_deals import PairTotal
from tricklog.schemas.actions import bid_name
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import message_in, say
from tricklog.schemas.languages.numbers import localised, number, percent
from tricklog.schemas.render import trump_words

_RESULTS: Final = {
    "made": message_in("the result of a hand", "made"),
    "set": message_in("the result of a hand", "set"),
    "void": message_in("the result of a hand", "void"),
    "thrown_in": message_in("the result of a hand", "thrown in"),
}


def contract_words(table: Table, names: Mapping[str, str]) -> str:
    """Return who undertook what: ``Ann: 9, hearts``; empty for a deal thrown in."""
    if table.maker is None:
        return ""
    player = table.players[table.maker]
    bid = say("no number") if table.bid is None else bid_name(table.bid)
    trump = "" if table.trump is None else f", {trump_words(table.trump)}"
    return f"{names.get(player, player)}: {bid}{trump}"


def result_words(table: Table) -> str:
    """Return how it ended: ``made``, ``thrown in``."""
    return str(_RESULTS[table.result])


def side_words(table: Table, side: int, names: Mapping[str, str]) -> str:
    """Return who played together on a side: ``Ann & Cy``."""
    return " & ".join(names.get(each, each) for each in table.side_players(side))


def points_words(table: Table) -> str:
    """Return the card points of the sides, that of the dealer first."""
    return " : ".join(map(str, table.points))


def value_words(value: Value | None) -> str:
    """Return a value, or the limits it lies within; empty without one."""
    if value is None:
        return ""
    if value.is_exact:
        return str(value.low)
    return say("{first} to {last}", first=value.low, last=value.high)


def signed(value: Fraction | float) -> str:
    """Return a score with its sign, to one place: ``+4.0``, ``−13.5``, ``0.0``."""
    return number(float(value), 1, sign=True)


def matchpoint_words(row: Compared) -> str:
    """Return the matchpoints out of those there were: ``1.5 of 2``."""
    points = localised(f"{float(row.matchpoints):g}")
    return say("{points} of {most}", points=points, most=row.others)


def score_words(pair: PairTotal) -> str:
    """Return the mean duplicate score with its interval, if there is one."""
    if pair.score_low is None or pair.score_high is None:
        return signed(pair.score)
    return between_text(signed(pair.score), signed(pair.score_low), signed(pair.score_high))


def share_words(pair: PairTotal) -> str:
    """Return the share of the matchpoints with its interval, if there is one."""
    if pair.share_low is None or pair.share_high is None:
        return _share(pair.share)
    return between_text(_share(pair.share), _share(pair.share_low), _share(pair.share_high))


def _share(share: float) -> str:
    return f"{share:.0%}" if current() == ENGLISH else percent(share)
