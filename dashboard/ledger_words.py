"""The ledger of a hand in words: what each part was, whose, and the two or three that mattered."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal

from dashboard.cells import Track, step
from dashboard.labels import counted
from dashboard.ledger_chart import SURE, Bar, ends_of, number_text, signed_text
from dashboard.tables import Cell, Lines
from replay import Replay
from replay.open_cards import OpenHand
from replay.render.sentences import result_text
from replay.study.ledger import Amount, Ledger, Part, Term
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


def value_in(amount: Amount, unit: Unit) -> Fraction:
    """Return an amount in a unit that the ledger has an account in."""
    value = amount.points if unit == "points" else amount.score
    if value is None:
        raise ValueError(f"there is no account in {unit}")
    return value


def error_in(term: Term, unit: Unit) -> float:
    """Return the standard error of a part."""
    return term.points_error if unit == "points" else term.score_error


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
    start = float(value_in(ledger.start, unit))
    error = ledger.points_error if unit == "points" else ledger.score_error
    bars = [Bar("start", ("an average", "deal"), 0.0, start, error, total=True)]
    now = start
    for term in ledger.terms:
        if term.name == "makers":
            bars.append(Bar("best play", ("all cards", "open"), 0.0, now, 0.0, total=True))
        after = now + float(value_in(term.amount, unit))
        luck = term.whose == "luck"
        below = _below(replayed, ledger, term, unit)
        bars.append(Bar(NAMES[term.name], below, now, after, error_in(term, unit), luck=luck))
        now = after
    result = float(value_in(ledger.result, unit))
    return [*bars, Bar("result", _ending(ledger), 0.0, result, 0.0, total=True)]


def bar_rows(bars: Sequence[Bar], need: int | None) -> list[tuple[Cell, ...]]:
    """Return the bars as rows of a table: the part, its bar on one scale, its number."""
    low, high = ends_of(bars, need)
    track = Track(low, high, 0.0)
    rows: list[tuple[Cell, ...]] = []
    for bar in bars:
        off = f" ±{SURE * bar.error:.1f}" if bar.error else ""
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


def _below(replayed: Replay, ledger: Ledger, term: Term, unit: Unit) -> tuple[str, ...]:
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
    lines = [
        f"{names[seat]} {signed_text(float(value_in(amount, unit)))}"
        for seat, amount in term.players
        if value_in(amount, unit)
    ]
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
        f"{names[each.seat]} {' '.join(card_words(card) for card in each.cards)} −{each.loss}"
        for each in lost[:_CARDS_TOLD]
    ]
    return ", ".join(told) or "no card cost anything"


def in_words(replayed: Replay, ledger: Ledger, unit: Unit) -> str:
    """Return two or three sentences about what brought the result."""
    start = float(value_in(ledger.start, unit))
    lines = []
    terms = sorted(ledger.terms, key=lambda each: -abs(value_in(each.amount, unit)))
    told = start
    for term in terms[:_TOLD]:
        value = float(value_in(term.amount, unit))
        if abs(value) >= max(_HALF, SURE * error_in(term, unit)):
            lines.append(_sentence(term.name, value, unit))
            told += value
    if lines and len(lines) < len(terms):
        rest = float(value_in(ledger.result, unit)) - told
        lines.append(f"The other parts come to {signed_text(rest)} together.")
    if not lines:
        lines.append("Nothing in this hand weighs more than the sampling is off.")
    made = " ".join(result_text(replayed)[:1])
    return (
        f"The makers start from {number_text(start)}, what an average deal brings here. "
        f"{' '.join(lines)} {made}"
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
    return [(name, told, number_text(-lost)) for lost, name, told in rows]


def table_rows(replayed: Replay, ledger: Ledger) -> Sequence[tuple[str, str, str, str, str]]:
    """Return the rows of the table: part, what it was, points, score, whose."""
    rows = [
        (
            "start",
            "what an average deal brings to these seats",
            _cell(ledger.start.points, ledger.points_error, signed=False),
            _cell(ledger.start.score, ledger.score_error),
            "",
        )
    ]
    rows += [
        (
            NAMES[term.name],
            what_it_was(replayed, ledger, term.name),
            _cell(term.amount.points, term.points_error),
            _cell(term.amount.score, term.score_error),
            term.whose,
        )
        for term in ledger.terms
    ]
    ending = " ".join(_ending(ledger))
    result = ledger.result
    rows.append(
        ("result", ending, _cell(result.points, 0.0, signed=False), _cell(result.score, 0.0), "")
    )
    return rows


def _cell(value: Fraction | None, error: float, *, signed: bool = True) -> str:
    if value is None:
        return "—"
    text = signed_text(float(value)) if signed else number_text(float(value))
    return f"{text} ±{SURE * error:.1f}" if error else text
