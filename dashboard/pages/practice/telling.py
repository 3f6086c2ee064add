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
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.hand_data import sign_of
from tricklog.dashboard.pages.practice.phrases import amount_of, option_text, value_text
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

MOST_FOR_THE_FIELD = 20_000
"""Hands of which the field is found out without being asked; of more it takes seconds."""


class Told(NamedTuple):
    """The strip of an answer."""

    lines: tuple[str, str]
    """Sentences with signs for names."""
    tone: str
    cost: int | None
    """What the answer cost; ``None`` where that is not known."""


def verdict(judged: Judged, answer: str, replayed: Replay) -> Told:
    """Return what an answer cost, and what was done at the table."""
    if judged.moment.kind in (Kind.CALL, Kind.TRUMP):
        return Told(_of_contract(judged, answer, replayed), "plain", None)
    row = judged.row(answer)
    table = _at_the_table(judged, answer, replayed)
    if row is None or row.cost is None:
        return Told((_without_cost(judged, answer, row), table), "plain", None)
    return Told((_cost(judged, row, row.cost), table), "costly" if row.cost else "free", row.cost)


def _cost(judged: Judged, row: Worth, cost: int) -> str:
    best = judged.best
    chosen = _words(judged, row)
    free = [each for each in judged.costs_nothing if each.text != row.text]
    listed = _listed([_words(judged, each) for each in free])
    if cost:
        before = "" if best is None else f"{best.low} → "
        told = say(
            "{choice} <b>cost {cost} with all cards open</b>: makers {value}.",
            choice=chosen,
            cost=amount_of(cost, judged),
            value=f"{before}{value_text(row)}",
        )
        one = say("{choice} costs nothing.", choice=listed)
        more = one if len(free) == 1 else say("{choices} cost nothing.", choices=listed)
        return f"{told} {more}"
    told = say(
        "{choice} <b>cost nothing with all cards open</b>: makers keep {value}.",
        choice=chosen,
        value=value_text(row),
    )
    if not free:
        return told
    if len(free) == len(judged.rows) - 1 and len(free) > 1:
        return f"{told} {say('So would all the others.')}"
    return f"{told} {say('So would {choices}.', choices=listed)}"


def _words(judged: Judged, row: Worth) -> str:
    return option_text(judged.moment, row.text, row.words)


def _listed(words: Sequence[str], most: int = 4) -> str:
    if len(words) > most:
        listed = ", ".join(words[:most])
        return say("{choices} and {count} more", choices=listed, count=len(words) - most)
    return str(Listing(words)) or say("none")


def _without_cost(judged: Judged, answer: str, row: Worth | None) -> str:
    words = option_text(judged.moment, answer, row.words if row else answer)
    if judged.no_value:
        why = why_not(judged.no_value)
        return say("You chose {choice}. It has no value: {reason}.", choice=words, reason=why)
    if row is not None and row.value is not None:
        return say(
            "You chose {choice}: makers {value} with all cards open.",
            choice=words,
            value=value_text(row),
        )
    return say(
        "You chose {choice}. What came after it at the table could not come after all choices.",
        choice=words,
    )


def _at_the_table(judged: Judged, answer: str, replayed: Replay) -> str:
    who = sign_of(judged.moment.seat)
    ending = _ending(replayed)
    row = judged.row(judged.played)
    kind = judged.kind_of_loss
    named = "" if kind in (None, LossKind.OTHER) else loss_words(kind)
    values = {
        "player": who,
        "kind": named,
        "choice": option_text(judged.moment, judged.played, row.words if row else judged.played),
        "cost": None if row is None else row.cost,
    }
    if judged.played == answer:
        told = _CHOSE_THE_SAME[bool(named)]
    elif row is None or row.cost is None:
        told = _CHOSE
    else:
        told = _CHOSE_AT_COST[bool(row.cost), bool(named)]
    return f"{message_of(told, values)} {ending}"


_CHOSE_THE_SAME: Final = {
    False: mark("At the table {player} chose the same."),
    True: mark("At the table {player} chose the same ({kind})."),
}
_CHOSE: Final = mark("At the table {player} chose {choice}.")
_CHOSE_AT_COST: Final = {
    (False, False): mark("At the table {player} chose {choice}: it cost nothing."),
    (False, True): mark("At the table {player} chose {choice}: it cost nothing ({kind})."),
    (True, False): mark("At the table {player} chose {choice}: it cost {cost}."),
    (True, True): mark("At the table {player} chose {choice}: it cost {cost} ({kind})."),
}
"""By whether it cost something, and whether that has a kind of loss with a name."""


def _ending(replayed: Replay) -> str:
    outcome = replayed.outcome
    told = result_text(replayed)
    if outcome is None or not told:
        return say("The record ends before the end of the hand.")
    if outcome.maker is None or outcome.bid is None or outcome.alone is not None:
        return told[0]
    taken = outcome.points[replayed.ruleset.side_of(outcome.maker)]
    end = _ENDS.get(outcome.result)
    if end is None:
        return told[0]
    values = {"player": sign_of(outcome.maker), "bid": bid_name(outcome.bid), "points": taken}
    return str(message_of(end, values))


_ENDS: Final = {
    "made": mark("{player} bid {bid} and made it with {points}."),
    "set": mark("{player} bid {bid} and was set with {points}."),
}


def _of_contract(judged: Judged, answer: str, replayed: Replay) -> tuple[str, str]:
    moment = judged.moment
    words = {each.text: each.words for each in moment.options}
    said, done = words.get(answer, answer), words.get(judged.played, judged.played)
    who = sign_of(moment.seat)
    first = (
        say("You said <b>{own}</b>. At the table {player} said the same.", own=said, player=who)
        if judged.played == answer
        else say(
            "You said <b>{own}</b>. At the table {player} said {call}.",
            own=said,
            player=who,
            call=done,
        )
    )
    told = [_ending(replayed)]
    if judged.by_makers and judged.could_be_made is not None:
        told.append(
            say("With all cards open that contract can be made.")
            if judged.could_be_made
            else say("With all cards open that contract cannot be made.")
        )
    return first, " ".join(told)


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
        guide = same_cards.found_at(facts, place).guide
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


def field_takes_long() -> bool:
    """Return whether it takes seconds to find out what the field does, so that it waits."""
    return int(snapshot.totals()["hands"]) > MOST_FOR_THE_FIELD
