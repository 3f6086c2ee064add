"""The ledger of a hand in words: what each part was, whose, and the two or three that mattered."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tricklog.core import Replay
from tricklog.core.render.sentences import result_text
from tricklog.core.study import OpenHand
from tricklog.core.study.ledger import Ledger, Part, Shown, Term, Whose, shown_in
from tricklog.core.study.sampling import Unit
from tricklog.dashboard.kit.cells import Track, step
from tricklog.dashboard.kit.tables import Cell, Lines
from tricklog.dashboard.pages.ledger.chart import Bar, ends_of, number_text, signed_text
from tricklog.schemas.languages.messages import Message, mark, message_in, message_of, say, say_in
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import card_words, player_labels, trump_said
from tricklog.schemas.words import cards_counted

UNITS: Final[tuple[Unit, ...]] = ("points", "score")
NAMES: Final[dict[Part, Message]] = {
    "deal": message_in("of a ledger", "deal"),
    "auction": message_in("of a ledger", "auction"),
    "exchange": message_in("of a ledger", "exchange"),
    "draw": message_in("of a ledger", "draw"),
    "makers": message_in("of a ledger", "makers' play"),
    "defence": message_in("of a ledger", "defence"),
}
_WHOSE: Final[dict[Whose, Message]] = {
    "luck": message_in("whose a part is", "luck"),
    "choice": message_in("whose a part is", "choice"),
    "none": message_in("whose a part is", "none"),
}
_SENTENCES: Final[dict[Part, tuple[str, str]]] = {
    "deal": (
        mark("The cards dealt brought the makers {amount}."),
        mark("The cards dealt cost the makers {amount}."),
    ),
    "auction": (
        mark("The contract, against par of the auction, brought the makers {amount}."),
        mark("The contract, against par of the auction, cost the makers {amount}."),
    ),
    "exchange": (
        mark("Choices in the exchange brought the makers {amount}."),
        mark("Choices in the exchange cost the makers {amount}."),
    ),
    "draw": (
        mark("The cards that came after the auction brought the makers {amount}."),
        mark("The cards that came after the auction cost the makers {amount}."),
    ),
    "makers": (
        mark("The makers' own cards brought the makers {amount}."),
        mark("The makers' own cards cost the makers {amount}."),
    ),
    "defence": (
        mark("The cards of the defence brought the makers {amount}."),
        mark("The cards of the defence cost the makers {amount}."),
    ),
}
"""By part, what is said where it brought the makers something, and where it cost them something."""
_LONGEST: Final = 24
"""Letters of a name that are shown."""
_TOLD: Final = 3
_CARDS_TOLD: Final = 4
_HALF: Final = 0.5
"""Parts that are less than this are left out of the words."""


def unit_words(unit: str) -> str:
    """Return what something is counted in: points, score, or tricks."""
    words = {
        "points": message_in("a unit", "points"),
        "score": message_in("a unit", "score"),
        "tricks": message_in("a unit", "tricks"),
    }
    return str(words[unit])


def shown_of(ledger: Ledger, unit: Unit) -> Shown:
    """Return a ledger as it is shown, in a unit that it has an account in."""
    shown = shown_in(ledger, unit)
    if shown is None:
        raise ValueError(f"there is no account in {unit}")
    return shown


def names_of(replayed: Replay) -> list[str]:
    """Return what the players are called, each on one line and no longer than a chart has room."""
    return [shortened(one_line(label)) for label in player_labels(replayed.hand)]


def shortened(name: str) -> str:
    """Return a name, or as much of it as a chart and a sentence have room for."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def makers_of(replayed: Replay, ledger: Ledger) -> str:
    """Return who the makers are."""
    if ledger.opened.unit == "tricks":
        return names_of(replayed)[ledger.maker]
    return " & ".join(names_of(replayed)[seat] for seat in ledger.makers)


def bars_of(replayed: Replay, ledger: Ledger, unit: Unit) -> list[Bar]:
    """Return the bars of the chart: start, parts, best play before the play, result."""
    shown = shown_of(ledger, unit)
    now = shown.start
    off = ledger.start.reach_in(unit)
    bars = [Bar(say_in("of a ledger", "start"), _average(), 0.0, float(now), off, total=True)]
    for term, part, players in zip(ledger.terms, shown.parts, shown.players, strict=True):
        if term.name == "makers":
            bars.append(Bar(*_best_play(), 0.0, float(now), 0.0, total=True))
        below = _below(replayed, ledger, term, players)
        ends = float(now), float(now + part)
        luck = term.whose == "luck"
        bars.append(Bar(str(NAMES[term.name]), below, *ends, term.amount.reach_in(unit), luck=luck))
        now += part
    result = float(shown.result)
    return [
        *bars,
        Bar(say_in("of a ledger", "result"), _ending(ledger), 0.0, result, 0.0, total=True),
    ]


