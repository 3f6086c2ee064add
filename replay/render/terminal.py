"""The card table on a terminal: a moment of a replay, or a whole one, as rich renderables.

Colours help and are never needed: suits carry their glyph, and the cards that may be played stand
in brackets.
"""

from collections.abc import Sequence
from io import StringIO
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Finding, Trick, Verdict, View
from tricklog.core.render import sentences
from tricklog.schemas.actions import trump_suit
from tricklog.schemas.cards import JOKER, SUIT_GLYPHS, pretty_card
from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import describe_action, player_labels, rank_text

PLAIN_WIDTH: Final = 100
MAX_NAME: Final = 30
MAX_NAME_OVER_TRICKS: Final = 16
_SUIT_STYLES: Final = ("", "red", "blue", "green")
_LEGAL_STYLE: Final = "bold"
_VERDICT_STYLES: Final = {
    Verdict.VALID: "green",
    Verdict.IRREGULAR: "bold red",
    Verdict.DOUBTFUL: "yellow",
    Verdict.PARTIAL: "green",
    Verdict.INCOMPLETE: "yellow",
    Verdict.REJECTED: "bold red",
}


def plain(renderable: RenderableType, width: int = PLAIN_WIDTH) -> str:
    """Return what a renderable prints without colours, ``width`` columns wide."""
    console = Console(
        file=StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False
    )
    with console.capture() as capture:
        console.print(renderable)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


# --- Cards


