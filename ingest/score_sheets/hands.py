"""From the rows of a game to hands with gaps, in the fields of the hand log, and back to the cells.

Nothing is written that the sheet does not say. The scores before a hand are those after the one
before it; a first hand starts from nothing. Where a sheet has changes alone, the scores are what
they come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET

from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.gaps.contracts import Contract
from tricklog.core.judging.gaps.readings import bid_code
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.core.judging.gaps.ways import Claims, Game, are_open, cases
from tricklog.core.model import Finding
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.ingest.score_sheets.games import Game as Rows
from tricklog.ingest.score_sheets.games import Line, Wrong
from tricklog.ingest.score_sheets.seating import Seating
from tricklog.ingest.score_sheets.settings import ROLES, SheetSettings
from tricklog.ingest.score_sheets.words import SIDES, Means, key
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import Listing, say
from tricklog.schemas.player_ids import id_of_name

EXT: Final = "score-sheet"
"""Under which key of ``ext`` a hand has its place on the sheet."""
Record = dict[str, Any]
"""A hand by the fields of the log, but for ``format``."""
_CLAIMED: Final = ((Means.POINTS, "points"), (Means.CHANGE, "change"), (Means.SCORE, "scores"))


class Writer:
    """Makes the hands of one game."""

    def __init__(
        self, settings: SheetSettings, ruleset: Ruleset, seating: Seating, game: Rows, name: str
    ) -> None:
        self._settings = settings
        self._ruleset = ruleset
        self._rules = rules = ruleset.rules(len(seating.players))
        self._seating = seating
        self._game = game
        self._name = name
        self._before: list[int] | None = [0] * rules.side_count
        self._numbers = Counter(line.hand for line in game.lines)

    def hands(self, sheet: str) -> Iterator[tuple[Line, Record | None]]:
        """Return each row with its hand, nothing where a cell of it is wrong."""
        for place, line in enumerate(self._game.lines, 1):
            record = self._hand(line, place, sheet)
            self._carry(line, record)
            yield line, None if line.wrong else record

    def _hand(self, line: Line, place: int, sheet: str) -> Record:
        number = line.hand if line.hand is not None else place
        # A number that is there twice is found beside the others; each hand still has its own id.
        is_twice = line.hand is not None and self._numbers[line.hand] > 1
        record: Record = {
            "id": f"{self._name}:{number}-{place}" if is_twice else f"{self._name}:{number}",
            "game": self._name,
            "hand": number,
            "rules": self._settings.rules,
            "players": [{"id": id_of_name(name), "name": name} for name in self._seating.players],
            "actions": [],
            "gaps": [{"before": 0, "missing": "rest"}],
        }
        dealer = self._seat(line, "dealer", line.dealer)
        if dealer is not None:
            record["dealer"] = dealer
        said = self._per_side(line, Means.BEFORE)
        if said is not None:
            record["scores"] = said
        elif self._before is not None and (
            line.numbers(Means.SCORE) or line.numbers(Means.CHANGE) or line.numbers(Means.BEFORE)
        ):
            record["scores"] = list(self._before)
        side = said_side = self._maker_side(line)
        known: Record = {}
        maker = None if side is not None else self._seat(line, "maker", line.maker)
        if maker is not None:
            known["maker"] = maker
            side = side_of(self._rules, maker)
        known |= {of: what for of in ("bid", "trump", "stake") if (what := getattr(line, of))}
        claimed: Record = {
            name: values
            for means, name in _CLAIMED
            if (values := self._per_side(line, means, side)) is not None
        }
        if line.result:
            claimed["result"] = line.result
            if line.by is not None:
                claimed["by"] = line.by
        self._fill_blanks(claimed, known, said_side)
        fields = {
            "known": known,
            "claimed": claimed,
            "status": "thrown_in" if line.is_passed else "",
            "started_at": line.date.isoformat() if line.date else "",
            "remark": "\n".join(line.remarks),
        }
        record |= {name: said for name, said in fields.items() if said}
        place_on_sheet: Record = {"sheet": sheet} if sheet else {}
        place_on_sheet["row"] = line.row.number
        columns = sorted(line.places.items())
        place_on_sheet["columns"] = {means: " ".join(at) for means, at in columns}
        if said_side is not None:
            place_on_sheet["side"] = said_side
        record["ext"] = {EXT: place_on_sheet}
        if line.is_empty and not line.wrong:
            line.wrong.append(Wrong("", "", "nothing here says what was bid or scored"))
        return record

    def _maker_side(self, line: Line) -> int | None:
        """Return the side of the makers where a row names that in place of the bidder: ``We``.

        It may be called as its column is.
        """
        named = {key(each): str(of) for of, each in enumerate(self._game.section.labels, 1)}
        of = named.get(key(line.maker)) or SIDES.get(key(line.maker), "")
        is_player = line.maker and self._seating.seat(line.maker) is not None
        return None if is_player or not of.isdecimal() else self._seating.sides.get(of)

    def _seat(self, line: Line, means: str, name: str) -> int | None:
        """Return the seat of a player who is named, and note a name that is nobody's."""
        if not name:
            return None
        seat = self._seating.seat(name)
        if seat is None:
            players = self._seating.players
            hint = did_you_mean(name, players, f"; {', '.join(players)} play")
            at = line.places.get(means) or line.places.get("bid") or [""]
            line.wrong.append(Wrong(at[0], means, f"{shown(name)} is no player of this game{hint}"))
        return seat

    def _fill_blanks(self, claimed: Record, known: Record, side: int | None) -> None:
        """Read a blank beside a change as none where the rules leave nothing else for it."""
        change = claimed.get("change")
        if not change or None not in change:
            return
        maker, bid = known.get("maker", side), known.get("bid")
        contract = Contract(maker, None if bid is None else bid_code(bid))
        game = Game(
            self._ruleset.hash,
            self._rules.seats,
            self._rules,
            is_void_possible=False,
            are_all_due=have_all_points(self._rules),
        )
        nothing = [None] * len(change)
        points = claimed.get("points", nothing)
        said = Claims(nothing, points, [0] * len(change), change, nothing, claimed.get("result"))
        if are_open(game, contract, points):
            return
        found = {case.change for case in cases(game, contract, said)}
        if len(found) == 1:
            filled = found.pop()
            if all(new == 0 for old, new in zip(change, filled, strict=True) if old is None):
                claimed["change"] = list(filled)

    def _per_side(
        self, line: Line, means: Means, makers: int | None = None
    ) -> list[int | None] | None:
        """Return numbers of a row, one a side, ``None`` for those that it does not have."""
        numbers = line.numbers(means)
        if not numbers:
            return None
        values: list[int | None] = [None] * self._rules.side_count
        for of, number in numbers.items():
            side = self._side(of, makers)
            at, message = line.places[means.value][-1], ""
            if side is None:
                at = line.places[means.value][0]
                message = f"whose {means} these are is not known without the maker"
            elif side >= len(values):
                message = f"there are {len(values)} sides, and this is column {of} of {means}"
            elif values[side] not in (None, number):
                message = f"{number} here and {values[side]} beside it are of one side"
            else:
                values[side] = number
            if message:
                line.wrong.append(Wrong(at, "", message))
        return values

    def _side(self, of: str, makers: int | None) -> int | None:
        if of not in ROLES:
            return self._seating.sides.get(of, int(of) - 1 if of else 0)
        if makers is None or of == "makers":
            return makers
        return 1 - makers if self._rules.side_count == 2 else None  # noqa: PLR2004

    def _carry(self, line: Line, record: Record) -> None:
        """Keep the scores after a hand, as they are written or come out of what is."""
        claimed, before = record.get("claimed", {}), record.get("scores")
        scores, change = claimed.get("scores"), claimed.get("change")
        if line.is_passed and scores is None and change is None:
            return
        if scores and None not in scores:
            self._before = list(scores)
        elif change and before and None not in change and None not in before:
            # A sheet of changes alone says what they come to.
            after = [0] * self._rules.side_count
            game_end.add_up(self._rules, before, change, after)
            claimed["scores"] = self._before = after
        else:
            self._before = None


