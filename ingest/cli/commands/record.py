"""``tricklog record``: hands taken down at the table, by typing."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, TextIO

from msgspec.structs import replace

from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Verdict
from tricklog.core.recording.draft import PASSED_OVER, TOLD, Draft, RecordingError
from tricklog.core.recording.evening import (
    Evening,
    begin,
    first_to_call,
    mend,
    next_hand,
    undo_hand,
)
from tricklog.core.recording.finishing import (
    Asked,
    Finished,
    dealt_from_play,
    exchange_left_out,
    finished,
    may_be_thrown_in,
)
from tricklog.core.recording.moment import moment_of, passed_over
from tricklog.core.render.sentences import result_text, side_labels, verdict_text
from tricklog.ingest.cli.arguments import Flag, Variant
from tricklog.ingest.cli.output import PROBLEM, SUCCESS, UNREADABLE, UserError, err, out
from tricklog.ingest.cli.rulesets import rules_named
from tricklog.ingest.recording import keeping
from tricklog.ingest.recording.keeping import KeepingError, Kept
from tricklog.ingest.recording.people import calls, players_of, seat_called
from tricklog.ingest.recording.words import (
    SAVE,
    asked_about,
    choices_of,
    deal_of,
    listed,
    made_again,
    offered,
    taken_back,
    words_of,
)
from tricklog.schemas.hand import Player
from tricklog.schemas.render import player_labels
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog record sunday.jsonl --variant pedro --players "Ann, Bo, Cy, Dee" --dealer Dee
  tricklog record sunday.jsonl                       # goes on where it was left
  tricklog record pad.jsonl --variant pidro --players "Ann, Bo, Cy, Dee" --quick
  tricklog record sunday.jsonl < typed.txt           # the same, typed before"""


def record(
    log: str,
    /,
    *,
    variant: Variant = None,
    players: str = "",
    dealer: str | None = None,
    scores: str = "",
    quick: Flag = False,
) -> int:
    """Record hands at the table, and check each on the spot.

    You are told who is to act and what the rules allow, and type what happened: 7, pass, hearts,
    10h. What the rules do not allow is asked about, and kept as it happened if you say so. Type ?
    for what can be typed now, undo to take the last thing back, save when a hand is over, pad for
    the score, quit to stop; the finished hands are then added to the log. Scores and dealer are
    carried over. What is not finished is kept beside the log and goes on with the next call.

    Args:
        log: The log that the hands are added to; --variant and --players are needed to begin it.
        players: Who sits at the table, clockwise, with commas; needed to begin.
        dealer: Who deals first; the last of the players unless said.
        scores: The scores the game stands at, by side with commas; 0 each unless said.
        quick: Only bid, maker, trumps and points of each hand; cards may be added at any hand.
    """
    path = Path(log)
    draft = path.with_name(f"{path.name}.draft")
    try:
        kept = keeping.read_file(draft)
        if kept is None:
            evening = _begun(variant, players, dealer, scores, quick=quick)
            kept = keeping.Kept(revision=0, evening=evening, log=path.name)
        elif variant or players:
            raise UserError(
                f"{draft} has an evening that is not finished",
                "Leave --variant and --players out to go on with it; or remove the file to begin "
                "again.",
            )
        return _Recorder(kept, path, draft, sys.stdin).run()
    except KeepingError as error:
        raise UserError(str(error), status=UNREADABLE) from error


def _begun(
    variant: str | None, players: str, dealer: str | None, scores: str, *, quick: bool
) -> Evening:
    """Return a new evening. Raises ``UserError`` for a table that cannot be."""
    if variant is None or not players.strip():
        raise UserError(
            "nothing is being recorded there yet",
            "Say what is played and who sits at the table, clockwise: --variant pedro --players "
            '"Ann, Bo, Cy, Dee".',
        )
    rules = rules_named(variant)
    try:
        counted = tuple(int(score) for score in scores.split(",")) if scores else None
    except ValueError:
        raise UserError(f"{scores!r} are no scores", "Write one number a side: 16,3.") from None
    try:
        sitting = players_of(players)
        return begin(
            keeping.new_id(),
            rules,
            sitting,
            dealer=_dealer(dealer, sitting),
            scores=counted,
            started_at=datetime.now().astimezone().isoformat(timespec="seconds"),
            quick=quick,
        )
    except RecordingError as error:
        raise UserError(str(error)) from error


