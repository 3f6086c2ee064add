"""A score sheet in words, for screens of every kind."""

from __future__ import annotations

from typing import Final

from tricklog.core.judging.findings import finding_said
from tricklog.ingest.sheets.model import Row, RowKind, Scores, ScoresBy, Sheet
from tricklog.ingest.sheets.turns import Swing, Turns, turns_of
from tricklog.schemas.actions import bid_name
from tricklog.schemas.languages.messages import (
    Message,
    mark,
    mark_counted,
    message,
    message_in,
    message_of,
    say,
    say_counted,
)
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.render import trump_sign

_TWO: Final = 2
_FINDING: Final = {
    "claimed-score": message("wrong score"),
    "claimed-change": message("wrong change"),
    "claimed-points": message("wrong points"),
    "claimed-winner": message("wrong trick"),
}
"""What people at a table call a claim that does not hold."""


def signed(number: int) -> str:
    """Return a number with its sign: ``+5``, ``−3``, ``0``."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """Return a number with a minus that is as wide as a plus: ``−3``."""
    return f"−{-number}" if number < 0 else str(number)


def scores_text(scores: Scores) -> str:
    """Return one number a side: ``38 : 6``."""
    return " : ".join(map(plain, scores))


# --- The game


def headline(sheet: Sheet) -> str:
    """Return who won and how the scores stood, or how they stand."""
    labels = [side.label for side in sheet.sides]
    final = sheet.final
    if final is None and sheet.winner is None:
        return say("{game}: scores not known", game=sheet.title)
    if final is None:
        winner = labels[sheet.winner or 0]
        return say("{game}, won by {winner}: scores not known", game=sheet.title, winner=winner)
    order = sorted(range(len(final)), key=lambda side: (side != sheet.winner, -final[side]))
    first, second = order[:_TWO]
    form = signed if sheet.in_game_points else plain
    values = {
        "first": labels[first],
        "second": labels[second],
        "score": form(final[first]),
        "other": form(final[second]),
    }
    if len(final) > _TWO:
        if sheet.winner is None:
            return say("{first} leads with {score}, {second} has {other}", **values)
        return say("{first} wins with {score}, {second} has {other}", **values)
    if sheet.winner is not None:
        return say("{first} beat {second}, {score} to {other}", **values)
    if final[first] == final[second]:
        return say(
            "{one} and {other} are level at {score}",
            one=labels[0],
            other=labels[1],
            score=form(final[0]),
        )
    return say("{first} lead {second}, {score} to {other}", **values)


def aim(sheet: Sheet) -> str:
    """Return what is played for: ``King Pedro to 200, lost at −100``."""
    parts = [say("{game} to {target}", game=sheet.title, target=sheet.target)]
    if sheet.lowest is not None:
        parts.append(say("lost at {score}", score=plain(sheet.lowest)))
    if sheet.in_game_points:
        parts.append(say("in game points"))
    if all(len(side.players) == 1 for side in sheet.sides):
        parts.append(say("{number} players, each alone", number=len(sheet.sides)))
    return ", ".join(parts)


def state(sheet: Sheet) -> str:
    """Return how much of the game is there: ``13 hands``, ``9 hands, not finished, 2 missing``."""
    parts = [say_counted("{count} hand", "{count} hands", sheet.hands)]
    if sheet.winner is None:
        parts.append(say("not finished"))
    missing = sum(
        (row.last_number or 0) - (row.number or 0) + 1
        for row in sheet.rows
        if row.kind == RowKind.MISSING
    )
    if missing:
        parts.append(say("{number} missing", number=number(missing)))
    if rejected := sum(row.kind == RowKind.REJECTED for row in sheet.rows):
        parts.append(say("{number} rejected", number=number(rejected)))
    if incomplete := sum(row.kind == RowKind.INCOMPLETE for row in sheet.rows):
        parts.append(say("{number} incomplete", number=number(incomplete)))
    return ", ".join(parts)


def match_text(sheet: Sheet) -> str:
    """Return what the game counts in a match; empty where there is no such score."""
    if sheet.match is None:
        return ""
    parts = [
        f"{side.label} {signed(count)}"
        for side, count in zip(sheet.sides, sheet.match, strict=True)
    ]
    return say("In a match: {scores}.", scores=", ".join(parts))


# --- A row


def number_text(row: Row) -> str:
    """Return the number of a hand, or those of several that are missing: ``3 to 5``."""
    if row.number is None:
        return "?"
    if row.last_number is not None and row.last_number > row.number:
        return say("{least} to {most}", least=row.number, most=row.last_number)
    return str(row.number)


def bid_text(row: Row) -> str:
    """Return what was undertaken, without its trumps: ``40``, ``6 forced``, ``solo``."""
    if row.maker is None:
        return ""
    if row.alone:
        return row.alone
    if row.no_contract or row.bid is None:
        return say("no bid")
    bid = bid_name(row.bid)
    if row.need is None or row.need == row.bid:
        return say("{bid} forced", bid=bid) if row.forced else bid
    if row.forced:
        return say("{bid} forced needs {need}", bid=bid, need=row.need)
    return say("{bid} needs {need}", bid=bid, need=row.need)


def trump_text(row: Row) -> str:
    """Return the trumps: ``♥``, ``NT``; empty where there were none to name."""
    return "" if row.trump is None else trump_sign(row.trump)


def result_text(row: Row) -> str:
    """Return how the contract of a hand ended: ``made``; empty where it is not known."""
    found = _RESULTS.get(row.result or "")
    return str(found) if found else row.result or ""


_RESULTS: Final = {
    "made": message_in("a contract", "made"),
    "set": message_in("a contract", "set"),
    "void": message_in("a contract", "void"),
}


def points_text(row: Row) -> str:
    """Return the card points: of both sides; of more than two, those of the maker's."""
    if row.points is None or row.kind != RowKind.PLAYED:
        return ""
    if len(row.points) == _TWO:
        return scores_text(row.points)
    return "" if row.maker_side is None else plain(row.points[row.maker_side])


