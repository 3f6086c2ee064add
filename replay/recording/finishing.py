"""A draft becomes a record: what came out is worked out by the rules, and audited on the spot.

What the rules do not allow, and what is missing, is asked about before it is taken down. A question
never refuses anything: what happened at the table is taken down once it is confirmed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tricklog.core.engine.policies import Pair, ThrowIn, WeakStart
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.auction import throws_in
from tricklog.core.judging.gaps.ways import may_be_void
from tricklog.core.judging.replayer import Replay, replay
from tricklog.core.model import Finding, KnownOutcome, Outcome, Verdict
from tricklog.core.recording.draft import LEFT_OUT, Draft, RecordingError, Told, hand_of
from tricklog.core.rulesets.ruleset import Ruleset, resolve
from tricklog.schemas.actions import Action, Verb, action_cards, parse_action
from tricklog.schemas.cards import card_name, cards_in, mask_of
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Claimed, Gap, Hand, Status, in_its_version
from tricklog.schemas.languages.messages import message, say

_KEPT: Final = 256
"""Hands of which the audit is remembered: those of several evenings."""
_LAYS_DOWN: Final = frozenset(
    {Verb.PLAY, Verb.BURY, Verb.DISCARD, Verb.DISCARD_UP, Verb.GIVE, Verb.CLAIM}
)
_TAKES_UP: Final = frozenset({Verb.DRAW, Verb.ROB, Verb.KITTY})
_NO_POINTS: Final = message(
    "The hand has no points yet: what it scores, and the scores after it, will not be known."
)
_NO_SCORE: Final = message(
    "What the hand scores does not follow from what is recorded, so the scores after it will not "
    "be known."
)
_NO_RESULT: Final = message(
    "Whether the contract was made does not follow from the points alone: king and queen of trumps "
    "may change the number to reach, and without trumps shown the hand is void. Say made or set, "
    "else the scores after it will not be known."
)


@dataclass(frozen=True, slots=True)
class Finished:
    """A record, and what the rules say of it. Tuples hold one entry per side."""

    hand: Hand
    replayed: Replay
    outcome: Outcome | KnownOutcome
    """How it ended, as far as that is known."""
    points: tuple[int | None, ...]
    change: tuple[int | None, ...]
    scores: tuple[int | None, ...]
    """Running scores after the hand."""


def finished(draft: Draft) -> Finished:
    """Return the record of a draft as it stands, with the result that the rules give it."""
    return _finished(msgspec.json.encode(replace(draft, undone=())))


@lru_cache(maxsize=_KEPT)
def _finished(encoded: bytes) -> Finished:
    draft = msgspec.json.decode(encoded, type=Draft)
    told, ruleset = draft.told(), draft.ruleset()
    bare = _without_claims(draft, told)
    claimed, status = _claims(bare, told, ruleset)
    hand = in_its_version(replace(bare, claimed=claimed, status=status))
    replayed = replay(hand, ruleset=ruleset)
    outcome = replayed.outcome or replayed.known_outcome or KnownOutcome()
    claims, nothing = claimed or Claimed(), (None,) * replayed.rules.side_count
    points, change, scores = (
        tuple(getattr(claims, name) or getattr(outcome, name) or nothing)
        for name in ("points", "change", "scores")
    )
    return Finished(hand, replayed, outcome, points, change, scores)


def _without_claims(draft: Draft, told: Told) -> Hand:
    hand = hand_of(draft, told)
    if not (told.is_quick or told.stops):
        return hand
    actions = [] if told.is_quick else hand.actions
    rest = Gap(before=len(actions), missing="rest")
    before = () if told.is_quick else [gap for gap in told.gaps if gap.before < len(actions)]
    gaps, status = (*before, rest), "thrown_in" if told.is_thrown_in else UNSET
    hand = replace(hand, format=FORMAT_WITH_GAPS, actions=actions, gaps=gaps, status=status)
    return replace(hand, deal=UNSET, kitty=UNSET, stock=UNSET) if told.is_quick else hand


def _claims(
    bare: Hand, told: Told, ruleset: Ruleset
) -> tuple[Claimed | UnsetType, Status | UnsetType]:
    """Return what the record claims: what the players counted, else what the rules give."""
    sides = ruleset.sides(len(bare.players))
    points, change = _by_side(told.points, sides), _by_side(told.change, sides)
    result = told.result
    counted = replace(bare, claimed=_claimed(points, change, result))
    first = replay(in_its_version(counted), ruleset=ruleset)
    outcome, known = first.outcome, first.known_outcome
    if outcome is not None:
        status: Status = "thrown_in" if outcome.result == "thrown_in" else "complete"
        points, change = points or [*outcome.points], change or [*outcome.change]
        return _claimed(points, change, result, [*(outcome.scores or ())]), status
    if known is None:
        return _claimed(points, change, result), bare.status
    change = change or [*(known.change or ())]
    scores: list[int | None] = [*(known.scores or ())]
    if not scores and change and len(bare.scores or ()) == sides:
        pairs = zip(bare.scores or (), change, strict=True)
        scores = [None if a is None or b is None else a + b for a, b in pairs]
    return _claimed(points, change, result, scores), bare.status


def _claimed(
    points: list[int | None],
    change: list[int | None],
    result: Literal["made", "set"] | UnsetType,
    scores: Sequence[int | None] = (),
) -> Claimed | UnsetType:
    """Return what is claimed, each empty where it is not."""
    claimed = Claimed(points or UNSET, change or UNSET, scores or UNSET, result=result)
    return UNSET if claimed == Claimed() else claimed


def _by_side(told: Mapping[int, int], sides: int) -> list[int | None]:
    return [told.get(side) for side in range(sides)] if told else []


# --- The deal, from what was seen of it


def dealt_from_play(draft: Draft) -> list[str]:
    """Return the choices that enter every hand as dealt, as far as the play has shown it.

    A card that nobody saw is ``?``. Raises ``RecordingError`` where the cards were dealt in two
    packets: which cards came first is not seen from the play.
    """
    rules = resolve(draft.rules).rules(len(draft.players))
    if rules.packet != rules.dealt:
        raise RecordingError(
            say(
                "This game deals in two packets, and the play does not show which cards came "
                "first. Enter the hands as they were dealt."
            )
        )
    held = [_shown_as_dealt(draft.told().actions, seat, rules.seats) for seat in range(rules.seats)]
    chosen = []
    for seat, cards in enumerate(held):
        if len(cards) > rules.dealt:
            raise RecordingError(
                say(
                    "{player} has shown {shown} cards and was dealt {dealt}: a card that was drawn "
                    "is not recorded. Enter this hand yourself.",
                    player=draft.players[seat].id,
                    shown=len(cards),
                    dealt=rules.dealt,
                )
            )
        names = [*map(card_name, cards), *["?"] * (rules.dealt - len(cards))]
        chosen.append(f"deal {seat} {' '.join(names)}")
    return chosen


def _shown_as_dealt(actions: Sequence[str], seat: int, seats: int) -> list[int]:
    """Return the cards a seat has shown that did not come to it after the deal."""
    shown, got = 0, 0
    for text in actions:
        action = parse_action(text)
        cards = mask_of(action_cards(text))
        is_given = action.verb == Verb.GIVE and (action.seat + seats // 2) % seats == seat
        if is_given or (action.verb in _TAKES_UP and action.seat == seat):
            got |= cards
        elif action.verb in _LAYS_DOWN and action.seat == seat:
            shown |= cards & ~_claimed_card(action)
            got |= _claimed_card(action)
    return cards_in(shown & ~got)


def _claimed_card(action: Action) -> int:
    """Return the card taken from an opponent's discards, which was not dealt to who takes it."""
    return 1 << action.card if action.verb == Verb.CLAIM and action.card >= 0 else 0


