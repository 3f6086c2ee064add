"""The ledger of a hand in words: what each part was, whose, and the two or three that mattered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from tricklog.core import Replay
from tricklog.core.render.sentences import result_text
from tricklog.core.study import OpenHand
from tricklog.core.study.ledger import Ledger, Part, Shown, Term, Whose, shown_in
from tricklog.core.study.sampling import Unit
from tricklog.dashboard.kit.cells import step, track_of
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.tables import Cell, Lines
from tricklog.schemas.languages.messages import Message, mark, message_in, message_of, say, say_in
from tricklog.schemas.languages.numbers import MINUS, number
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import card_words, player_labels, trump_said
from tricklog.schemas.words import cards_counted

UNIT: Final = "unit"
"""Parameter and key of what a ledger is counted in."""
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
_WHOLE: Final = 0.05
"""What is nearer to a whole number has no place after the point."""

Look = Literal["total", "luck", "gain", "cost"]


class Bar(NamedTuple):
    """A row of the ledger: a sum that stands on the line, or a part from one sum to the next."""

    name: str
    told: tuple[str, ...]
    """What it was, line by line."""
    start: float
    end: float
    look: Look = "total"
    reach: float = 0.0
    """How far it may be off either way, 95 % sure; 0 where it is exact."""
    whose: str = ""

    @property
    def text(self) -> str:
        """Its amount, and how far that may be off."""
        is_sum = self.look == "total"
        text = number_text(self.end) if is_sum else signed_text(self.end - self.start)
        return f"{text} ±{number(self.reach, 1)}" if self.reach else text


def number_text(value: float) -> str:
    """Return a number with one place where it needs one, and a minus people can see."""
    return number(value, _digits(value)).replace("-", MINUS)


def signed_text(value: float) -> str:
    """Return a difference with its sign."""
    return number(value, _digits(value), sign=True)


def _digits(value: float) -> int:
    return 0 if abs(value - round(value)) < _WHOLE else 1


def choose_unit(units: Sequence[Unit]) -> Unit:
    """Let the viewer choose what a ledger is counted in, the first of ``units`` at first."""
    return choose_beside(say_in("a unit", "In"), UNIT, units, unit_words, hides_label=True)


def unit_words(unit: str) -> str:
    """Return what something is counted in: points, score, or tricks."""
    return str(_UNIT_WORDS[unit])


_UNIT_WORDS: Final = {
    "points": message_in("a unit", "points"),
    "score": message_in("a unit", "score"),
    "tricks": message_in("a unit", "tricks"),
}


def _shown_of(ledger: Ledger, unit: Unit) -> Shown:
    """Return a ledger as it is shown, in a unit that it has an account in."""
    shown = shown_in(ledger, unit)
    assert shown is not None, f"there is no account in {unit}"
    return shown


def names_of(replayed: Replay) -> list[str]:
    """Return what the players are called, each on one line and no longer than a chart has room."""
    return [shortened(one_line(label)) for label in player_labels(replayed.hand)]


def shortened(name: str) -> str:
    """Return a name, or as much of it as a chart and a sentence have room for."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def makers_of(replayed: Replay, ledger: Ledger) -> str:
    """Return who the makers are."""
    seats = [ledger.maker] if ledger.opened.unit == "tricks" else ledger.makers
    return " & ".join(names_of(replayed)[seat] for seat in seats)


def bars_of(replayed: Replay, ledger: Ledger, unit: Unit) -> list[Bar]:
    """Return the rows of a ledger: start, parts, best play before the play, result."""
    shown, names = _shown_of(ledger, unit), names_of(replayed)
    now = shown.start
    average = say("what an average deal brings to these seats")
    reach = ledger.start.reach_in(unit)
    bars = [Bar(say_in("of a ledger", "start"), (average,), 0.0, float(now), reach=reach)]
    for term, part, players in zip(ledger.terms, shown.parts, shown.players, strict=True):
        if term.name == "makers":
            bars.append(_best_play(float(now)))
        # What each of those who chose brought the makers stands below.
        brought = (f"{names[seat]} {signed_text(float(each))}" for seat, each in players if each)
        told = _what_it_was(replayed, ledger, term, names), " · ".join(brought)
        bar = _part(term.name, float(now), float(now + part))
        if term.whose == "luck":
            bar = bar._replace(look="luck")
        whose, reach = str(_WHOSE[term.whose]), term.amount.reach_in(unit)
        bars.append(bar._replace(told=tuple(filter(None, told)), whose=whose, reach=reach))
        now += part
    outcome, need = ledger.opened.outcome.low, ledger.opened.need
    ending: tuple[str, ...] = ()
    if need is not None:
        made = say("made with {points}", points=number_text(outcome))
        lost = say("set by {points}", points=number_text(need - outcome))
        ending = (made if outcome >= need else lost,)
    return [*bars, _result(float(shown.result), ending)]


