"""What is said of ledgers of many hands, on the terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tricklog.schemas.languages.messages import Message, message_in, plain, say, translated_in
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from datetime import date

    from tricklog.ingest.study.season import Line, Season, Whose

PART: Final = "of a ledger"
"""The context in which the names of parts are translated."""
WHY_NOT: Final = "why there is no value"
"""The context of reasons, which are kept in English with what is worked out."""
_WHOSE: Final[dict[Whose, Message]] = {
    "start": plain(""),
    "luck": message_in("whose a part is", "luck"),
    "own": message_in("whose a part is", "own choice"),
    "others": message_in("whose a part is", "others' choice"),
    "sum": message_in("whose a part is", "sum"),
}
_OF_MAKERS: Final[dict[str, Message]] = {
    "auction": message_in("whose a part is", "choice of who bid"),
    "exchange": message_in("whose a part is", "choice of who laid off"),
    "makers' play": message_in("whose a part is", "makers' choice"),
    "defence": message_in("whose a part is", "defence's choice"),
}


def whose_words(line: Line) -> str:
    """Return whose a part is."""
    return str(_OF_MAKERS.get(line.name, _WHOSE[line.whose]))


def days_text(*days: date | None) -> str:
    """Return the first and the last day, once where it is one: ``2026-11-01 to 2026-11-20``."""
    return " to ".join(dict.fromkeys(str(each) for each in days if each))


def head_of(season: Season, title: str) -> str:
    """Return the heading of one game."""
    days = days_text(season.first_day, season.last_day)
    when = f", {days}" if days else ""
    side = "makers less the others" if season.by == "makers" else "own side less the others"
    points = "points the makers took"
    if season.by != "makers":
        points += ", for their side and against the other"
    what = f"score, {side}" if season.unit == "score" else points
    whole = counted(season.hands, "hand")
    return f"{title}{when}: ledgers of {season.counted:,} of {whole}, in {what}"


def left_out_words(season: Season) -> list[str]:
    """Return which hands are left out and why, and how the parts are to be read."""
    told = [f"{number(season.waiting)}: {say('not worked out yet')}"] if season.waiting else []
    told += [f"{number(n)}: {translated_in(WHY_NOT, reason)}" for reason, n in season.left_out]
    lines = [say("Hands left out: none.")]
    if told:
        lines = [say("Hands left out: {reasons}.", reasons="; ".join(told))]
    if season.totals:
        lines.append(
            say(
                "The parts sum to the result exactly. An average deal is the mean of {deals} "
                "deals. Cards always cost something, as nobody sees all of them: compare with "
                "others and not with 0.",
                deals=number(season.deals),
            )
        )
    if season.loose:
        loose = number(season.loose)
        lines.append(say("{number} sampled values are the middle of limits.", number=loose))
    return lines
