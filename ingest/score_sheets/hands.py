"""From the rows of a game to hands with gaps, in the fields of the hand log.

Nothing is written that the sheet does not say. The scores before a hand are those after the one
before it; a first hand starts from nothing. Where a sheet has changes alone, the scores are what
they come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.gaps.contracts import Contract
from tricklog.core.judging.gaps.readings import bid_code
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.core.judging.gaps.ways import Claims, Game, are_open, cases
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.ingest.score_sheets.games import Game as Rows
from tricklog.ingest.score_sheets.lines import Line, Wrong
from tricklog.ingest.score_sheets.seating import Seating
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.score_sheets.words import SIDES, Means, key
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.schemas.player_ids import id_of_name

EXT: Final = "score-sheet"
"""Under which key of ``ext`` a hand has its place on the sheet."""
Record = dict[str, Any]
"""A hand by the fields of the log, but for ``format``."""


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
        mark = (
            str(number)
            if self._numbers[line.hand] == 1 or line.hand is None
            else f"{number}-{place}"
        )
        record: Record = {
            "id": f"{self._name}:{mark}",
            "game": self._name,
            "hand": number,
            "rules": self._settings.rules,
            "players": [{"id": id_of_name(name), "name": name} for name in self._seating.players],
        }
        dealer = self._seat(line, "dealer", line.dealer)
        if dealer is not None:
            record["dealer"] = dealer
        has_scores = any(line.numbers(means) for means in (Means.SCORE, Means.CHANGE, Means.BEFORE))
        said = self._per_side(line, Means.BEFORE)
        if said is not None:
            record["scores"] = said
        elif self._before is not None and has_scores:
            record["scores"] = list(self._before)
        record["actions"] = []
        side = self._maker_side(line)
        known = self._known(line, side)
        if known:
            record["known"] = known
        record["gaps"] = [{"before": 0, "missing": "rest"}]
        if "maker" in known:
            side = side_of(self._rules, known["maker"])
        claimed = self._claimed(line, side)
        self._fill_blanks(claimed, known, side)
        if claimed:
            record["claimed"] = claimed
        if line.is_passed:
            record["status"] = "thrown_in"
        if line.date is not None:
            record["started_at"] = line.date.isoformat()
        if line.remarks:
            record["remark"] = "\n".join(line.remarks)
        record["ext"] = {EXT: _place(line, sheet)}
        if side is not None and "maker" not in known:
            record["ext"][EXT]["side"] = side
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

    def _known(self, line: Line, side: int | None) -> Record:
        known: Record = {}
        maker = None if side is not None else self._seat(line, "maker", line.maker)
        if maker is not None:
            known["maker"] = maker
        for name, value in (("bid", line.bid), ("trump", line.trump), ("stake", line.stake)):
            if value:
                known[name] = value
        return known

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

    def _claimed(self, line: Line, makers: int | None) -> Record:
        claimed: Record = {}
        for means, name in (
            (Means.POINTS, "points"),
            (Means.CHANGE, "change"),
            (Means.SCORE, "scores"),
        ):
            values = self._per_side(line, means, makers)
            if values is not None:
                claimed[name] = values
        if line.result:
            claimed["result"] = line.result
            if line.by is not None:
                claimed["by"] = line.by
        return claimed

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
            at = line.places[means.value]
            if side is None:
                message = f"whose {means} these are is not known without the maker"
                line.wrong.append(Wrong(at[0], "", message))
            elif side >= len(values):
                message = f"there are {len(values)} sides, and this is column {of} of {means}"
                line.wrong.append(Wrong(at[-1], "", message))
            elif values[side] not in (None, number):
                message = f"{number} here and {values[side]} beside it are of one side"
                line.wrong.append(Wrong(at[-1], "", message))
            else:
                values[side] = number
        return values

    def _side(self, of: str, makers: int | None) -> int | None:
        if of not in ("makers", "defenders"):
            return self._seating.sides.get(of, int(of) - 1 if of else 0)
        if makers is None or of == "makers":
            return makers
        return 1 - makers if self._rules.side_count == 2 else None  # noqa: PLR2004

    def _carry(self, line: Line, record: Record) -> None:
        """Keep the scores after a hand, as they are written or come out of what is."""
        claimed = record.get("claimed", {})
        scores, change, before = (
            claimed.get("scores"),
            claimed.get("change"),
            record.get("scores"),
        )
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


def _place(line: Line, sheet: str) -> Record:
    """Return where a hand stands, for whoever looks it up."""
    place: Record = {"row": line.row.number}
    if sheet:
        place = {"sheet": sheet, **place}
    place["columns"] = {means: " ".join(at) for means, at in sorted(line.places.items())}
    return place
