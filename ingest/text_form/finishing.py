"""From what was written of a hand to its record in the log.

What the text leaves out is taken over from the hand before, or follows from what is written; where
neither says it, it stays out. ``docs/text-form.md`` lists what is filled in and what never is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tricklog.ingest.text_form.cards import UNKNOWN, written_card
from tricklog.ingest.text_form.names import Names
from tricklog.ingest.text_form.page import (
    COUNTED,
    ENDS,
    Draft,
    DraftGap,
    Table,
    is_result_alone,
    plays_by_trick,
    verb_of,
)
from tricklog.ingest.text_form.problems import Problem, Severity

Record = dict[str, Any]
"""A hand by the fields of the log, but for ``format``."""

_EXCHANGE: Final = frozenset(
    {"kitty", "give", "fold", "discard", "discard-up", "claim", "draw", "rob", "show"}
)
_LONGEST_MATCH: Final = 190
"""Characters of a match that is named after its date and players."""
_ORDER: Final = (
    "id", "game", "hand", "rules", "players", "dealer", "scores", "deal", "stock", "kitty",
    "actions", "known", "gaps", "claimed", "status", "started_at", "times", "notes", "remark",
    "ext",
)  # fmt: skip
_OF_CLAIM: Final = ("points", "change", "scores", "winners", "result", "by")


@dataclass(slots=True)
class SoFar:
    """The hands of a text so far, as far as the next one takes over from them."""

    before: Record | None = None
    """The hand before, unless it could not be read."""
    number: int = 0
    """Its number; a hand without one counts as the next."""
    match: str | None = None
    count: int = 0
    """Hands so far, also those that could not be read."""


def finish(draft: Draft, table: Table, so_far: SoFar) -> Record | None:
    """Return the record of a hand, nothing when something in it could not be read."""
    so_far.count += 1
    # What the log calls the game: as it is written, else by date and players.
    ids = [player["id"] for player in table.players]
    guess = "-".join([table.date or table.source, *ids])[:_LONGEST_MATCH]
    match = guess if table.match == "" else table.match
    if match != so_far.match:
        so_far.number, so_far.before, so_far.match = 0, None, match
    number = so_far.number + 1 if draft.number == 0 else draft.number
    so_far.number = number if number is not None else so_far.number + 1
    draft.problems += [each for broken in table.broken.values() for each in broken]
    if not (table.rules or table.judged_by or "game" in table.broken):
        _report(draft, "which game is this? Write a line above: game Pedro")
    if not (table.players or "players" in table.broken or draft.lacks_players):
        _report(draft, "who played? Write a line above: players Ann, Bo, Cy, Dee")
    record = None if draft.is_bad else _record(draft, table, match, number, so_far)
    so_far.before = None if draft.is_bad else record
    return so_far.before


def _report(
    draft: Draft,
    message: str,
    severity: Severity = Severity.ERROR,
    at: tuple[int, int] | None = None,
) -> None:
    line, column = at or (draft.line, 1)
    draft.problems.append(Problem(line, column, severity, message))


def _record(
    draft: Draft, table: Table, match: str | None, number: int | None, so_far: SoFar
) -> Record:
    _take_contract(draft)
    _settle_gaps(draft, table)
    made: Record = {**draft.fields, **_heading(draft, table, match, number, so_far.count)}
    if "dealer" not in made and "dealer" not in draft.unknown:
        made["dealer"] = _dealer(draft, table, match, number, so_far.before)
    if "scores" not in made and "before" not in draft.unknown:
        made["scores"] = carried(so_far.before, match, number, table.turns.sides)
    made["deal"] = _deal(draft, table.names) if draft.deal else None
    for name, value in table.for_all.items():
        if name not in draft.unknown:
            made.setdefault(name, value)
    if draft.taken_by and "winners" not in draft.claimed:
        _fill_winners(draft, table)
    if "started_at" not in made and "time" not in draft.unknown:
        made["started_at"] = table.date
    said = {
        "claimed": {name: draft.claimed[name] for name in _OF_CLAIM if name in draft.claimed},
        "known": draft.known,
        "times": draft.times,
        "notes": draft.notes,
        "ext": draft.ext,
    }
    made |= {name: of for name, of in said.items() if of or name in draft.empty}
    made["actions"] = draft.actions
    made["gaps"] = [_gap(gap) for gap in draft.gaps] or None
    made["remark"] = "\n".join(draft.remarks) if draft.remarks else None
    return {name: made[name] for name in _ORDER if made.get(name) is not None}


def _heading(
    draft: Draft, table: Table, match: str | None, number: int | None, count: int
) -> Record:
    """Return what a hand is called, its rules and its players."""
    made: Record = {"id": draft.fields.get("id") or _id(table, match, number, count)}
    # A match that is only guessed says nothing of the place of a hand without a number.
    if match is not None and (number is not None or table.match):
        made["game"] = match
    made["hand"] = number
    made["rules"] = {**table.rules}
    if table.judged_by is not None:
        made["rules"].setdefault("variant", table.judged_by.id)
    if "options" in table.rules:
        made["rules"]["options"] = {**table.rules["options"]}
    made["players"] = [{**player} for player in table.players]
    return made


def _id(table: Table, match: str | None, number: int | None, count: int) -> str:
    if match is None:
        return f"{table.source}-{count}"
    if number is not None:
        return f"{match}-{number}"
    return f"{match}-x{count}" if table.match else f"{table.source}-{match}"[:190] + f"-x{count}"


def _gap(gap: DraftGap) -> Record:
    made: Record = {"before": gap.before, "missing": gap.missing}
    if gap.tricks is not None:
        made["tricks"] = list(gap.tricks)
    if gap.then or gap.has_then:
        made["then"] = gap.then
    return made


# --- What is taken over from the hand before


def carried(
    before: Mapping[str, Any] | None, match: str | None, number: int | None, sides: int | None
) -> list[Any] | None:
    """Return the scores that a hand takes over: those after the hand before it in its match.

    None are taken over that are not one number for each of the sides, where these are known.
    """
    if before is None or not _follows(before, match, number):
        return None
    scores = before.get("claimed", {}).get("scores")
    if scores is None or (sides is not None and len(scores) != sides):
        return None
    return list(scores)


def _follows(before: Mapping[str, Any], match: str | None, number: int | None) -> bool:
    if match is None or number is None or before.get("game") != match:
        return False
    return bool(before.get("hand") == number - 1)


def _dealer(
    draft: Draft, table: Table, match: str | None, number: int | None, before: Record | None
) -> int | None:
    """Return who dealt, where the hand before says it or the first call of an auction does."""
    if (
        before is not None
        and _follows(before, match, number)
        and "dealer" in before
        and before["players"] == table.players
    ):
        return table.after(before["dealer"])
    calls = [act for act in draft.actions if verb_of(act) in COUNTED]
    begins = not any(gap.before < len(calls) for gap in draft.gaps)
    if len(calls) < len(table.players) or draft.actions[0] != calls[0] or not begins:
        return None
    first = int(calls[0][0])
    dealer = (first - table.turns.call_step) % len(table.players)
    called = table.names.called
    message = f"dealer taken to be {called(dealer)}, as {called(first)} spoke first"
    _report(draft, message, Severity.NOTE)
    return dealer


def _deal(draft: Draft, names: Names) -> list[str]:
    """Return the hands dealt; where only some are given, the others are as many unknown cards."""
    most = max(len(given.cards) for given in draft.deal.values())
    warnings: list[tuple[int, str]] = [
        (seat, f"{names.called(seat)} has {len(given.cards)} cards, another player {most}")
        for seat, given in draft.deal.items()
        if len(given.cards) < most
    ]
    holders: dict[str, int] = {}
    for seat, given in draft.deal.items():
        for card in given.cards:
            holder = holders.setdefault(card, seat)
            if holder != seat and card not in UNKNOWN:
                from_whom = names.called(holder)
                warnings.append((seat, f"{written_card(card)} is also in the hand of {from_whom}"))
    for seat, message in warnings:
        given = draft.deal[seat]
        _report(draft, message, Severity.WARNING, (given.line, given.column))
    hands = (draft.deal.get(seat) for seat in range(names.seats))
    return [" ".join("?" * most if given is None else given.cards) for given in hands]


# --- The contract by itself, and what is not recorded


def _take_contract(draft: Draft) -> None:
    """Take one bid without any other call for the contract: the auction was not written down.

    So it was not where a contract is written and no call.
    """
    calls = [at for at, act in enumerate(draft.actions) if verb_of(act) in COUNTED]
    is_said = any(gap.missing == "auction" for gap in draft.gaps)
    if draft.known and not (draft.is_exact or calls):
        _begin_with_gap(draft)
    if draft.is_exact or is_said or calls != [0] or not draft.actions[0][2:].startswith("bid "):
        return
    bid = draft.actions[0].split(" ")[2]
    for part in ("maker", "bid"):
        draft.wheres.setdefault(f"/known/{part}", draft.places[0])
    draft.known.setdefault("maker", int(draft.actions[0][0]))
    draft.known.setdefault("bid", int(bid) if bid.isdecimal() else bid)
    # The bid is no action then; a remark on it becomes one on the hand.
    del draft.actions[0], draft.places[0]
    if "0" in draft.notes:
        draft.remarks.insert(0, draft.notes.pop("0"))
    draft.times.pop("0", None)
    draft.notes = {str(int(at) - 1): text for at, text in draft.notes.items()}
    draft.times = {str(int(at) - 1): time for at, time in draft.times.items()}
    draft.taken_at = {at - 1: place for at, place in draft.taken_at.items()}
    draft.taken_by = {at - 1: seat for at, seat in draft.taken_by.items()}
    for gap in draft.gaps:
        gap.before = max(gap.before - 1, 0)
    _begin_with_gap(draft)


def _begin_with_gap(draft: Draft) -> None:
    if not draft.gaps or draft.gaps[0].before > 0:
        draft.gaps.insert(0, DraftGap(0))


def _settle_gaps(draft: Draft, table: Table) -> None:
    """Say of each gap what it leaves out, and add the one at the end that follows from others.

    The rest is left out where a record with a gap, or with a result alone, stops early.
    """
    end = len(draft.actions)
    if any(not gap.is_written for gap in draft.gaps):
        stops = not _reaches_the_end(draft, table)
    else:
        for_all = None if "status" in draft.unknown else table.for_all.get("status")
        status = draft.fields.get("status") or for_all
        has_result = bool(draft.claimed or draft.known)
        is_alone = is_result_alone(draft.actions, status, has_result=has_result)
        stops = not draft.is_exact and not draft.gaps and is_alone
    if stops and not (draft.gaps and draft.gaps[-1].before == end):
        draft.gaps.append(DraftGap(end, "rest"))
    for gap in draft.gaps:
        gap.missing = gap.missing or _missing_before(draft.actions, gap.before)
        if gap.missing != "tricks":
            gap.tricks = None


def _reaches_the_end(draft: Draft, table: Table) -> bool:
    """Whether the last trick of the hand is among those that are written."""
    if draft.actions and verb_of(draft.actions[-1]) in ENDS:
        return True
    tricks = _tricks_played(draft.actions, draft.gaps, table)
    last = tricks[-1][0] if tricks else None
    return last is not None and table.turns.tricks is not None and last >= table.turns.tricks


def _missing_before(actions: list[str], before: int) -> str:
    """Return what a gap leaves out that does not say it: all up to the action behind it."""
    if before >= len(actions):
        return "rest"
    verb = verb_of(actions[before])
    # Who plays alone may name trumps after the maker.
    alone = verb == "trump" and any(act[2:7] == "trump" for act in actions[:before])
    if verb in COUNTED or (verb == "trump" and not alone):
        return "auction"
    if verb in _EXCHANGE or alone:
        return "exchange"
    is_play = any(act[2:6] == "play" for act in actions[:before])
    return "tricks" if is_play else "exchange"


def _tricks_played(
    actions: list[str], gaps: list[DraftGap], table: Table
) -> list[tuple[int | None, list[int]]]:
    """Return each trick that is written: its number, if that is known, and where its cards are."""
    by_place = {gap.before: gap for gap in gaps}
    numbered: list[tuple[int | None, list[int]]] = []
    number: int | None = 0
    passed = 0
    for trick in plays_by_trick(actions, len(table.players), table.turns.step, by_place):
        for before in sorted(by_place):
            if passed <= before <= trick[0]:
                number = _number_behind(by_place[before], actions, number)
        passed = trick[0] + 1
        number = None if number is None else number + 1
        numbered.append((number, trick))
    return numbered


def _number_behind(gap: DraftGap, actions: list[str], number: int | None) -> int | None:
    """Return the number of the last trick before the place behind a gap."""
    if gap.tricks is not None:
        return gap.tricks[1]
    missing = gap.missing or _missing_before(actions, gap.before)
    return None if missing in {"tricks", "rest"} else number


def next_number(draft: Draft, table: Table, here: DraftGap | None) -> int | None:
    """Return the number of the trick that comes next, if that is known.

    ``here`` is the gap just before it; where that numbers its tricks, they count.
    """
    if here is not None and here.tricks is not None:
        return here.tricks[1] + 1
    others = [gap for gap in draft.gaps if gap is not here]
    tricks = _tricks_played(draft.actions, others, table)
    number, last = (tricks[-1][0], tricks[-1][1][-1]) if tricks else (0, -1)
    for gap in others:
        if gap.before > last:
            number = _number_behind(gap, draft.actions, number)
    return None if number is None else number + 1


def _fill_winners(draft: Draft, table: Table) -> None:
    """Claim the winners of tricks that are marked, by the numbers of the tricks."""
    winners: dict[int, int] = {}
    for number, trick in _tricks_played(draft.actions, draft.gaps, table):
        for at in trick:
            if at not in draft.taken_by:
                continue
            if number is None:
                message = (
                    "which trick is this? Number it, such as trick 5: …, or leave out who took it"
                )
                _report(draft, message, at=draft.places[at])
                return
            winners[number] = draft.taken_by[at]
            draft.wheres[f"/claimed/winners/{number - 1}"] = draft.taken_at[at]
    if winners:
        draft.claimed["winners"] = [winners.get(at + 1) for at in range(max(winners))]