def finding_text(code: str) -> str:
    """Return a finding in a word or two: ``revoke``, ``wrong score``."""
    return str(_FINDING.get(code) or finding_said(code))


_KINDS: Final = {
    RowKind.THROWN_IN: message("thrown in"),
    RowKind.INCOMPLETE: message("incomplete"),
    RowKind.REJECTED: message("rejected"),
    RowKind.NOT_RECORDED: message("result not recorded"),
}


def remarks(row: Row) -> list[str]:
    """Return what else is to be said of a hand, but for its findings."""
    said = []
    if row.kind == RowKind.MISSING:
        said.append(say("not stored"))
    elif row.kind != RowKind.PLAYED:
        said.append(str(_KINDS[row.kind]))
    if row.result == "void":
        said.append(say("void"))
    if row.verdict == "doubtful":
        said.append(say("doubtful"))
    if row.stake is not None and row.stake != 1 and row.kind == RowKind.PLAYED:
        said.append(say("stake {stake}", stake=row.stake))
    if row.scores_by == ScoresBy.RECORD:
        said.append(say("score by the next hand"))
    elif row.scores is None:
        said.append(say("score open"))
    if row.others:
        said.append(say("played by {players}", players=", ".join(row.others)))
    return said


# --- Where it turned


def turn_sentences(sheet: Sheet) -> list[str]:
    """Return where the game turned, and whether hands are missing to say so for sure."""
    turns = turns_of(sheet)
    if turns is None:
        return []
    said = [_swing_sentence(sheet, turns.swing)] if turns.swing else []
    said.append(_lead_sentence(sheet, turns))
    if any(row.kind == RowKind.MISSING for row in sheet.rows):
        return [say("Hands are missing, so this is only of those that are stored:"), *said]
    return said


