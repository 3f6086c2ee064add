"""Figures in words: a value with its interval and cases, a difference, a place, or too few."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.metrics import METRIC, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.model import Grain, Kind, Metric
from tricklog.ingest.metrics.trend import FEWEST_DAYS
from tricklog.ingest.metrics.wording import unit
from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.languages.numbers import number, ordinal, percent, plain_day

if TYPE_CHECKING:
    import polars as pl

_TOO_FEW: Final = {
    Grain.SEAT: message("too few hands"),
    Grain.CARD: message("too few cards"),
    Grain.GAME: message("too few games"),
    Grain.FINDING: message("too few findings"),
    Grain.STUDY: message("too few solved hands"),
    Grain.DECISION: message("too few decisions"),
    Grain.JUDGED: message("too few decisions"),
    Grain.LUCK: message("too few graded hands"),
    Grain.PAR: message("too few auctions held against par"),
}
"""What is said of a figure that has not enough rows of the facts of its grain."""
_WIDE: Final = 0.02
"""From this width of an interval on, a share is given in whole percents."""
_WIDE_AMOUNT: Final = 20.0
_ONE: Final = 0.01
_HALF: Final = 0.5


def is_share(metric: Metric) -> bool:
    """Return whether the values of a metric are parts of a whole, given in percent."""
    return metric.unit.startswith("share ")


def too_few(metric: Metric, row: Mapping[str, Any]) -> str:
    """Return what stands instead of a figure that has not enough: ``too few games``."""
    if row["games"] < metric.fewest_games:
        return say("too few games")
    return str(_TOO_FEW[metric.grain])


def value_text(metric: Metric, value: float, width: float = _WIDE) -> str:
    """Return a value for people: ``63 %``, ``1.42``, ``1,204``.

    ``width`` is that of its interval: a figure that is known well gets one more digit. What rounds
    to nothing has no sign.
    """
    if metric.kind == Kind.COUNT:
        return number(value)
    if is_share(metric):
        return percent(value, 0 if width >= _WIDE else 1)
    return number(value, 1 if width >= _WIDE_AMOUNT else 2)


def figure_text(metric: Metric, row: Mapping[str, Any], *, cases: bool = True) -> str:
    """Return a row of ``measure`` for people: ``63 % (58 to 68 %), n 341``.

    Without ``cases`` their number is left out, where it stands elsewhere. An amount that is at its
    least in every case has no interval.
    """
    if metric.kind == Kind.COUNT:
        return value_text(metric, row["value"])
    if not row["enough"]:
        said = too_few(metric, row)
    elif row["low"] is None:
        said = value_text(metric, row["value"])
    else:
        width = row["high"] - row["low"]
        ends = ("value", "low", "high")
        value, low, high = (value_text(metric, row[each], width) for each in ends)
        said = between_text(value, low.removesuffix(" %"), high)
    return say("{figure}, n {number}", figure=said, number=number(row["n"])) if cases else said


def between_text(value: str, low: str, high: str) -> str:
    """Return a value with the ends of its interval: ``+4.1 (−1.0 to +9.2)``."""
    return say("{value} ({low} to {high})", value=value, low=low, high=high)


def interval_text(
    row: Mapping[str, Any], written: Callable[[float], str], value: str = "value"
) -> str:
    """Return a value of a row with its ``low`` and ``high``, each as it is ``written``."""
    return between_text(*(written(row[name]) for name in (value, "low", "high")))


def difference_text(metric: Metric, row: Mapping[str, Any]) -> str:
    """Return how far somebody is from others, with its 99 % interval: ``+4.1 (−1.0 to +9.2)``.

    Differences of shares are in points of a hundred. ``row`` has ``difference``,
    ``difference_low`` and ``difference_high``; where there is too little to compare, it says so.
    """
    if row["difference"] is None:
        return say("cannot tell yet")
    names = ("difference", "difference_low", "difference_high")
    return between_text(*(signed_text(metric, row[name]) for name in names))


def signed_text(metric: Metric, value: float) -> str:
    """Return a difference with its sign, of shares in points of a hundred: ``+4.1``, ``−0.32``."""
    if is_share(metric):
        return number(value * 100, 1, sign=True)
    return number(value, 2, sign=True)


def change_text(metric: Metric, row: Mapping[str, Any]) -> str:
    """Return a ``change`` with its ``low`` and ``high``: ``+24.1 in 100 (+15.0 to +34.2)``."""
    value, low, high = (signed_text(metric, row[name]) for name in ("change", "low", "high"))
    if is_share(metric):
        return say("{value} in 100 ({low} to {high})", value=value, low=low, high=high)
    return say(
        "{value} {unit} ({low} to {high})", value=value, unit=unit(metric), low=low, high=high
    )


def when_text(row: Mapping[str, Any]) -> str:
    """Return ``when`` a change was, if it was one step, with ``when_low`` and ``when_high``."""
    return say(
        "If it was one step, it was on {day} ({low} to {high}, 99 %).",
        day=plain_day(row["when"]),
        low=plain_day(row["when_low"]),
        high=plain_day(row["when_high"]),
    )


def place_text(row: Mapping[str, Any]) -> str:
    """Return a place with the range it lies in: ``6th of 8, 4th to 7th``; empty without one."""
    if row["place"] is None:
        return ""
    place, of = ordinal(row["place"]), number(row["of"])
    if row["from_place"] == row["to_place"]:
        return say("{place} of {number}", place=place, number=of)
    return say(
        "{place} of {number}, {first} to {last}",
        place=place,
        number=of,
        first=ordinal(row["from_place"]),
        last=ordinal(row["to_place"]),
    )


def standing_text(row: Mapping[str, Any]) -> str:
    """Return where somebody stands: as a share of those like them if there are many, or a place."""
    if row["better_than"] is None:
        return place_text(row)
    values = {
        "share": percent(row["better_than"]),
        "low": percent(row["better_low"]).removesuffix(" %"),
        "high": percent(row["better_high"]),
    }
    if row["better_low"] > _HALF:
        return say("better than half for sure: than {share} ({low} to {high})", **values)
    return say("better than {share} ({low} to {high})", **values)


def outlook_text(row: Mapping[str, Any]) -> str:
    """Return where somebody stands, and from how many hands on that is known twice as well."""
    standing, hands = standing_text(row), row.get("narrower_from")
    if hands is None or row["from_place"] == row["to_place"]:
        return standing
    return say(
        "{standing}; known about twice as well from some {hands} hands on",
        standing=standing,
        hands=number(hands),
    )


def chance_text(chance: float) -> str:
    """Return a chance in whole percent; what rounds to none or all says so: ``under 1 %``."""
    if chance < _ONE:
        return say("under 1 %")
    if chance > 1 - _ONE:
        return say("over 99 %")
    return percent(chance)


# --- Changes

FAMILY: Final = (
    *("made-rate", "aggression", "score-share", "points-share", "pedros-lost", "cards-kept"),
)
"""Figures that a change is looked for in, all compared with each other."""


def changed_texts(found: pl.DataFrame, player: str) -> list[str]:
    """Return each sure change among rows of ``trend.changes`` of a player, or that none is."""
    if found.is_empty():
        return [
            say(
                "Whether {player} has changed cannot be told yet: it takes {games} games on {days} "
                "days.",
                player=player,
                games=FEWEST_COMPARED,
                days=FEWEST_DAYS,
            )
        ]
    named = found.filter("named")
    if named.is_empty():
        return [
            say(
                "No figure of {player} has surely changed from {first} to {last}, with all "
                "{number} compared.",
                player=player,
                first=plain_day(min(found["first"].to_list())),
                last=plain_day(max(found["last"].to_list())),
                number=len(found),
            )
        ]
    return [
        say(
            "{player}: {figure} {change} from {first} to {last}, surely.",
            player=player,
            figure=wording.title(METRIC[row["metric"]]).lower(),
            change=change_text(METRIC[row["metric"]], row),
            first=plain_day(row["first"]),
            last=plain_day(row["last"]),
        )
        + " "
        + when_text(row)
        for row in named.iter_rows(named=True)
    ]
