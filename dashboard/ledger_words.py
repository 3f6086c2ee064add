"""The ledger of a hand in words: what each part was, whose, and the two or three that mattered."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal

from dashboard.cells import Track, step
from dashboard.labels import counted
from dashboard.ledger_chart import Bar, ends_of, number_text, signed_text
from dashboard.tables import Cell, Lines
from replay import Replay
from replay.open_cards import OpenHand
from replay.render.sentences import result_text
from replay.study.ledger import Ledger, Part, Term
from replay.study.shown import Shown, shown_in
from schemas.actions import Verb
from schemas.render import card_words, one_line, player_labels, trump_words

Unit = Literal["points", "score"]
UNITS: Final[tuple[Unit, ...]] = ("points", "score")
NAMES: Final[dict[Part, str]] = {
    "deal": "deal",
    "auction": "auction",
    "exchange": "exchange",
    "draw": "draw",
    "makers": "makers' play",
    "defence": "defence",
}
_LONGEST: Final = 24
"""Letters of a name that are shown."""
_TOLD: Final = 3
_CARDS_TOLD: Final = 4
_HALF: Final = 0.5
"""Parts that are less than this are not told of in words."""


def reach_in(of: Term | Ledger, unit: Unit) -> float:
    """Return how far a part, or the start, may be off either way, 95 % sure."""
    return of.points_reach if unit == "points" else of.score_reach


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
    off = reach_in(ledger, unit)
    bars = [Bar("start", ("an average", "deal"), 0.0, float(now), off, total=True)]
    for term, part, players in zip(ledger.terms, shown.parts, shown.players, strict=True):
        if term.name == "makers":
            bars.append(Bar("best play", ("all cards", "open"), 0.0, float(now), 0.0, total=True))
        below = _below(replayed, ledger, term, players)
        ends = float(now), float(now + part)
        luck = term.whose == "luck"
        bars.append(Bar(NAMES[term.name], below, *ends, reach_in(term, unit), luck=luck))
        now += part
    result = float(shown.result)
    return [*bars, Bar("result", _ending(ledger), 0.0, result, 0.0, total=True)]


def bar_rows(bars: Sequence[Bar], need: int | None) -> list[tuple[Cell, ...]]:
    """Return the bars as rows of a table: the part, its bar on one scale, its number."""
    low, high = ends_of(bars, need)
    track = Track(low, high, 0.0)
    rows: list[tuple[Cell, ...]] = []
    for bar in bars:
        off = f" ±{bar.reach:.1f}" if bar.reach else ""
        start = 0.0 if bar.total else bar.start
        picture = step(track, start, bar.end, f"{bar.name} {bar.text}", bar.kind)
        rows.append((Lines((bar.name, *bar.below)), picture, f"{bar.text}{off}"))
    return rows


def exact_bars(opened: OpenHand) -> list[Bar]:
    """Return the bars that are known without sampling, in points: best play, play, result."""
    par, outcome = opened.par.low, opened.outcome.low
    lost = sum(each.loss or 0 for each in opened.decisions if each.by_makers)
    return [
        Bar("best play", ("all cards", "open"), 0.0, par, 0.0, total=True),
        Bar(NAMES["makers"], (), par, par - lost, 0.0),
        Bar(NAMES["defence"], (), par - lost, outcome, 0.0),
        Bar("result", (), 0.0, outcome, 0.0, total=True),
    ]


def _below(
    replayed: Replay, ledger: Ledger, term: Term, players: Sequence[tuple[int, Fraction]]
) -> tuple[str, ...]:
    """Return the lines under the name of a part."""
    if term.name == "deal":
        return ("the cards dealt",)
    if term.name == "auction":
        return (contract_words(replayed, ledger),)
    if term.whose == "none":
        return ("no choice",) if term.name == "exchange" else ("nothing to draw",)
    if term.name == "draw":
        return ("cards that came",)
    names = names_of(replayed)
    lines = [f"{names[seat]} {signed_text(float(value))}" for seat, value in players if value]
    return tuple(lines) or ("cost nothing",)


def contract_words(replayed: Replay, ledger: Ledger) -> str:
    """Return who undertook what, shortly."""
    name = names_of(replayed)[ledger.maker]
    if ledger.opened.unit == "tricks":
        return f"{name} alone"
    return f"{name} {ledger.par.bid or 'no bid'}"


def _ending(ledger: Ledger) -> tuple[str, ...]:
    outcome, need = ledger.opened.outcome.low, ledger.opened.need
    if need is None:
        return ()
    if outcome >= need:
        return (f"made with {number_text(outcome)}",)
    return (f"set by {number_text(need - outcome)}",)


def what_it_was(replayed: Replay, ledger: Ledger, part: Part) -> str:
    """Return what a part consists of, for the table."""
    term = ledger.term(part)
    if part == "deal":
        return "the cards dealt, with the auction at par"
    if part == "auction":
        return f"{_called(replayed, ledger)}{_par_words(replayed, ledger)}"
    if part == "exchange":
        return _exchanged(replayed, term)
    if part == "draw":
        return "cards that came after the auction" if term.whose == "luck" else "none came"
    return _dearest(replayed, ledger.opened, by_makers=part == "makers")


def _called(replayed: Replay, ledger: Ledger) -> str:
    trumps = next((a.amount for a in replayed.actions if a.verb == Verb.TRUMP), None)
    words = contract_words(replayed, ledger)
    return words if trumps is None or trumps < 0 else f"{words}, {trump_words(trumps)}"


def _par_words(replayed: Replay, ledger: Ledger) -> str:
    par = ledger.par.contract
    if par is None:
        return "; nobody could make a bid"
    name = names_of(replayed)[par.maker]
    trumps = "" if par.trump < 0 else f", {trump_words(par.trump)}"
    return f"; at par {name} {par.number}{trumps}"


def _exchanged(replayed: Replay, term: Term) -> str:
    if term.whose == "none":
        return "nothing to choose"
    names = [names_of(replayed)[seat] for seat, _ in term.players]
    return f"choices of {', '.join(names)}" if names else "as the cards are usually laid off"


def _dearest(replayed: Replay, opened: OpenHand, *, by_makers: bool) -> str:
    """Return the cards of one side that cost most, with who played them."""
    lost = [each for each in opened.decisions if each.by_makers == by_makers and each.loss]
    lost.sort(key=lambda each: -(each.loss or 0))
    names = names_of(replayed)
    told = [
        f"{names[each.seat]} {' '.join(card_words(card) for card in each.cards)} cost {each.loss}"
        for each in lost[:_CARDS_TOLD]
    ]
    return ", ".join(told) or "no card cost anything"


def in_words(replayed: Replay, ledger: Ledger, unit: Unit) -> str:
    """Return two or three sentences about what brought the result."""
    shown = shown_of(ledger, unit)
    lines = []
    terms = sorted(ledger.terms, key=lambda each: -abs(shown.part(each.name)))
    told = shown.start
    for term in terms[:_TOLD]:
        value = shown.part(term.name)
        if abs(value) >= max(_HALF, reach_in(term, unit)):
            lines.append(_sentence(term.name, float(value), unit))
            told += value
    if lines and len(lines) < len(terms):
        rest = float(shown.result - told)
        lines.append(f"The other parts come to {signed_text(rest)} together.")
    if not lines:
        lines.append("Nothing in this hand weighs more than the sampling is off.")
    made = " ".join(result_text(replayed)[:1])
    return (
        f"The makers start from {number_text(float(shown.start))}, what an average deal brings "
        f"here. {' '.join(lines)} {made}"
    ).strip()


def _sentence(part: Part, value: float, unit: Unit) -> str:
    amount = number_text(abs(value))
    gave = "brought the makers" if value > 0 else "cost the makers"
    whose = {
        "deal": "The cards dealt",
        "auction": "The contract, against par of the auction,",
        "exchange": "Choices in the exchange",
        "draw": "The cards that came after the auction",
        "makers": "The makers' own cards",
        "defence": "The cards of the defence",
    }[part]
    return f"{whose} {gave} {amount}{' of score' if unit == 'score' else ''}."


def player_rows(replayed: Replay, opened: OpenHand) -> list[tuple[str, str, str]]:
    """Return for each player, dearest first: name, cards with a cost, what they cost together."""
    names = names_of(replayed)
    rows = []
    for seat, name in enumerate(names):
        own = [each for each in opened.decisions if each.seat == seat]
        lost = [each.loss for each in own if each.loss]
        if own:
            told = f"{len(lost)} of {counted(len(own), 'card')}"
            rows.append((sum(lost), name, told))
    rows.sort(key=lambda each: -each[0])
    return [(name, told, number_text(lost)) for lost, name, told in rows]


def table_rows(replayed: Replay, ledger: Ledger) -> Sequence[tuple[str, str, str, str, str]]:
    """Return the rows of the table: part, what it was, points, score, whose."""
    heads = [
        ("start", "what an average deal brings to these seats", ""),
        *(
            (NAMES[at.name], what_it_was(replayed, ledger, at.name), at.whose)
            for at in ledger.terms
        ),
        ("result", " ".join(_ending(ledger)), ""),
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
    cells = [_cell(whole(float(shown.start)), reach_in(ledger, unit))]
    for term, part in zip(ledger.terms, shown.parts, strict=True):
        cells.append(_cell(signed_text(float(part)), reach_in(term, unit)))
    return [*cells, whole(float(shown.result))]


def _cell(text: str, reach: float) -> str:
    return f"{text} ±{reach:.1f}" if reach else text