def card_text(card: int) -> Text:
    """Return one card: rank and glyph in the colour of its suit."""
    style = _SUIT_STYLES[card // 13] if 0 <= card < JOKER else ""
    return Text(pretty_card(card), style)


def cards_text(
    cards: int, rules: Rules | None = None, trump: int | None = None, legal: int = 0
) -> Text:
    """Return a set of cards suit by suit, high to low, trumps first; ``legal`` ones in brackets.

    With ``rules`` a card stands where it belongs in play: the other five of the trump colour among
    the trumps, ranks in their own order.
    """
    index = NO_TRUMPS if trump is None else trump_suit(trump)
    text = Text()
    for suit in sorted(range(4), key=lambda each: (each != index, each)):
        held = [card for card in range(JOKER) if cards >> card & 1]
        if rules is None:
            run = [card for card in reversed(held) if card // 13 == suit]
        else:
            of_pack = rules.suit[index]
            run = [c for c in held if (of_pack[c] if rules.pack >> c & 1 else c // 13) == suit]
            run.sort(key=rules.strength[index].__getitem__, reverse=True)
        if run:
            text.append("  " if text else "")
            text.append_text(_run_text(suit, run, legal))
    if cards >> JOKER & 1:
        text.append("  " if text else "")
        allowed = bool(legal >> JOKER & 1)
        text.append("[Joker]" if allowed else "Joker", _LEGAL_STYLE if allowed else "")
    return text


def _run_text(suit: int, run: Sequence[int], legal: int) -> Text:
    """Return the cards of one suit, those next to each other that are legal in one bracket."""
    text = Text(SUIT_GLYPHS[suit], _SUIT_STYLES[suit])
    inside = False
    for card in run:
        allowed = bool(legal >> card & 1)
        text.append("] " if inside and not allowed else " ")
        text.append("[" if allowed and not inside else "")
        foreign = card // 13 != suit
        style = f"{_SUIT_STYLES[card // 13]} {_LEGAL_STYLE if allowed else ''}".strip()
        text.append(pretty_card(card) if foreign else rank_text(card), style)
        inside = allowed
    text.append("]" if inside else "")
    return text


# --- One moment


def table(view: View, replayed: Replay) -> RenderableType:
    """Return the table before an action; at the end of a complete hand its tricks and result."""
    is_ended = view.index == len(replayed) and replayed.outcome is not None
    middle = _tricks(replayed) if is_ended and replayed.tricks else _seats(view, replayed)
    parts: list[RenderableType] = [_heading(view, replayed), middle]
    below = sentences.aside_text(view)
    if below:
        parts.append(Text(f"     {below}", "dim"))
    if view.index < len(replayed):
        if view.turn is not None:
            parts.append(Text(one_line(str(view.choice.said))))
        parts.append(action_text(replayed, view.index))
    else:
        parts += ending(replayed)
    parts += [finding_text(item) for item in sentences.findings_shown_at(replayed, view.index)]
    return Group(*parts)


def _heading(view: View, replayed: Replay) -> Text:
    text = Text(f"{view.index:>3}  ", "dim")
    text.append(sentences.place_text(view), "bold")
    text.append(f" · {sentences.contract_text(replayed, view)}")
    below = sentences.points_text(replayed, view)
    if view.phase == "auction":
        below = sentences.calls_text(replayed, view.calls)
    text.append(f"\n     {below}" if below else "", "dim")
    return text


def _seats(view: View, replayed: Replay) -> Table:
    in_play = view.trick_number > 0
    rows = _rows("", "", "player", "holds", *(["plays", "won"] if in_play else []))
    played = dict(view.trick)
    legal = view.choice.cards
    for seat, name in enumerate(player_labels(replayed.hand)):
        turn = seat == view.turn
        mark, holding = "→" if turn else "", _holding(view, replayed, seat, legal if turn else 0)
        cells: list[RenderableType] = [mark, str(seat), _player(view, seat, name), holding]
        if in_play:
            is_led = bool(view.trick) and view.trick[0][0] == seat
            card = played.get(seat)
            on_table = Text() if card is None else _card_played(card, is_led=is_led)
            cells += [on_table, str(view.tricks_won[seat] or "")]
        rows.add_row(*cells)
    return rows


_HEADS: Final = {
    "player": message("player"),
    "holds": message("holds"),
    "plays": message("plays"),
    "won": message("won"),
    "trick": message("trick"),
    "dealt": message("dealt"),
    "points": message("points"),
}


def _rows(*titles: str) -> Table:
    rows = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0)
    for title in titles:
        rows.add_column(
            str(_HEADS[title]) if title else "",
            max_width=MAX_NAME if title == "player" else None,
            justify="right" if title in {"won", "trick", "points"} else "left",
            no_wrap=title not in {"holds", "dealt"},
            overflow="ellipsis",
        )
    return rows


def _player(view: View, seat: int, name: str) -> Text:
    text = Text(name, "bold" if seat == view.turn else "")
    roles = "+".join(map(str, sentences.roles_said(view, seat)))
    if roles:
        text.truncate(MAX_NAME - len(roles) - 1, overflow="ellipsis")
        text.append(f" {roles}", "dim")
    return text


def _holding(view: View, replayed: Replay, seat: int, legal: int) -> Text:
    text = cards_text(view.holdings[seat], replayed.rules, view.trump, legal)
    _append_hidden(text, view.unknown[seat])
    if view.out[seat]:
        why = say("folded") if view.folded[seat] else say("out")
        text.append(f"{'  ' if text else ''}{why}", "dim")
    return text


def action_text(replayed: Replay, index: int) -> Text:
    """Return what happens next, as the record tells it."""
    names = player_labels(replayed.hand)
    done = describe_action(replayed.hand.actions[index], names)
    text = Text(say("Then: {action}", action=done))
    before = len(text) - len(done)
    # What leads up to the action is dim, where the language has it first.
    text.stylize("dim", 0, before if text.plain.endswith(done) else 0)
    if index >= replayed.played and not replayed.findings_at(index):
        text.append(f" {say('(not carried out: the record broke off before)')}", "dim")
    return text


def finding_text(finding: Finding, *, place: bool | str = False) -> RenderableType:
    """Return a finding: its code, the sentence, and the rules it cites with their titles.

    ``place``: whether to say where in the record it is, or where it is in other words.
    """
    text = Text("✗ ", "bold red")
    text.append(finding.code, "bold red")
    if place:
        where = place if isinstance(place, str) else sentences.finding_place(finding)
        text.append(f" {say('at {place}', place=where)}", "dim")
    text.append(f": {one_line(str(finding.said))}")
    rules = sentences.rules_text(finding.rule)
    if rules:
        text.append(f"\n{say('Rule {rules}', rules=rules)}", "dim")
    return Padding(text, (0, 0, 0, 2))


# --- The whole


def overview(replayed: Replay) -> RenderableType:
    """Return a whole replay: the deal, the calls, the tricks, the result and the findings."""
    hand = replayed.hand
    head = Text(say("Hand {id}", id=one_line(hand.id)), "bold")
    head.append(f" · {one_line(replayed.ruleset.title)} · ")
    head.append(sentences.verdict_text(replayed), _VERDICT_STYLES[replayed.verdict])
    parts: list[RenderableType] = [head, _deal(replayed)]
    if replayed.calls:
        calls = sentences.calls_text(replayed, replayed.calls)
        parts.append(Text(say("Calls: {calls}", calls=calls)))
    if replayed.tricks:
        parts.append(_tricks(replayed))
    parts += ending(replayed)
    parts += [finding_text(item, place=True) for item in replayed.findings]
    return Group(*parts)


def ending(replayed: Replay) -> list[RenderableType]:
    """Return how the hand ended, or why it has no end, line by line."""
    lines = [Text(line) for line in sentences.result_text(replayed)]
    if replayed.verdict == Verdict.REJECTED:
        legal = say("The record is legal up to action {number}.", number=replayed.played)
        lines.append(Text(legal))
    lines += [Text(one_line(str(doubt)), "yellow") for doubt in replayed.doubted]
    return list(lines)


def _deal(replayed: Replay) -> Table:
    rows = _rows("", "player", "dealt")
    start = replayed.at(0)
    for seat, name in enumerate(player_labels(replayed.hand)):
        known = replayed.dealt[seat] if seat < len(replayed.dealt) else 0
        text = cards_text(known, replayed.rules)
        _append_hidden(text, replayed.rules.dealt - known.bit_count())
        rows.add_row(str(seat), _player(start, seat, name), text)
    return rows


def _append_hidden(text: Text, number: int) -> None:
    if number > 0:
        more = say("+ {number} not recorded", number=number)
        text.append(f"{'  ' if text else ''}{more}", "dim")


def _tricks(replayed: Replay) -> Table:
    rows = _rows("trick")
    for name in player_labels(replayed.hand):
        # Where it gets narrow, names are cut short and marks go below the cards; no card is lost.
        head = Text(name, no_wrap=True, overflow="ellipsis")
        rows.add_column(head, max_width=MAX_NAME_OVER_TRICKS)
    rows.add_column(say("points"), justify="right", no_wrap=True)
    for trick in replayed.tricks:
        cells = [_trick_cell(trick, seat) for seat in range(replayed.rules.seats)]
        rows.add_row(str(trick.number), *cells, str(trick.points or ""))
    return rows


def _trick_cell(trick: Trick, seat: int) -> Text:
    card = dict(trick.plays).get(seat)
    if card is None:
        return Text("–", "dim")
    text = _card_played(card, is_led=seat == trick.leader)
    return text.append(f" {say('won')}" if seat == trick.winner else "", "bold")


def _card_played(card: int, *, is_led: bool) -> Text:
    return card_text(card).append(f" {say('led')}" if is_led else "", "dim")
