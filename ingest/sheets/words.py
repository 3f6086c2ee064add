"""A score sheet in words, for screens of every kind."""

from __future__ import annotations

from typing import Final

from ingest.sheets.model import Row, RowKind, Scores, ScoresBy, Sheet
from ingest.sheets.turns import Swing, Turns, turns_of
from replay.judging.finding_names import finding_said
from schemas.actions import bid_name
from schemas.languages.messages import message, say, say_counted
from schemas.languages.numbers import number
from schemas.render import trump_sign

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
    if final is None:
        won = f", won by {labels[sheet.winner]}" if sheet.winner is not None else ""
        return f"{sheet.title}{won}: scores not known"
    order = sorted(range(len(final)), key=lambda side: (side != sheet.winner, -final[side]))
    first, second = order[:_TWO]
    form = signed if sheet.in_game_points else plain
    if len(final) == _TWO:
        between = f"{labels[second]}, {form(final[first])} to {form(final[second])}"
        if sheet.winner is not None:
            return f"{labels[first]} beat {between}"
        if final[first] == final[second]:
            return f"{labels[0]} and {labels[1]} are level at {form(final[0])}"
        return f"{labels[first]} lead {between}"
    verb = "leads" if sheet.winner is None else "wins"
    return (
        f"{labels[first]} {verb} with {form(final[first])}, "
        f"{labels[second]} has {form(final[second])}"
    )


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
    return f"In a match: {', '.join(parts)}."


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
        return ["Hands are missing, so this is only of those that are stored:", *said]
    return said


def _swing_sentence(sheet: Sheet, swing: Swing) -> str:
    row = sheet.rows[swing.row]
    begin = "The largest swing was" if swing.is_alone else "No hand swung further than"
    return (
        f"{begin} hand {number_text(row)}{_deed(row)}: "
        f"{sheet.sides[swing.side].label} went from {_gap(swing.before)} to {_gap(swing.after)}."
    )


def _deed(row: Row) -> str:
    """Return what was done in a hand: ``, Bo's 40 set``."""
    if row.maker is None:
        return ""
    bid = "no bid" if row.no_contract else row.alone or bid_text(row).partition(" ")[0]
    ended = "" if row.result is None else f" {row.result}"
    return f", {row.maker}’s {bid}{ended}"


def _lead_sentence(sheet: Sheet, turns: Turns) -> str:
    label = sheet.sides[turns.side].label
    several = len(sheet.sides[turns.side].players) > 1
    worst = ""
    if turns.furthest_behind:
        place, by = turns.furthest_behind
        worst = f"{by} behind after hand {_last_number(sheet.rows[place])}"
    if turns.ahead_from is None:
        return f"{label} won without being ahead{f': they were {worst}' if worst else ''}."
    number = _last_number(sheet.rows[turns.ahead_from])
    if sheet.winner is None:
        text = f"{label} {'have' if several else 'has'} been ahead since hand {number}"
    elif turns.ever_behind:
        text = f"{label} {'were' if several else 'was'} ahead for good from hand {number}"
    else:
        text = f"{label} {'were' if several else 'was'} ahead from hand {number} to the end"
    return f"{text}{f', after being {worst}' if worst else ''}."


def _last_number(row: Row) -> str:
    return "?" if row.last_number is None else str(row.last_number)


def _gap(by: int) -> str:
    return "level" if by == 0 else f"{by} ahead" if by > 0 else f"{-by} behind"
