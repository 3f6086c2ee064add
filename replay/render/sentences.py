"""What a replay says, in words: the sides, the contract, the result. For screens of every kind."""

from collections.abc import Sequence
from typing import Final

from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.core.judging.replayer import Replay
from tricklog.core.model import Call, Finding, KnownOutcome, Outcome, Verdict, View
from tricklog.core.rulesets.rules_text import part_words
from tricklog.schemas.actions import NO_TRUMP, Verb, bid_name, trump_suit
from tricklog.schemas.cards import cards_in, pretty_cards
from tricklog.schemas.citations import titles_of
from tricklog.schemas.languages.messages import (
    Message,
    mark,
    mark_counted,
    message,
    message_counted,
    message_in,
    message_of,
    plain,
    say,
    say_in,
)
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import player_labels, trump_said
from tricklog.schemas.words import cards_counted

RULE_TITLE: Final = "title of a rule"
"""The context in which titles of rules are translated."""


def side_labels(replayed: Replay) -> list[str]:
    """Return what to call each side: its players, ``ann & cy``."""
    names = player_labels(replayed.hand)
    sides: list[list[str]] = [[] for _ in range(replayed.rules.side_count)]
    for seat, name in enumerate(names):
        sides[replayed.ruleset.side_of(seat)].append(name)
    return [" & ".join(members) for members in sides]


def per_side(replayed: Replay, values: Sequence[int], *, signed: bool = False) -> str:
    """Return one value per side in words: ``ann & cy 9, bo & dee 5``."""
    form = "{:+}" if signed else "{}"
    return ", ".join(
        f"{label} {form.format(value)}"
        for label, value in zip(side_labels(replayed), values, strict=True)
    )


def roles_said(view: View, seat: int) -> list[Message]:
    """Return what a seat is in this hand, to be shown: ``dealer``, ``maker``, both or neither."""
    # Who has bid highest so far is not yet the maker, and nobody is beside a player alone.
    is_maker = seat == view.maker and view.phase != "auction" and view.alone is None
    roles = (
        (message("dealer"), seat == view.dealer),
        (message("maker"), is_maker),
        (message("alone"), seat == view.alone),
    )
    return [role for role, applies in roles if applies]


def points_text(replayed: Replay, view: View) -> str:
    """Return the points at a step, nothing before the play; of a record with gaps not all count."""
    if not view.trick_number:
        return ""
    some = replayed.known_outcome is not None and replayed.outcome is None
    title = say("Points in the tricks recorded") if some else say("Points")
    return f"{title}: {per_side(replayed, view.points)}"


def place_text(view: View) -> str:
    """Return which part of the hand it is: ``auction``, ``trick 3``, ``the end``."""
    if view.trick_number and view.phase != "over":
        return say("trick {number}", number=view.trick_number)
    return part_words(view.phase)


def calls_text(replayed: Replay, calls: Sequence[Call]) -> str:
    """Return the calls in order: ``ann 7, bo pass, cy 9``."""
    names = player_labels(replayed.hand)
    said = (bid_name(each.amount) if each.verb == Verb.BID else _CALLS[each.verb] for each in calls)
    return ", ".join(f"{names[each.seat]} {what}" for each, what in zip(calls, said, strict=True))


_CALLS: Final = {
    Verb.PASS: message_in("a call", "pass"),
    Verb.DITTO: message_in("a call", "ditto"),
    Verb.TENNY: message_in("a call", "tenny"),
}


def contract_text(replayed: Replay, view: View) -> str:
    """Return who plays for what, as far as it is known: ``cy bid 9, trumps hearts``."""
    names = player_labels(replayed.hand)
    seat, deed = undertaking(view)
    who = say("somebody") if seat is None else names[seat]
    parts = [f"{who} {deed}"] if deed else []
    if view.named_trump is not None:
        trump = trump_said(view.named_trump)
        hidden = say("trumps {trump} (hidden)", trump=trump)
        parts.append(say("trumps {trump}", trump=trump) if view.trump_public else hidden)
    parts.append(stake_words(view))
    return ", ".join(filter(None, parts)) or say("no bid yet")


def undertaking(view: View) -> tuple[int | None, str]:
    """Return who has undertaken something and what: ``bid 9``; nothing before the first bid."""
    if view.alone is not None:
        return view.alone, say("plays alone for all tricks")
    if view.no_contract:
        return view.maker, say("plays without a number to reach")
    if view.bid is None:
        return None, ""
    bidder = view.maker
    if bidder is None and view.calls:
        bidder = next((c.seat for c in reversed(view.calls) if c.amount == view.bid), None)
    return bidder, say_in("what was called", "bid {bid}", bid=bid_name(view.bid))


def stake_words(view: View) -> str:
    """Return how often the stake was raised: nothing, ``doubled``, ``redoubled``, ``super``."""
    return str(_STAKES[view.doubles])


_STAKES: Final = (plain(""), message("doubled"), message("redoubled"), message("super"))


