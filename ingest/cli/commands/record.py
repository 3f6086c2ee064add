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
from tricklog.core.recording import evening as evenings
from tricklog.core.recording import finishing
from tricklog.core.recording.draft import PASSED_OVER, TOLD, Draft, RecordingError
from tricklog.core.recording.moment import moment_of, passed_over
from tricklog.core.render.sentences import result_text, side_labels, verdict_text
from tricklog.ingest.cli.arguments import Flag, Variant
from tricklog.ingest.cli.output import (
    PROBLEM,
    SUCCESS,
    UNREADABLE,
    UserError,
    in_words,
    put,
    remark,
)
from tricklog.ingest.cli.rulesets import rules_named
from tricklog.ingest.recording import keeping, words
from tricklog.ingest.recording.keeping import KeepingError, Kept
from tricklog.ingest.recording.people import calls, players_of, seat_called
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
    with in_words(KeepingError, status=UNREADABLE):
        kept = keeping.read_file(draft)
        if kept is None:
            evening = _begun(variant, players, dealer, scores, quick=quick)
            kept = Kept(revision=0, evening=evening, log=path.name)
        elif variant or players:
            raise UserError(
                f"{draft} has an evening that is not finished",
                "Leave --variant and --players out to go on with it; or remove the file to begin "
                "again.",
            )
        return _Recorder(kept, path, draft, sys.stdin).run()


def _begun(
    variant: str | None, players: str, dealer: str | None, scores: str, *, quick: bool
) -> evenings.Evening:
    if variant is None or not players.strip():
        raise UserError(
            "nothing is being recorded there yet",
            "Say what is played and who sits at the table, clockwise: --variant pedro --players "
            '"Ann, Bo, Cy, Dee".',
        )
    rules = rules_named(variant)
    try:
        standing = tuple(int(score) for score in scores.split(",")) if scores else None
    except ValueError:
        raise UserError(f"{scores!r} are no scores", "Write one number a side: 16,3.") from None
    with in_words(RecordingError):
        sitting = players_of(players)
        seat = len(sitting) - 1 if dealer is None else seat_called(sitting, dealer)
        if seat is None:
            names = ", ".join(calls(sitting))
            raise UserError(f"{dealer} does not sit at the table", f"Players: {names}.")
        return evenings.begin(
            *(keeping.new_id(), rules, sitting),
            dealer=seat,
            scores=standing,
            started_at=_now(),
            quick=quick,
        )


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


