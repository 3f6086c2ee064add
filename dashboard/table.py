"""The card table at one step of a hand, as HTML: hands around the trick, legal cards marked.

Every text from the log goes through ``dashboard.plain``. The look is in ``dashboard/style.css``.
"""

from __future__ import annotations

from typing import Final

from dashboard.plain import AS_TEXT, as_html, name_html
from dashboard.words import call_words, counted, trump_sign
from replay import Replay, View
from replay.records import NO_TRUMPS
from replay.telling import roles_of, side_labels, stake_words, undertaking
from schemas.actions import TAKES_CARDS, TAKES_ONE_CARD, TAKES_TWO_CARDS, Verb, trump_suit
from schemas.cards import JOKER, SUIT_GLYPHS, SUITS, cards_in
from schemas.show import card_words, player_labels, rank_text, trump_words

_FROM_HAND: Final = (TAKES_ONE_CARD | TAKES_TWO_CARDS | TAKES_CARDS) - {
    Verb.KITTY,
    Verb.DRAW,
    Verb.ROB,
    Verb.SHOW,
}


def card_html(card: int, marks: tuple[str, ...] = ()) -> str:
    """Return one card face; ``marks`` are ``legal``, ``chosen``, ``illegal``, ``winner``."""
    classes = ["tl-card", *(f"tl-{mark}" for mark in marks)]
    if card < 0:
        classes.append("tl-back")
        face = "<b>?</b>"
    elif card == JOKER:
        face = "<b>★</b>"
    else:
        classes.append(f"tl-{SUITS[card // 13]}")
        face = f"<b>{rank_text(card)}</b><i>{SUIT_GLYPHS[card // 13]}{AS_TEXT}</i>"
    label = ", ".join([card_words(card), *marks])
    return (
        f'<span class="{" ".join(classes)}" role="img" aria-label="{label}" title="{label}">'
        f"{face}</span>"
    )


def table_html(replayed: Replay, view: View) -> str:
    """Return the whole table at ``view``."""
    names = player_labels(replayed.hand)
    panels = "".join(_seat_html(replayed, view, seat, name) for seat, name in enumerate(names))
    return (
        f'<div class="tl-frame"><div class="tl-table" data-seats="{len(names)}" '
        f'data-step="{view.index}">{panels}{_centre_html(replayed, view, names)}</div></div>'
    )


def score_html(replayed: Replay, view: View) -> str:
    """Return the line above the table: contract, trumps, points taken so far by partnership.

    Where everybody plays for himself, his points stand at his seat.
    """
    parts = [_contract_html(replayed, view)]
    if not _plays_singly(replayed):
        for label, points in zip(side_labels(replayed), view.points, strict=True):
            unit = "point" if points == 1 else "points"
            parts.append(f"<span>{name_html(label)} <b>{points}</b> {unit}</span>")
    return f'<div class="tl-score">{"".join(parts)}</div>'


def _plays_singly(replayed: Replay) -> bool:
    return replayed.rules.side_count == replayed.rules.seats


def _contract_html(replayed: Replay, view: View) -> str:
    seat, deed = undertaking(view)
    if seat is None:
        return "<span>Nobody has won the auction yet</span>"
    text = f"{name_html(player_labels(replayed.hand)[seat])} {deed}"
    if view.trump is not None and view.alone is None:
        suit = "SHDCN"[trump_suit(view.trump)]
        text += (
            f' in <span class="tl-pip tl-{suit}" role="img" aria-label="{trump_words(view.trump)}"'
            f' title="{trump_words(view.trump)}">{trump_sign(view.trump)}{AS_TEXT}</span>'
        )
        if not view.trump_public:
            text += " (not shown to the others yet)"
    stake = stake_words(view)
    return f"<span>{text}{', ' if stake else ''}{stake}</span>"