def aside_text(view: View) -> str:
    """Return what lies beside the hands: ``stock 10 cards · kitty 7♣ 8♣``; nothing if nothing."""
    parts = [message("stock {cards}", cards=cards_counted(view.stock))] if view.stock else []
    piles = (
        (message("kitty {cards}", cards=pretty_cards(view.kitty)), view.kitty),
        (message("under the pile {cards}", cards=pretty_cards(view.under)), view.under),
        (message("shown {cards}", cards=pretty_cards(view.shown)), view.shown),
        (message("buried {cards}", cards=pretty_cards(view.buried)), view.buried),
    )
    parts += [said for said, cards in piles if cards]
    return " · ".join(map(str, parts))


def result_text(replayed: Replay) -> list[str]:
    """Return how the hand ended, one sentence after the other; none without an outcome."""
    outcome = replayed.outcome
    if outcome is None:
        known = replayed.known_outcome
        return [] if known is None else known_text(replayed, known)
    lines = [_ending(replayed, outcome)]
    if outcome.stake > 1:
        lines.append(say("The stake was {stake} game points.", stake=outcome.stake))
    lines += _side_lines(replayed, outcome)
    if outcome.match is not None:
        match = per_side(replayed, outcome.match, signed=True)
        lines.append(say("In the match: {sides}.", sides=match))
    return lines


def _side_lines(replayed: Replay, outcome: Outcome | KnownOutcome) -> list[str]:
    lines = []
    if outcome.points is not None:
        lines.append(say("Points: {sides}.", sides=per_side(replayed, outcome.points)))
    if outcome.change is not None:
        change = per_side(replayed, outcome.change, signed=True)
        lines.append(say("Score change: {sides}.", sides=change))
    if outcome.scores is not None:
        lines.append(say("Scores: {sides}.", sides=per_side(replayed, outcome.scores)))
    if outcome.winner_side is not None:
        winners = side_labels(replayed)[outcome.winner_side]
        lines.append(say("The game is won by {side}.", side=winners))
    return lines


def known_text(replayed: Replay, known: KnownOutcome) -> list[str]:
    """Return what a record with gaps says of how its hand ended, a sentence each."""
    lines = []
    if known.result == "thrown_in":
        return [say("The deal was thrown in.")]
    if known.maker is not None:
        lines.append(_known_contract(replayed, known))
    elif known.result is not None:
        lines.append(str(_CONTRACT_ENDED[known.result]))
    return lines + _side_lines(replayed, known)


_CONTRACT_ENDED: Final = {
    "made": message("The contract made it."),
    "set": message("The contract was set."),
    "void": message("The contract was void."),
}


def _known_contract(replayed: Replay, known: KnownOutcome) -> str:
    assert known.maker is not None
    maker = player_labels(replayed.hand)[known.maker]
    if known.alone is not None:
        deed = _alone(maker)
    elif known.no_contract:
        deed = say("{maker} played without a number to reach", maker=maker)
    elif known.bid is None:
        deed = say("{maker} won the auction", maker=maker)
    else:
        deed = say("{maker} bid {bid}", maker=maker, bid=bid_name(known.bid))
    return _made_or_set(_with_trumps(deed, known.trump), known.result)


def _alone(maker: str) -> str:
    return say("{maker} played alone for all tricks", maker=maker)


def _with_trumps(deed: str, trump: int | None) -> str:
    if trump is None:
        return deed
    return say("{deed} with {trump} as trumps", deed=deed, trump=trump_said(trump))


def _made_or_set(deed: str, result: str | None) -> str:
    if result == "made":
        return say("{deed} and made it.", deed=deed)
    return say("{deed} and was set.", deed=deed) if result == "set" else f"{deed}."


def _ending(replayed: Replay, outcome: Outcome) -> str:
    if outcome.maker is None:
        return say("The deal was thrown in.")
    maker = player_labels(replayed.hand)[outcome.maker]
    if outcome.alone is not None and outcome.trump != NO_TRUMP:
        return _made_or_set(_with_trumps(_alone(maker), outcome.trump), outcome.result)
    if outcome.alone is not None:
        return str(message_of(_ALONE[outcome.alone, outcome.result], {"maker": maker}))
    if outcome.bid is None and outcome.trump is None:
        return say("Nobody bid, and {maker} played without a number to reach.", maker=maker)
    if outcome.bid is None:
        return say(
            "Nobody bid, and {maker} played without a number to reach with {trump} as trumps.",
            maker=maker,
            trump=trump_said(outcome.trump or 0),
        )
    deed = _bid_deed(maker, outcome)
    if outcome.result == "void":
        return say("{deed}; the hand is void, as the trump never came to light.", deed=deed)
    taken = outcome.points[replayed.ruleset.side_of(outcome.maker)]
    values = {"deed": deed, "taken": taken, "need": outcome.need}
    if outcome.result == "made":
        return say("{deed} and made it: {taken} points of {need} needed.", **values)
    return say("{deed} and was set: {taken} points of {need} needed.", **values)


