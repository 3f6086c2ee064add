"""What is wrong with the cards as dealt: wrong numbers, a card twice, a player at two seats.

Laying the cards out says whether anything is wrong; this says what. Sources: 0.deal,
0.conservation, 0.players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from tricklog.core.engine.hand_replay import Workspace
from tricklog.core.engine.records import Rules
from tricklog.core.judging.findings import cite, player_name
from tricklog.core.model import Fact, Finding
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.schemas.cards import card_name, pretty_card
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import mark, message, message_of
from tricklog.schemas.words import cards_counted

DEAL_ROWS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "deal-size": (("packets",), mark("{place} was dealt {counted} instead of {wanted}.")),
    "kitty-size": (("kitty_size",), mark("The kitty holds {counted} instead of {wanted}.")),
    "stock-size": (("packets",), mark("The stock holds {counted} instead of {wanted}.")),
    "player-twice": (("0.players",), mark("{place} is recorded at seat {other} as well.")),
    "score-count": (
        ("sides",),
        mark("The record gives {count} running scores for {wanted} sides."),
    ),
    "card-not-in-pack": (("ranks",), mark("{place} holds {card}, which is not in the pack.")),
    "card-twice": (
        ("0.conservation",),
        mark("{place} holds {card}, which is already recorded in {first}."),
    ),
}


def deal_findings(hand: Hand, ruleset: Ruleset, workspace: Workspace | None) -> list[Finding]:
    """Return what is wrong with what stands before the first action.

    ``workspace``: where the deal was laid out; ``None`` where ``lay_out`` has found it sound.
    """
    found: list[Finding] = []
    if workspace:
        rules = ruleset.rules(len(hand.players))
        found += _wrong_sizes(hand, ruleset, rules, workspace)
        found += _conservation(hand, ruleset, rules, workspace)
        if hand.scores is not UNSET and len(hand.scores) != rules.side_count:
            facts: dict[str, Fact] = {"count": len(hand.scores), "wanted": rules.side_count}
            found.append(_finding(hand, ruleset, "score-count", "/scores", facts))
    if len({player.id for player in hand.players}) < len(hand.players):
        found += _players_twice(hand, ruleset)
    return found


def _wrong_sizes(
    hand: Hand, ruleset: Ruleset, rules: Rules, workspace: Workspace
) -> Iterator[Finding]:
    """Every part of the deal that is listed holds as many cards as it must (0.deal)."""
    bounds = workspace.bounds
    for part, wanted in enumerate(workspace.wanted):
        count = bounds[part + 1] - bounds[part]
        if count != wanted:
            pointer = _pointer(rules, part)
            code = "deal-size" if part < rules.seats else f"{pointer[1:]}-size"
            facts: dict[str, Fact] = {"count": count, "wanted": wanted}
            yield _finding(hand, ruleset, code, pointer, facts, counted=cards_counted(count))


def _conservation(
    hand: Hand, ruleset: Ruleset, rules: Rules, workspace: Workspace
) -> Iterator[Finding]:
    """Every card of the pack exists once (0.conservation)."""
    seen: dict[int, str] = {}
    for part in range(rules.seats + 2):
        pointer = _pointer(rules, part)
        for card in workspace.cards[workspace.bounds[part] : workspace.bounds[part + 1]]:
            if card < 0:
                continue
            facts: dict[str, Fact] = {"card": card_name(card)}
            words: dict[str, object] = {"card": pretty_card(card)}
            if not rules.pack >> card & 1:
                yield _finding(hand, ruleset, "card-not-in-pack", pointer, facts, **words)
            elif card in seen:
                facts["first"] = first = seen[card]
                words["first"] = message("the kitty") if first == "/kitty" else message("the stock")
                if first.startswith("/deal/"):
                    name = player_name(hand, int(first[6:]))
                    words["first"] = message("{player}'s hand", player=name)
                yield _finding(hand, ruleset, "card-twice", pointer, facts, **words)
            else:
                seen[card] = pointer


def _pointer(rules: Rules, part: int) -> str:
    return f"/deal/{part}" if part < rules.seats else ("/kitty", "/stock")[part - rules.seats]


def _players_twice(hand: Hand, ruleset: Ruleset) -> Iterator[Finding]:
    """Nobody sits at two seats (0.players)."""
    seats: dict[str, int] = {}
    for seat, player in enumerate(hand.players):
        if player.id in seats:
            facts: dict[str, Fact] = {"id": player.id, "other": seats[player.id]}
            yield _finding(hand, ruleset, "player-twice", f"/players/{seat}", facts)
        seats.setdefault(player.id, seat)


def _finding(
    hand: Hand,
    ruleset: Ruleset,
    code: str,
    pointer: str,
    facts: dict[str, Fact],
    **words: object,
) -> Finding:
    """Return a finding; ``words`` are said in the place of facts, or beside them."""
    keys, sentence = DEAL_ROWS[code]
    _, _, at = pointer[1:].partition("/")
    place = message("The kitty") if pointer == "/kitty" else message("The stock")
    of = player_name(hand, int(at)) if at else place
    said = message_of(sentence, {"place": of, **facts, **words})
    return Finding(
        code, None, pointer, int(at) if at else None, facts, "", cite(ruleset, keys), said
    )
