"""An evening at one table: hands that are finished, and the one that is being recorded.

Scores, dealer and number are carried from hand to hand; a game that is won is followed by another.
"""

from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tricklog.core.engine import engine
from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.table import next_seat
from tricklog.core.judging.setup import first_state
from tricklog.core.recording.draft import Draft, RecordingError, hand_of
from tricklog.core.recording.finishing import Finished, finished
from tricklog.core.rulesets.rules_file import RulesetError
from tricklog.core.rulesets.ruleset import resolve, seats_problem
from tricklog.schemas.hand import Hand, Player, RulesRef
from tricklog.schemas.languages.messages import say
from tricklog.schemas.limits import MAX_NAME, MAX_SCORE
from tricklog.schemas.render import versus

_ROOM: Final = 24
"""Characters that the number of a game and of a hand add to the name of an evening."""


class Evening(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Hands recorded at one table, one after the other."""

    id: str
    """Names its games and hands; globally unique."""
    done: tuple[Draft, ...] = ()
    """Finished hands, in order."""
    draft: Draft
    """The hand that is being recorded."""
    mended: int = -1
    """Index of the finished hand that the draft replaces; -1 for a new one."""
    later: Draft | None = None
    """The new hand that waits while an older one is mended."""
    written: int = 0
    """How many of the finished hands stand in the log already."""

    def hands(self) -> list[Finished]:
        """Return the finished hands with what came of them."""
        return [finished(draft) for draft in self.done]

    def unwritten(self) -> list[Hand]:
        """Return the records that are not in the log yet."""
        return [finished(draft).hand for draft in self.done[self.written :]]


def begin(
    name: str,
    rules: RulesRef,
    players: list[Player],
    *,
    dealer: int,
    scores: tuple[int, ...] | None = None,
    started_at: str = "",
    quick: bool = False,
) -> Evening:
    """Return a new evening before its first hand.

    ``scores`` are those the game stands at, 0 each unless said. Raises ``RecordingError`` for a
    table that cannot play by these rules.
    """
    if not name or len(name) > MAX_NAME - _ROOM:
        raise RecordingError(f"a name for the evening has 1 to {MAX_NAME - _ROOM} characters")
    try:
        ruleset = resolve(rules)
        seats = seats_problem(ruleset, len(players))
    except RulesetError as error:
        raise RecordingError(str(error)) from None
    if seats:
        raise RecordingError(f"the table {seats}")
    _check_players(players)
    if not 0 <= dealer < len(players):
        raise RecordingError(f"the dealer sits at a seat from 0 to {len(players) - 1}")
    sides = ruleset.sides(len(players))
    if scores is not None and len(scores) != sides:
        raise RecordingError(f"there are {sides} sides, and so many scores")
    _check_limits(players, scores or ())
    table = ruleset.rules(len(players))
    if scores and game_end.is_over(table, scores):
        raise RecordingError(
            f"with {versus(scores)} the game is over, as it goes to {table.target}; give the "
            "scores of the game that is being played, or none for a new one"
        )
    pinned = RulesRef(rules.variant, ruleset.version, rules.options, rules.definition)
    first = Draft(
        id=f"{name}/1/1",
        game=f"{name}/1",
        number=1,
        rules=pinned,
        players=tuple(players),
        dealer=dealer,
        scores=scores or (0,) * sides,
        started_at=started_at,
        choices=("quick",) if quick else (),
    )
    return Evening(id=name, draft=first)


def _check_players(players: list[Player]) -> None:
    """Raise ``RecordingError`` where somebody would sit at two seats."""
    called: dict[str, str] = {}
    for player in players:
        name, before = player.name or player.id, called.get(player.id)
        if before == name:
            raise RecordingError(
                say("{player} sits at two seats; give each player a name of their own", player=name)
            )
        if before is not None:
            raise RecordingError(
                say(
                    "{player} and {other} are one player, who sits at two seats; give each player "
                    "a name of their own",
                    player=before,
                    other=name,
                )
            )
        called[player.id] = name


def _check_limits(players: list[Player], scores: tuple[int, ...]) -> None:
    for player in players:
        if len(player.id) > MAX_NAME:
            name = player.id[:20]
            too_long = say(
                "a name has {most} characters at most; {start}… has more", most=MAX_NAME, start=name
            )
            raise RecordingError(too_long)
    if any(abs(score) > MAX_SCORE for score in scores):
        raise RecordingError(f"a score lies within {MAX_SCORE:,} of 0")


def next_hand(evening: Evening, started_at: str = "") -> Evening:
    """Return the evening with the next hand; raise ``RecordingError`` if this one says nothing."""
    draft = evening.draft
    told = draft.told()
    says = told.deeds or told.known or told.points or told.change or told.is_thrown_in
    if not says and not finished(draft).outcome.result:
        raise RecordingError(say("nothing of this hand is recorded yet"))
    if evening.mended >= 0:
        return _mended(evening)
    done = (*evening.done, replace(draft, undone=()))
    following = _after(evening, draft)
    quick = ("quick",) if told.is_quick else ()
    following = replace(following, started_at=started_at, choices=quick, undone=())
    return replace(evening, done=done, draft=following)


def _after(evening: Evening, draft: Draft) -> Draft:
    ended = finished(draft)
    rules = resolve(draft.rules).rules(len(draft.players))
    game, number, scores = draft.game, draft.number + 1, ended.scores
    if ended.outcome.winner_side is not None:
        game = f"{evening.id}/{int(draft.game.rpartition('/')[2]) + 1}"
        number, scores = 1, (0,) * rules.side_count
    known = scores if any(score is not None for score in scores) else ()
    name, dealer = f"{game}/{number}", next_seat(rules, draft.dealer)
    return replace(draft, id=name, game=game, number=number, dealer=dealer, scores=known)


def mend(evening: Evening, index: int) -> Evening:
    """Open a finished hand again; raise ``RecordingError`` for one in the log already, or none."""
    if evening.mended >= 0:
        raise RecordingError(say("another hand is open; save it first"))
    if not 0 <= index < len(evening.done):
        raise RecordingError(say("there is no hand {number}", number=index + 1))
    if index < evening.written:
        raise RecordingError(
            say(
                "hand {number} is in the log already, and a log is never changed here. Correct the "
                "line in the log, or record the hand again.",
                number=index + 1,
            )
        )
    return replace(evening, draft=evening.done[index], mended=index, later=evening.draft)


def undo_hand(evening: Evening) -> Evening:
    """Return the evening with its last finished hand open again, and the next one dropped."""
    opened = mend(evening, len(evening.done) - 1)
    return replace(opened, done=opened.done[:-1], mended=-1, later=None)


def _mended(evening: Evening) -> Evening:
    """Put a mended hand in its place, and carry what has changed to those after it."""
    assert evening.later is not None
    done = [*evening.done]
    done[evening.mended] = replace(evening.draft, undone=())
    following = [*done[evening.mended + 1 :], evening.later]
    before, carried = done[evening.mended], []
    for draft in following:
        after = _after(evening, before)
        before = replace(
            draft, id=after.id, game=after.game, number=after.number, scores=after.scores
        )
        carried.append(before)
    all_done = (*done[: evening.mended + 1], *carried[:-1])
    return replace(evening, done=all_done, draft=carried[-1], mended=-1, later=None)


def first_to_call(draft: Draft) -> int | None:
    """Return who bids first in a hand; ``None`` where the game begins otherwise."""
    bare = hand_of(replace(draft, choices=()))
    state, rules, _ = first_state(replace(bare, deal=UNSET), resolve(draft.rules), [])
    engine.start(state, rules)
    turn = engine.to_act(state)
    return turn if turn >= 0 else None