# --- What is asked before something is taken down


@dataclass(frozen=True, slots=True)
class Asked:
    """A question before something is taken down."""

    sentence: str
    """Why it is asked, in sentences of the language of this context."""
    is_last: bool = False
    """Whether no table is defined after it, so that nothing more can be recorded."""


def asked_before(draft: Draft, choices: Sequence[str]) -> Asked | None:
    """Return what has to be asked before choices are taken down together; ``None`` for nothing.

    Raises ``RecordingError`` for a choice that is none.
    """
    if len(choices) == 1 and choices[0][:1].isdigit():
        if draft.taking(choices[0]).told().actions == draft.told().actions:
            return None
        found, verdict = _new_findings(draft, choices[0])
        return _asked(found, is_last=verdict == Verdict.REJECTED)
    after = draft
    for choice in choices:
        after = after.taking(choice)
    told = after.told()
    if told.is_thrown_in and not draft.told().is_thrown_in:
        rules = after.ruleset().rules(len(after.players))
        if not may_be_thrown_in(rules):
            return Asked(say("In this game no hand is thrown in."))
    if not told.is_quick or len(choices) == 1:
        # A number given alone may be one of several that are only right together.
        return None
    known = {finding.message for finding in finished(draft).replayed.findings}
    new = finished(after).replayed.findings
    return _asked([finding for finding in new if finding.message not in known])


