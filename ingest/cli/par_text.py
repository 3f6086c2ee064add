"""Auctions held against par on the terminal: what a run has done, and one hand in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tricklog.core import Replay
from tricklog.core.engine.rules.table import side_of
from tricklog.core.study.contracts import AuctionPar, Contract, SideContract
from tricklog.core.study.sampling import reach_of
from tricklog.ingest.cli.output import own_command, values_of
from tricklog.ingest.study.lanes import Outcome
from tricklog.ingest.study.par.running import ParReport
from tricklog.ingest.study.par.telling import seats_of
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import player_labels, trump_words
from tricklog.schemas.words import counted


def report_json(report: ParReport) -> dict[str, Any]:
    """Return what a run has done as plain values for a JSON encoder."""
    outcome = values_of(report.outcome, without=["blocks", "limits"], solved="valued")
    told = values_of(report, without=["outcome"]) | outcome
    return told | {"left": report.left, "seconds": round(report.seconds, 1)}


def report_lines(report: ParReport, db: str) -> Iterator[str]:
    """Yield what a run has done in sentences."""
    outcome = report.outcome
    elsewhere = f"{outcome.elsewhere:,} by other runs + " if outcome.elsewhere else ""
    yield (
        f"{counted(report.hands, 'auction')} = {report.known:,} known before + "
        f"{outcome.solved:,} held against par on {counted(report.stocks, 'stock')} + "
        f"{outcome.refused:,} refused + {outcome.outdated + outcome.unreadable:,} left out + "
        f"{elsewhere}{report.left:,} left"
    )
    yield from left_out(outcome, db)
    if report.left:
        yield "The time was over. The same command goes on from there"
    if report.published:
        yield f"Published {report.published}"


def left_out(outcome: Outcome, db: str) -> Iterator[str]:
    """Yield in sentences which hands a run could not look at, and what to do about it."""
    if outcome.outdated:
        yield (
            f"{counted(outcome.outdated, 'hand')} left out: their rules are others now than when "
            f"they were loaded. {own_command()} db reaudit --db {shlex.quote(db)} comes first"
        )
    if outcome.unreadable:
        yield (
            f"{counted(outcome.unreadable, 'hand')} left out: what is stored makes no record. "
            f"{own_command()} db verify --db {shlex.quote(db)} says more"
        )


# --- One hand


def par_text(replayed: Replay, par: AuctionPar | str) -> RenderableType:
    """Return what each side could have made, who has the auction at par, and what was bid."""
    head = Text("Par of the auction", "bold")
    if isinstance(par, str):
        return Group(head, Text(f"none: {par}"))
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("side", "best contract", "makes", "points", ""):
        rows.add_column(name, overflow="fold")
    for each in par.best:
        rows.add_row(*_cells(replayed, par, each))
    return Group(head, rows, *(Text(f"{each}.") for each in par_sentences(replayed, par)))


def _cells(replayed: Replay, par: AuctionPar, best: SideContract) -> list[str]:
    contract = best.contract
    off = reach_of(best.worth.points)
    points = f"{float(best.worth.mean):.1f}" + (f" ± {off:.1f}" if par.stocks > 1 else "")
    makes = str(best.most) if best.most >= replayed.rules.min_bid else "no bid"
    has_it = par.contract is not None and par.contract.maker == contract.maker
    return [
        _side(replayed, best.side),
        f"{_player(replayed, contract.maker)}{_in_suit(contract)}",
        makes,
        points,
        "at par" if has_it else "",
    ]


def par_sentences(replayed: Replay, par: AuctionPar) -> Iterator[str]:
    """Yield in sentences without a full stop who has the auction at par, and what was bid."""
    rules, contract = replayed.rules, par.contract
    stocks = "as all cards are known" if par.stocks == 1 else f"on {par.stocks} stocks dealt again"
    if contract is None:
        yield f"At par nobody bids, {stocks}: no side makes {rules.min_bid}"
    else:
        who = f"{_player(replayed, contract.maker)} plays {contract.number}{_in_suit(contract)}"
        yield f"At par {who}, {stocks}"
    if par.maker < 0:
        if par.passed_out:
            yield "Nobody bid, and it could be made"
        return
    yield f"{_player(replayed, par.maker)} bid {par.bid}: {_over(replayed, par)}"


def _over(replayed: Replay, par: AuctionPar) -> str:
    side = _side(replayed, side_of(replayed.rules, par.maker))
    over = par.over(replayed.rules) or 0
    if par.beyond_all_play(replayed.rules):
        return f"no play of {side} makes it on any stock"
    if over == 0:
        return f"just what {side} can make"
    return f"{abs(over)} {'more' if over > 0 else 'less'} than {side} can make"


def _side(replayed: Replay, side: int) -> str:
    return " & ".join(_player(replayed, seat) for seat in seats_of(replayed, side))


def _player(replayed: Replay, seat: int) -> str:
    return one_line(player_labels(replayed.hand)[seat])


def _in_suit(contract: Contract) -> str:
    return "" if contract.trump < 0 else f", {trump_words(contract.trump)}"
