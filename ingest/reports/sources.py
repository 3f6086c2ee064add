"""What reports are made from: the facts, the stored hands, and how to call people and games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple
from urllib.parse import urlencode

from duckdb import DuckDBPyConnection
from msgspec import UNSET
from msgspec.structs import replace

from tricklog.core import BadRecord, RulesetError, replay
from tricklog.core.render.html import replay_html
from tricklog.ingest.reports.content import Piece, card, link
from tricklog.ingest.sessions.evening import names_of, titles_of
from tricklog.ingest.sql import run
from tricklog.ingest.store.queries import reference_of
from tricklog.ingest.store.warehouse import RecordError, hands
from tricklog.schemas.cards import JOKER, parse_card, pretty_card
from tricklog.schemas.hand import Hand, Player
from tricklog.schemas.languages.messages import say
from tricklog.schemas.printable import one_line

MOST_IN_FULL: Final = 400
"""Hands that a report holds in full: some 5 KB each."""


class Dearest(NamedTuple):
    """The card of a hand that cost most, and what best play would have taken."""

    par: int | None
    player: str | None
    """``None`` where no card cost anything."""
    cards: str
    trick: int
    loss: int


class Sources:
    """One warehouse, opened, and the people of one report."""

    def __init__(
        self,
        facts: DuckDBPyConnection,
        tables: DuckDBPyConnection,
        *,
        hide_names: bool = False,
        dashboard: str | None = None,
    ) -> None:
        """Take facts and tables of a snapshot; ``dashboard`` is an address that hands lead to."""
        self.facts, self.tables = facts, tables
        self.names = names_of(facts)
        """What players are called, by id."""
        self.people = People(self.names, hidden=hide_names)
        self._titles = titles_of(facts)
        self._dashboard = dashboard
        self._asked: dict[str, tuple[str, str]] = {}

    def title(self, variant: str) -> str:
        """Return what a game is called."""
        return one_line(self._titles.get(variant, variant))

    def link(self, hand: str, text: str, heading: str) -> Piece | str:
        """Return a link to a hand: in the dashboard if there is one, else in full in the file.

        Where names are hidden, the dashboard shows the hand without them, too. Of very many hands
        those after the first ``MOST_IN_FULL`` have none.
        """
        if self._dashboard is not None:
            shown = reference_of(self.tables, hand) if self.people.hidden else hand
            query = urlencode({"hand": shown})
            return link(text, f"{self._dashboard.rstrip('/')}/replay?{query}")
        if hand not in self._asked:
            if len(self._asked) >= MOST_IN_FULL:
                return text
            self._asked[hand] = f"hand-{len(self._asked) + 1}", heading
        return link(text, f"#{self._asked[hand][0]}")

    def of_game(self, game: str, text: str) -> str:
        """Return a text about a game, which has no place of its own in a report."""
        del game
        return text

    def in_full(self) -> list[str]:
        """Return the hands that links of the report lead to, as HTML."""
        found, back = {}, escape(say("Back to the top"))
        for stored in hands(self.tables, list(self._asked)) if self._asked else ():
            anchor, heading = self._asked[stored.id]
            try:
                html = replay_html(replay(self.people.of_hand(stored.hand)))
            except (BadRecord, RecordError, RulesetError):
                html = f"<p>{escape(say('This hand cannot be replayed any more.'))}</p>"
            found[stored.id] = (
                f'<article id="{anchor}"><h3>{escape(heading)}</h3>'
                f'<div class="wide">{html}</div><p><a href="#">{back}</a></p></article>'
            )
        return [found[hand] for hand in self._asked if hand in found]

    def dearest(self, wanted: Iterable[str]) -> dict[str, Dearest]:
        """Return, by id, the solved ones among some hands, each with the card that cost most."""
        rows = run(self.facts, _DEAREST, {"ids": list(wanted)})
        return {hand: Dearest(*row) for hand, *row in rows.iter_rows()}

    def makers(self, wanted: Iterable[str]) -> dict[str, str]:
        """Return who played the contract of each of some hands: ids of players by id of hand."""
        return dict(run(self.facts, _MAKERS, {"ids": list(wanted)}).iter_rows())


def cards_of(text: str) -> list[Piece]:
    """Return the cards of a text of the hand log, such as ``9H`` or ``2S 3S``."""
    found = [parse_card(each) for each in text.split()]
    return [card(pretty_card(each), None if each == JOKER else each // 13) for each in found]


class People(Mapping[str, str]):
    """The people of a report: what to call whom, by id.

    Where names are hidden each has a number, the same throughout, and nobody's id is ever returned.
    """

    def __init__(self, names: Mapping[str, str], *, hidden: bool) -> None:
        """Take what players are called, by id."""
        self._names = names
        self.hidden = hidden
        self._numbers: dict[str, int] = {}

    def __getitem__(self, player: str) -> str:
        """Return what to call a player."""
        if self.hidden:
            number = self._numbers.setdefault(player, len(self._numbers) + 1)
            return say("Player {number}", number=number)
        return self._names.get(player) or one_line(player)

    def __iter__(self) -> Iterator[str]:
        """Return the ids of everybody who is known by name."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many are known by name."""
        return len(self._names)

    def side(self, players: Sequence[str]) -> str:
        """Return the players of a side: ``Ann & Dee``."""
        return " & ".join(self[each] for each in players)

    def of_hand(self, hand: Hand, called: str = "-") -> Hand:
        """Return a hand whose players are called as in the report.

        Where names are hidden nothing is left of what people wrote: neither ids nor remarks. Its
        own id is ``called`` then.
        """
        players = [Player(id=self[each.id]) for each in hand.players]
        if not self.hidden:
            return replace(hand, players=players)
        left_out = dict.fromkeys(("game", "notes", "remark", "ext"), UNSET)
        return replace(hand, id=called, players=players, **left_out)


_DEAREST: Final = """
WITH asked AS (
    SELECT hand_no, hand_id, seating_id
    FROM games.hands
    WHERE hand_id IN (SELECT unnest($ids::VARCHAR[]))
), costs AS (
    SELECT
        hand_no,
        unnest(arg_max(
            {'seat': seat, 'card': card, 'trick': trick, 'loss': loss},
            {'loss': loss, 'earlier': -"action"::INTEGER}
        ))
    FROM decision_rows
    WHERE hand_no IN (SELECT hand_no FROM asked) AND loss > 0
    GROUP BY hand_no
)
SELECT
    hand_id,
    CASE WHEN par_low = par_high THEN par_low END,
    players[seat + 1].id,
    coalesce(card, ''),
    coalesce(trick, 0),
    coalesce(loss, 0)
FROM asked
JOIN solved_hands USING (hand_no)
JOIN games.seatings USING (seating_id)
LEFT JOIN costs USING (hand_no)
WHERE status = 'solved'
"""

_MAKERS: Final = """
SELECT hand_id, players[maker + 1].id AS player
FROM games.hands
JOIN games.seatings USING (seating_id)
WHERE maker IS NOT NULL AND hand_id IN (SELECT unnest($ids::VARCHAR[]))
"""
