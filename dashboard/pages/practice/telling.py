"""What is said of an answer: what it cost, what was done at the table, what others make of it.

Cards are said to cost something or nothing, with all cards open; calls and trumps are said to be
what they are. Nobody is told what they ought to have done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from duckdb import DuckDBPyConnection

from tricklog.core import Replay
from tricklog.core.engine.rules.table import side_of
from tricklog.core.render.sentences import result_text
from tricklog.core.study import LossKind
from tricklog.core.study.questions.judging import Judged, Worth
from tricklog.core.study.questions.moments import Kind, Moment
from tricklog.dashboard.data.hand_data import sign_of
from tricklog.dashboard.pages.practice.at_table import amount_of, option_text, value_text
from tricklog.dashboard.sections import same_cards
from tricklog.dashboard.sections.given_hand import chance_words
from tricklog.dashboard.text.escaping import sentence_html
from tricklog.dashboard.text.labels import loss_words
from tricklog.dashboard.text.refusals import why_not
from tricklog.ingest.metrics import FigureError, practice
from tricklog.ingest.metrics import field as fields
from tricklog.ingest.store.userdata import Answer
from tricklog.schemas.actions import bid_name
from tricklog.schemas.cards import SUIT_GLYPHS, SUITS, names_in
from tricklog.schemas.languages.messages import Listing, mark, message_of, say
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.render import trump_words

CONTRACTS: Final = (Kind.CALL, Kind.TRUMP)
"""Calls and trumps, of which an answer does not say what they cost."""


class Told(NamedTuple):
    """The strip of an answer."""

    lines: tuple[str, str]
    """Sentences with signs for names."""
    tone: str
    cost: int | None
    """What the answer cost; ``None`` where that is not known."""


def verdict(judged: Judged, answer: str, replayed: Replay) -> Told:
    """Return what an answer cost, and what was done at the table."""
    if judged.moment.kind in CONTRACTS:
        return Told(_of_contract(judged, answer, replayed), "plain", None)
    row = judged.row(answer)
    cost = None if row is None else row.cost
    table = f"{_at_the_table(judged, answer)} {_ending(replayed)}"
    tone = "plain" if cost is None else "costly" if cost else "free"
    return Told((_of_cards(judged, answer, row), table), tone, cost)


def _of_cards(judged: Judged, answer: str, row: Worth | None) -> str:
    choice = option_text(judged.moment, answer)
    if judged.no_value:
        reason = why_not(judged.no_value)
        return say("You chose {choice}. It has no value: {reason}.", choice=choice, reason=reason)
    if row is None or row.value is None:
        return say(
            "You chose {choice}. What came after it at the table could not come after all choices.",
            choice=choice,
        )
    value = value_text(row)
    if row.cost is None:
        return say(
            "You chose {choice}: makers {value} with all cards open.", choice=choice, value=value
        )
    others = [each.text for each in judged.costs_nothing if each.text != answer]
    free = _listed([option_text(judged.moment, each) for each in others])
    if row.cost:
        best = judged.best
        told = say(
            "{choice} <b>cost {cost} with all cards open</b>: makers {value}.",
            choice=choice,
            cost=amount_of(row.cost, judged),
            value=value if best is None else f"{best.low} → {value}",
        )
        one = say("{choice} costs nothing.", choice=free)
        return f"{told} {one if len(others) == 1 else say('{choices} cost nothing.', choices=free)}"
    told = say(
        "{choice} <b>cost nothing with all cards open</b>: makers keep {value}.",
        choice=choice,
        value=value,
    )
    if not others:
        return told
    if len(others) == len(judged.rows) - 1 and len(others) > 1:
        return f"{told} {say('So would all the others.')}"
    return f"{told} {say('So would {choices}.', choices=free)}"


def _listed(words: Sequence[str], most: int = 4) -> str:
    if len(words) > most:
        listed = ", ".join(words[:most])
        return say("{choices} and {count} more", choices=listed, count=len(words) - most)
    return str(Listing(words)) or say("none")


def _at_the_table(judged: Judged, answer: str) -> str:
    row, kind = judged.row(judged.played), judged.kind_of_loss
    cost = None if row is None else row.cost
    is_named = kind not in (None, LossKind.OTHER)
    if judged.played == answer:
        told = _CHOSE["the same", is_named]
    elif cost is None:
        told = _CHOSE["without a cost", False]
    else:
        told = _CHOSE["at a cost" if cost else "for nothing", is_named]
    values = {
        "player": sign_of(judged.moment.seat),
        "kind": loss_words(kind) if kind else "",
        "choice": option_text(judged.moment, judged.played),
        "cost": cost,
    }
    return str(message_of(told, values))


_CHOSE: Final = {
    ("the same", False): mark("At the table {player} chose the same."),
    ("the same", True): mark("At the table {player} chose the same ({kind})."),
    ("without a cost", False): mark("At the table {player} chose {choice}."),
    ("for nothing", False): mark("At the table {player} chose {choice}: it cost nothing."),
    ("for nothing", True): mark("At the table {player} chose {choice}: it cost nothing ({kind})."),
    ("at a cost", False): mark("At the table {player} chose {choice}: it cost {cost}."),
    ("at a cost", True): mark("At the table {player} chose {choice}: it cost {cost} ({kind})."),
}
"""By what was chosen at the table, and whether that has a kind of loss with a name."""


def _ending(replayed: Replay) -> str:
    outcome = replayed.outcome
    told = result_text(replayed)
    if outcome is None or not told:
        return say("The record ends before the end of the hand.")
    end = _ENDS.get(outcome.result)
    if outcome.maker is None or outcome.bid is None or outcome.alone is not None or end is None:
        return told[0]
    taken = outcome.points[replayed.ruleset.side_of(outcome.maker)]
    values = {"player": sign_of(outcome.maker), "bid": bid_name(outcome.bid), "points": taken}
    return str(message_of(end, values))


_ENDS: Final = {
    "made": mark("{player} bid {bid} and made it with {points}."),
    "set": mark("{player} bid {bid} and was set with {points}."),
}


def _of_contract(judged: Judged, answer: str, replayed: Replay) -> tuple[str, str]:
    own, call = (option_text(judged.moment, each) for each in (answer, judged.played))
    who = sign_of(judged.moment.seat)
    first = say("You said <b>{own}</b>. At the table {player} said the same.", own=own, player=who)
    if judged.played != answer:
        first = say(
            "You said <b>{own}</b>. At the table {player} said {call}.",
            own=own,
            player=who,
            call=call,
        )
    told = _ending(replayed)
    if judged.by_makers and judged.could_be_made is not None:
        can = say("With all cards open that contract can be made.")
        cannot = say("With all cards open that contract cannot be made.")
        told += f" {can if judged.could_be_made else cannot}"
    return first, told


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
    place = practice.table_of(facts, hand_id)
    try:
        guide = None if place is None else same_cards.found_at(facts, place).guide
    except FigureError:
        return ""
    view, rules, own = moment.view, moment.replayed.rules, moment.view.holdings[moment.seat]
    if guide is None or own.bit_count() != guide.packet:
        return ""
    from_dealer = (moment.seat - moment.replayed.hand.dealt_by) * rules.step % rules.seats
    bids = [call.seat for call in view.calls if call.amount]
    holder = "nobody"
    if bids and bids[-1] != moment.seat:
        is_own = side_of(rules, bids[-1]) == side_of(rules, moment.seat)
        holder = "partner" if is_own else "others"
    held = fields.Held(names_in(own), from_dealer, holder, view.choice.low or guide.least)
    try:
        found = fields.given_hand(guide, held)
    except ValueError:
        return ""
    suit = SUITS.index(found.suit)
    told = [
        say(
            "To the field these cards are worth most with {suit} as trumps: about {points} points.",
            suit=f"{trump_words(suit)} {SUIT_GLYPHS[suit]}",
            points=number(found.expected, 1),
        )
    ]
    if moment.kind == Kind.CALL:
        bid, chance = found.chances[0]
        made = chance_words(chance)
        told.append(say("A bid of {bid} with such cards is made {times}.", bid=bid, times=made))
        said = say("Nobody else has had to call with such cards.")
        if row := found.decision:
            said = say(
                "Of all who had to call with cards worth this, {bids} bid and {passes} passed.",
                bids=row["bids"],
                passes=row["passes"],
            )
        told.append(said)
    return f'<p class="tl-quiet">{sentence_html(" ".join(told))}</p>'