_ALONE: Final = {
    ("solo", "made"): mark("{maker} played alone for all tricks and made it."),
    ("solo", "set"): mark("{maker} played alone for all tricks and was set."),
    ("tenny", "made"): mark("{maker} played alone for all tricks on the first cards and made it."),
    ("tenny", "set"): mark("{maker} played alone for all tricks on the first cards and was set."),
}


def _bid_deed(maker: str, outcome: Outcome) -> str:
    bid = bid_name(outcome.bid or 0)
    forced = say("{maker} bid {bid} (forced)", maker=maker, bid=bid)
    deed = forced if outcome.forced else say("{maker} bid {bid}", maker=maker, bid=bid)
    return _with_trumps(deed, outcome.trump)


def verdict_text(replayed: Replay, of_game: int = 0) -> str:
    """Return the verdict and what it rests on: ``irregular: 2 findings``.

    ``of_game`` are findings that show only beside the other hands of the game.
    """
    verdict = verdict_said(replayed.verdict)
    count = len(replayed.findings)
    if of_game and not count:
        found = _findings_counted(of_game)
        return say("{verdict}: {findings} of its game", verdict=verdict, findings=found)
    if replayed.verdict == Verdict.VALID:
        return str(verdict)
    if count and of_game:
        return say(
            "{verdict}: {findings}, {of_game} of them of its game",
            verdict=verdict,
            findings=_findings_counted(count + of_game),
            of_game=of_game,
        )
    if count:
        return f"{verdict}: {_findings_counted(count)}"
    doubts = one_line(" ".join(map(str, replayed.doubted)))
    return f"{verdict}: {doubts}" if doubts else str(verdict)


def _findings_counted(count: int) -> Message:
    return message_counted("{count} finding", "{count} findings", count)


def verdict_said(verdict: Verdict) -> Message:
    """Return a verdict, to be shown."""
    return _VERDICTS[verdict]


def hands_with_verdict(verdict: Verdict, count: int) -> Message:
    """Return how many hands have a verdict, to be shown: ``8 valid``."""
    one, many = _VERDICTS_COUNTED[verdict]
    return Message(one, {}, many=many, count=count)


_VERDICTS: Final = {
    Verdict.VALID: message_in("a verdict", "valid"),
    Verdict.IRREGULAR: message_in("a verdict", "irregular"),
    Verdict.DOUBTFUL: message_in("a verdict", "doubtful"),
    Verdict.PARTIAL: message_in("a verdict", "partial"),
    Verdict.INCOMPLETE: message_in("a verdict", "incomplete"),
    Verdict.REJECTED: message_in("a verdict", "rejected"),
}
_VERDICTS_COUNTED: Final = {
    Verdict.VALID: mark_counted("{count} valid", "{count} valid"),
    Verdict.IRREGULAR: mark_counted("{count} irregular", "{count} irregular"),
    Verdict.DOUBTFUL: mark_counted("{count} doubtful", "{count} doubtful"),
    Verdict.PARTIAL: mark_counted("{count} partial", "{count} partial"),
    Verdict.INCOMPLETE: mark_counted("{count} incomplete", "{count} incomplete"),
    Verdict.REJECTED: mark_counted("{count} rejected", "{count} rejected"),
}
"""Of many hands, which other languages say otherwise than of one."""


def finding_place(finding: Finding) -> str:
    """Return where in the record a finding is, for people: ``action 17`` or the JSON pointer."""
    if finding.action is None:
        return finding.pointer
    return say("action {number}", number=finding.action)


def rules_text(rule: str) -> str:
    """Return citations with their titles: ``1.follow Following to a trick, S05 …``."""
    return ", ".join(f"{name} {title_said(title)}".strip() for name, title in titles_of(rule))


def title_said(title: str) -> str:
    """Return the title of a rule in the language of this context."""
    return str(Message(title, context=RULE_TITLE)) if title else ""


def moment_of(finding: Finding, replayed: Replay) -> int | None:
    """Return the step at which the table shows what a finding is about.

    A fault of the deal shows at the start, a wrong claim at the end. ``None`` when no card table
    shows it: something is wrong with what the hand carries over from the hand before.
    """
    if finding.action is not None:
        return finding.action
    if finding.pointer.startswith("/claimed"):
        return len(replayed)
    return 0 if finding.pointer.startswith(("/deal/", "/kitty", "/stock")) else None


def findings_shown_at(replayed: Replay, index: int) -> list[Finding]:
    """Return the findings of a hand that show at a step."""
    return [item for item in replayed.findings if moment_of(item, replayed) == index]


def in_order(rules: Rules, trump: int | None, cards: int) -> list[int]:
    """Return cards as a player sorts them: all trumps first, high to low."""
    suit_of_trumps = NO_TRUMPS if trump is None else trump_suit(trump)

    def place(card: int) -> tuple[bool, int, int]:
        if not rules.pack >> card & 1:
            return (True, card // 13, 0)
        suit = rules.suit[suit_of_trumps][card]
        return (suit != suit_of_trumps, suit, -rules.strength[suit_of_trumps][card])

    return sorted(cards_in(cards), key=place)