def _dealer(said: str | None, players: Sequence[Player]) -> int:
    """Return the seat of who deals first. Raises ``UserError`` for somebody else."""
    seat = len(players) - 1 if said is None else seat_called(players, said)
    if seat is None:
        listed = ", ".join(calls(players))
        raise UserError(f"{said} does not sit at the table", f"Players: {listed}.")
    return seat


HELP: Final = """\
  7, pass, p            a bid, or none, of who is asked
  hearts, h             what is trumps
  10h, ♥10, KD          the card played; ? for one that nobody saw
  Bo discard 3          three cards laid off unseen; Bo discard 4h KD for cards that were seen
  Bo play 10h           the same in full, for anybody and anything: name, verb, cards
  -                     who is asked lets it pass without a word, and the hand goes on
  gap exchange          what was laid off and drawn is not recorded; go on with the first lead
  rest                  what follows is not recorded; then give points 0 9 and points 1 5, by side
  deal Ann 10h KD …     the cards Ann was dealt; deals, to enter all hands from what was played
  undo, redo            take the last thing back, or do it again
  quick, cards          without cards, or with them: Cy 9 d 8 6 is a hand without
  thrown-in             the cards were thrown in, without cards: passed
  maker, bid, trump, stake, alone, pair, change
                        what else is known of a hand: pair 2, change 0 -9, by seat or side
  remark TEXT           a remark on the hand
  save                  the hand is over; the next one begins
  pad                   the score of the evening
  mend 2, undo hand     open hand 2 again, or the last one
  quit                  add the finished hands to the log and stop"""
_MANY_CARDS: Final = re.compile(r"(?:(?:10|[2-9AKQJ])[♠♥♦♣] ?){12,}(?:joker)?(?<! )")
"""Cards that are listed and would fill lines."""
_YES: Final = frozenset({"yes", "y", "as it happened"})
_NO: Final = frozenset({"no", "n", "another"})