# --- Where on its sheet a hand stands, and which of its cells a finding is about


_CELLS: Final = {
    "/known/maker": (Means.MAKER, Means.BID),
    "/known/bid": (Means.BID,),
    "/known/trump": (Means.TRUMP, Means.BID),
    "/known/stake": (Means.STAKE,),
    "/claimed/points": (Means.POINTS,),
    "/claimed/change": (Means.CHANGE,),
    "/claimed/scores": (Means.SCORE,),
    "/claimed/result": (Means.RESULT, Means.SET, Means.BY),
    "/claimed/by": (Means.BY, Means.RESULT, Means.SET),
    "/scores": (Means.BEFORE, Means.SCORE, Means.CHANGE),
    "/dealer": (Means.DEALER,),
    "/hand": (Means.HAND, Means.GAME),
    "/game": (Means.GAME,),
}
"""By what a finding points to, the columns that say it, the nearest first."""


def is_of_sheet(hand: Hand) -> bool:
    """Whether a hand was read from a score sheet."""
    return hand.ext is not UNSET and EXT in hand.ext


def cells_of(hand: Hand, finding: Finding) -> str:
    """Return the cells of a sheet that a finding is about: ``D14``, or ``G14 H14`` for two sides.

    Empty for a hand of no sheet; the row alone, ``14``, where no one column says it.
    """
    place: Any = hand.ext.get(EXT) if hand.ext is not UNSET else None
    if not isinstance(place, dict) or not isinstance(place.get("row"), int):
        return ""
    row, columns = place["row"], place.get("columns")
    for means in _CELLS.get(finding.pointer, ()):
        if isinstance(columns, dict) and isinstance(found := columns.get(means.value), str):
            return " ".join(f"{letter}{row}" for letter in found.split())
    return str(row)


def cell_words(hand: Hand, finding: Finding) -> str:
    """Return the cells of a finding as people are told them: ``cell D14``, ``row 14``."""
    named = cells_of(hand, finding).split()
    if not named or named[0].isdecimal():
        return say("row {number}", number=named[0]) if named else ""
    if len(named) == 1:
        return say("cell {cell}", cell=named[0])
    return say("cells {cells}", cells=Listing(named, commas=False))
