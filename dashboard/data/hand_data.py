"""A replayed hand as plain data: ``tricklog.dashboard.card_table`` draws every step of it.

Sentences hold no names: a private sign stands for each seat, and the browser puts the name in its
place, set apart from its neighbours, or no name at all where names are to be hidden. Cards are
lists in the notation of the log, in the order in which a player sorts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, starmap
from operator import attrgetter
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from tricklog.core import Finding, Replay, Verdict, View, replay
from tricklog.core.engine.policies import Sides
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.render.sentences import (
    in_order,
    place_text,
    result_text,
    roles_said,
    stake_words,
    title_said,
    undertaking,
    verdict_said,
)
from tricklog.core.study import sight
from tricklog.dashboard.text.findings import finding_title, rule_text
from tricklog.dashboard.text.labels import call_words
from tricklog.dashboard.text.value_texts import CALLS
from tricklog.schemas.actions import SEVENTH_CARD, WITH_CARDS, Verb
from tricklog.schemas.cards import card_name, cards_in
from tricklog.schemas.citations import titles_of
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.languages.messages import mark, message_of, say, say_counted
from tricklog.schemas.printable import one_line
from tricklog.schemas.render import describe_action, player_labels, trump_sign, trump_words
from tricklog.schemas.words import cards_counted, tricks_counted

Data: TypeAlias = dict[str, Any]
Found: TypeAlias = Sequence[tuple[Finding, int | None]]
"""Findings of a hand and its game, each with the step it shows at."""

FIRST_SIGN: Final = 0xE000
"""The character that stands for the name at seat 0; the seats after it follow on."""

_FROM_HAND: Final = WITH_CARDS - {Verb.KITTY, Verb.DRAW, Verb.ROB, Verb.SHOW}
_FACE_DOWN: Final = {
    Verb.KITTY: mark("{player} takes the kitty"),
    Verb.DISCARD: mark("{player} lays off {cards}"),
    Verb.DRAW: mark("{player} draws {cards}"),
    Verb.ROB: mark("{player} robs the stock of {cards}"),
    Verb.GIVE: mark("{player} gives the partner {cards}"),
    Verb.BURY: mark("{player} buries {cards}"),
}
_SHORT: Final = {*CALLS, Verb.BID} - {Verb.TENNY, Verb.SOLO}
"""Calls that the list of steps has in a word or two."""
_NO_CHOICE: Final = {"draw", "kitty", "out", "reveal", "show"}
_place_of: Final = attrgetter("code", "action", "pointer", "seat")
_PUT_DOWN: Final = {"play", "bury"}
_AUCTION_PHASES: Final = {"auction", "trump", "double"}


def hand_data(replayed: Replay, found: Found, step: int = 0) -> Data:
    """Return everything the card table shows of a hand, to be opened before action ``step``.

    ``frames`` has one entry for each step from 0 to ``len(replayed)``. The first is whole, the
    others say what differs from the one before, under ``seats`` by seat.
    """
    hand = replayed.hand
    told = replay(_without_names(hand), mode=replayed.mode, ruleset=replayed.ruleset)
    views = [told.at(index) for index in range(len(told) + 1)]
    frames = [frame_of(told, view) for view in views]
    data: Data = {
        "hand": hand.id,
        "step": min(max(step, 0), len(replayed)),
        "line": encode_hand(hand).decode("utf-8"),
        "names": player_labels(hand),
        "sides": sides_of(told),
        "frames": [frames[0], *starmap(_difference, pairwise(frames))],
        "steps": [_step(told, view) for view in views[:-1]],
        "groups": _groups(told, views[:-1]),
        "ending": _ending(told),
        "notes": [one_line(str(doubt)) for doubt in told.doubted],
        "verdict": replayed.verdict.value,
        "verdict_said": str(verdict_said(replayed.verdict)),
        "gaps": replayed.known_outcome is not None,
        "some_points": replayed.known_outcome is not None and replayed.known_outcome.points is None,
        "thrown_in": replayed.outcome is not None and replayed.outcome.result == "thrown_in",
        "findings": [_finding(finding, at, hand, told) for finding, at in found],
        "rules": _rules(finding for finding, _ in found),
    }
    if any(_is_secret(view) for view in views):
        data["plain"] = names_of(in_order(replayed.rules, None, replayed.rules.pack))
    return data


# --- Names


def sign_of(seat: int) -> str:
    """Return the character that stands in sentences for the name at a seat."""
    return chr(FIRST_SIGN + seat)


def _without_names(hand: Hand) -> Hand:
    players = [replace(player, name=sign_of(seat)) for seat, player in enumerate(hand.players)]
    return replace(hand, players=players)


def sides_of(replayed: Replay) -> list[list[int]] | None:
    """Return the seats of each side; nothing where everybody plays alone."""
    count, seats = replayed.rules.side_count, range(replayed.rules.seats)
    if count == len(seats):
        return None
    side_of_seat = replayed.ruleset.side_of
    return [[seat for seat in seats if side_of_seat(seat) == side] for side in range(count)]


def makers_of(replayed: Replay, *, in_tricks: bool) -> Data:
    """Return who plays for the contract: ``maker``, all ``makers``, and whether all play alone.

    ``in_tricks``: whether the hand is one played alone, which is valued in tricks.
    """
    rules = replayed.rules
    maker = scoring.maker_of(replayed.state_at(replayed.played))
    singles = rules.sides == Sides.SINGLES
    makers = [
        seat
        for seat in range(rules.seats)
        if seat == maker
        or (not singles and not in_tricks and side_of(rules, seat) == side_of(rules, maker))
    ]
    return {"maker": maker, "makers": makers, "singles": singles}


# --- What is on the table


def frame_of(replayed: Replay, view: View) -> Data:
    """Return what the card table shows of ``view``, whole."""
    seat, deed = undertaking(view)
    choice, trump = view.choice, view.named_trump
    done = next((each for each in replayed.tricks if each.last_action == view.index - 1), None)
    return {
        "place": place_text(view),
        "turn": view.turn,
        "due": str(choice.said) if view.turn is not None else "",
        "legal": names_of(cards_in(choice.cards)),
        "decision": _is_decision(view),
        # The least and the most cards that are due on the table.
        "take": [choice.least, choice.most] if _PUT_DOWN & set(choice.verbs) else None,
        "ask": _may_ask(view),
        "contract": "" if seat is None else f"{sign_of(seat)} {deed}",
        "stake": stake_words(view),
        "trump": None if trump is None else [trump_sign(trump), trump_words(trump)],
        "secret": _is_secret(view),
        "knows": _who_knows(view),
        "points": list(view.points),
        "trick": [[each, card_name(card)] for each, card in view.trick],
        "won": None if done is None or done.winner is None else [done.winner, done.points],
        "number": view.trick_number,
        "stock": view.stock,
        **{
            pile: names_of(in_order(replayed.rules, view.trump, cards))
            for pile, cards in (
                ("kitty", view.kitty),
                ("under", view.under),
                ("shown", view.shown),
                ("buried", view.buried),
            )
        },
        "seats": [_seat(replayed, view, each) for each in range(len(view.holdings))],
    }


def _seat(replayed: Replay, view: View, seat: int) -> Data:
    tags = []
    if view.out[seat]:
        tags.append(say("folded") if view.folded[seat] else say("out"))
    calls = [call_words(call.verb, call.amount) for call in view.calls if call.seat == seat]
    if calls and not view.trick_number:
        tags.append(say("said {calls}", calls=", ".join(calls)))
    if view.tricks_won[seat]:
        tags.append(str(tricks_counted(view.tricks_won[seat])))
    if view.trick_number and replayed.rules.side_count == replayed.rules.seats:
        tags.append(say_counted("{count} point", "{count} points", view.points[seat]))
    return {
        "hand": names_of(in_order(replayed.rules, view.trump, view.holdings[seat])),
        "unknown": view.unknown[seat],
        "off": names_of(in_order(replayed.rules, view.trump, view.discarded[seat])),
        "up": names_of(cards_in(sight.laid_off_openly(replayed.actions[: view.index], seat))),
        "roles": [role.english for role in roles_said(view, seat)],
        "out": view.out[seat],
        "tags": tags,
    }


def _is_secret(view: View) -> bool:
    return view.named_trump is not None and not view.trump_public


def _who_knows(view: View) -> int | None:
    """Return who knows a secret trump; nobody while it is a card that lies under the pile."""
    if not _is_secret(view) or view.under or view.trump == SEVENTH_CARD:
        return None
    return view.maker


def _is_decision(view: View) -> bool:
    """Whether the player to act has a choice."""
    choice = view.choice
    if view.turn is None:
        return False
    if len(choice.verbs) != 1 or choice.low != choice.high or choice.other_bids:
        return bool(choice.verbs)
    if choice.least != choice.most:
        return True
    if choice.cards or view.unknown[view.turn]:
        return choice.cards.bit_count() + view.unknown[view.turn] > choice.most
    return choice.verbs[0] not in _NO_CHOICE


def _may_ask(view: View) -> bool:
    """Whether the trump may be shown before a card is played, and need not be."""
    verbs = set(view.choice.verbs)
    return "play" in verbs and bool(verbs & {"ask", "reveal"})


def _difference(old: Data, new: Data) -> Data:
    changed = {key: value for key, value in new.items() if key != "seats" and old[key] != value}
    seats: Data = {}
    for seat, (before, after) in enumerate(zip(old["seats"], new["seats"], strict=True)):
        fields = {key: value for key, value in after.items() if before[key] != value}
        if fields:
            seats[str(seat)] = fields
    return changed | ({"seats": seats} if seats else {})


# --- What is done


def _step(replayed: Replay, view: View) -> Data:
    text = replayed.hand.actions[view.index]
    action = replayed.actions[view.index]
    told: Data = {"seat": action.seat, "told": describe_action(text, player_labels(replayed.hand))}
    if action.verb in _FACE_DOWN:
        values = {"player": sign_of(action.seat), "cards": cards_counted(action.size)}
        told["covered"] = str(message_of(_FACE_DOWN[Verb(action.verb)], values))
    elif action.verb == Verb.TRUMP and _is_secret(replayed.at(view.index + 1)):
        covered = say("{player} names trumps in secret", player=sign_of(action.seat))
        told |= {"covered": covered, "secret": True}
    if action.verb == Verb.PLAY and action.card >= 0:
        told["card"] = card_name(action.card)
    elif action.verb in _SHORT:
        amounts = {call.action: call.amount for call in replayed.calls}
        told["call"] = call_words(action.verb, amounts.get(view.index, action.amount))
    if action.verb in _FROM_HAND and action.cards:
        told["chosen"] = names_of(cards_in(action.cards))
    if replayed.findings_at(view.index):
        told["wrong"] = True
    elif view.index >= replayed.played:
        told["void"] = True
    return told


def _groups(replayed: Replay, views: Sequence[View]) -> list[Data]:
    """Return the parts of the record in order: the first step of each, and how a trick ended."""
    groups: list[Data] = []
    for view in views:
        number = _trick_of(replayed, view)
        if number:
            title = say("Trick {number}", number=number)
            part = say("trick {number}", number=number)
        elif view.phase in _AUCTION_PHASES:
            title, part = say("Auction"), say("auction")
        else:
            title, part = say("Exchange"), say("exchange")
        if groups and groups[-1]["title"] == title:
            continue
        group: Data = {"title": title, "part": part, "number": number, "first": view.index}
        if 0 < number <= len(replayed.tricks):
            trick = replayed.tricks[number - 1]
            if trick.winner is not None:
                group |= {"winner": trick.winner, "points": trick.points}
        groups.append(group)
    return groups


def _trick_of(replayed: Replay, view: View) -> int:
    """Return the number of the trick an action belongs to, 0 before the first."""
    if view.phase == "over":
        return len(replayed.tricks)
    # A play may come while something else could still be said.
    in_play = view.phase == "play" or replayed.actions[view.index].verb == Verb.PLAY
    taken = sum(trick.last_action < view.index for trick in replayed.tricks)
    return taken + 1 if in_play else 0


def _ending(replayed: Replay) -> list[str]:
    if replayed.verdict == Verdict.REJECTED:
        step = replayed.played
        return [say("The record can be followed up to step {step} and no further.", step=step)]
    return result_text(replayed) or [say("The record ends here.")]


# --- What is wrong


def _finding(finding: Finding, step: int | None, hand: Hand, told: Replay) -> Data:
    same = next((each for each in told.findings if _place_of(each) == _place_of(finding)), None)
    text = _with_signs(str(finding.said), hand) if same is None else str(same.said)
    return {
        "title": finding_title(finding.code),
        "step": step,
        "text": one_line(text),
        "rules": [name for name, _ in titles_of(finding.rule)],
    }


def _with_signs(message: str, hand: Hand) -> str:
    """Put the signs of the seats for the names in what is said about a game."""
    labels = player_labels(hand)
    signs = {one_line(label): sign_of(seat) for seat, label in enumerate(labels) if label}
    names = "|".join(re.escape(name) for name in sorted(signs, key=len, reverse=True))
    if not names:
        return message
    return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda name: signs[name[0]], one_line(message))


def _rules(findings: Iterable[Finding]) -> Data:
    """Return title and text of each rule cited, by its name."""
    cited = dict(pair for finding in findings for pair in titles_of(finding.rule))
    return {
        name: {"title": title_said(title), "text": _paragraphs(rule_text(name)) if title else []}
        for name, title in cited.items()
    }


def _paragraphs(markdown: str) -> list[str]:
    """Return paragraphs as plain text, each item of a list one of them."""
    text = re.sub(r"\*\*|`", "", markdown)
    blocks = [block for block in re.split(r"\n\s*\n|\n(?=- )", text) if block.strip()]
    return [_joined(block.strip()) for block in blocks]


def _joined(block: str) -> str:
    if block.startswith("|"):
        return block
    words = " ".join(block.split())
    return f"• {words[2:]}" if words.startswith("- ") else words


def names_of(cards: Iterable[int]) -> str:
    """Return cards as the card table takes them: ``8D TC``."""
    return " ".join(map(card_name, cards))
