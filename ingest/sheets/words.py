"""A score sheet in words, for screens of every kind."""

from __future__ import annotations

from typing import Final

from tricklog.core.judging.findings import finding_said
from tricklog.ingest.sheets.model import Row, RowKind, Scores, ScoresBy, Sheet, Swing, turns_of
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


def score_text(sheet: Sheet, score: int) -> str:
    """Return a running score: with its sign where game points are counted."""
    return signed(score) if sheet.in_game_points else plain(score)


def scores_text(scores: Scores) -> str:
    """Return one number a side: ``38 : 6``."""
    return " : ".join(map(plain, scores))


# --- The game


def headline(sheet: Sheet) -> str:
    """Return who won and how the scores stood, or how they stand."""
    labels = [side.label for side in sheet.sides]
    final, winner = sheet.final, sheet.winner
    if final is None:
        if winner is None:
            return say("{game}: scores not known", game=sheet.title)
        named = {"game": sheet.title, "winner": labels[winner]}
        return say("{game}, won by {winner}: scores not known", **named)
    order = sorted(range(len(final)), key=lambda side: (side != winner, -final[side]))
    (first, second), (score, other) = (
        [of[side] for side in order[:_TWO]]
        for of in (labels, [score_text(sheet, each) for each in final])
    )
    values = {"first": first, "second": second, "score": score, "other": other}
    if len(final) > _TWO:
        if winner is None:
            return say("{first} leads with {score}, {second} has {other}", **values)
        return say("{first} wins with {score}, {second} has {other}", **values)
    if winner is not None:
        return say("{first} beat {second}, {score} to {other}", **values)
    if score == other:
        one, other = labels
        return say("{one} and {other} are level at {score}", one=one, other=other, score=score)
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
    kinds = [row.kind for row in sheet.rows]
    if rejected := kinds.count(RowKind.REJECTED):
        parts.append(say("{number} rejected", number=number(rejected)))
    if incomplete := kinds.count(RowKind.INCOMPLETE):
        parts.append(say("{number} incomplete", number=number(incomplete)))
    return ", ".join(parts)


def match_text(sheet: Sheet) -> str:
    """Return what the game counts in a match; empty where there is no such score."""
    if sheet.match is None:
        return ""
    sides = zip(sheet.sides, sheet.match, strict=True)
    scores = ", ".join(f"{side.label} {signed(count)}" for side, count in sides)
    return say("In a match: {scores}.", scores=scores)


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
    return str(_RESULTS.get(row.result or "", row.result or ""))


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
    RowKind.MISSING: message("not stored"),
    RowKind.THROWN_IN: message("thrown in"),
    RowKind.INCOMPLETE: message("incomplete"),
    RowKind.REJECTED: message("rejected"),
    RowKind.NOT_RECORDED: message("result not recorded"),
}


def remarks(row: Row) -> list[str]:
    """Return what else is to be said of a hand, but for its findings."""
    said = []
    if row.kind != RowKind.PLAYED:
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
    if any(row.kind == RowKind.MISSING for row in sheet.rows):
        said.insert(0, say("Hands are missing, so this is only of those that are stored:"))
    side, last = sheet.sides[turns.side], [row.last_number or "?" for row in sheet.rows]
    values: dict[str, object] = {"side": side.label}
    was_behind = turns.furthest_behind is not None
    if turns.furthest_behind:
        place, by = turns.furthest_behind
        values |= {"by": by, "worst": last[place]}
    if turns.ahead_from is not None:
        values["hand"] = last[turns.ahead_from]
        forms = _LEADS if sheet.winner is None else _FOR_GOOD if turns.ever_behind else _TO_THE_END
        one, many = forms[was_behind]
        return [*said, str(Message(one, values, many=many, count=len(side.players)))]
    return [*said, str(message_of(_NEVER_AHEAD[was_behind], values))]


def _swing_sentence(sheet: Sheet, swing: Swing) -> str:
    row = sheet.rows[swing.row]
    # What a maker did in a hand, such as Bo’s 40 set; the bid without what it needs.
    bid: str | Message = message("no bid")
    if row.alone and not row.no_contract:
        bid = row.alone
    elif row.bid is not None and not row.no_contract:
        bid = bid_name(row.bid)
    deed = message_of(_DEEDS.get(row.result or "", _DEED), {"maker": row.maker, "bid": bid})
    values = {
        "hand": number_text(row),
        "deed": deed,
        "side": sheet.sides[swing.side].label,
        "before": _gap(swing.before),
        "after": _gap(swing.after),
    }
    return str(message_of(_SWINGS[swing.is_alone, row.maker is not None], values))


_SWINGS: Final = {
    (True, False): mark("The largest swing was hand {hand}: {side} went from {before} to {after}."),
    (False, False): mark(
        "No hand swung further than hand {hand}: {side} went from {before} to {after}."
    ),
    (True, True): mark(
        "The largest swing was hand {hand}, {deed}: {side} went from {before} to {after}."
    ),
    (False, True): mark(
        "No hand swung further than hand {hand}, {deed}: {side} went from {before} to {after}."
    ),
}
"""By whether it is alone, and whether a maker did it."""
_DEED: Final = mark("{maker}’s {bid}")
_DEEDS: Final = {
    "made": mark("{maker}’s {bid} made"),
    "set": mark("{maker}’s {bid} set"),
    "void": mark("{maker}’s {bid} void"),
}
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
_NEVER_AHEAD: Final = {
    False: mark("{side} won without being ahead."),
    True: mark("{side} won without being ahead: they were {by} behind after hand {worst}."),
}
"""By whether the side had been behind, of one player and of several."""


def _gap(by: int) -> Message:
    if by == 0:
        return message_in("a score", "level")
    if by > 0:
        return message("{by} ahead", by=by)
    return message("{by} behind", by=-by)
