"""Tables of one deal in words, for pages and the command line alike."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ingest.study.same_deals import PairTotal
from replay.open_cards import Value
from replay.study.same_deal import Compared, Table
from schemas.actions import bid_name
from schemas.render import trump_words


def contract_words(table: Table, names: Mapping[str, str]) -> str:
    """Return who undertook what: ``Ann: 9, hearts``; empty for a deal thrown in."""
    if table.maker is None:
        return ""
    player = table.players[table.maker]
    bid = "no number" if table.bid is None else bid_name(table.bid)
    trump = "" if table.trump is None else f", {trump_words(table.trump)}"
    return f"{names.get(player, player)}: {bid}{trump}"


def result_words(table: Table) -> str:
    """Return how it ended: ``made``, ``thrown in``."""
    return table.result.replace("_", " ")


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
    return str(value.low) if value.is_exact else f"{value.low} to {value.high}"


def signed(value: Fraction | float) -> str:
    """Return a score with its sign, to one place: ``+4.0``, ``−13.5``, ``0.0``."""
    text = f"{float(value):+.1f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def matchpoint_words(row: Compared) -> str:
    """Return the matchpoints out of those there were: ``1.5 of 2``."""
    return f"{float(row.matchpoints):g} of {row.others}"


def score_words(pair: PairTotal) -> str:
    """Return the mean duplicate score with its interval, if there is one."""
    if pair.score_low is None or pair.score_high is None:
        return signed(pair.score)
    return f"{signed(pair.score)} ({signed(pair.score_low)} to {signed(pair.score_high)})"


def share_words(pair: PairTotal) -> str:
    """Return the share of the matchpoints with its interval, if there is one."""
    if pair.share_low is None or pair.share_high is None:
        return f"{pair.share:.0%}"
    return f"{pair.share:.0%} ({pair.share_low:.0%} to {pair.share_high:.0%})"
