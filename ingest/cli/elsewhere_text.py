"""A hand under other rules, as ``tricklog replay --rescore`` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tricklog.core import Outcome, Replay
from tricklog.core.study import Value
from tricklog.core.study.elsewhere import Elsewhere, NotThere, Rescored, Resolved
from tricklog.ingest.cli.output import values_of
from tricklog.schemas.actions import bid_name
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import player_labels
from tricklog.schemas.words import counted

_DIFFERENCE = "difference"
_WORDS = {"made": "made", "set": "set", "void": "void", "thrown_in": "thrown in"}


def elsewhere_lines(replayed: Replay, title: str, found: Elsewhere | NotThere) -> Iterator[str]:
    """Yield the lines about a hand under the rules called ``title``."""
    yield f"Hand {replayed.hand.id} · {replayed.ruleset.title}, under the rules of {title}"
    if isinstance(found, NotThere):
        yield f"It does not fit: {_refused(found)}"
        return
    yield "The deal fits: " + (
        "the same calls lead to the same contract."
        if found.same_calls
        else "the contract can be bid there, by other calls than those recorded."
    )
    here, there = f"in {replayed.ruleset.title}", f"in {title}"
    width = max(len(here), len(there), len(_DIFFERENCE))
    places = here.ljust(width), there.ljust(width)
    yield from _rescored_lines(replayed, found, places)
    yield from _resolved_lines(found.resolved, places)
    if found.not_legal:
        yield f"Not legal there ({counted(len(found.not_legal), 'step')} of the play):"
        for each in found.not_legal:
            yield f"  {each.action:>3}  {each.sentence} [{each.rule}]"


def _rescored_lines(replayed: Replay, found: Elsewhere, places: tuple[str, str]) -> Iterator[str]:
    if isinstance(found.rescored, NotThere):
        yield f"Not rescored: {_refused(found.rescored)}"
        return
    here, there = found.rescored.here, found.rescored.there
    yield f"Rescored, without the scores before the hand ({_sides(replayed)}):"
    for place, each in zip(places, (here, there), strict=True):
        points, score = _per_side(each.points), _signed(each.change)
        yield f"  {place}  {_ending(each)}: points {points}, score {score}"
    units = {_unit(each) for each in (replayed.ruleset.values, found.ruleset.values)}
    if found.rescored.by_side is not None and len(units) == 1:
        yield f"  {_DIFFERENCE:{len(places[0])}}  score {_signed(found.rescored.by_side)}"
    elif len(units) > 1:
        yield "  One game counts card points and the other game points, so scores do not compare."


def _sides(replayed: Replay) -> str:
    """Return who the sides are, in the order of their points and scores."""
    names = [one_line(label) for label in player_labels(replayed.hand)]
    sides: list[list[str]] = [[] for _ in range(replayed.rules.side_count)]
    for seat, name in enumerate(names):
        sides[replayed.ruleset.side_of(seat)].append(name)
    return " : ".join(" & ".join(side) for side in sides)


def _resolved_lines(resolved: Resolved | NotThere, places: tuple[str, str]) -> Iterator[str]:
    if isinstance(resolved, NotThere):
        yield f"Not re-solved: {_refused(resolved)}"
        return
    yield "With all cards open, from the first card on:"
    here, there = places
    values = [(here, resolved.par_here, resolved.need_here)] if resolved.par_here else []
    for place, value, need in (*values, (there, resolved.value, resolved.need)):
        yield f"  {place}  the makers take {_value(value)} {resolved.unit}{_needed(need)}"


def _ending(outcome: Outcome) -> str:
    bid = "no number" if outcome.bid is None else bid_name(outcome.bid)
    return f"{bid} {_WORDS[outcome.result]}"


def _needed(need: int | None) -> str:
    return "" if need is None else f" and need {need}"


def _value(value: Value) -> str:
    return str(value.low) if value.is_exact else f"{value.low} to {value.high}"


def _per_side(values: tuple[int, ...]) -> str:
    return " : ".join(map(str, values))


def _signed(values: tuple[int, ...]) -> str:
    return " : ".join(f"{each:+}".replace("-", "−") if each else "0" for each in values)


def _unit(values: dict[str, Any]) -> str:
    return "game points" if values["made"] == "game-point" else "card points"


def _refused(why: NotThere) -> str:
    return f"{why.sentence} [{why.rule}]" if why.rule else why.sentence


# --- As JSON


def elsewhere_json(replayed: Replay, under: str, found: Elsewhere | NotThere) -> dict[str, Any]:
    """Return what the lines say as one JSON object; ``under``: the id of the other rules."""
    head = {
        "hand_id": replayed.hand.id,
        "variant": replayed.ruleset.id,
        "ruleset": replayed.ruleset.hash,
        "under": under,
        "players": player_labels(replayed.hand),
    }
    if isinstance(found, NotThere):
        return {**head, "fits": False, "refused": _refused_json(found)}
    return {
        **head,
        "fits": True,
        "under_ruleset": found.ruleset.hash,
        "scored_in": {
            "here": _unit(replayed.ruleset.values),
            "there": _unit(found.ruleset.values),
        },
        "same_calls": found.same_calls,
        "actions": found.hand.actions,
        "rescored": _rescored_json(found.rescored),
        "resolved": _resolved_json(found.resolved),
        "not_legal": [values_of(each, sentence="message") for each in found.not_legal],
    }


def _refused_json(why: NotThere) -> dict[str, Any]:
    return values_of(why, sentence="message")


def _rescored_json(rescored: Rescored | NotThere) -> dict[str, Any]:
    if isinstance(rescored, NotThere):
        return {"refused": _refused_json(rescored)}
    return {
        "here": _outcome_json(rescored.here),
        "there": _outcome_json(rescored.there),
        "by_side": rescored.by_side,
    }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    bid = outcome.bid
    told = {
        name: getattr(outcome, name) for name in ("result", "maker", "need", "points", "change")
    }
    return told | {"bid_name": None if bid is None else bid_name(bid)}


def _resolved_json(resolved: Resolved | NotThere) -> dict[str, Any]:
    if isinstance(resolved, NotThere):
        return {"refused": _refused_json(resolved)}
    return values_of(resolved)
