"""Games: the hands of one game checked together.

What a hand carries over from the one before it: the next number, the deal passing on, the running
scores, and that the game was not over. Where a hand is missing in between, or its result is open,
what it would have carried over is open and not judged; that the game was over before is not open.
Sources: 0.deal, 0.record; S01, S02, S15, S84, and the game section of each system.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.table import next_seat
from tricklog.core.judging.findings import cite, player_name
from tricklog.core.judging.replayer import Replay
from tricklog.core.judging.standing import match_of, standing
from tricklog.core.model import Fact, Finding, Verdict
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import Listing, Message, message
from tricklog.schemas.render import versus
from tricklog.schemas.times import has_offset, order_time

_MOST_OF_ID: Final = 60
"""Characters of an id that a finding repeats beside those of a whole table."""
Facts = dict[str, Fact]


@dataclass(frozen=True, slots=True)
class _Left:
    id: str
    number: int | None
    ruleset: str
    """Hash of the rules."""
    players: tuple[str, ...]
    due: int | None
    """The seat that deals next; ``None`` where nobody knows who dealt in the hands before."""
    silent: int
    """Hands since the last one of which it is recorded who dealt."""
    claimed: tuple[int, ...] | None
    """The running scores the record claims: where they are wrong, that is found already."""
    began: str | None
    """When the last hand that says so began."""


@dataclass(slots=True)
class Course:
    """How a game has gone so far: all that its next hand is checked against, in plain values."""

    left: _Left | None = None
    """What the last hand has left; ``None`` before the first."""
    scores: list[int] | None = None
    """Running scores after the last hand; ``None`` when they are open."""
    winner: int | None = None
    won_with: tuple[str, tuple[str, ...]] | None = None
    """The hand that ended the game and the players who had won it, until a hand after it has been
    reported."""

    @property
    def number(self) -> int | None:
        """The number of the last hand; ``None`` before the first, and where it has none."""
        return self.left.number if self.left else None

    def check(self, current: Replay) -> list[Finding]:
        """Return what shows only beside the hands before, and enter the hand as the last one."""
        left = self.left
        if left is None:
            found = list(_at_the_start(current))
            self.add(current, follows=False)
            return found
        step = _step(left, current.hand)
        found = list(_same_table(left, current))
        if step == 0:
            found.append(_number_twice(left, current))
        if step == 1:
            found += _carried_over(left, current, self.scores)
        if step:
            found += _times(left, current)
        if step and self.won_with is not None:
            found.append(_after_the_game(self.won_with, self.winner or 0, current))
            self.won_with = None
        self.add(current, follows=step == 1)
        return found

    def add(self, current: Replay, *, follows: bool) -> None:
        """Enter a hand; ``follows`` says that no hand is missing before it."""
        hand, rules = current.hand, current.rules
        began = self.left.began if self.left else None
        if hand.started_at is not UNSET:
            began = hand.started_at
        self.left = _left_by(current, self.left if follows else None, began)
        before = self.scores if follows else None
        if before is not None and len(before) != rules.side_count:
            # Another table, as found in the hand: nobody can tell whose these scores are.
            before = None
        if hand.hand == 1:
            before = [0] * rules.side_count
        self.scores = None
        scores, winner = _stands_at(current, before)
        if scores is None:
            return
        self.scores = list(scores)
        if winner is not None:
            self.winner = winner
            side_of = current.ruleset.side_of
            winners = [
                player_name(hand, seat) for seat in range(rules.seats) if side_of(seat) == winner
            ]
            self.won_with = None if _went_on(current) else (hand.id, tuple(winners))


def _stands_at(
    current: Replay, before: list[int] | None
) -> tuple[tuple[int, ...] | None, int | None]:
    """Return the scores after a hand and who has won the game with it, as far as is known.

    ``before`` are the scores that the hand before has left, for a hand that does not say.
    """
    outcome, known, rules = current.outcome, current.known_outcome, current.rules
    carried = before is not None and current.hand.whole_scores is UNSET
    if outcome is not None and current.verdict != Verdict.DOUBTFUL:
        if carried and before is not None:
            return standing(rules, before, outcome)
        return outcome.scores, outcome.winner_side
    if known is None:
        return None, None
    if known.scores is None and carried and before is not None and known.change is not None:
        after = [0] * rules.side_count
        game_end.add_up(rules, before, known.change, after)
        return tuple(after), None
    return known.scores, known.winner_side


def _left_by(current: Replay, before: _Left | None, began: str | None) -> _Left:
    """Return what a hand leaves; ``before`` is what the one before it left, if none is missing.

    The deal passes on with a hand of which nobody noted who dealt it, too.
    """
    hand = current.hand
    is_silent = hand.dealer is UNSET
    dealer = before.due if before else None
    if hand.dealer is not UNSET:
        dealer = hand.dealer
    return _Left(
        id=hand.id,
        number=None if hand.hand is UNSET else hand.hand,
        ruleset=current.ruleset.hash,
        players=tuple(player.id for player in hand.players),
        due=None if dealer is None else next_seat(current.rules, dealer),
        silent=(before.silent if before else 0) + 1 if is_silent else 0,
        claimed=_claimed_scores(hand),
        began=began,
    )


def _went_on(ended: Replay) -> bool:
    """Did the game go on because the hand that ended it was counted wrongly, as found there?"""
    claimed = _claimed_scores(ended.hand)
    if claimed is None or len(claimed) != ended.rules.side_count:
        return False
    wrong = any(finding.code.startswith("claimed-") for finding in ended.findings)
    return wrong and not game_end.is_over(ended.rules, list(claimed))


def check_game(replays: Iterable[Replay]) -> list[list[Finding]]:
    """Return the game findings of each hand, in the order given.

    ``replays`` are the hands of one game in the order of their numbers; a hand without a number
    follows the one before it.
    """
    return list(game_checks(replays))


def game_checks(replays: Iterable[Replay], course: Course | None = None) -> Iterator[list[Finding]]:
    """Return what ``check_game`` does, hand by hand, for games too long to be held.

    ``course`` is how far the game has been checked before.
    """
    course = course or Course()
    for current in replays:
        yield course.check(current)


def match_scores(games: Sequence[Sequence[Replay]]) -> list[int]:
    """Return what each side has in a match after ``games``, one or more, of the same table (O50).

    Each game is its replayed hands in order; a game that nobody has won counts nothing.
    """
    totals = [0] * games[0][0].rules.side_count
    for hands in games:
        course = Course()
        for current in hands:
            follows = course.left is not None and _step(course.left, current.hand) == 1
            if course.winner is None:
                course.add(current, follows=follows)
        if course.winner is not None:
            won = match_of(hands[0].rules, course.winner)
            totals = [old + new for old, new in zip(totals, won, strict=True)]
    return totals


def _step(left: _Left, current: Hand) -> int:
    """Return by how much the number rises; hands without a number follow each other."""
    if left.number is None or current.hand is UNSET:
        return 1
    return current.hand - left.number


def _at_the_start(current: Replay) -> Iterator[Finding]:
    """Yield what is wrong with the scores before a hand, of whose game nothing else is known."""
    hand, rules = current.hand, current.rules
    before = hand.whole_scores
    if before is UNSET:
        return
    scores = versus(before)
    if hand.hand == 1 and any(before):
        facts: Facts = {"recorded": before, "carried": [0] * len(before)}
        said = message(
            "The first hand of a game starts at {scores} instead of nothing.", scores=scores
        )
        yield _finding("score-not-carried", "/scores", facts, said, "0.record")
    elif len(before) == rules.side_count and game_end.is_over(rules, before):
        said = message("This hand starts at {scores}, with which the game was over.", scores=scores)
        rule = cite(current.ruleset, ("target", "won_by"))
        yield _finding("after-the-game", "/scores", {"recorded": before}, said, rule)


def _same_table(left: _Left, current: Replay) -> Iterator[Finding]:
    facts: Facts
    if current.ruleset.hash != left.ruleset:
        facts = {"before": left.ruleset, "now": current.ruleset.hash}
        said = message("The rules differ from those of the hand before in the same game.")
        yield _finding("rules-changed", "/rules", facts, said, "0.record")
    now = tuple(player.id for player in current.hand.players)
    if left.players != now:
        facts = {"before": _ids(left.players), "now": _ids(now)}
        said = message(
            "The players or their seats differ from those of the hand before in the same game."
        )
        yield _finding("players-changed", "/players", facts, said, "0.players")


def _ids(players: Sequence[str]) -> str:
    return " ".join(
        player if len(player) <= _MOST_OF_ID else f"{player[:_MOST_OF_ID]}…" for player in players
    )


def _number_twice(left: _Left, current: Replay) -> Finding:
    facts: Facts = {"number": int(str(current.hand.hand)), "other": left.id}
    said = message("Hand number {number} of this game is recorded twice, also as {other}.", **facts)
    return _finding("hand-number-twice", "/hand", facts, said, "0.record")


def _times(left: _Left, current: Replay) -> Iterator[Finding]:
    before, now = left.began, current.hand.started_at
    if before is None or now is UNSET or has_offset(before) != has_offset(now):
        return
    if order_time(now) < order_time(before):
        facts: Facts = {"recorded": now, "before": before}
        said = message(
            "This hand began at {now}, before the hand before it in the same game: that began "
            "at {before}.",
            now=now,
            before=before,
        )
        yield _finding("began-before", "/started_at", facts, said, "0.record")


def _carried_over(left: _Left, current: Replay, carried: list[int] | None) -> Iterator[Finding]:
    """Deal and scores as the hand before leaves them; ``carried`` are the scores after it."""
    hand = current.hand
    if hand.dealer is not UNSET and left.due is not None and hand.dealer != left.due:
        yield _wrong_dealer(hand, hand.dealer, left.due, left.silent)
    before = hand.whole_scores
    if carried is not None and hand.scores is UNSET:
        yield from _does_not_follow(current, carried)
    # Scores claimed wrongly by the hand before are found there already.
    if before is UNSET or carried is None or tuple(before) in (tuple(carried), left.claimed):
        return
    facts: Facts = {"recorded": before, "carried": carried}
    said = message(
        "This hand starts at {scores}, but the one before it ended at {before}.",
        scores=versus(before),
        before=versus(carried),
    )
    yield _finding("score-not-carried", "/scores", facts, said, "0.record")


def _wrong_dealer(hand: Hand, dealer: int, due: int, silent: int) -> Finding:
    """Return the finding for a deal that was another's; ``silent`` hands before it name nobody."""
    facts: Facts = {"recorded": dealer, "due": due}
    names = {"player": player_name(hand, dealer), "due": player_name(hand, due)}
    sentence = message("{player} dealt, but the deal was {due}'s.", **names)
    if silent:
        facts["silent"] = silent
        sentence = message(
            "{player} dealt, but the deal was {due}'s; it passes on in hands of which nobody noted "
            "the dealer, too.",
            **names,
        )
    return _finding("wrong-dealer", "/dealer", facts, sentence, "0.deal S01 S02", dealer)


