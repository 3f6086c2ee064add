"""From what was written of a hand to its record in the log.

What the text leaves out is taken over from the hand before, or follows from what is written; where
neither says it, it stays out. ``docs/text-form.md`` lists what is filled in and what never is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tricklog.ingest.text_form.draft import Draft, DraftGap, plays_by_trick
from tricklog.ingest.text_form.names import Names
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.ingest.text_form.table import Table

Record = dict[str, Any]
"""A hand by the fields of the log, but for ``format``."""

_CALLS: Final = frozenset({"bid", "pass", "ditto", "tenny"})
_EXCHANGE: Final = frozenset(
    {"kitty", "give", "fold", "discard", "discard-up", "claim", "draw", "rob", "show"}
)
_ENDS: Final = frozenset({"throw-in", "concede", "decided"})
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
    named: dict[str, int] = field(default_factory=dict)


def finish(draft: Draft, table: Table, so_far: SoFar) -> Record | None:
    """Return the record of a hand, nothing when something in it could not be read."""
    so_far.count += 1
    match = _match(table)
    if match != so_far.match:
        so_far.number, so_far.before, so_far.match = 0, None, match
    number = so_far.number + 1 if draft.number == 0 else draft.number
    so_far.number = number if number is not None else so_far.number + 1
    draft.problems += [each for broken in table.broken.values() for each in broken]
    _need_settings(draft, table)
    if draft.is_bad():
        so_far.before = None
        return None
    record = _record(draft, table, match, number, so_far)
    if draft.is_bad():
        so_far.before = None
        return None
    so_far.before = record
    return record


def _need_settings(draft: Draft, table: Table) -> None:
    wanted = (
        (
            "game",
            table.rules or table.judged_by,
            "which game is this? Write a line above: game Pedro",
        ),
        ("players", table.players, "who played? Write a line above: players Ann, Bo, Cy, Dee"),
    )
    for setting, said, message in wanted:
        if not said and setting not in table.broken:
            told = any("no players are named" in each.message for each in draft.problems)
            if not (told and setting == "players"):
                draft.problems.append(Problem(draft.line, 1, Severity.ERROR, message))


def _match(table: Table) -> str | None:
    """Return what the log calls the game: as it is written, else by date and players."""
    if table.match != "":
        return table.match
    ids = [player["id"] for player in table.players]
    return "-".join([table.date or table.source, *ids])[:_LONGEST_MATCH]


def _record(
    draft: Draft, table: Table, match: str | None, number: int | None, so_far: SoFar
) -> Record:
    _take_contract(draft)
    _settle_gaps(draft, table)
    made: Record = dict(draft.fields)
    made["id"] = draft.fields.get("id") or _id(table, match, number, so_far.count)
    # A match that is only guessed says nothing of the place of a hand without a number.
    if match is not None and (number is not None or table.match):
        made["game"] = match
    if number is not None:
        made["hand"] = number
    made["rules"] = {**table.rules}
    if table.judged_by is not None:
        made["rules"].setdefault("variant", table.judged_by.id)
    if "options" in table.rules:
        made["rules"]["options"] = {**table.rules["options"]}
    made["players"] = [{**player} for player in table.players]
    _fill_dealer(made, draft, table, match, number, so_far.before)
    if "scores" not in made and "before" not in draft.unknown:
        scores = carried(so_far.before, match, number, table.turns.sides)
        if scores is not None:
            made["scores"] = scores
    if draft.deal:
        made["deal"] = _deal(draft, table.names)
    for name, value in table.for_all.items():
        if name not in draft.unknown:
            made.setdefault(name, value)
    made["actions"] = draft.actions
    _fill_result(made, draft, table)
    _fill_rest(made, draft, table)
    return {name: made[name] for name in _ORDER if name in made}


def _fill_rest(made: Record, draft: Draft, table: Table) -> None:
    """Fill in the time, and what is said of single actions and of the hand."""
    if "started_at" not in made and table.date and "time" not in draft.unknown:
        made["started_at"] = table.date
    for name, said in (("times", draft.times), ("notes", draft.notes), ("ext", draft.ext)):
        if said or name in draft.empty:
            made[name] = said
    if draft.remarks:
        made["remark"] = "\n".join(draft.remarks)


def _id(table: Table, match: str | None, number: int | None, count: int) -> str:
    if match is None:
        return f"{table.source}-{count}"
    if number is not None:
        return f"{match}-{number}"
    return f"{match}-x{count}" if table.match else f"{table.source}-{match}"[:190] + f"-x{count}"


# --- What is taken over from the hand before


def carried(
    before: Mapping[str, Any] | None, match: str | None, number: int | None, sides: int | None
) -> list[Any] | None:
    """Return the scores that a hand takes over: those after the hand before it in its match.

    None are taken over that are not one number for each of the sides, where these are known.
    """
    if not _follows(before, match, number) or before is None:
        return None
    scores = before.get("claimed", {}).get("scores")
    if scores is None or (sides is not None and len(scores) != sides):
        return None
    return list(scores)


def _follows(before: Mapping[str, Any] | None, match: str | None, number: int | None) -> bool:
    if before is None or match is None or number is None or before.get("game") != match:
        return False
    return bool(before.get("hand") == number - 1)


def _fill_dealer(
    made: Record,
    draft: Draft,
    table: Table,
    match: str | None,
    number: int | None,
    before: Record | None,
) -> None:
    """Fill in who dealt, where the hand before says it or the first call of an auction does."""
    if "dealer" in made or "dealer" in draft.unknown:
        return
    is_next = _follows(before, match, number)
    if before is not None and is_next and "dealer" in before and before["players"] == table.players:
        made["dealer"] = table.after(before["dealer"])
        return
    calls = [act for act in draft.actions if act.split(" ", 2)[1] in _CALLS]
    begins = not any(gap.before < len(calls) for gap in draft.gaps)
    if len(calls) >= len(table.players) and draft.actions[0] == calls[0] and begins:
        first = int(calls[0][0])
        dealer = (first - table.turns.call_step) % len(table.players)
        called = table.names.called
        message = f"dealer taken to be {called(dealer)}, as {called(first)} spoke first"
        draft.problems.append(Problem(draft.line, 1, Severity.NOTE, message))
        made["dealer"] = dealer


def _deal(draft: Draft, names: Names) -> list[str]:
    """Return the hands dealt; where only some are given, the others are as many unknown cards."""
    sizes = {len(given.cards) for given in draft.deal.values()}
    for seat, given in draft.deal.items():
        if len(given.cards) < max(sizes):
            message = (
                f"{names.called(seat)} has {len(given.cards)} cards, another player {max(sizes)}"
            )
            _warn(draft, given.line, given.column, message)
    holders: dict[str, int] = {}
    for seat, given in draft.deal.items():
        for card in given.cards:
            holder = holders.setdefault(card, seat)
            if holder != seat and card not in {"?", "*"}:
                from_whom = names.called(holder)
                message = f"{_shown_card(card)} is also in the hand of {from_whom}"
                _warn(draft, given.line, given.column, message)
    unknown = " ".join("?" * max(sizes))
    hands = (draft.deal.get(seat) for seat in range(names.seats))
    return [unknown if given is None else " ".join(given.cards) for given in hands]


def _shown_card(card: str) -> str:
    from tricklog.ingest.text_form.cards import written_card

    return written_card(card)


def _warn(draft: Draft, line: int, column: int, message: str) -> None:
    draft.problems.append(Problem(line, column, Severity.WARNING, message))


# --- The contract by itself, and what is not recorded


def _take_contract(draft: Draft) -> None:
    """Take one bid without any other call for the contract: the auction was not written down.

    So it was not where a contract is written and no call.
    """
    calls = [at for at, act in enumerate(draft.actions) if act.split(" ", 2)[1] in _CALLS]
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
    _drop_first_action(draft)
    _begin_with_gap(draft)


def _begin_with_gap(draft: Draft) -> None:
    if not draft.gaps or draft.gaps[0].before > 0:
        draft.gaps.insert(0, DraftGap(0))


def _drop_first_action(draft: Draft) -> None:
    """Take the first action away; a remark on it becomes one on the hand."""
    del draft.actions[0], draft.places[0]
    draft.taken_at = {at - 1: place for at, place in draft.taken_at.items()}
    if "0" in draft.notes:
        draft.remarks.insert(0, draft.notes.pop("0"))
    draft.times.pop("0", None)
    draft.notes = {str(int(at) - 1): text for at, text in draft.notes.items()}
    draft.times = {str(int(at) - 1): time for at, time in draft.times.items()}
    draft.taken_by = {at - 1: seat for at, seat in draft.taken_by.items()}
    for gap in draft.gaps:
        gap.before = max(gap.before - 1, 0)


def _settle_gaps(draft: Draft, table: Table) -> None:
    """Say of each gap what it leaves out, and add the one at the end that follows from others."""
    _add_rest(draft, table)
    for gap in draft.gaps:
        if not gap.missing:
            gap.missing = _missing_before(draft.actions, gap.before)
        if gap.tricks is not None and gap.missing != "tricks":
            gap.tricks = None


def _add_rest(draft: Draft, table: Table) -> None:
    """Leave out the rest where a record with a gap, or with a result alone, stops early."""
    end = len(draft.actions)
    if draft.gaps and draft.gaps[-1].before == end:
        return
    if any(not gap.is_written for gap in draft.gaps):
        stops = not _reaches_the_end(draft, table)
    else:
        stops = not draft.is_exact and not draft.gaps and _is_result_alone(draft, table)
    if stops:
        draft.gaps.append(DraftGap(end, "rest"))


def _reaches_the_end(draft: Draft, table: Table) -> bool:
    """Whether the last trick of the hand is among those that are written."""
    if draft.actions and draft.actions[-1].split(" ", 2)[1] in _ENDS:
        return True
    tricks = tricks_played(draft, table)
    last = tricks[-1][0] if tricks else None
    return last is not None and table.turns.tricks is not None and last >= table.turns.tricks


def _is_result_alone(draft: Draft, table: Table) -> bool:
    """Whether there is a result and no card was played for it."""
    verbs = {act.split(" ", 2)[1] for act in draft.actions}
    for_all = "" if "status" in draft.unknown else table.for_all.get("status", "")
    is_over = (draft.fields.get("status") or for_all or "complete") == "complete"
    if "play" in verbs or verbs & _ENDS or not is_over:
        return False
    was_bid = bool(verbs & {"bid", "ditto", "tenny"}) or not verbs & _CALLS
    return bool(draft.claimed or draft.known) and was_bid


def _missing_before(actions: list[str], before: int) -> str:
    """Return what a gap leaves out that does not say it: all up to the action behind it."""
    if before >= len(actions):
        return "rest"
    verb = actions[before].split(" ", 2)[1]
    # Who plays alone may name trumps after the maker.
    alone = verb == "trump" and any(act[2:7] == "trump" for act in actions[:before])
    if verb in _CALLS or (verb == "trump" and not alone):
        return "auction"
    if verb in _EXCHANGE or alone:
        return "exchange"
    is_play = any(act[2:6] == "play" for act in actions[:before])
    return "tricks" if is_play else "exchange"


def tricks_played(draft: Draft, table: Table) -> list[tuple[int | None, list[int]]]:
    """Return each trick that is written: its number, if that is known, and where its cards are."""
    seats = len(table.players)
    gaps = {gap.before: gap for gap in draft.gaps}
    tricks = plays_by_trick(draft.actions, seats, table.turns.step, gaps)
    numbered: list[tuple[int | None, list[int]]] = []
    number: int | None = 0
    passed = 0
    for trick in tricks:
        for before in sorted(gaps):
            if passed <= before <= trick[0]:
                number = _number_behind(gaps[before], draft, number)
        passed = trick[0] + 1
        number = None if number is None else number + 1
        numbered.append((number, trick))
    return numbered


def _number_behind(gap: DraftGap, draft: Draft, number: int | None) -> int | None:
    """Return the number of the last trick before the place behind a gap."""
    if gap.tricks is not None:
        return gap.tricks[1]
    missing = gap.missing or _missing_before(draft.actions, gap.before)
    return None if missing in {"tricks", "rest"} else number


def next_number(draft: Draft, table: Table, here: DraftGap | None) -> int | None:
    """Return the number of the trick that comes next; ``here`` is the gap just before it."""
    if here is not None and here.tricks is not None:
        return here.tricks[1] + 1
    others = [gap for gap in draft.gaps if gap is not here]
    so_far = Draft(draft.line, draft.byte, actions=draft.actions, gaps=others)
    tricks = tricks_played(so_far, table)
    number, last = (tricks[-1][0], tricks[-1][1][-1]) if tricks else (0, -1)
    for gap in others:
        if gap.before > last:
            number = _number_behind(gap, draft, number)
    return None if number is None else number + 1


# --- The result


def _fill_result(made: Record, draft: Draft, table: Table) -> None:
    if draft.taken_by and "winners" not in draft.claimed:
        _fill_winners(draft, table)
    if draft.claimed or "claimed" in draft.empty:
        made["claimed"] = {name: draft.claimed[name] for name in _OF_CLAIM if name in draft.claimed}
    if draft.known or "known" in draft.empty:
        made["known"] = draft.known
    if draft.gaps:
        made["gaps"] = [_gap(gap) for gap in draft.gaps]


def _gap(gap: DraftGap) -> Record:
    made: Record = {"before": gap.before, "missing": gap.missing}
    if gap.tricks is not None:
        made["tricks"] = list(gap.tricks)
    if gap.then or gap.has_then:
        made["then"] = gap.then
    return made


def _fill_winners(draft: Draft, table: Table) -> None:
    """Claim the winners of tricks that are marked, by the numbers of the tricks."""
    winners: dict[int, int] = {}
    for number, trick in tricks_played(draft, table):
        for at in trick:
            if at not in draft.taken_by:
                continue
            if number is None:
                line, column = draft.places[at]
                message = (
                    "which trick is this? Number it, such as trick 5: …, or leave out who took it"
                )
                draft.problems.append(Problem(line, column, Severity.ERROR, message))
                return
            winners[number] = draft.taken_by[at]
            draft.wheres[f"/claimed/winners/{number - 1}"] = draft.taken_at[at]
    if winners:
        draft.claimed["winners"] = [winners.get(at + 1) for at in range(max(winners))]