def _swing_sentence(sheet: Sheet, swing: Swing) -> str:
    row = sheet.rows[swing.row]
    values = {
        "hand": number_text(row),
        "side": sheet.sides[swing.side].label,
        "before": _gap(swing.before),
        "after": _gap(swing.after),
    }
    if row.maker is None:
        if swing.is_alone:
            return say(
                "The largest swing was hand {hand}: {side} went from {before} to {after}.", **values
            )
        return say(
            "No hand swung further than hand {hand}: {side} went from {before} to {after}.",
            **values,
        )
    if swing.is_alone:
        return say(
            "The largest swing was hand {hand}, {deed}: {side} went from {before} to {after}.",
            deed=_deed(row),
            **values,
        )
    return say(
        "No hand swung further than hand {hand}, {deed}: {side} went from {before} to {after}.",
        deed=_deed(row),
        **values,
    )


def _deed(row: Row) -> Message:
    """Return what a maker did in a hand: ``Bo’s 40 set``."""
    values = {"maker": row.maker, "bid": _short_bid(row)}
    return message_of(_DEEDS.get(row.result or "", _DEED), values)


_DEED: Final = mark("{maker}’s {bid}")
_DEEDS: Final = {
    "made": mark("{maker}’s {bid} made"),
    "set": mark("{maker}’s {bid} set"),
    "void": mark("{maker}’s {bid} void"),
}


def _short_bid(row: Row) -> str | Message:
    """Return what was undertaken in a word or two, without what it needs."""
    if row.alone and not row.no_contract:
        return row.alone
    return message("no bid") if row.no_contract or row.bid is None else bid_name(row.bid)


def _lead_sentence(sheet: Sheet, turns: Turns) -> str:
    side = sheet.sides[turns.side]
    values: dict[str, object] = {"side": side.label}
    if turns.furthest_behind:
        place, by = turns.furthest_behind
        values |= {"by": by, "worst": _last_number(sheet.rows[place])}
    if turns.ahead_from is None:
        if turns.furthest_behind:
            return say(
                "{side} won without being ahead: they were {by} behind after hand {worst}.",
                **values,
            )
        return say("{side} won without being ahead.", **values)
    values["hand"] = _last_number(sheet.rows[turns.ahead_from])
    forms = _LEADS if sheet.winner is None else _FOR_GOOD if turns.ever_behind else _TO_THE_END
    one, many = forms[turns.furthest_behind is not None]
    return str(Message(one, values, many=many, count=len(side.players)))


_LEADS: Final = {
    False: mark_counted(
        "{side} has been ahead since hand {hand}.", "{side} have been ahead since hand {hand}."
    ),
    True: mark_counted(
        "{side} has been ahead since hand {hand}, after being {by} behind after hand {worst}.",
        "{side} have been ahead since hand {hand}, after being {by} behind after hand {worst}.",
    ),
}
_FOR_GOOD: Final = {
    False: mark_counted(
        "{side} was ahead for good from hand {hand}.",
        "{side} were ahead for good from hand {hand}.",
    ),
    True: mark_counted(
        "{side} was ahead for good from hand {hand}, after being {by} behind after hand {worst}.",
        "{side} were ahead for good from hand {hand}, after being {by} behind after hand {worst}.",
    ),
}
_TO_THE_END: Final = {
    False: mark_counted(
        "{side} was ahead from hand {hand} to the end.",
        "{side} were ahead from hand {hand} to the end.",
    ),
    True: mark_counted(
        "{side} was ahead from hand {hand} to the end, after being {by} behind after hand {worst}.",
        "{side} were ahead from hand {hand} to the end, after being {by} behind after hand "
        "{worst}.",
    ),
}
"""By whether the side had been behind, of one player and of several."""


def _last_number(row: Row) -> str:
    return "?" if row.last_number is None else str(row.last_number)


def _gap(by: int) -> Message:
    if by == 0:
        return message_in("a score", "level")
    if by > 0:
        return message("{by} ahead", by=by)
    return message("{by} behind", by=-by)
