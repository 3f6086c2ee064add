"""What is said of an answer: what it cost, what was done at the table, what others make of it.

Cards are said to cost something or nothing, with all cards open; calls and trumps are said to be
what they are. Nobody is told what they ought to have done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from duckdb import DuckDBPyConnection

from dashboard import same_cards, snapshot
from dashboard.escaping import as_html, sentence_html
from dashboard.given_hand import chance_words
from dashboard.practice.drawing import Names, option_html, value_text
from dashboard.practice.judging import Judged, Worth
from dashboard.practice.moments import Kind, Moment
from ingest.metrics import FigureError
from ingest.metrics import field as fields
from ingest.store import practice
from ingest.store.userdata import Answer
from replay import Replay
from replay.engine.rules.table import side_of
from replay.render.sentences import result_text
from replay.study import LossKind
from schemas.actions import bid_name
from schemas.cards import SUIT_GLYPHS, SUIT_WORDS, SUITS, names_in
from schemas.render import player_label
from schemas.words import counted

MOST_FOR_THE_FIELD = 20_000
"""Hands of which the field is found out without being asked; of more it takes seconds."""


class Told(NamedTuple):
    """The strip of an answer."""

    lines: tuple[str, str]
    tone: str
    sum: str
    """What the answer cost, large; empty where that is not known."""


def verdict(judged: Judged, answer: str, names: Names, replayed: Replay) -> Told:
    """Return what an answer cost, and what was done at the table, as HTML."""
    if judged.moment.kind in (Kind.CALL, Kind.TRUMP):
        return Told(_of_contract(judged, answer, names, replayed), "tlp-plain", "")
    row = judged.row(answer)
    table = _at_the_table(judged, answer, names, replayed)
    if row is None or row.cost is None:
        return Told((_without_cost(judged, answer, row), table), "tlp-plain", "")
    tone = "tlp-none" if row.cost == 0 else "tlp-cost"
    total = str(row.cost)
    return Told((_cost(judged, row), table), tone, total)


def _cost(judged: Judged, row: Worth) -> str:
    best = judged.best
    chosen = _words(judged, row)
    free = [each for each in judged.costs_nothing if each.text != row.text]
    if row.cost == 0:
        told = f"{chosen} <b>cost nothing with all cards open</b>: makers keep {value_text(row)}."
        return f"{told} {_so_would(judged, free)}".strip()
    before = "" if best is None else f"{best.low} → "
    cost = counted(row.cost or 0, judged.unit.removesuffix("s"))
    return (
        f"{chosen} <b>cost {cost} with all cards open</b>: makers {before}{value_text(row)}. "
        f"{_listed([_words(judged, each) for each in free])} cost"
        f"{'s' if len(free) == 1 else ''} nothing."
    )


def _so_would(judged: Judged, free: Sequence[Worth]) -> str:
    if not free:
        return ""
    if len(free) == len(judged.rows) - 1 and len(free) > 1:
        return "So would all the others."
    return f"So would {_listed([_words(judged, each) for each in free])}."


def _words(judged: Judged, row: Worth) -> str:
    return option_html(judged.moment, row.text, row.words)


def _listed(words: Sequence[str], most: int = 4) -> str:
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    *first, last = words or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def _without_cost(judged: Judged, answer: str, row: Worth | None) -> str:
    words = option_html(judged.moment, answer, row.words if row else answer)
    if judged.no_value:
        return f"You chose {words}. It has no value: {sentence_html(judged.no_value)}."
    if row is not None and row.value is not None:
        return f"You chose {words}: makers {value_text(row)} with all cards open."
    return f"You chose {words}. What came after it at the table could not come after all choices."


def _at_the_table(judged: Judged, answer: str, names: Names, replayed: Replay) -> str:
    who = names.html(judged.moment.seat)
    ending = sentence_html(_ending(replayed))
    row = judged.row(judged.played)
    named = judged.kind_of_loss not in (None, LossKind.OTHER)
    kind = f" ({judged.kind_of_loss})" if named else ""
    if judged.played == answer:
        return f"At the table {who} chose the same{kind}. {ending}"
    words = option_html(judged.moment, judged.played, row.words if row else judged.played)
    cost = ""
    if row is not None and row.cost is not None:
        cost = f": it cost {row.cost or 'nothing'}{kind}"
    return f"At the table {who} chose {words}{cost}. {ending}"


def _ending(replayed: Replay) -> str:
    """Return what came of the contract, short where it was an ordinary one."""
    outcome = replayed.outcome
    told = result_text(replayed)
    if outcome is None or not told:
        return "The record ends before the end of the hand."
    if outcome.maker is None or outcome.bid is None or outcome.alone is not None:
        return told[0]
    taken = outcome.points[replayed.ruleset.side_of(outcome.maker)]
    ends = {"made": "made it with", "set": "was set with"}
    end = ends.get(outcome.result)
    who = player_label(replayed.hand, outcome.maker)
    return f"{who} bid {bid_name(outcome.bid)} and {end} {taken}." if end else told[0]


def _of_contract(judged: Judged, answer: str, names: Names, replayed: Replay) -> tuple[str, str]:
    moment = judged.moment
    words = {each.text: sentence_html(each.words) for each in moment.options}
    said = words.get(answer, as_html(answer))
    done = words.get(judged.played, as_html(judged.played))
    who = names.html(moment.seat)
    same = "the same" if judged.played == answer else done
    first = f"You said <b>{said}</b>. At the table {who} said {same}."
    made = ""
    if judged.contract_is_own and judged.could_be_made is not None:
        can = "can" if judged.could_be_made else "cannot"
        made = f" With all cards open that contract {can} be made."
    return first, f"{sentence_html(_ending(replayed))}{made}"


# --- What others do


def others(kept: Sequence[Answer], content_hash: str, action: int, who: str) -> Counter[str]:
    """Return how often others have given each answer to a question."""
    return Counter(
        each.answer
        for each in kept
        if (each.content_hash, each.action) == (content_hash, action) and each.who != who
    )


def field_html(facts: DuckDBPyConnection, moment: Moment, hand_id: str) -> str:
    """Return what the field makes of the cards of a bid or a trump; empty where nobody can say."""
    if moment.kind not in (Kind.CALL, Kind.TRUMP):
        return ""
    place = practice.table_of(facts, hand_id)
    if place is None:
        return ""
    try:
        guide = same_cards.found_at(facts, fields.Table(*place)).guide
    except FigureError:
        return ""
    held = _held(moment)
    if guide is None or moment.view.holdings[moment.seat].bit_count() != guide.packet:
        return ""
    least = held.least or guide.least
    try:
        found = fields.given_hand(
            guide, fields.Held(held.cards, held.from_dealer, held.holder, least)
        )
    except ValueError:
        return ""
    suit = SUITS.index(found.suit)
    told = (
        f"To the field these cards are worth most with {SUIT_WORDS[suit]} {SUIT_GLYPHS[suit]} as "
        f"trumps: about {found.expected:.1f} points."
    )
    if moment.kind == Kind.CALL:
        bid, chance = found.chances[0]
        told += f" A bid of {bid} with such cards is made {chance_words(chance)}."
        told += _bid_or_passed(found)
    return f'<div class="tlp-box tlp-grey">{sentence_html(told)}</div>'


def _bid_or_passed(found: fields.GivenHand) -> str:
    row = found.decision
    if row is None:
        return " Nobody else has had to call with such cards."
    counts = f"{row['bids']} bid and {row['passes']} passed"
    return f" Of all who had to call with cards worth this, {counts}."


def _held(moment: Moment) -> fields.Held:
    view, rules = moment.view, moment.replayed.rules
    from_dealer = (moment.seat - moment.replayed.hand.dealt_by) * rules.step % rules.seats
    bids = [call.seat for call in view.calls if call.amount]
    holder = "nobody"
    if bids and bids[-1] != moment.seat:
        is_own = side_of(rules, bids[-1]) == side_of(rules, moment.seat)
        holder = "partner" if is_own else "others"
    return fields.Held(names_in(view.holdings[moment.seat]), from_dealer, holder, view.choice.low)


def field_takes_long() -> bool:
    """Return whether it takes seconds to find out what the field does, so that it waits."""
    return int(snapshot.totals()["hands"]) > MOST_FOR_THE_FIELD