HELP: Final = """\
  7, pass, p            a bid, or none, of who is asked
  hearts, h             what is trumps; trump * where nobody but the maker knows
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
  maker, bid, trump, stake, alone, pair, result, change
                        what else is known: pair 2, result set, change 0 -9, by seat or side
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
            "deal": lambda rest: self._accept(words.deal_of(rest, self.draft)),
        }

    @property
    def evening(self) -> evenings.Evening:
        return self.kept.evening

    @property
    def draft(self) -> Draft:
        return self.evening.draft

    def run(self) -> int:
        """Take lines down until there are no more, or one says to stop; return the exit status."""
        _complete(self._words)
        self._begin_hand()
        # What was asked when the evening was left may be in order by now.
        if self.kept.asked and not self._has_asked(self.kept.asked):
            self._keep(self.evening)
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
            try:
                line = input("> ") if is_keyboard else self.lines.readline()
            except EOFError:
                return
            if not is_keyboard:
                if not line:
                    return
                put(f"> {line.strip()}")
            yield line

    def _take(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        try:
            if self.kept.asked:
                self._answer(text.lower())
            elif word in self.commands:
                self.commands[word](rest.strip())
            elif text == PASSED_OVER:
                self._go_on(passed_over(self.draft))
            elif not self._has_asked(text):
                self._accept(text)
        except RecordingError as error:
            end = "" if str(error).endswith((".", "?")) else "."
            remark(f"Not taken: {error}{end}")
            self.status = PROBLEM

    def _has_asked(self, said: str) -> bool:
        """Ask about what was typed, where the rules do not allow it; return whether that was so."""
        asked = words.asked_about(said, self.draft)
        if asked is None:
            return False
        if self.kept.asked != said:
            self._keep(self.evening, asked=said)
        is_end = said == words.SAVE
        put(f"{'Save it as it is?' if is_end else 'Was it really so?'} {asked.sentence}")
        if asked.is_last:
            put("Nothing can be recorded after it in this hand.")
        yes, no = "it happened so", "it was something else"
        if is_end:
            yes, no = "save it", "go on with the hand"
        put(f"yes: {yes} · no: {no}")
        return True

    def _answer(self, answer: str) -> None:
        if answer not in _YES | _NO:
            raise RecordingError("answer yes, if it is so, or no")
        said = self.kept.asked
        self._keep(self.evening)
        if answer in _NO:
            self._say_next()
        elif said == words.SAVE:
            self._save_hand(finishing.finished(self.draft))
        else:
            self._accept(said)

    def _accept(self, said: str) -> None:
        choices = words.choices_of(said, self.draft)
        draft = finishing.exchange_left_out(self.draft, choices)
        for choice in choices:
            draft = draft.taking(choice)
        taken = [f"  {words.words_of(choices[0], draft)}"] if len(choices) == 1 else []
        self._go_on(draft, *taken)

    def _go_on(self, draft: Draft, *said: str) -> None:
        self._keep(replace(self.evening, draft=draft))
        put(*said)
        self._say_next()

    # --- Commands

    def _help(self, _: str) -> None:
        put(HELP)
        if not self.draft.told().is_quick:
            put(f"Now: {', '.join(words.offered(moment_of(self.draft))) or 'save'}")

    def _undo(self, rest: str) -> None:
        if rest == "hand":
            self._keep(evenings.undo_hand(self.evening))
            self._say_next()
        elif self.draft.is_empty:
            also = "; undo hand opens the one before again" if self.evening.done else ""
            raise RecordingError(f"there is nothing to take back in this hand{also}")
        else:
            draft, back = words.taken_back(self.draft)
            self._go_on(draft, f"Taken back: {words.listed(back, self.draft)}.")

    def _redo(self, _: str) -> None:
        if not self.draft.undone:
            raise RecordingError("nothing was taken back")
        self._go_on(words.made_again(self.draft))

    def _deals(self, _: str) -> None:
        draft = self.draft
        for choice in finishing.dealt_from_play(draft):
            draft = draft.taking(choice)
        self._keep(replace(self.evening, draft=draft))
        put("Every hand is entered as the play has shown it; ? is a card nobody saw.")

    def _save(self, _: str) -> None:
        ended = finishing.finished(self.draft)
        if not self.draft.is_empty and ended.replayed.verdict == Verdict.INCOMPLETE:
            raise RecordingError(
                f"the hand is not over: {ended.replayed.doubts[0]} Go on, or type rest if what "
                "follows is not recorded"
            )
        if self.draft.is_empty or not self._has_asked(words.SAVE):
            self._save_hand(ended)

    def _save_hand(self, ended: finishing.Finished) -> None:
        self._keep(evenings.next_hand(self.evening, _now()))
        _say_result(ended)
        self._begin_hand()

    def _mend(self, rest: str) -> None:
        number = int(rest) if rest.isascii() and rest.isdigit() else 0
        self._keep(evenings.mend(self.evening, number - 1))
        put(f"Hand {number} is open again; save puts it back.")
        self._say_next()

    def _pad(self, _: str) -> None:
        for number, ended in enumerate(self.evening.hands(), 1):
            first = result_text(ended.replayed)[:1] or ["Nothing is known of it."]
            put(f"{number:3}  {first[0]} {_scores(ended.replayed, ended.scores)}")
        put(_standing(self.draft))

    # --- What is said

    def _begin_hand(self) -> None:
        draft = self.draft
        names = player_labels(finishing.finished(draft).hand)
        first = evenings.first_to_call(draft)
        bids = f", {names[first]} bids first" if first is not None else ""
        put(f"Hand {draft.number}: {names[draft.dealer]} deals{bids}. {_standing(draft)}")
        target = draft.ruleset().rules(len(draft.players)).target
        if any(score is not None and score >= target for score in draft.scores):
            put(f"{target} is reached, but by the rules the game is not over with that.")
        self._say_next()

    def _say_next(self) -> None:
        told = self.draft.told()
        if told.is_quick and self.draft.is_empty:
            put(_quick_form(self.draft))
            return
        if told.is_quick:
            _say_result(finishing.finished(self.draft))
            put("Type save if that is right, undo to take it back.")
            return
        moment = moment_of(self.draft)
        if moment.is_over or moment.is_broken or told.stops:
            _say_result(finishing.finished(self.draft))
            put("Type save, or undo.")
        elif moment.turn is None:
            also = "; or - if nobody does" if moment.may_pass_over else ""
            put(f"Anybody may act: {', '.join(words.offered(moment))}{also}")
        else:
            put(_MANY_CARDS.sub("the cards nobody has seen", moment.sentence))

    # --- Keeping

    def _keep(self, evening: evenings.Evening, asked: str = "") -> None:
        changed = replace(self.kept, evening=evening, asked=asked)
        self.kept = keeping.write_file(self.draft_file, changed, builds_on=self.kept.revision)

    def _end(self) -> int:
        """Add the finished hands to the log, and say what becomes of the one that is not saved."""
        count, draft = 0, self.draft
        if self.evening.mended < 0:
            self.kept, count = keeping.hand_over(self.log, self.draft_file, self.kept)
        if count:
            remark(f"{counted(count, 'hand')} added to {self.log}.")
        if draft.is_empty and self.evening.mended < 0:
            return self.status
        goes_on = f"tricklog record {self.log} goes on with it"
        told = draft.told()
        is_over = told.is_quick or told.stops or moment_of(draft).is_over
        if not is_over or finishing.finished(draft).outcome.result is None:
            remark(f"Hand {draft.number} is not finished; {goes_on}.")
        else:
            remark(
                f"Hand {draft.number} is over but not saved, so it is not in the log; {goes_on}, "
                "and save puts it there."
            )
        return self.status

    def _words(self) -> list[str]:
        typed = [*self.commands, "quit", *TOLD, "gap exchange"]
        if not self.draft.told().is_quick:
            typed += words.offered(moment_of(self.draft))
        return [*typed, *calls(self.draft.players)]


def _quick_form(draft: Draft) -> str:
    rules = draft.ruleset().rules(len(draft.players))
    name = calls(draft.players)[rules.seats // 2]
    most = rules.all_points
    points = [str(most - most // 3), str(most // 3)] + ["0"] * (rules.side_count - 2)
    may_be_thrown_in = finishing.may_be_thrown_in(rules)
    thrown_in = "; passed, if the cards were thrown in" if may_be_thrown_in else ""
    made, asked = ("", "points")
    if finishing.may_hide_result(rules):
        made, asked = (" made", "points, made or set")
    return (
        f"Type who bid, how much, trumps and {asked}, the makers' first: "
        f"{name} {rules.min_bid} d {' '.join(points)}{made}{thrown_in}."
    )


def _say_result(ended: finishing.Finished) -> None:
    findings = (f"  ✗ {finding.message}" for finding in ended.replayed.findings)
    put(*result_text(ended.replayed), f"Audit: {verdict_text(ended.replayed)}", *findings)


def _scores(replayed: Replay, scores: Sequence[int | None]) -> str:
    told = zip(side_labels(replayed), scores, strict=True)
    return ", ".join(f"{label} {'?' if score is None else score}" for label, score in told)


def _standing(draft: Draft) -> str:
    if not draft.scores:
        return "The scores are not known."
    return f"{_scores(finishing.finished(draft).replayed, draft.scores)}."


def _complete(offered: Callable[[], list[str]]) -> None:
    try:
        import readline
    except ImportError:
        return

    def completed(text: str, place: int) -> str | None:
        found = [word for word in offered() if word.lower().startswith(text.lower())]
        return found[place] if place < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(completed)
    readline.parse_and_bind("tab: complete")
