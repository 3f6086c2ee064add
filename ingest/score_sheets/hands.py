"""From the rows of a game to hands with gaps, in the fields of the hand log, and back to the cells.

Who sat where is known from what the user says, the headings, and the way the deal goes round.

Nothing is written that the sheet does not say. The scores before a hand are those after the one
before it; a first hand starts from nothing. Where a sheet has changes alone, the scores are what
they come to.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import UNSET

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.table import next_seat, side_of
from tricklog.core.judging.gaps.contracts import Contract
from tricklog.core.judging.gaps.readings import bid_code
from tricklog.core.judging.gaps.totals import have_all_points
from tricklog.core.judging.gaps.ways import Claims, Game, are_open, cases
from tricklog.core.model import Finding
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.ingest.score_sheets.games import Game as Rows
from tricklog.ingest.score_sheets.games import Line, Wrong
from tricklog.ingest.score_sheets.grid import SheetError
from tricklog.ingest.score_sheets.headers import names_in
from tricklog.ingest.score_sheets.settings import ROLES, SheetSettings
from tricklog.ingest.score_sheets.words import SIDES, Means, key
from tricklog.ingest.text_form.folding import name_key
from tricklog.ingest.text_form.problems import did_you_mean, shown
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import Listing, say
from tricklog.schemas.player_ids import id_of_name

_TWO: Final = 2
"""Sides of two partners each."""
WHO_SAT: Final = (
    "Name those who play in the order of the seats, partners across: --players Ann,Bo,Cy,Dee; or "
    'players = ["Ann", "Bo", "Cy", "Dee"] in the mapping.'
)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where in a game, and whose column is whose."""

    players: tuple[str, ...]
    sides: dict[str, int]
    """By ``of`` of a column, the side."""
    is_guessed: bool = False
    """Whether nothing but the order of the columns says which is whose."""

    def seat(self, name: str) -> int | None:
        """Return the seat of a player by name, by its beginning, or by a part of it."""
        wanted = name_key(name)
        keys = [name_key(player) for player in self.players]
        if wanted in keys:
            return keys.index(wanted)
        for fits in (str.startswith, _has_word):
            found = [seat for seat, each in enumerate(keys) if wanted and fits(each, wanted)]
            if len(found) == 1:
                return found[0]
        return None


def _has_word(name: str, word: str) -> bool:
    return word in name.split() or "".join(part[0] for part in name.split()) == word


def seat(
    said: Sequence[str], labels: Sequence[str], lines: Sequence[Line], rules: Rules
) -> Seating:
    """Return who sits where. ``said``: the players by seat, empty where the user does not say.

    Raises ``SheetError`` where the sheet does not tell, and says how to.
    """
    pairs = [names_in(label) for label in labels]
    if said and len(said) != rules.seats:
        raise SheetError(f"{len(said)} players are named, and {rules.seats} play.", WHO_SAT)
    players = tuple(said) or _players(labels, pairs, lines, rules)
    sides = _sides(players, labels, pairs, rules)
    if sides is not None:
        return Seating(players, sides)
    votes = _votes(Seating(players, {}), lines, rules)
    sides = {"1": int(votes < 0), "2": int(votes >= 0)}
    return Seating(players, sides, is_guessed=not (votes or said))


def _players(
    labels: Sequence[str], pairs: Sequence[list[str]], lines: Sequence[Line], rules: Rules
) -> tuple[str, ...]:
    dealers = [line.dealer for line in lines if line.dealer]
    makers = [line.maker for line in lines if line.maker]
    named = [name for pair in pairs for name in pair]
    if _TWO == rules.side_count < rules.seats and [len(pair) for pair in pairs] == [_TWO, _TWO]:
        (a, c), (b, d) = pairs[0], pairs[1]

        def passed_on(order: tuple[str, ...]) -> int:
            """Return how often the deal passes on as it should when they sit in this order."""
            table = Seating(order, {})
            seats = [table.seat(dealer) for dealer in dealers]
            return sum(
                old is not None and new is not None and new == next_seat(rules, old)
                for old, new in itertools.pairwise(seats)
            )

        return max([(a, b, c, d), (a, d, c, b)], key=passed_on)
    if rules.side_count == rules.seats and len(named) == rules.seats:
        turned = _by_rotation(dealers, rules)
        is_same = {name_key(each) for each in turned} == {name_key(each) for each in named}
        return turned if is_same else tuple(named)
    found = (
        _by_rotation(dealers, rules, makers)
        or _by_partners(labels, pairs, lines, rules)
        or _by_rotation(named, rules)
    )
    if not found:
        raise SheetError("The sheet does not tell who sat where.", WHO_SAT)
    return found