class _Recorder:
    """An evening that somebody types in."""

    def __init__(self, kept: Kept, log: Path, draft: Path, lines: TextIO) -> None:
        self.kept = kept
        self.log = log
        self.draft_file = draft
        self.lines = lines
        self.status = SUCCESS
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "undo": self._undo,
            "redo": self._redo,
            "pad": self._pad,
            "save": self._save,
            "mend": self._mend,
            "deals": self._deals,
            "deal": lambda rest: self._accept(deal_of(rest, self.draft)),
        }

    @property
    def evening(self) -> Evening:
        return self.kept.evening

    @property
    def draft(self) -> Draft:
        return self.evening.draft

    def run(self) -> int:
        """Take lines down until there are no more, or one says to stop; return the exit status."""
        _complete(self._words)
        self._begin_hand()
        self._ask_again()
        for line in self._typed():
            text = line.strip()
            if text in ("quit", "q"):
                break
            if text:
                self._take(text)
        return self._end()

    def _typed(self) -> Iterable[str]:
        is_keyboard = self.lines.isatty()
        while True:
            if is_keyboard:
                try:
                    line = input("> ")
                except EOFError:
                    return
            else:
                line = self.lines.readline()
                if not line:
                    return
                out().print(f"> {line.strip()}")
            yield line

    def _take(self, text: str) -> None:
        try:
            if self.kept.asked:
                self._answer(text)
            else:
                self._obey(text)
        except RecordingError as error:
            end = "" if str(error).endswith((".", "?")) else "."
            err().print(f"Not taken: {error}{end}")
            self.status = PROBLEM

    def _obey(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())
        elif text == PASSED_OVER:
            self._keep(replace(self.evening, draft=passed_over(self.draft)))
            self._say_next()
        else:
            self._choose(text)

    def _choose(self, text: str) -> None:
        asked = asked_about(text, self.draft)
        if asked is None:
            self._accept(text)
        else:
            self._keep(self.evening, asked=text)
            _say_question(text, asked)

    def _ask_again(self) -> None:
        """Ask what was asked when the evening was left, unless it is in order by now."""
        asked = asked_about(self.kept.asked, self.draft) if self.kept.asked else None
        if asked is not None:
            _say_question(self.kept.asked, asked)
        elif self.kept.asked:
            self._keep(self.evening)

    def _answer(self, text: str) -> None:
        answer = text.lower()
        if answer not in _YES | _NO:
            raise RecordingError("answer yes, if it is so, or no")
        said = self.kept.asked
        self._keep(self.evening)
        if answer in _NO:
            self._say_next()
        elif said == SAVE:
            self._save_hand(finished(self.draft))
        else:
            self._accept(said)

    def _accept(self, said: str) -> None:
        draft = self.draft
        choices = choices_of(said, draft)
        draft = exchange_left_out(draft, choices)
        for choice in choices:
            draft = draft.taking(choice)
        self._keep(replace(self.evening, draft=draft))
        if len(choices) == 1:
            out().print(f"  {words_of(choices[0], draft)}")
        self._say_next()

    # --- Commands

    def _help(self, _: str) -> None:
        out().print(HELP)
        if not self.draft.told().is_quick:
            out().print(f"Now: {', '.join(offered(moment_of(self.draft))) or 'save'}")

    def _undo(self, rest: str) -> None:
        if rest == "hand":
            self._keep(undo_hand(self.evening))
        elif self.draft.is_empty:
            also = "; undo hand opens the one before again" if self.evening.done else ""
            raise RecordingError(f"there is nothing to take back in this hand{also}")
        else:
            draft, back = taken_back(self.draft)
            out().print(f"Taken back: {listed(back, self.draft)}.")
            self._keep(replace(self.evening, draft=draft))
        self._say_next()

    def _redo(self, _: str) -> None:
        if not self.draft.undone:
            raise RecordingError("nothing was taken back")
        self._keep(replace(self.evening, draft=made_again(self.draft)))
        self._say_next()

    def _deals(self, _: str) -> None:
        draft = self.draft
        for choice in dealt_from_play(draft):
            draft = draft.taking(choice)
        self._keep(replace(self.evening, draft=draft))
        out().print("Every hand is entered as the play has shown it; ? is a card nobody saw.")

    def _save(self, _: str) -> None:
        ended = finished(self.draft)
        if not self.draft.is_empty and ended.replayed.verdict == Verdict.INCOMPLETE:
            raise RecordingError(
                f"the hand is not over: {ended.replayed.doubts[0]} Go on, or type rest if what "
                "follows is not recorded"
            )
        asked = None if self.draft.is_empty else asked_about(SAVE, self.draft)
        if asked is None:
            self._save_hand(ended)
        else:
            self._keep(self.evening, asked=SAVE)
            _say_question(SAVE, asked)

    def _save_hand(self, ended: Finished) -> None:
        started = datetime.now().astimezone().isoformat(timespec="seconds")
        self._keep(next_hand(self.evening, started))
        self._say_result(ended)
        self._begin_hand()

    def _mend(self, rest: str) -> None:
        number = int(rest) if rest.isascii() and rest.isdigit() else 0
        self._keep(mend(self.evening, number - 1))
        out().print(f"Hand {number} is open again; save puts it back.")
        self._say_next()

    def _pad(self, _: str) -> None:
        for number, ended in enumerate(self.evening.hands(), 1):
            first = result_text(ended.replayed)[:1] or ["Nothing is known of it."]
            out().print(f"{number:3}  {first[0]} {_scores(ended.replayed, ended.scores)}")
        out().print(_standing(self.draft))

    # --- What is said

    def _begin_hand(self) -> None:
        draft = self.draft
        names = player_labels(finished(draft).hand)
        first = first_to_call(draft)
        bids = f", {names[first]} bids first" if first is not None else ""
        out().print(f"Hand {draft.number}: {names[draft.dealer]} deals{bids}. {_standing(draft)}")
        target = draft.ruleset().rules(len(draft.players)).target
        if any(score is not None and score >= target for score in draft.scores):
            out().print(f"{target} is reached, but by the rules the game is not over with that.")
        self._say_next()

    def _say_next(self) -> None:
        told = self.draft.told()
        if told.is_quick:
            if self.draft.is_empty:
                self._say_quick()
            else:
                self._say_result(finished(self.draft))
                out().print("Type save if that is right, undo to take it back.")
            return
        moment = moment_of(self.draft)
        if moment.is_over or moment.is_broken or told.stops:
            self._say_result(finished(self.draft))
            out().print("Type save, or undo.")
        elif moment.turn is None:
            also = "; or - if nobody does" if moment.may_pass_over else ""
            out().print(f"Anybody may act: {', '.join(offered(moment))}{also}")
        else:
            out().print(_MANY_CARDS.sub("the cards nobody has seen", moment.sentence))

    def _say_quick(self) -> None:
        """Say what a hand without cards is written as, with the points of this game."""
        rules = self.draft.ruleset().rules(len(self.draft.players))
        name = calls(self.draft.players)[rules.seats // 2]
        most = rules.all_points
        points = [str(most - most // 3), str(most // 3)] + ["0"] * (rules.side_count - 2)
        thrown_in = "; passed, if the cards were thrown in" if may_be_thrown_in(rules) else ""
        out().print(
            "Type who bid, how much, trumps and points, the makers' first: "
            f"{name} {rules.min_bid} d {' '.join(points)}{thrown_in}."
        )

    def _say_result(self, ended: Finished) -> None:
        findings = (f"  ✗ {finding.message}" for finding in ended.replayed.findings)
        audit = f"Audit: {verdict_text(ended.replayed)}"
        for line in (*result_text(ended.replayed), audit, *findings):
            out().print(line)

    # --- Keeping

    def _keep(self, evening: Evening, asked: str = "") -> None:
        changed = replace(self.kept, evening=evening, asked=asked)
        self.kept = keeping.write_file(self.draft_file, changed, builds_on=self.kept.revision)

    def _end(self) -> int:
        count = 0
        if self.evening.mended < 0:
            self.kept, count = keeping.hand_over(self.log, self.draft_file, self.kept)
        if count:
            err().print(f"{counted(count, 'hand')} added to {self.log}.")
        if not self.draft.is_empty or self.evening.mended >= 0:
            err().print(self._left_open())
        return self.status

    def _left_open(self) -> str:
        """Return what becomes of the hand that is not saved."""
        goes_on = f"tricklog record {self.log} goes on with it"
        told = self.draft.told()
        is_over = told.is_quick or told.stops or moment_of(self.draft).is_over
        if not is_over or finished(self.draft).outcome.result is None:
            return f"Hand {self.draft.number} is not finished; {goes_on}."
        return (
            f"Hand {self.draft.number} is over but not saved, so it is not in the log; {goes_on}, "
            "and save puts it there."
        )

    def _words(self) -> list[str]:
        """Return what may be typed now, for completion."""
        listed = [*self.commands, "quit", *TOLD, "gap exchange"]
        if not self.draft.told().is_quick:
            listed += offered(moment_of(self.draft))
        return [*listed, *calls(self.draft.players)]


def _scores(replayed: Replay, scores: Sequence[int | None]) -> str:
    labels = side_labels(replayed)
    told = zip(labels, scores, strict=True)
    return ", ".join(f"{label} {'?' if score is None else score}" for label, score in told)


def _standing(draft: Draft) -> str:
    if not draft.scores:
        return "The scores are not known."
    return f"{_scores(finished(draft).replayed, draft.scores)}."


def _say_question(said: str, asked: Asked) -> None:
    wanted = "Save it as it is?" if said == SAVE else "Was it really so?"
    out().print(f"{wanted} {asked.sentence}")
    if asked.is_last:
        out().print("Nothing can be recorded after it in this hand.")
    if said == SAVE:
        out().print("yes: save it · no: go on with the hand")
    else:
        out().print("yes: it happened so · no: it was something else")


def _complete(words: Callable[[], list[str]]) -> None:
    """Complete what is typed at a keyboard, where the terminal can."""
    try:
        import readline
    except ImportError:
        return

    def completed(text: str, place: int) -> str | None:
        found = [word for word in words() if word.lower().startswith(text.lower())]
        return found[place] if place < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(completed)
    readline.parse_and_bind("tab: complete")