def exchange_left_out(draft: Draft, choices: Sequence[str]) -> Draft:
    """Return the draft to take choices down in: its exchange is a gap where it was not recorded.

    Somebody plays of whom no card laid off is recorded, and nobody knows whether they had to.
    """
    choice, told = choices[0], draft.told()
    seat, _, deed = choice.partition(" ")
    if len(choices) > 1 or not deed.startswith("play ") or told.gaps:
        return draft
    done = map(parse_action, told.actions)
    if any(each.verb in _LAYS_DOWN and str(each.seat) == seat for each in done):
        return draft
    first = len([*takewhile(lambda text: " play " not in text, draft.choices)])
    parts = (*draft.choices[:first], f"{LEFT_OUT} exchange", *draft.choices[first:])
    without = replace(draft, choices=parts)
    fewer = len(_new_findings(without, choice)[0]) < len(_new_findings(draft, choice)[0])
    return without if fewer else draft


def _new_findings(draft: Draft, choice: str) -> tuple[list[Finding], Verdict]:
    after = draft.taking(choice)
    old, new = (replay(hand_of(each), ruleset=each.ruleset()) for each in (draft, after))
    before = {(each.code, each.action, each.seat) for each in old.findings}
    found = [each for each in new.findings if (each.code, each.action, each.seat) not in before]
    return found, new.verdict


def _asked(new: Sequence[Finding], *, is_last: bool = False) -> Asked | None:
    sentence = " ".join(str(finding.said) for finding in new)
    return Asked(sentence, is_last) if new else None


def asked_before_saving(ended: Finished) -> Asked | None:
    """Return what has to be asked before a hand is saved after which the scores are not known."""
    if ended.outcome.result == "thrown_in" or None not in ended.scores:
        return None
    if None in ended.points:
        return Asked(str(_NO_POINTS))
    claimed, rules = ended.hand.claimed or Claimed(), ended.replayed.rules
    is_open = claimed.result is UNSET and may_hide_result(rules)
    return Asked(str(_NO_RESULT if is_open else _NO_SCORE))


def may_hide_result(rules: Rules) -> bool:
    """Can bid and points leave open whether a contract was made (004, T110; S81)?"""
    return rules.pair != Pair.NONE or may_be_void(rules)


def may_be_thrown_in(rules: Rules) -> bool:
    """Is there a way under these rules in which a hand is thrown in without being played?"""
    by_cards = ThrowIn.THROWN_IN in (rules.bare_seventh, rules.weak_defence, rules.four_jacks)
    return by_cards or throws_in(rules) or rules.weak_start == WeakStart.THROWN_IN