def _average() -> tuple[str, str]:
    """Return what stands under the bar of the start, in two lines."""
    return say_in("two lines: an average deal", "an average"), say_in(
        "two lines: an average deal", "deal"
    )


def _best_play() -> tuple[str, tuple[str, str]]:
    """Return the name of the bar of best play, and the lines under it."""
    first = say_in("two lines: all cards open", "all cards")
    return say("best play"), (first, say_in("two lines: all cards open", "open"))


def bar_rows(bars: Sequence[Bar], need: int | None) -> list[tuple[Cell, ...]]:
    """Return the bars as rows of a table: the part, its bar on one scale, its number."""
    low, high = ends_of(bars, need)
    track = Track(low, high, 0.0)
    rows: list[tuple[Cell, ...]] = []
    for bar in bars:
        off = f" ±{number(bar.reach, 1)}" if bar.reach else ""
        start = 0.0 if bar.total else bar.start
        picture = step(track, start, bar.end, f"{bar.name} {bar.text}", bar.kind)
        rows.append((Lines((bar.name, *bar.below)), picture, f"{bar.text}{off}"))
    return rows


def exact_bars(opened: OpenHand) -> list[Bar]:
    """Return the bars that are known without sampling, in points: best play, play, result."""
    par, outcome = opened.par.low, opened.outcome.low
    lost = sum(each.loss or 0 for each in opened.decisions if each.by_makers)
    return [
        Bar(*_best_play(), 0.0, par, 0.0, total=True),
        Bar(str(NAMES["makers"]), (), par, par - lost, 0.0),
        Bar(str(NAMES["defence"]), (), par - lost, outcome, 0.0),
        Bar(say_in("of a ledger", "result"), (), 0.0, outcome, 0.0, total=True),
    ]


def _below(
    replayed: Replay, ledger: Ledger, term: Term, players: Sequence[tuple[int, Fraction]]
) -> tuple[str, ...]:
    """Return the lines under the name of a part."""
    if term.name == "deal":
        return (say("the cards dealt"),)
    if term.name == "auction":
        return (contract_words(replayed, ledger),)
    if term.whose == "none":
        return (say("no choice") if term.name == "exchange" else say("nothing to draw"),)
    if term.name == "draw":
        return (say("cards that came"),)
    names = names_of(replayed)
    lines = [f"{names[seat]} {signed_text(float(value))}" for seat, value in players if value]
    return tuple(lines) or (say("cost nothing"),)


def contract_words(replayed: Replay, ledger: Ledger) -> str:
    """Return who undertook what, shortly."""
    name = names_of(replayed)[ledger.maker]
    if ledger.opened.unit == "tricks":
        return say("{player} alone", player=name)
    return f"{name} {ledger.par.bid or say('no bid')}"


def _ending(ledger: Ledger) -> tuple[str, ...]:
    outcome, need = ledger.opened.outcome.low, ledger.opened.need
    if need is None:
        return ()
    if outcome >= need:
        return (say("made with {points}", points=number_text(outcome)),)
    return (say("set by {points}", points=number_text(need - outcome)),)


def what_it_was(replayed: Replay, ledger: Ledger, part: Part) -> str:
    """Return what a part consists of, for the table."""
    term = ledger.term(part)
    if part == "deal":
        return say("the cards dealt, with the auction at par")
    if part == "auction":
        return f"{_called(replayed, ledger)}; {_par_words(replayed, ledger)}"
    if part == "exchange":
        return _exchanged(replayed, term)
    if part == "draw":
        after = say("cards that came after the auction")
        return after if term.whose == "luck" else say("none came")
    return _dearest(replayed, ledger.opened, by_makers=part == "makers")


def _called(replayed: Replay, ledger: Ledger) -> str:
    trumps = replayed.at(len(replayed)).named_trump
    words = contract_words(replayed, ledger)
    return words if trumps is None or trumps < 0 else f"{words}, {trump_said(trumps)}"


def _par_words(replayed: Replay, ledger: Ledger) -> str:
    par = ledger.par.contract
    if par is None:
        return say("nobody could make a bid")
    name = names_of(replayed)[par.maker]
    if par.trump < 0:
        return say("at par {player} {bid}", player=name, bid=par.number)
    trump = trump_said(par.trump)
    return say("at par {player} {bid}, {trump}", player=name, bid=par.number, trump=trump)


