"""What a replay says, in words: the sides, the contract, the result. For screens of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replay.model import Call, Finding, KnownOutcome, Outcome, Replayed, Verdict, View
from schemas.actions import VERB_NAMES, Verb, bid_name
from schemas.cards import pretty_cards
from schemas.render import one_line, player_labels, trump_words
from schemas.words import counted

_END: Final = {"made": "made it", "set": "was set"}


def side_labels(replayed: Replayed) -> list[str]:
    """Return what to call each side: its players, ``ann & cy``."""
    names = player_labels(replayed.hand)
    sides: list[list[str]] = [[] for _ in range(replayed.rules.side_count)]
    for seat, name in enumerate(names):
        sides[replayed.ruleset.side_of(seat)].append(name)
    return [" & ".join(members) for members in sides]


def per_side(replayed: Replayed, values: Sequence[int], *, signed: bool = False) -> str:
    """Return one value per side in words: ``ann & cy 9, bo & dee 5``."""
    form = "{:+}" if signed else "{}"
    return ", ".join(
        f"{label} {form.format(value)}"
        for label, value in zip(side_labels(replayed), values, strict=True)
    )


def roles_of(view: View, seat: int) -> list[str]:
    """Return what a seat is in this hand: ``dealer``, ``maker``, both or neither."""
    # Who has bid highest so far is not yet the maker, and nobody is beside a player alone.
    is_maker = seat == view.maker and view.phase != "auction" and view.alone is None
    roles = {"dealer": seat == view.dealer, "maker": is_maker, "alone": seat == view.alone}
    return [role for role, applies in roles.items() if applies]


def points_title(replayed: Replayed) -> str:
    """Return what to call the points at a step: those of a record with gaps are not all."""
    some = replayed.known_outcome is not None and replayed.outcome is None
    return "Points in the tricks recorded" if some else "Points"


def place_text(view: View) -> str:
    """Return which part of the hand it is: ``auction``, ``trick 3``, ``the end``."""
    if view.phase == "over":
        return "the end"
    return f"trick {view.trick_number}" if view.trick_number else view.phase.replace("-", " ")


def calls_text(replayed: Replayed, calls: Sequence[Call]) -> str:
    """Return the calls in order: ``ann 7, bo pass, cy 9``."""
    names = player_labels(replayed.hand)
    return ", ".join(f"{names[call.seat]} {_call(call)}" for call in calls)


def _call(call: Call) -> str:
    return bid_name(call.amount) if call.verb == Verb.BID else VERB_NAMES[Verb(call.verb)]


def contract_text(replayed: Replayed, view: View) -> str:
    """Return who plays for what, as far as it is known: ``cy bid 9, trumps hearts``."""
    names = player_labels(replayed.hand)
    seat, deed = undertaking(view)
    who = "somebody" if seat is None else names[seat]
    parts = [f"{who} {deed}"] if deed else []
    if view.trump is not None and view.alone is None:
        hidden = "" if view.trump_public else " (hidden)"
        parts.append(f"trumps {trump_words(view.trump)}{hidden}")
    stake = stake_words(view)
    if stake:
        parts.append(stake)
    return ", ".join(parts) or "no bid yet"


def undertaking(view: View) -> tuple[int | None, str]:
    """Return who has undertaken something and what: ``bid 9``; nothing before the first bid."""
    if view.alone is not None:
        return view.alone, "plays alone for all tricks"
    if view.no_contract:
        return view.maker, "plays without a number to reach"
    if view.bid is None:
        return None, ""
    bidder = view.maker
    if bidder is None and view.calls:
        bidder = next((c.seat for c in reversed(view.calls) if c.amount == view.bid), None)
    return bidder, f"bid {bid_name(view.bid)}"


def stake_words(view: View) -> str:
    """Return how often the stake was raised: nothing, ``doubled``, ``redoubled``, ``super``."""
    return ("", "doubled", "redoubled", "super")[view.doubles]


def aside_text(view: View) -> str:
    """Return what lies beside the hands: ``stock 10 cards · kitty 7♣ 8♣``; nothing if nothing."""
    parts = [f"stock {counted(view.stock, 'card')}"] if view.stock else []
    piles = {
        "kitty": view.kitty,
        "under the pile": view.under,
        "shown": view.shown,
        "buried": view.buried,
    }
    parts += [f"{name} {pretty_cards(cards)}" for name, cards in piles.items() if cards]
    return " · ".join(parts)


def result_text(replayed: Replayed) -> list[str]:
    """Return how the hand ended, one sentence after the other; none without an outcome."""
    outcome = replayed.outcome
    if outcome is None:
        known = replayed.known_outcome
        return [] if known is None else known_text(replayed, known)
    lines = [_ending(replayed, outcome)]
    if outcome.stake > 1:
        lines.append(f"The stake was {outcome.stake} game points.")
    lines.append(f"Points: {per_side(replayed, outcome.points)}.")
    lines.append(f"Score change: {per_side(replayed, outcome.change, signed=True)}.")
    if outcome.scores is not None:
        lines.append(f"Scores: {per_side(replayed, outcome.scores)}.")
    if outcome.winner_side is not None:
        lines.append(f"The game is won by {side_labels(replayed)[outcome.winner_side]}.")
    if outcome.match is not None:
        lines.append(f"In the match: {per_side(replayed, outcome.match, signed=True)}.")
    return lines


def known_text(replayed: Replayed, known: KnownOutcome) -> list[str]:
    """Return what a record with gaps tells of how its hand ended, a sentence each."""
    lines = []
    if known.result == "thrown_in":
        return ["The deal was thrown in."]
    if known.maker is not None:
        lines.append(_known_contract(replayed, known))
    elif known.result is not None:
        lines.append(f"The contract {_END.get(known.result, 'was void')}.")
    for title, values, signed in (
        ("Points", known.points, False),
        ("Score change", known.change, True),
        ("Scores", known.scores, False),
    ):
        if values is not None:
            lines.append(f"{title}: {per_side(replayed, values, signed=signed)}.")
    if known.winner_side is not None:
        lines.append(f"The game is won by {side_labels(replayed)[known.winner_side]}.")
    return lines


def _known_contract(replayed: Replayed, known: KnownOutcome) -> str:
    assert known.maker is not None
    maker = player_labels(replayed.hand)[known.maker]
    deed = "won the auction" if known.bid is None else f"bid {bid_name(known.bid)}"
    if known.alone is not None:
        deed = "played alone for all tricks"
    elif known.no_contract:
        deed = "played without a number to reach"
    trump = "" if known.trump is None else f" with {trump_words(known.trump)} as trumps"
    ended = "" if known.result not in _END else f" and {_END[known.result]}"
    return f"{maker} {deed}{trump}{ended}."


def _ending(replayed: Replayed, outcome: Outcome) -> str:
    if outcome.maker is None:
        return "The deal was thrown in."
    maker = player_labels(replayed.hand)[outcome.maker]
    if outcome.alone is not None:
        tricks = "all tricks" if outcome.alone == "solo" else "all tricks on the first cards"
        return f"{maker} played alone for {tricks} and {_END[outcome.result]}."
    trump = "" if outcome.trump is None else f" with {trump_words(outcome.trump)} as trumps"
    if outcome.bid is None:
        return f"Nobody bid, and {maker} played without a number to reach{trump}."
    bid = f"{maker} bid {bid_name(outcome.bid)}{' (forced)' if outcome.forced else ''}{trump}"
    if outcome.result == "void":
        return f"{bid}; the hand is void, as the trump never came to light."
    taken = outcome.points[replayed.ruleset.side_of(outcome.maker)]
    return f"{bid} and {_END[outcome.result]}: {taken} points of {outcome.need} needed."


def verdict_text(replayed: Replayed, of_game: int = 0) -> str:
    """Return the verdict and what it rests on: ``irregular: 2 findings``.

    ``of_game`` are findings that show only beside the other hands of the game.
    """
    verdict = replayed.verdict
    count = len(replayed.findings)
    if of_game and not count:
        return f"{verdict}: {counted(of_game, 'finding')} of its game"
    if verdict == Verdict.VALID:
        return "valid"
    if count:
        beside = f", {of_game} of them of its game" if of_game else ""
        return f"{verdict}: {counted(count + of_game, 'finding')}{beside}"
    return f"{verdict}: {one_line(' '.join(replayed.doubts))}" if replayed.doubts else str(verdict)


def finding_place(finding: Finding) -> str:
    """Return where in the record a finding is, for people: ``action 17`` or the JSON pointer."""
    return finding.pointer if finding.action is None else f"action {finding.action}"


def moment_of(finding: Finding, replayed: Replayed) -> int | None:
    """Return the step at which the table shows what a finding is about.

    A fault of the deal shows at the start, a wrong claim at the end. ``None`` when no card table
    shows it: something is wrong with what the hand carries over from the hand before.
    """
    if finding.action is not None:
        return finding.action
    if finding.pointer.startswith("/claimed"):
        return len(replayed)
    if finding.pointer.startswith(("/deal/", "/kitty", "/stock")):
        return 0
    return None


def findings_shown_at(replayed: Replayed, index: int) -> list[Finding]:
    """Return the findings of a hand that show at a step."""
    return [item for item in replayed.findings if moment_of(item, replayed) == index]
