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
from tricklog.schemas.languages.messages import Listing, message
from tricklog.schemas.render import versus
from tricklog.schemas.times import has_offset, order_time

_MOST_OF_ID: Final = 60
"""Characters of an id that a finding repeats beside those of a whole table."""
Facts = dict[str, Fact]


@dataclass(slots=True)
class Course:
    """How a game has gone so far: all that its next hand is checked against, in plain values."""

    id: str = ""
    """That of the last hand, as all below; empty before the first."""
    number: int | None = None
    """The number of the last hand; ``None`` before the first, and where it has none."""
    ruleset: str = ""
    """Hash of the rules."""
    players: tuple[str, ...] = ()
    due: int | None = None
    """The seat that deals next; ``None`` where nobody knows who dealt in the hands before."""
    silent: int = 0
    """Hands since the last one of which it is recorded who dealt."""
    claimed: tuple[int, ...] | None = None
    """The running scores the record claims: where they are wrong, that is found already."""
    began: str | None = None
    """When the last hand that says so began."""
    scores: list[int] | None = None
    """Running scores after the last hand; ``None`` when they are open."""
    winner: int | None = None
    won_with: tuple[str, tuple[str, ...]] | None = None
    """The hand that ended the game and who had won it, until a hand after it has been reported."""

    def step(self, hand: Hand) -> int:
        """Return by how much the number rises; hands without a number follow each other."""
        return 1 if self.number is None or hand.hand is UNSET else hand.hand - self.number

    def check(self, current: Replay) -> list[Finding]:
        """Return what shows only beside the hands before, and enter the hand as the last one."""
        if not self.players:
            found = list(_at_the_start(current))
            self.add(current, follows=False)
            return found
        facts: Facts
        step = self.step(current.hand)
        found = list(_same_table(self, current))
        if step == 0:
            facts = {"number": self.number or 0, "other": self.id}
            said = message(
                "Hand number {number} of this game is recorded twice, also as {other}.", **facts
            )
            found.append(Finding("hand-number-twice", "/hand", facts, "0.record", said))
        if step == 1:
            found += _carried_over(self, current)
        if step:
            found += _times(self, current)
        if step and self.won_with is not None:
            ended_by, winners = self.won_with
            facts = {"winner": self.winner or 0, "ended_by": ended_by}
            said = message(
                "The game was over: {winners} had won it with {hand}.",
                winners=Listing(winners, commas=False),
                hand=ended_by,
            )
            pointer = "/hand" if current.hand.hand is not UNSET else "/game"
            rule = cite(current.ruleset, ("target", "won_by"))
            found.append(Finding("after-the-game", pointer, facts, rule, said))
            self.won_with = None
        self.add(current, follows=step == 1)
        return found

    def add(self, current: Replay, *, follows: bool) -> None:
        """Enter a hand; ``follows`` says that no hand is missing before it."""
        hand, rules = current.hand, current.rules
        # The deal passes on with a hand of which nobody noted who dealt it, too.
        dealer = self.due if follows else None
        self.silent = self.silent + 1 if follows else 1
        if hand.dealer is not UNSET:
            dealer, self.silent = hand.dealer, 0
        self.due = None if dealer is None else next_seat(rules, dealer)
        self.id, self.number = hand.id, None if hand.hand is UNSET else hand.hand
        self.ruleset = current.ruleset.hash
        self.players = tuple(player.id for player in hand.players)
        self.claimed = _claimed_scores(hand)
        if hand.started_at is not UNSET:
            self.began = hand.started_at
        before = self.scores if follows else None
        if before is not None and len(before) != rules.side_count:
            # Another table, as found in the hand: nobody can tell whose these scores are.
            before = None
        if hand.hand == 1:
            before = [0] * rules.side_count
        scores, winner = _stands_at(current, before)
        self.scores = None if scores is None else list(scores)
        if scores is not None and winner is not None:
            self.winner = winner
            seats = [n for n in range(rules.seats) if current.ruleset.side_of(n) == winner]
            winners = tuple(player_name(hand, seat) for seat in seats)
            self.won_with = None if _went_on(current) else (hand.id, winners)


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