def _by_partners(
    labels: Sequence[str], pairs: Sequence[list[str]], lines: Sequence[Line], rules: Rules
) -> tuple[str, ...]:
    """Return an order of four with a column each by which of these say the same of a hand.

    Of those that fit as well it is the one in which they stand.
    """
    if rules.side_count != _TWO or [len(names) for names in pairs] != [1] * (_TWO * _TWO):
        return ()

    def agreed(order: Sequence[int]) -> int:
        return sum(
            numbers.get(str(one + 1)) == numbers.get(str(other + 1))
            for line in lines
            for numbers in line.sided.values()
            for one, other in (order[::2], order[1::2])
        )

    order = max(((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)), key=agreed)
    return tuple(labels[place] for place in order)


def _by_rotation(
    dealers: Sequence[str], rules: Rules, others: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the order in which the deal goes round, where as many deal as there are seats.

    One of ``others`` may be the only player who has not dealt yet.
    """
    keys = [name_key(dealer) for dealer in dealers]
    spelled: dict[str, str] = {}
    for at, dealer in zip(keys, dealers, strict=True):
        spelled.setdefault(at, dealer)
    if len(spelled) == rules.seats - 1:
        for other in others:
            spelled.setdefault(name_key(other), other)
    if len(spelled) != rules.seats:
        return ()
    after = Counter(pair for pair in itertools.pairwise(keys) if pair[0] != pair[1])
    order = [keys[0]]
    while len(order) < rules.seats:
        left = [each for each in spelled if each not in order]
        order.append(max(left, key=lambda each: after[order[-1], each]))
    if rules.step < 0:
        order = [order[0], *reversed(order[1:])]
    return tuple(spelled[each] for each in order)


def _sides(
    players: tuple[str, ...], labels: Sequence[str], pairs: Sequence[list[str]], rules: Rules
) -> dict[str, int] | None:
    """Return the side of each column of a side: by the names over it, else by their order.

    Of two sides nothing is returned where no name stands over them.
    """
    table = Seating(players, {})
    found: dict[str, int] = {}
    for number, names in enumerate(pairs, 1):
        seats = {seat for name in names if (seat := table.seat(name)) is not None}
        sides = {side_of(rules, seat) for seat in seats}
        if len(sides) == 1 and len(seats) == len(names):
            found[str(number)] = sides.pop()
    # A team may have a name of its own, as nobody at the table has.
    are_teams = not found and all(len(names) == 1 for names in pairs) and rules.side_count == _TWO
    if any(pairs) and len(found) < len(pairs) and not are_teams:
        wrong = next(label for number, label in enumerate(labels, 1) if str(number) not in found)
        raise SheetError(
            f"The column {wrong!r} is of no side of {', '.join(players)}.",
            "Name those who play in the order of the seats, with partners across.",
        )
    if found or rules.side_count != _TWO:
        return found or {str(side + 1): side for side in range(rules.side_count)}
    return None


def _votes(table: Seating, lines: Sequence[Line], rules: Rules) -> int:
    """Return how much more speaks for column 1 as that of side 0 than for column 2.

    Who loses points in a hand were its makers, and so were those who took what was bid when the
    others did not. Of running scores the steps tell.
    """
    votes = 0
    before: dict[str, int] = {}
    for line in lines:
        scores = line.numbers(Means.SCORE)
        step = {of: score - before.get(of, 0) for of, score in scores.items()}
        before = scores or before
        seat = table.seat(line.maker) if line.maker else None
        if seat is None:
            continue
        sign = 1 if side_of(rules, seat) == 0 else -1
        change = line.numbers(Means.CHANGE) or step
        points = line.numbers(Means.POINTS) or change
        lost = {of for of, value in change.items() if value < 0}
        if len(lost) == 1 and lost <= {"1", "2"}:
            votes += sign if lost == {"1"} else -sign
        elif line.result == "made" and isinstance(line.bid, int) and len(points) == _TWO:
            reached = [of for of, value in points.items() if value >= line.bid]
            if len(reached) == 1:
                votes += sign if reached == ["1"] else -sign
    return votes


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
            may_be_thrown_in=contract.is_open,
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