def exact_bars(opened: OpenHand) -> list[Bar]:
    """Return the rows that are known without sampling, in points: best play, play, result."""
    par, outcome = opened.par.low, opened.outcome.low
    played = par - sum(each.loss or 0 for each in opened.decisions if each.by_makers)
    return [
        _best_play(par),
        _part("makers", par, played),
        _part("defence", played, outcome),
        _result(outcome, ()),
    ]


def _part(part: Part, start: float, end: float) -> Bar:
    return Bar(str(NAMES[part]), (), start, end, "gain" if end >= start else "cost")


def _best_play(value: float) -> Bar:
    return Bar(say("best play"), (say("everybody plays best, all cards open"),), 0.0, value)


def _result(value: float, told: tuple[str, ...]) -> Bar:
    return Bar(say_in("of a ledger", "result"), told, 0.0, value)


def rows_of(bars: Sequence[Bar], need: int | None, others: Sequence[str]) -> list[list[Cell]]:
    """Return rows of a table: part, its bar, its amount, what it was, the other amount, whose.

    ``need`` is where a dashed line stands, ``others`` are the amounts in the other unit; without
    them the rows end with the amount.
    """
    track = track_of([need or 0, *(end for each in bars for end in (each.start, each.end))])
    rows: list[list[Cell]] = []
    for at, bar in enumerate(bars):
        said = f"{bar.name} {bar.text}"
        drawn = step(track, bar.start, bar.end, said, bar.look, mark=need)
        more: list[Cell] = [Lines(bar.told), others[at], bar.whose] if others else []
        rows.append([bar.name, drawn, bar.text, *more])
    return rows


def _what_it_was(replayed: Replay, ledger: Ledger, term: Term, names: Sequence[str]) -> str:
    """Return what a part consists of, for the table."""
    if term.name == "deal":
        return say("the cards dealt, with the auction at par")
    if term.name == "auction":
        return f"{_called(replayed, ledger, names)}; {_par_words(ledger, names)}"
    if term.name == "exchange":
        players = ", ".join(names[seat] for seat, _ in term.players)
        if term.whose == "none":
            return say("nothing to choose")
        usual = say("as the cards are usually laid off")
        return say("choices of {players}", players=players) if players else usual
    if term.name == "draw":
        after = say("cards that came after the auction")
        return after if term.whose == "luck" else say("none came")
    by_makers = term.name == "makers"
    lost = [each for each in ledger.opened.decisions if each.by_makers == by_makers and each.loss]
    lost.sort(key=lambda each: -(each.loss or 0))
    dearest = [
        say(
            "{player} {cards} cost {points}",
            player=names[each.seat],
            cards=" ".join(map(card_words, each.cards)),
            points=each.loss,
        )
        for each in lost[:_CARDS_TOLD]
    ]
    return ", ".join(dearest) or say("no card cost anything")


def _called(replayed: Replay, ledger: Ledger, names: Sequence[str]) -> str:
    name, trumps = names[ledger.maker], replayed.at(len(replayed)).named_trump
    words = f"{name} {ledger.par.bid or say('no bid')}"
    if ledger.opened.unit == "tricks":
        words = say("{player} alone", player=name)
    return words if trumps is None or trumps < 0 else f"{words}, {trump_said(trumps)}"


def _par_words(ledger: Ledger, names: Sequence[str]) -> str:
    par = ledger.par.contract
    if par is None:
        return say("nobody could make a bid")
    values = {"player": names[par.maker], "bid": par.number}
    if par.trump < 0:
        return say("at par {player} {bid}", **values)
    return say("at par {player} {bid}, {trump}", trump=trump_said(par.trump), **values)


def in_words(replayed: Replay, ledger: Ledger, unit: Unit) -> str:
    """Return two or three sentences about what brought the result."""
    shown = _shown_of(ledger, unit)
    lines = []
    terms = sorted(ledger.terms, key=lambda each: -abs(shown.part(each.name)))
    told = shown.start
    for term in terms[:_TOLD]:
        value = shown.part(term.name)
        if abs(value) >= max(_HALF, term.amount.reach_in(unit)):
            amount = number_text(abs(float(value)))
            if unit == "score":
                amount = say("{amount} of score", amount=amount)
            gained, lost = _SENTENCES[term.name]
            lines.append(str(message_of(gained if value > 0 else lost, {"amount": amount})))
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


def player_rows(replayed: Replay, opened: OpenHand) -> list[tuple[str, str, str]]:
    """Return for each player, dearest first: name, cards with a cost, what they cost together."""
    rows = []
    for seat, name in enumerate(names_of(replayed)):
        if own := [each.loss or 0 for each in opened.decisions if each.seat == seat]:
            cards, count = cards_counted(len(own)), len([*filter(None, own)])
            rows.append((sum(own), name, say("{count} of {cards}", count=count, cards=cards)))
    rows.sort(key=lambda each: -each[0])
    return [(name, told, number_text(lost)) for lost, name, told in rows]