def _does_not_follow(current: Replay, carried: list[int]) -> Iterator[Finding]:
    """Of a record with gaps: are the scores it claims those before it and its change?"""
    known, claimed, rules = current.known_outcome, _claimed_scores(current.hand), current.rules
    if known is None or known.change is None or claimed is None or game_end.counts_out(rules):
        return
    after = [0] * rules.side_count
    if len(claimed) != rules.side_count or len(carried) != rules.side_count:
        return
    game_end.add_up(rules, carried, known.change, after)
    if list(claimed) != after:
        facts: Facts = {"recorded": list(claimed), "carried": after}
        said = message(
            "The record claims {claimed} as the score after this hand; from {before} before "
            "it, it comes to {after}.",
            claimed=versus(claimed),
            before=versus(carried),
            after=versus(after),
        )
        yield _finding("score-not-carried", "/claimed/scores", facts, said, "0.record")


def _after_the_game(won_with: tuple[str, tuple[str, ...]], winner: int, current: Replay) -> Finding:
    ended_by, winners = won_with
    facts: Facts = {"winner": winner, "ended_by": ended_by}
    said = message(
        "The game was over: {winners} had won it with {hand}.",
        winners=Listing(winners, commas=False),
        hand=ended_by,
    )
    pointer = "/hand" if current.hand.hand is not UNSET else "/game"
    rule = cite(current.ruleset, ("target", "won_by"))
    return _finding("after-the-game", pointer, facts, said, rule)


def _claimed_scores(hand: Hand) -> tuple[int, ...] | None:
    claimed = hand.whole_claims
    return None if claimed is UNSET or claimed.scores is UNSET else tuple(claimed.scores)


def _finding(
    code: str, pointer: str, facts: Facts, said: Message, rule: str, seat: int | None = None
) -> Finding:
    return Finding(code, None, pointer, seat, facts, "", rule, said)
