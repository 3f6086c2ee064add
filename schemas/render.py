"""A recorded hand for people: cards with glyphs, actions in words, the record as text and HTML.

Nothing here knows the rules: cards stand in the order of the pack, and actions are reported as they
were recorded. Names and remarks come from logs, so control characters never reach a screen and
HTML is escaped.
"""

import itertools
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from msgspec import UNSET

from tricklog.schemas.actions import (
    SEVENTH_CARD,
    Action,
    ActionError,
    Verb,
    action_cards,
    bid_name,
    parse_action,
    trump_name,
    trump_suit,
)
from tricklog.schemas.cards import (
    HIDDEN,
    JOKER,
    NOT_RECORDED,
    RANKS,
    SUIT_GLYPHS,
    mask_of,
    parse_cards,
    pretty_card,
)
from tricklog.schemas.hand import Hand, OptionValue
from tricklog.schemas.languages.messages import Message, mark, message, message_of, say, say_in
from tricklog.schemas.printable import distinct, one_line
from tricklog.schemas.words import counted

WIDTH: Final = 100
SUIT_COLOURS: Final = ("#111111", "#bd2707", "#0d2aa2", "#23826a")
"""By suit, on white: distinct with every kind of colour vision, and never without the glyph."""

_RANK_WORDS: Final = (
    *(message("two"), message("three"), message("four"), message("five"), message("six")),
    *(message("seven"), message("eight"), message("nine"), message("ten"), message("jack")),
    *(message("queen"), message("king"), message("ace")),
)
_UNKNOWN_WORDS: Final = {
    NOT_RECORDED: message("a card not recorded"),
    HIDDEN: message("a hidden card"),
}


# --- Words


def player_labels(hand: Hand) -> list[str]:
    """Return what to call each player, by seat; players who share a name get their id with it."""
    players = ((each.id, each.id if each.name is UNSET else each.name) for each in hand.players)
    return seat_labels(players)


def seat_labels(players: Iterable[tuple[str, str]]) -> list[str]:
    """Return ``player_labels`` for ids and names by seat."""
    labels = [label or f"seat {seat}" for seat, label in enumerate(distinct(players))]
    # Whoever is recorded at two seats has one id.
    return [
        f"{label} (seat {seat})" if labels.count(label) > 1 else label
        for seat, label in enumerate(labels)
    ]