def _went_on(ended: Replay) -> bool:
    """Did the game go on because the hand that ended it was counted wrongly, as found there?"""
    claimed = _claimed_scores(ended.hand)
    if claimed is None or len(claimed) != ended.rules.side_count:
        return False
    wrong = any(finding.code.startswith("claimed-") for finding in ended.findings)
    return wrong and not game_end.is_over(ended.rules, list(claimed))


def check_game(replays: Iterable[Replay]) -> list[list[Finding]]:
    """Return the game findings of each hand, in the order given.

    ``replays`` are those of one game by number; a hand without one follows the one before it.
    """
    return list(game_checks(replays))


def game_checks(replays: Iterable[Replay], course: Course | None = None) -> Iterator[list[Finding]]:
    """Yield what ``check_game`` returns, for games of any length; ``course``: as checked before."""
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
            follows = bool(course.players) and course.step(current.hand) == 1
            if course.winner is None:
                course.add(current, follows=follows)
        if course.winner is not None:
            won = match_of(hands[0].rules, course.winner)
            totals = [old + new for old, new in zip(totals, won, strict=True)]
    return totals


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
        yield Finding("score-not-carried", "/scores", facts, "0.record", said)
    elif len(before) == rules.side_count and game_end.is_over(rules, before):
        said = message("This hand starts at {scores}, with which the game was over.", scores=scores)
        rule = cite(current.ruleset, ("target", "won_by"))
        yield Finding("after-the-game", "/scores", {"recorded": before}, rule, said)


def _same_table(course: Course, current: Replay) -> Iterator[Finding]:
    facts: Facts
    if current.ruleset.hash != course.ruleset:
        facts = {"before": course.ruleset, "now": current.ruleset.hash}
        said = message("The rules differ from those of the hand before in the same game.")
        yield Finding("rules-changed", "/rules", facts, "0.record", said)
    now = tuple(player.id for player in current.hand.players)
    if course.players != now:
        facts = {"before": _ids(course.players), "now": _ids(now)}
        said = message(
            "The players or their seats differ from those of the hand before in the same game."
        )
        yield Finding("players-changed", "/players", facts, "0.players", said)


def _ids(players: Sequence[str]) -> str:
    return " ".join(
        player if len(player) <= _MOST_OF_ID else f"{player[:_MOST_OF_ID]}…" for player in players
    )


def _times(course: Course, current: Replay) -> Iterator[Finding]:
    before, now = course.began, current.hand.started_at
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
        yield Finding("began-before", "/started_at", facts, "0.record", said)


def _carried_over(course: Course, current: Replay) -> Iterator[Finding]:
    """Deal and scores as the hand before leaves them."""
    hand, carried = current.hand, course.scores
    if hand.dealer is not UNSET and course.due is not None and hand.dealer != course.due:
        yield _wrong_dealer(hand, hand.dealer, course.due, course.silent)
    before = hand.whole_scores
    if carried is not None and hand.scores is UNSET:
        yield from _does_not_follow(current, carried)
    # Scores claimed wrongly by the hand before are found there already.
    if before is UNSET or carried is None or tuple(before) in (tuple(carried), course.claimed):
        return
    facts: Facts = {"recorded": before, "carried": carried}
    said = message(
        "This hand starts at {scores}, but the one before it ended at {before}.",
        scores=versus(before),
        before=versus(carried),
    )
    yield Finding("score-not-carried", "/scores", facts, "0.record", said)


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
    return Finding("wrong-dealer", "/dealer", facts, "0.deal S01 S02", sentence, seat=dealer)


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
        yield Finding("score-not-carried", "/claimed/scores", facts, "0.record", said)


def _claimed_scores(hand: Hand) -> tuple[int, ...] | None:
    claimed = hand.whole_claims
    return None if claimed is UNSET or claimed.scores is UNSET else tuple(claimed.scores)