def _seat_html(replayed: Replay, view: View, seat: int, name: str) -> str:
    classes = ["tl-seat", f"tl-s{seat}"]
    if view.turn == seat:
        classes.append("tl-turn")
    if view.out[seat]:
        classes.append("tl-out")
    return (
        f'<section class="{" ".join(classes)}" aria-label="Seat {seat}">'
        f"<header><b>{name_html(name)}</b>{_tags_html(replayed, view, seat)}</header>"
        f'<div class="tl-cards">{_holding_html(replayed, view, seat)}</div>'
        f"{_laid_off_html(view, seat)}</section>"
    )


def _tags_html(replayed: Replay, view: View, seat: int) -> str:
    tags = roles_of(view, seat)
    if view.turn == seat:
        tags.append("to act")
    if view.out[seat]:
        tags.append("folded" if view.folded[seat] else "out")
    calls = [call_words(call.verb, call.amount) for call in view.calls if call.seat == seat]
    if calls and not view.trick_number:
        tags.append(f"said {', '.join(calls)}")
    if view.tricks_won[seat]:
        tags.append(counted(view.tricks_won[seat], "trick"))
    if view.trick_number and _plays_singly(replayed):
        tags.append(counted(view.points[seat], "point"))
    return "".join(f'<span class="tl-tag">{as_html(tag)}</span>' for tag in tags)


def _holding_html(replayed: Replay, view: View, seat: int) -> str:
    chosen = _chosen(replayed, view.index, seat)
    at_fault = bool(replayed.findings_at(view.index))
    legal = view.choice.cards if view.turn == seat else 0
    faces = []
    for card in in_order(replayed, view, view.holdings[seat]):
        bit = 1 << card
        marks = {
            "legal": legal & bit,
            "chosen": chosen & bit,
            "illegal": at_fault and chosen & bit and not legal & bit,
        }
        faces.append(card_html(card, tuple(mark for mark, applies in marks.items() if applies)))
    faces += [card_html(-1)] * view.unknown[seat]
    return "".join(faces) or '<span class="tl-none">no cards</span>'


def in_order(replayed: Replay, view: View, cards: int) -> list[int]:
    """Return cards as a player sorts them: trumps first, the off five among them, high to low."""
    rules = replayed.rules
    trump = NO_TRUMPS if view.trump is None else trump_suit(view.trump)

    def place(card: int) -> tuple[bool, int, int]:
        if not rules.pack >> card & 1:
            return (True, card // 13, 0)
        suit = rules.suit[trump][card]
        return (suit != trump, suit, -rules.strength[trump][card])

    return sorted(cards_in(cards), key=place)


def _chosen(replayed: Replay, index: int, seat: int) -> int:
    """Return the cards the coming action takes out of this seat's hand."""
    if index >= len(replayed):
        return 0
    action = replayed.actions[index]
    return action.cards if action.seat == seat and action.verb in _FROM_HAND else 0


def _laid_off_html(view: View, seat: int) -> str:
    cards = cards_in(view.discarded[seat])
    if not cards:
        return ""
    faces = "".join(card_html(card) for card in cards)
    return f'<div class="tl-laid-off"><span>laid off</span> {faces}</div>'


def _centre_html(replayed: Replay, view: View, names: list[str]) -> str:
    done = next((each for each in replayed.tricks if each.last_action == view.index - 1), None)
    winner = done.winner if done else None
    plays = "".join(
        f'<div class="tl-s{seat}">{card_html(card, ("winner",) if seat == winner else ())}</div>'
        for seat, card in view.trick
    )
    lines = [f"Trick {view.trick_number}"] if view.trick_number else []
    if done:
        lines.append(f"{name_html(names[done.winner])} takes {counted(done.points, 'point')}")
    if view.stock:
        lines.append(f"{counted(view.stock, 'card')} in the stock")
    text = "".join(f"<p>{line}</p>" for line in lines)
    piles = (
        ("The kitty", view.kitty),
        ("Under the pile", view.under),
        ("Shown, left in the stock", view.shown),
    )
    text += "".join(
        f"<p>{title}</p>{''.join(map(card_html, cards_in(cards)))}"
        for title, cards in piles
        if cards
    )
    return (
        '<section class="tl-centre" aria-label="On the table">'
        f'<div class="tl-trick" data-seats="{len(names)}">{plays}</div>{text}</section>'
    )