def card_words(card: int) -> str:
    """Return a card in words: ``ace of hearts``."""
    if card < 0:
        return str(_UNKNOWN_WORDS[card])
    if card == JOKER:
        return say("the joker")
    return say("{rank} of {suit}", rank=_RANK_WORDS[card % 13], suit=trump_said(card // 13))


def trump_sign(code: int) -> str:
    """Return a trump as short as can be: ``♥``, ``NT``, ``♥ reversed``."""
    suit = trump_suit(code)
    name, _, turned = trump_name(code).partition("-")
    if code == SEVENTH_CARD:
        return say_in("a sign of trumps", "seventh")
    sign = SUIT_GLYPHS[suit] if suit < len(SUIT_GLYPHS) else name
    return say_in("a sign of trumps", "{suit} reversed", suit=sign) if turned else sign


def trump_words(code: int) -> str:
    """Return a trump code of ``tricklog.schemas.actions`` in words: ``hearts``, ``no trumps``."""
    return str(trump_said(code))


def trump_said(code: int) -> Message:
    """Return a trump code of ``actions`` to be shown: ``hearts``, ``no trumps``."""
    return _TRUMPS[trump_name(code)]


_TRUMPS: Final = {
    "S": message("spades"),
    "H": message("hearts"),
    "D": message("diamonds"),
    "C": message("clubs"),
    "NT": message("no trumps"),
    "S-reversed": message("spades reversed"),
    "H-reversed": message("hearts reversed"),
    "D-reversed": message("diamonds reversed"),
    "C-reversed": message("clubs reversed"),
    "NT-reversed": message("no trumps reversed"),
    "seventh": message("the seventh card"),
    "?": message("a suit not recorded"),
    "*": message("a hidden suit"),
}
_BARE: Final = {
    Verb.PASS: mark("{player} passes"),
    Verb.DITTO: mark("{player} holds the bid"),
    Verb.TENNY: mark("{player} undertakes all four tricks"),
    Verb.FOLD: mark("{player} folds"),
    Verb.OUT: mark("{player} has no trumps left and is out"),
    Verb.ASK: mark("{player} asks for the trump"),
    Verb.PAIR: mark("{player} declares king and queen of trumps"),
    Verb.DOUBLE: mark("{player} doubles"),
    Verb.REDOUBLE: mark("{player} redoubles"),
    Verb.SUPER: mark("{player} raises the redoubled stake"),
    Verb.SOLO: mark("{player} announces all tricks alone"),
    Verb.THROW_IN: mark("{player} throws the deal in"),
    Verb.CONCEDE: mark("{player} gives up the rest"),
    Verb.DECIDED: mark("{player} stops play, as the contract is decided"),
}
_WITH_CARDS: Final = {
    Verb.KITTY: mark("{player} takes the kitty {cards}"),
    Verb.DISCARD: mark("{player} lays off {cards}"),
    Verb.DISCARD_UP: mark("{player} lays off face up {cards}"),
    Verb.DRAW: mark("{player} draws {cards}"),
    Verb.ROB: mark("{player} robs the stock of {cards}"),
    Verb.GIVE: mark("{player} gives the partner {cards}"),
    Verb.BURY: mark("{player} buries {cards}"),
    Verb.SHOW: mark("{player} shows {cards}"),
}


def describe_action(text: str, names: Sequence[str] = ()) -> str:
    """Return a log's action as a sentence without its full stop: ``Seat 2 plays ace of hearts``.

    ``names`` are the players by seat; a seat without one is called by its number. What is not an
    action comes back as it is.
    """
    try:
        action = parse_action(text)
    except ActionError:
        return one_line(text)
    known = action.seat < len(names)
    name = names[action.seat] if known else say("Seat {seat}", seat=action.seat)
    return _deed(name, action, text)


def _deed(name: str, action: Action, text: str) -> str:
    verb = Verb(action.verb)
    if verb in _BARE:
        return str(message_of(_BARE[verb], {"player": name}))
    if verb == Verb.BID:
        return say("{player} bids {bid}", player=name, bid=bid_name(action.amount))
    if verb == Verb.TRUMP:
        return say("{player} names {trump}", player=name, trump=trump_said(action.amount))
    if verb == Verb.REVEAL:
        trump = trump_said(action.amount)
        return say("{player} shows the trump: {trump}", player=name, trump=trump)
    cards = action_cards(text)
    if verb == Verb.PLAY:
        return say("{player} plays {card}", player=name, card=card_words(cards[0]))
    shown = [pretty_card(card) for card in cards]
    if verb == Verb.CLAIM and len(shown) > 1:
        return say("{player} takes {card} for {given}", player=name, card=shown[0], given=shown[1])
    if verb == Verb.CLAIM:
        return say("{player} takes {card} and gives nothing", player=name, card=shown[0])
    return str(message_of(_WITH_CARDS[verb], {"player": name, "cards": " ".join(shown)}))


# --- Cards


def rank_text(card: int) -> str:
    """Return the rank of a card for people: ``10``, ``A``."""
    return "10" if card % 13 == 8 else RANKS[card % 13]


def suits_text(text: str) -> str:
    """Return a log's card list suit by suit, high to low: ``♠ A 10  ♥ 5  + 2 not recorded``."""
    cards = parse_cards(text)
    known = mask_of(cards)
    parts = [
        f"{glyph} {' '.join(rank_text(suit * 13 + rank) for rank in ranks)}"
        for suit, glyph in enumerate(SUIT_GLYPHS)
        if (ranks := [rank for rank in range(12, -1, -1) if known >> (suit * 13 + rank) & 1])
    ]
    if known >> JOKER & 1:
        parts.append("Joker")
    for code, words in ((NOT_RECORDED, "not recorded"), (HIDDEN, "hidden")):
        if cards.count(code):
            parts.append(f"+ {cards.count(code)} {words}")
    return "  ".join(parts) or "none"


def _readable(text: str) -> str:
    """Return a card list for people; one that cannot be read comes back as it is."""
    try:
        return suits_text(text)
    except ValueError:
        return one_line(text)


# --- The record as text


def hand_text(hand: Hand) -> str:
    """Return a hand as plain text: who sat where, the deal, the calls, the actions, the claims."""
    return "\n".join(line for part in _parts(hand) for line in part)


def _parts(hand: Hand) -> Iterator[list[str]]:
    yield [f"Hand {one_line(hand.id)}", _rules_line(hand), *_game_lines(hand), ""]
    names = player_labels(hand)
    width = max(map(len, names))
    for seat, name in enumerate(names):
        dealt = "" if hand.deal is UNSET or seat >= len(hand.deal) else _readable(hand.deal[seat])
        mark = "D" if seat == hand.dealer else " "
        yield [f"{mark} {seat}  {name:<{width}}  {dealt}".rstrip()]
    for title, cards in (("Kitty", hand.kitty), ("Stock", hand.stock)):
        if cards is not UNSET and cards:
            yield [f"     {title:<{width}}  {_readable(cards)}"]
    yield ["", *_action_lines(hand.actions, names)]
    if hand.claimed is not UNSET:
        yield [f"Claimed: {_claims(hand)}"]


def _rules_line(hand: Hand) -> str:
    words = [hand.rules.variant]
    if hand.rules.options is not UNSET and hand.rules.options:
        options = hand.rules.options.items()
        words.append(", ".join(f"{key} {_option(value)}" for key, value in options))
    status = "complete" if hand.status is UNSET else hand.status.replace("_", " ")
    return one_line(" · ".join([*words, status]))


def _option(value: OptionValue) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {worth}" for key, worth in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def _game_lines(hand: Hand) -> list[str]:
    words = []
    if hand.game is not UNSET:
        words.append(f"Game {hand.game}")
    if hand.hand is not UNSET:
        words.append(f"hand {hand.hand}")
    if hand.scores is not UNSET:
        words.append(f"scores before it {versus(hand.scores)}")
    if hand.started_at is not UNSET:
        words.append(hand.started_at)
    return [one_line(" · ".join(words))] if words else []


def versus(values: Sequence[int | None]) -> str:
    """Return numbers by side: ``8 : 6``, with a question mark for one that is not known."""
    return " : ".join("?" if value is None else str(value) for value in values)


def _claims(hand: Hand) -> str:
    claims = [(title, getattr(hand.claimed, title)) for title in ("points", "change", "scores")]
    parts = [f"{title} {versus(values)}" for title, values in claims if values is not UNSET]
    return " · ".join(parts) or "nothing"


def _action_lines(actions: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Tell the actions, each run of calls and of plays in one paragraph."""
    index = 0
    for kind, run in itertools.groupby(actions, key=_kind):
        texts = list(run)
        if kind:
            told = [f"{_name_of(text, names)} {_brief(text)}" for text in texts]
            lead = f"{index:>4}  "
            # A player and their card stay on one line.
            joined = " · ".join(word.replace(" ", "\xa0") for word in told)
            wrapper = textwrap.TextWrapper(WIDTH, lead, " " * len(lead), break_on_hyphens=False)
            yield from (line.replace("\xa0", " ") for line in wrapper.wrap(joined))
        else:
            for offset, text in enumerate(texts):
                yield f"{index + offset:>4}  {describe_action(text, names)}"
        index += len(texts)


def _kind(text: str) -> str:
    verb = text.split(" ", 2)[1] if " " in text else ""
    if verb in {"bid", "pass", "ditto"}:
        return "Calls"
    return "Play" if verb == "play" else ""


def _name_of(text: str, names: Sequence[str]) -> str:
    seat = text[:1]
    known = seat.isdecimal() and int(seat) < len(names)
    return names[int(seat)] if known else f"seat {one_line(seat)}"


def _brief(text: str) -> str:
    """Return a call or a play without its player."""
    if _kind(text) == "Calls":
        return one_line(text[2:].removeprefix("bid "))
    try:
        return " ".join(map(pretty_card, action_cards(text)))
    except ValueError:
        return one_line(text)


# --- The record as HTML


def card_html(card: int) -> str:
    """Return one card as a small white chip in the colour of its suit."""
    colour = SUIT_COLOURS[card // 13] if 0 <= card < JOKER else "#111111"
    return (
        f'<span style="background:#fff;color:{colour};border:1px solid #bbb;border-radius:3px;'
        f'padding:0 3px;margin:0 1px;white-space:nowrap">{pretty_card(card)}</span>'
    )


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a plain table; ``heads`` and ``rows`` are HTML already."""
    head = "".join(f'<th style="text-align:left">{cell}</th>' for cell in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def hand_html(hand: Hand) -> str:
    """Return a hand as HTML for a notebook."""
    names = player_labels(hand)
    rows = []
    for seat, name in enumerate(names):
        dealt = "" if hand.deal is UNSET or seat >= len(hand.deal) else _cards_html(hand.deal[seat])
        rows.append([str(seat), escape(name) + (" (dealer)" if seat == hand.dealer else ""), dealt])
    for title, cards in (("kitty", hand.kitty), ("stock", hand.stock)):
        if cards is not UNSET and cards:
            rows.append(["", title, _cards_html(cards)])
    steps = "".join(f"<li>{escape(describe_action(text, names))}</li>" for text in hand.actions)
    lines = [_rules_line(hand), *_game_lines(hand)]
    claimed = f"<p>Claimed: {escape(_claims(hand))}</p>" if hand.claimed is not UNSET else ""
    return (
        f"<h4>Hand {escape(one_line(hand.id))}</h4>"
        f"<p>{'<br>'.join(escape(line) for line in lines)}</p>"
        f"{table_html(['seat', 'player', 'dealt'], rows)}"
        f"<details><summary>{counted(len(hand.actions), 'action')}</summary>"
        f'<ol start="0">{steps}</ol></details>{claimed}'
    )


def _cards_html(text: str) -> str:
    try:
        cards = parse_cards(text)
    except ValueError:
        return escape(one_line(text))
    by_suit = sorted(cards, key=lambda card: (card // 13, -card) if card >= 0 else (99, 0))
    return "".join(map(card_html, by_suit))