def _exchanged(replayed: Replay, term: Term) -> str:
    if term.whose == "none":
        return say("nothing to choose")
    names = [names_of(replayed)[seat] for seat, _ in term.players]
    if names:
        return say("choices of {players}", players=", ".join(names))
    return say("as the cards are usually laid off")


def _dearest(replayed: Replay, opened: OpenHand, *, by_makers: bool) -> str:
    """Return the cards of one side that cost most, with who played them."""
    lost = [each for each in opened.decisions if each.by_makers == by_makers and each.loss]
    lost.sort(key=lambda each: -(each.loss or 0))
    names = names_of(replayed)
    told = [
        say(
            "{player} {cards} cost {points}",
            player=names[each.seat],
            cards=" ".join(card_words(card) for card in each.cards),
            points=each.loss,
        )
        for each in lost[:_CARDS_TOLD]
    ]
    return ", ".join(told) or say("no card cost anything")


def in_words(replayed: Replay, ledger: Ledger, unit: Unit) -> str:
    """Return two or three sentences about what brought the result."""
    shown = shown_of(ledger, unit)
    lines = []
    terms = sorted(ledger.terms, key=lambda each: -abs(shown.part(each.name)))
    told = shown.start
    for term in terms[:_TOLD]:
        value = shown.part(term.name)
        if abs(value) >= max(_HALF, term.amount.reach_in(unit)):
            lines.append(_sentence(term.name, float(value), unit))
            told += value
    if lines and len(lines) < len(terms):
        rest = float(shown.result - told)
        lines.append(say("The other parts come to {amount} together.", amount=signed_text(rest)))
    if not lines:
        lines.append(say("Nothing in this hand weighs more than the sampling is off."))
    made = " ".join(result_text(replayed)[:1])
    start = say(
        "The makers start from {amount}, what an average deal brings here.",
        amount=number_text(float(shown.start)),
    )
    return f"{start} {' '.join(lines)} {made}".strip()


def _sentence(part: Part, value: float, unit: Unit) -> str:
    amount = number_text(abs(value))
    if unit == "score":
        amount = say("{amount} of score", amount=amount)
    gained, lost = _SENTENCES[part]
    return str(message_of(gained if value > 0 else lost, {"amount": amount}))


def player_rows(replayed: Replay, opened: OpenHand) -> list[tuple[str, str, str]]:
    """Return for each player, dearest first: name, cards with a cost, what they cost together."""
    names = names_of(replayed)
    rows = []
    for seat, name in enumerate(names):
        own = [each for each in opened.decisions if each.seat == seat]
        lost = [each.loss for each in own if each.loss]
        if own:
            cards = cards_counted(len(own))
            told = say("{count} of {cards}", count=len(lost), cards=cards)
            rows.append((sum(lost), name, told))
    rows.sort(key=lambda each: -each[0])
    return [(name, told, number_text(lost)) for lost, name, told in rows]


def table_rows(replayed: Replay, ledger: Ledger) -> Sequence[tuple[str, str, str, str, str]]:
    """Return the rows of the table: part, what it was, points, score, whose."""
    heads = [
        (
            say_in("of a ledger", "start"),
            say("what an average deal brings to these seats"),
            "",
        ),
        *(
            (
                str(NAMES[at.name]),
                what_it_was(replayed, ledger, at.name),
                str(_WHOSE[at.whose]),
            )
            for at in ledger.terms
        ),
        (say_in("of a ledger", "result"), " ".join(_ending(ledger)), ""),
    ]
    columns = _column(ledger, "points"), _column(ledger, "score")
    return [
        (part, what, points, score, whose)
        for (part, what, whose), points, score in zip(heads, *columns, strict=True)
    ]


def _column(ledger: Ledger, unit: Unit) -> list[str]:
    """Return the cells of one column: start, parts, result; points that are no difference bare."""
    shown = shown_in(ledger, unit)
    if shown is None:
        return ["—"] * (len(ledger.terms) + 2)
    whole = number_text if unit == "points" else signed_text
    cells = [_cell(whole(float(shown.start)), ledger.start.reach_in(unit))]
    for term, part in zip(ledger.terms, shown.parts, strict=True):
        cells.append(_cell(signed_text(float(part)), term.amount.reach_in(unit)))
    return [*cells, whole(float(shown.result))]


def _cell(text: str, reach: float) -> str:
    return f"{text} ±{number(reach, 1)}" if reach else text
