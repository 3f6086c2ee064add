"""Questions and answers as HTML. Text from logs goes through ``text/escaping.py``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tricklog.dashboard.pages.practice.going_on import GoingOn
from tricklog.dashboard.pages.practice.judging import Judged, Worth, cards_of
from tricklog.dashboard.pages.practice.known import Known
from tricklog.dashboard.pages.practice.moments import ASK, Kind, Moment
from tricklog.dashboard.pages.practice.phrases import (
    exchange_words,
    makers_unit,
    played_tag,
    question_of,
    value_text,
    you_tag,
)
from tricklog.dashboard.text.escaping import AS_TEXT, as_html, name_html, sentence_html
from tricklog.schemas.cards import JOKER, SUIT_GLYPHS, SUITS, card_name, cards_in, pretty_card
from tricklog.schemas.languages.messages import say, say_in
from tricklog.schemas.render import card_words, player_labels, trump_sign, trump_words
from tricklog.schemas.words import cards_counted, tricks_counted

_SUIT_SIZE: Final = 13
_SHOWN_BACKS: Final = 8
"""Cards face down that are drawn one by one."""
_SOME: Final = 5
_MANY: Final = 6
_FEW: Final = 12


@dataclass(frozen=True, slots=True)
class Names:
    """What the players of a hand are called, and who is asked."""

    all: tuple[str, ...]
    own: int

    @classmethod
    def of(cls, moment: Moment) -> Names:
        """Return the names of the hand of a question."""
        return cls(tuple(player_labels(moment.replayed.hand)), moment.seat)

    def html(self, seat: int) -> str:
        """Return the name at a seat."""
        return name_html(self.all[seat])

    def or_you(self, seat: int) -> str:
        """Return the name at a seat, ``you`` for the player who is asked."""
        return say_in("the player who is asked", "you") if seat == self.own else self.html(seat)


# --- Cards


def suit_of(card: int) -> str:
    """Return the letter of a card's suit, ``N`` for the joker."""
    return "N" if card == JOKER else SUITS[card // _SUIT_SIZE]


def pip(card: int) -> str:
    """Return a card within a line of text."""
    if card < 0:
        return '<span class="tl-pip tl-N">?</span>'
    words, suit = as_html(card_words(card)), suit_of(card)
    return (
        f'<span class="tl-pip tl-{suit}" role="img" aria-label="{words}">'
        f"{pretty_card(card)}{AS_TEXT}</span>"
    )


def pips(cards: Iterable[int]) -> str:
    """Return cards one after the other within a line of text."""
    return " ".join(map(pip, cards))


def face(card: int, marks: str = "") -> str:
    """Return a card face up; ``marks`` are classes."""
    if card < 0:
        return back()
    words = as_html(card_words(card))
    name, suit = card_name(card), suit_of(card)
    rank = "★" if card == JOKER else name[0].replace("T", "10")
    glyph = "★" if card == JOKER else SUIT_GLYPHS[SUITS.index(suit)] + AS_TEXT
    return (
        f'<span class="tlp-card tl-{suit} {marks}" role="img" aria-label="{words}">'
        f"<b>{rank}</b><i>{glyph}</i></span>"
    )


def back() -> str:
    """Return a card face down."""
    words = as_html(say("a card face down"))
    return f'<span class="tlp-card tlp-back" role="img" aria-label="{words}"></span>'


def _backs(count: int) -> str:
    if not count:
        return f'<span class="tlp-quiet">{say("no cards")}</span>'
    if count > _SHOWN_BACKS:
        return f'<span class="tlp-quiet">{cards_counted(count)}</span>'
    return back() * count


# --- The table


def head_html(known: Known, names: Names, told: str) -> str:
    """Return the title with the contract and the points of each side so far."""
    parts = [f"<h2>{say('Practice')}</h2><span>{told}</span>"]
    if known.deed:
        maker = names.html(known.maker) if known.maker is not None else say("Somebody")
        trump = _trump_html(known)
        stake = f" · {known.stake}" if known.stake else ""
        parts.append(
            f'<span class="tlp-chip"><b>{maker} {as_html(known.deed)}</b>{trump}{stake}</span>'
        )
    sides = _sides(known, names)
    parts += [f'<span class="tlp-chip">{who} <b>{points}</b></span>' for who, points in sides]
    return f'<div class="tlp-head">{"".join(parts)}</div>'


def _trump_html(known: Known) -> str:
    if known.trump is None:
        return f" · {say('trumps hidden')}" if known.trump_is_hidden else ""
    trump = f"{sentence_html(trump_sign(known.trump))} {trump_words(known.trump)}"
    if known.trump_is_hidden:
        return f" · {say('trumps {trump} (hidden)', trump=trump)}"
    return f" · {say('trumps {trump}', trump=trump)}"


def _sides(known: Known, names: Names) -> list[tuple[str, int]]:
    """Return the sides with their points of tricks, once there are tricks."""
    if not known.is_play:
        return []
    own = known.points[known.seat % len(known.points)]
    if _is_alone(known):
        return [(names.or_you(known.seat), own)]
    return [(_side_html(known, names, side), each) for side, each in enumerate(known.points)]


def _is_alone(known: Known) -> bool:
    return len(known.points) == len(known.seats)


def _side_html(known: Known, names: Names, side: int) -> str:
    count = len(known.points)
    seats = range(side, len(known.seats), count)
    return " &amp; ".join(names.html(each) for each in seats)


def strip_html(
    title: str, below: str, lines: Sequence[str], *, tone: str = "", sum_: str = ""
) -> str:
    """Return the strip above the table; ``lines`` and ``below`` are HTML."""
    told = "".join(f"<p>{each}</p>" for each in lines)
    total = f'<strong class="tlp-sum">{sum_}</strong>' if sum_ else ""
    return (
        f'<div class="tlp-strip {tone}"><div><b>{title}</b><span>{below}</span></div>'
        f"<div>{told}</div>{total}</div>"
    )


def question_lines(known: Known, moment: Moment, names: Names) -> list[str]:
    """Return what has just happened and what is asked, and what may be chosen."""
    return [f"{_before(known, moment, names)} <b>{question_of(moment)}</b>", _allowed(moment)]


def _before(known: Known, moment: Moment, names: Names) -> str:
    if moment.kind == Kind.CARD and known.on_table:
        told = [
            _on_table(known, names, seat, card, is_lead=not at)
            for at, (seat, card) in enumerate(known.on_table)
        ]
        first = told[0][:1].upper() + told[0][1:]
        return f"{', '.join([first, *told[1:]])}."
    if moment.kind == Kind.CARD:
        return say("You lead.")
    if known.calls and moment.kind == Kind.CALL:
        told = [f"{names.or_you(seat)} {as_html(words)}" for seat, words in known.calls[-3:]]
        return say("Before you: {calls}.", calls=" · ".join(told))
    return say("Nobody has spoken before you.") if moment.kind == Kind.CALL else ""


def _on_table(known: Known, names: Names, seat: int, card: int, *, is_lead: bool) -> str:
    values = {"player": names.html(seat), "card": pip(card)}
    if seat in known.partners:
        if is_lead:
            return say("your partner {player} led {card}", **values)
        return say("your partner {player} played {card}", **values)
    if is_lead:
        return say("{player} led {card}", **values)
    return say("{player} played {card}", **values)


def _allowed(moment: Moment) -> str:
    legal = moment.legal
    if moment.kind == Kind.CARD:
        cards = [each.card for each in moment.options if each.card >= 0]
        held = moment.view.holdings[moment.seat].bit_count()
        if len(cards) == held:
            return say("Every card is allowed.")
        return say("Allowed are {cards}.", cards=pips(cards))
    if moment.kind == Kind.CARDS:
        if legal.least == legal.most:
            return f"{cards_counted(legal.least)}."
        most = cards_counted(legal.most)
        return say("{least} to {most}.", least=legal.least, most=most)
    return ""


def table_html(
    known: Known, names: Names, hands: Sequence[Sequence[int]] | None = None, own: str = ""
) -> str:
    """Return everybody but the player asked around the trick; ``hands`` opens their cards.

    ``own``: the player's place as HTML, where it is no row of buttons below the table.
    """
    count = len(known.seats)
    places = [
        _seat_html(known, names, seat, None if hands is None else hands[seat])
        for seat in range(count)
        if seat != known.seat
    ]
    trick = dict(known.on_table)
    laid = "".join(
        f'<li class="s{_place(known, seat)}" aria-label="{as_html(names.all[seat])}">'
        f"{face(card) if card is not None else _EMPTY}</li>"
        for seat in range(count)
        for card in [trick.get(seat)]
    )
    number = f'<p class="tlp-quiet">{as_html(known.place)}</p>' if not known.on_table else ""
    title = as_html(say("The trick"))
    middle = f'<ol class="tlp-trick" aria-label="{title}">{laid}</ol>' if known.is_play else ""
    return (
        f'<div class="tlp-felt" data-seats="{count}">{"".join(places)}'
        f'<div class="tlp-mid">{middle}{number}</div>{own}</div>'
    )


_EMPTY: Final = '<span class="tlp-card tlp-empty"></span>'


def _place(known: Known, seat: int) -> int:
    return (seat - known.seat) % len(known.seats)


def _seat_html(known: Known, names: Names, seat: int, cards: Sequence[int] | None) -> str:
    shown = _backs(known.seats[seat].cards) if cards is None else "".join(map(face, cards))
    gone = " tlp-gone" if known.seats[seat].is_out else ""
    return (
        f'<section class="tlp-seat s{_place(known, seat)}{gone}" '
        f'aria-label="{as_html(names.all[seat])}">{seat_head(known, names, seat)}'
        f'<div class="tlp-fan{_fan_class(known.seats[seat].cards)}">{shown}</div></section>'
    )


def _fan_class(cards: int) -> str:
    """Return what makes cards smaller where there are many side by side."""
    if cards > _MANY:
        return " tlp-most"
    return " tlp-many" if cards > _SOME else ""


def seat_head(known: Known, names: Names, seat: int, turn: str = "") -> str:
    """Return the name at a seat with what it is and has done; ``turn`` says so of who acts."""
    told = known.seats[seat]
    tags = [f'<span class="tlp-tag tlp-role">{each}</span>' for each in told.roles]
    if told.tricks:
        tags.append(f'<span class="tlp-tag">{tricks_counted(told.tricks)}</span>')
    if told.calls:
        said = say_in("a tag of a seat", "said {calls}", calls=as_html(", ".join(told.calls)))
        tags.append(f'<span class="tlp-tag">{said}</span>')
    if seat in known.partners:
        tags.append(f'<span class="tlp-quiet">{say_in("a tag of a seat", "partner")}</span>')
    if turn:
        tags.append(f'<span class="tlp-tag tlp-turn">{turn}</span>')
    return f"<header><b>{names.html(seat)}</b>{''.join(tags)}</header>"


# --- What the player knows


def known_html(known: Known, names: Names) -> str:
    """Return what the player asked has seen, as a list, and what they can count."""
    rows = []
    if known.scores:
        scores = [
            f"{_side_html(known, names, side)} {score}" for side, score in enumerate(known.scores)
        ]
        rows.append((say_in("what the player knows", "score"), " · ".join(scores)))
    if known.calls:
        calls = [f"{names.or_you(seat)} {as_html(words)}" for seat, words in known.calls]
        rows.append((say_in("what the player knows", "auction"), " · ".join(calls)))
    if known.laid_off:
        rows.append((say("you laid off"), pips(known.laid_off)))
    if known.exchanged:
        rows.append((say_in("what the player knows", "exchange"), _exchanged(known, names)))
    if known.buried:
        piles = [f"{names.html(seat)} {pips(cards)}" for seat, cards in known.buried]
        rows.append((say_in("what the player knows", "buried"), " · ".join(piles)))
    rows += [
        (
            say("trick {number}", number=trick.number),
            _trick_html(trick.plays, trick.winner, trick.points, names),
        )
        for trick in known.tricks
    ]
    listed = "".join(f"<dt>{title}</dt><dd>{told}</dd>" for title, told in rows)
    parts = [f"<h3>{say('What {player} knows', player=names.html(known.seat))}</h3>"]
    parts.append(f'<dl class="tlp-known">{listed}</dl>' if rows else "")
    if known.unseen_trumps and len(known.unseen_trumps) <= _FEW:
        parts.append(
            f'<div class="tlp-box tlp-grey"><b>{say("Trumps not seen yet")}</b><br>'
            f"{pips(known.unseen_trumps)}</div>"
        )
    if told := _at_stake(known):
        parts.append(f'<div class="tlp-box tlp-blue">{told}</div>')
    return "".join(parts)


def _exchanged(known: Known, names: Names) -> str:
    return " · ".join(
        exchange_words(verb, count, names.html(seat), is_own=seat == names.own)
        for seat, verb, count in known.exchanged
    )


def _trick_html(
    plays: Iterable[tuple[int, int]], winner: int | None, points: int, names: Names
) -> str:
    taken = f", {points}" if points else ""
    won = "" if winner is None else f" {names.or_you(winner)}{taken}"
    return f"{pips(card for _, card in plays)}{won}"


def _at_stake(known: Known) -> str:
    told = []
    if known.to_come and len(known.to_come) <= _FEW:
        listed = ", ".join(f"{pip(card)} {points}" for card, points in known.to_come)
        told.append(say("Points in no trick so far: {cards}.", cards=listed))
    if known.need is not None and known.maker is not None:
        side = known.maker % len(known.points)
        is_own = known.maker == known.seat or known.maker in known.partners
        if len(known.points) < len(known.seats) or known.maker == known.seat:
            values = {"points": known.points[side], "need": known.need}
            told.append(
                say("Your side has {points} and needs {need}.", **values)
                if is_own
                else say("The makers have {points} and need {need}.", **values)
            )
    return " ".join(told)


# --- The answer


def own_html(known: Known, names: Names, judged: Judged, answer: str) -> str:
    """Return the player's own cards with the value of each below it, and what was chosen."""
    if judged.moment.kind == Kind.CARDS:
        marked = _marks_of_sets(judged, answer)
        cards = "".join(
            f'<div class="tlp-choice">{face(card, marked.get(card, ""))}</div>'
            for card in known.held
        )
    else:
        rows = {each.text: each for each in judged.rows}
        is_play = judged.moment.kind == Kind.CARD
        cards = "".join(
            _choice_html(card, rows.get(f"play {card_name(card)}"), judged, answer)
            if is_play
            else face(card)
            for card in known.held
        )
    return (
        f'<section class="tlp-seat s0 tlp-own" aria-label="{as_html(names.all[known.seat])}">'
        f"{seat_head(known, names, known.seat)}<div class='tlp-fan'>{cards}</div></section>"
    )


def _marks_of_sets(judged: Judged, answer: str) -> dict[int, str]:
    marked = dict.fromkeys(cards_in(cards_of(judged.played)), "tlp-played")
    return marked | dict.fromkeys(cards_in(cards_of(answer)), "tlp-yours")


def _choice_html(card: int, row: Worth | None, judged: Judged, answer: str) -> str:
    if row is None:
        return f'<div class="tlp-choice">{face(card, "tlp-barred")}</div>'
    marks = "tlp-free" if row.cost == 0 else ""
    if row.text == judged.played:
        marks += " tlp-played"
    tags = _tags(row.text, judged.played, answer)
    chip = ""
    if row.value is not None:
        said = say_in("a card played", "cost {cost}", cost=row.cost)
        cost = f" <em>{said}</em>" if row.cost else ""
        free = " tlp-free" if row.cost == 0 else ""
        chip = f'<span class="tlp-value{free}">{value_text(row)}{cost}</span>'
    return f'<div class="tlp-choice">{face(card, marks)}{chip}{tags}</div>'


def _tags(text: str, played: str, answer: str) -> str:
    tags = you_tag() if text == answer else ""
    return tags + (played_tag() if text == played else "")


def bar_html(judged: Judged, answer: str) -> str:
    """Return the points of the makers as a bar: before the decision, after it, and the bid."""
    row, best = judged.row(answer), judged.best
    if row is None or row.value is None or best is None or not judged.most:
        return ""
    low, high = sorted((row.value.low, best.low))
    need = judged.need if judged.need is not None and judged.need <= judged.most else None

    def at(points: int) -> str:
        return f"{100 * points / judged.most:.1f}%"

    bid = say_in("a line across a bar", "bid {bid}", bid=need)
    line = (
        ""
        if need is None
        else f'<i class="tlp-need" style="bottom: {at(need)}"><span>{bid}</span></i>'
    )
    ends = "".join(
        f'<i class="tlp-end" style="bottom: {at(each)}"><span>{each}</span></i>'
        for each in dict.fromkeys((low, high))
    )
    unit = makers_unit(judged)
    said = say(
        "{unit}: {before} before, {after} after your choice",
        unit=unit,
        before=best.low,
        after=row.value.low,
    )
    return (
        f'<div class="tlp-bar" role="img" aria-label="{said}"><p>{unit}</p><div>'
        f'<i class="tlp-sure" style="height: {at(low)}"></i>'
        f'<i class="tlp-moved" style="bottom: {at(low)}; height: {at(high - low)}"></i>'
        f"{line}{ends}</div></div>"
    )


def option_html(moment: Moment, text: str, words: str) -> str:
    """Return an answer within a line of text."""
    if text == ASK:
        return say("to have the trump shown")
    if moment.kind == Kind.CARDS:
        cards = cards_in(cards_of(text))
        return pips(cards) if cards else say("no card")
    return sentence_html(words)


def line_html(found: GoingOn, names: Names, total: str) -> str:
    """Return how the hand goes on, trick by trick; ``total`` is what the makers take."""
    rows = "".join(
        f"<p>{_trick_html(each.plays, each.winner, each.points, names)}</p>" for each in found.lines
    )
    rows += "" if found.is_whole else f"<p>{say('and so on')}</p>"
    title = say("How it goes on with best play: makers {total}", total=total)
    return f'<details class="tlp-box tlp-green" open><summary>{title}</summary>{rows}</details>'
