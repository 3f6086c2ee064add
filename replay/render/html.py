"""A replay as HTML, for notebooks: inline styles only, names escaped, no script."""

from collections.abc import Iterable
from html import escape

from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Finding, Trick, View
from tricklog.core.render import sentences
from tricklog.schemas.cards import cards_in
from tricklog.schemas.languages.messages import Listing, say
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import card_html, describe_action, player_labels, table_html


def replay_html(replayed: Replay) -> str:
    """Return a whole replay: the deal, the calls, the tricks, the result and the findings."""
    title = escape(one_line(f"{say('Hand {id}', id=replayed.hand.id)} · {replayed.ruleset.title}"))
    start = replayed.at(0)
    names = player_labels(replayed.hand)
    deal = [
        [str(seat), _player(start, seat, name), _cards(replayed.dealt[seat])]
        for seat, name in enumerate(names)
    ]
    parts = [
        f"<h4>{title} · {escape(sentences.verdict_text(replayed))}</h4>",
        table_html([say("seat"), say("player"), say("dealt")], deal),
    ]
    if replayed.calls:
        calls = say("Calls: {calls}", calls=sentences.calls_text(replayed, replayed.calls))
        parts.append(f"<p>{escape(calls)}</p>")
    if replayed.tricks:
        heads = [say("trick"), *map(escape, names), say("points")]
        parts.append(table_html(heads, [_trick(trick, names) for trick in replayed.tricks]))
    parts += [
        _lines([*sentences.result_text(replayed), *map(str, replayed.doubted)]),
        _findings(replayed.findings),
    ]
    return "".join(parts)


def step_html(replayed: Replay, index: int) -> str:
    """Return the table before action ``index`` of 0 to ``len(replayed)``; else ``IndexError``."""
    view = replayed.at(index)
    played = dict(view.trick)
    rows = []
    for seat, name in enumerate(player_labels(replayed.hand)):
        legal = view.choice.cards if seat == view.turn else 0
        card = played.get(seat)
        holding = _cards(view.holdings[seat], legal)
        if view.unknown[seat]:
            holding += " " + say("+ {number} not recorded", number=view.unknown[seat])
        if view.out[seat]:
            holding += " " + (say("folded") if view.folded[seat] else say("out"))
        on_table = "" if card is None else card_html(card)
        mark = "→" if seat == view.turn else ""
        won = str(view.tricks_won[seat] or "")
        rows.append([f"{mark} {seat}", _player(view, seat, name), holding, on_table, won])
    parts = str(view.index), sentences.place_text(view), sentences.contract_text(replayed, view)
    lines = [*filter(None, (sentences.points_text(replayed, view), sentences.aside_text(view)))]
    if index < len(replayed):
        lines += [one_line(str(view.choice.said))] if view.turn is not None else []
        done = describe_action(replayed.hand.actions[index], player_labels(replayed.hand))
        lines.append(say("Then: {action}", action=done))
    else:
        lines += sentences.result_text(replayed)
    heads = [say("seat"), say("player"), say("holds"), say("plays"), say("won")]
    return (
        f"<h5>{escape(' · '.join(parts))}</h5>"
        f"{table_html(heads, rows)}"
        f"{_lines(lines)}{_findings(sentences.findings_shown_at(replayed, index))}"
    )


def _player(view: View, seat: int, name: str) -> str:
    roles = sentences.roles_said(view, seat)
    return escape(name) + (f" ({Listing(roles, commas=False)})" if roles else "")


def _cards(cards: int, legal: int = 0) -> str:
    """Return cards as chips; the ``legal`` ones are raised from the line."""
    return "".join(
        f'<b style="position:relative;top:-4px">{card_html(card)}</b>'
        if legal >> card & 1
        else card_html(card)
        for card in cards_in(cards)
    )


def _trick(trick: Trick, names: list[str]) -> list[str]:
    played = dict(trick.plays)
    cells = []
    for seat in range(len(names)):
        marks = f" {say('led')}" * (seat == trick.leader)
        marks += f" <b>{say('won')}</b>" * (seat == trick.winner)
        cells.append(f"{card_html(played[seat])}{marks}" if seat in played else "–")
    return [str(trick.number), *cells, str(trick.points)]


def _lines(lines: Iterable[str]) -> str:
    return f"<p>{'<br>'.join(escape(one_line(line)) for line in lines)}</p>"


def _findings(findings: Iterable[Finding]) -> str:
    items = [
        f"<li><b>{escape(item.code)}</b> ({escape(sentences.finding_place(item))}): "
        f"{escape(one_line(str(item.said)))}<br>"
        f"<small>{escape(say('Rule {rules}', rules=sentences.rules_text(item.rule)))}</small></li>"
        for item in findings
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ""
