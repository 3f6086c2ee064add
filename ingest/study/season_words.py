"""What is said of ledgers of many hands, on the terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schemas.words import counted

if TYPE_CHECKING:
    from ingest.study.season import Line, Season
    from ingest.study.season_lines import Whose

_WHOSE: Final[dict[Whose, str]] = {
    "start": "",
    "luck": "luck",
    "own": "own choice",
    "others": "others' choice",
    "sum": "sum",
}
_OF_MAKERS: Final[dict[str, str]] = {
    "auction": "choice of who bid",
    "exchange": "choice of who laid off",
    "makers' play": "makers' choice",
    "defence": "defence's choice",
}


def whose_words(line: Line) -> str:
    """Return whose a part is."""
    return _OF_MAKERS.get(line.name, _WHOSE[line.whose])


def head_of(season: Season, title: str) -> str:
    """Return the heading of one game."""
    days = [str(each) for each in (season.first_day, season.last_day) if each]
    when = f", {' to '.join(dict.fromkeys(days))}" if days else ""
    side = "makers less the others" if season.by == "makers" else "own side less the others"
    points = "points the makers took"
    if season.by != "makers":
        points += ", for their side and against the other"
    what = f"score, {side}" if season.unit == "score" else points
    whole = counted(season.hands, "hand")
    return f"{title}{when}: ledgers of {season.counted:,} of {whole}, in {what}"


def left_out_words(season: Season) -> list[str]:
    """Return which hands are left out and why, and how the parts are to be read."""
    told = [f"{count:,}: {reason}" for reason, count in season.left_out]
    if season.waiting:
        told.insert(0, f"{season.waiting:,}: not worked out yet")
    lines = [f"Hands left out: {'; '.join(told) or 'none'}."]
    if season.totals:
        lines.append(
            f"The parts sum to the result exactly. An average deal is the mean of {season.deals:,} "
            "deals. Cards always cost something, as nobody sees all of them: compare with others "
            "and not with 0."
        )
    if season.loose:
        lines.append(f"{season.loose:,} sampled values are the middle of limits.")
    return lines
