"""A score sheet as HTML: its table, the sixes as they lay at the end, the count, the findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tricklog.dashboard.kit import addresses
from tricklog.dashboard.text.escaping import AS_TEXT, as_html, name_html, sentence_html
from tricklog.dashboard.text.labels import title_of
from tricklog.ingest.sheets import words
from tricklog.ingest.sheets.model import CountOut, Mark, Row, RowKind, Sheet, turns_of
from tricklog.schemas.actions import trump_suit
from tricklog.schemas.cards import SUITS, pretty_card
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number

_TWO: Final = 2
_NUMBER: Final = "tl-number"
_PIPS: Final = 6
"""Pips of the cards by which game points are shown."""
_ROW_HEIGHT: Final = 26
_RACE_HEIGHT: Final = 420
_CHANCES_HEIGHT: Final = 330
_SIXES_HEIGHT: Final = 250
_FINDING_HEIGHT: Final = 62
_TOP_HEIGHT: Final = 190
"""What parts of a printed page take, in pixels."""
_FITS: Final = ((1170, "tl-fit-62"), (1450, "tl-fit-50"), (1810, "tl-fit-40"), (2400, "tl-fit-30"))
"""How high a sheet may be, in pixels, to fit a page of paper in each of the sizes of the style."""


def table_html(sheet: Sheet, first: int, rows: int) -> str:
    """Return ``rows`` rows of the sheet from ``first`` on as a table."""
    points = say_in("column of a table", "points")
    if len(sheet.sides) != _TWO:
        points = say_in("column of a table", "taken")
    heads = [
        (say_in("column of a table", "hand"), _NUMBER),
        (say_in("column of a table", "dealer"), ""),
        (say_in("column of a table", "maker"), ""),
        (say_in("column of a table", "bid"), ""),
        (points, _NUMBER),
        *(
            (name_html(each.label), f"{_NUMBER} {_colour(sheet, side)}")
            for side, each in enumerate(sheet.sides)
        ),
        (say_in("column of a table", "remarks"), ""),
    ]
    turns = turns_of(sheet)
    turn = turns.swing.row if turns and turns.swing else None
    shown = enumerate(sheet.rows[first : first + rows], start=first)
    cells = (_row(sheet, row, is_turn=place == turn) for place, row in shown)
    return _table(say("Score sheet"), heads, cells, "tl-figures tl-sheet")


def _table(
    name: str,
    heads: Iterable[tuple[str, str]],
    rows: Iterable[Iterable[tuple[str, str]]],
    classes: str = "tl-figures",
) -> str:
    """Return a table; headings and cells are HTML with their classes."""
    head = "".join(f'<th scope="col" class="{look}">{text}</th>' for text, look in heads)
    cells = ("".join(f'<td class="{look}">{text}</td>' for text, look in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return (
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{as_html(name)}">'
        f'<table class="{classes}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def key_words(sheet: Sheet) -> str:
    """Return how the table is to be read."""
    if len(sheet.sides) == _TWO:
        return say("change and running score; a framed change is a contract that was set.")
    return say(
        "change and running score; a framed change is a contract that was set; taken: card points "
        "of the maker’s side; bold: in the lead."
    )


def fit_class(sheet: Sheet, findings: int) -> str:
    """Return the class that makes a sheet, with so many findings below it, fit a page of paper."""
    table = _ROW_HEIGHT * (len(sheet.rows) + 2) + _CHANCES_HEIGHT
    count = 0 if sheet.count_out is None else _ROW_HEIGHT * (len(sheet.count_out.cards) + 3)
    sixes = _SIXES_HEIGHT if _has_pips(sheet) else 0
    more = sixes + count + _FINDING_HEIGHT * findings
    return fit_of(max(table, _RACE_HEIGHT + more))


def fit_of(height: int) -> str:
    """Return the class that makes columns of so many pixels below a heading fit a page of paper."""
    whole = _TOP_HEIGHT + height
    return next((name for most, name in _FITS if whole <= most), _FITS[-1][1])


def _colour(sheet: Sheet, side: int | None) -> str:
    """Return the class for the colour of a side, which only two sides have."""
    if side is None or len(sheet.sides) != _TWO:
        return ""
    return ("tl-one", "tl-two")[side]


def _row(sheet: Sheet, row: Row, *, is_turn: bool) -> list[tuple[str, str]]:
    maker, trump = "", as_html(words.trump_text(row))
    if row.maker is not None:
        maker = f'<b class="{_colour(sheet, row.maker_side)}">{name_html(row.maker)}</b>'
    if row.trump is not None and trump:
        suit = trump_suit(row.trump)
        name = SUITS[suit] if suit < len(SUITS) else "N"
        trump = f'<span class="tl-pip tl-{name}">{trump}{AS_TEXT}</span>'
    place = as_html(words.number_text(row))
    if row.hand is not None:
        address = as_html(addresses.of_step(row.hand))
        said = say("Hand {number}: replay", number=place)
        place = f'<a href="{address}" aria-label="{said}">{place}</a>'
    tags = [
        *([say_in("a tag of a score sheet", "out")] if row.winner_side is not None else []),
        *([say_in("a tag of a score sheet", "turn")] if is_turn else []),
        *words.remarks(row),
    ]
    told = [f'<span class="tl-tag">{as_html(each)}</span>' for each in tags]
    told += [
        f'<a class="tl-tag tl-alert" href="{_to_step(row, mark)}" '
        f'title="{as_html(mark.message)}">{as_html(words.finding_text(mark.code))}</a>'
        for mark in row.marks
    ]
    return [
        (place, _NUMBER),
        (name_html(row.dealer or ""), ""),
        (maker, ""),
        (f"{as_html(words.bid_text(row))} {trump}", "tl-bid"),
        (as_html(words.points_text(row)), _NUMBER),
        *((_side_text(sheet, row, side), _NUMBER) for side in range(len(sheet.sides))),
        (" ".join(told), ""),
    ]


def _to_step(row: Row, mark: Mark) -> str:
    return as_html(addresses.of_step(row.hand or "", mark.step or 0))


def _side_text(sheet: Sheet, row: Row, side: int) -> str:
    """Return how a side stands after a hand, and what the hand changed."""
    scores, change = row.scores, ""
    if scores is None:
        return "?"
    own = side == row.maker_side
    if row.change is not None and (row.change[side] or own):
        look = f" {'tl-set' if row.result == 'set' else 'tl-own'} {_colour(sheet, side)}"
        signed = words.signed(row.change[side])
        change = f'<span class="tl-change{look if own else ""}">{signed}</span>'
    score = words.score_text(sheet, scores[side])
    leads = len(scores) == _TWO or scores[side] == max(scores)
    shown = f"<b>{score}</b>" if leads and row.kind == RowKind.PLAYED else score
    return f"{change} {_track(sheet, scores[side], side)}<span>{shown}</span>"


# --- Game points


def _has_pips(sheet: Sheet) -> bool:
    """Whether the scores can be shown by the pips of a six, as at the table."""
    scores = [score for row in sheet.rows for score in row.scores or ()]
    ends = (sheet.target, sheet.lowest or 0, *scores)
    return sheet.in_game_points and max(map(abs, ends)) <= _PIPS


def _track(sheet: Sheet, score: int, side: int) -> str:
    """Return the score as pips to the left and right of nothing."""
    if not _has_pips(sheet):
        return ""
    cells = "".join(
        f'<i class="{"tl-on" if 0 < pip <= score or score <= pip < 0 else ""}"></i>'
        for pip in range(-_PIPS, _PIPS + 1)
    )
    return f'<span class="tl-track {_colour(sheet, side)}" aria-hidden="true">{cells}</span>'


def sixes_html(sheet: Sheet) -> str:
    """Return the sixes as they lay at the end: red pips open for points won, black for lost.

    Empty where scores are not kept like that.
    """
    final = sheet.final
    if final is None or not _has_pips(sheet):
        return ""
    cards = []
    for side, score in zip(sheet.sides, final, strict=True):
        count = abs(score)
        sign, suit = ("♥", "H") if score >= 0 else ("♠", "S")
        is_open = f'<i class="tl-{suit}">{sign}{AS_TEXT}</i>'
        pips = is_open * count + '<i class="tl-shut">▢</i>' * (_PIPS - count)
        told = say_counted("{count} red pip open", "{count} red pips open", count)
        if score < 0:
            told = say_counted("{count} black pip open", "{count} black pips open", count)
        cards.append(
            f'<figure><div class="tl-six" aria-hidden="true">{pips}</div>'
            f"<figcaption><b>{name_html(side.label)}</b><br>{told}</figcaption></figure>"
        )
    return f'<div class="tl-sixes">{"".join(cards)}</div>'


# --- What else stands on a sheet


def count_out_html(sheet: Sheet, count: CountOut) -> str:
    """Return the count of the hand that ended the game as a table."""
    heads = [
        (say_in("column of a table", "card"), ""),
        (say_in("column of a table", "points"), _NUMBER),
        (say("counted by"), ""),
        (say("score then"), _NUMBER),
    ]
    rows = (
        [
            (sentence_html(pretty_card(each.card)), ""),
            (str(each.points), _NUMBER),
            (name_html(sheet.sides[each.side].label), ""),
            (words.plain(each.score), _NUMBER),
        ]
        for each in count.cards
    )
    return _table(say("Counted out"), heads, rows)


def findings_html(sheet: Sheet, most: int) -> str:
    """Return the first findings of the game, each with the hand and the step where it shows."""
    found = [(row, mark) for row in sheet.rows for mark in row.marks]
    told = []
    for row, mark in found[:most]:
        title = say(
            "{finding}, hand {number}.",
            finding=as_html(title_of(mark.code)),
            number=as_html(words.number_text(row)),
        )
        link = say_in("a link", "Replay")
        if mark.step is not None:
            link = say("Step {number}", number=mark.step)
        told.append(
            f'<div class="tl-finding"><b>{title}</b> {sentence_html(mark.message)} '
            f'<a class="tl-link" href="{_to_step(row, mark)}">{link}</a></div>'
        )
    if len(found) > most:
        more = say("and {count} more, in the table", count=number(len(found) - most))
        told.append(f"<p>{more}</p>")
    return "".join(told)
