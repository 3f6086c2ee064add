"""The compiled engine alone: hands read beforehand, every action judged, nothing written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.translated import translated
from tricklog.core import ruleset_of
from tricklog.core.compiled import batch
from tricklog.core.compiled.driver import Buffers, begin, read_record
from tricklog.core.engine import hand_replay
from tricklog.core.engine.hand_replay import ANY_FAULT, Workspace
from tricklog.core.engine.records import SEATS, Rules, State, dtype_of, pack
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import History
from tricklog.core.native.library import Call
from tricklog.schemas.hand import Hand, encode_hand
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import MAX_CARDS, ScannedAction
from tricklog.schemas.scan.line import ScannedLine, scan_line

Array = Any


class Hands(NamedTuple):
    """Hands as the scanner leaves them: one entry or row a hand."""

    lines: Array
    bounds: Array
    cards: Array
    actions: Array
    counts: Array
    """How many actions a hand has."""
    rules: Array
    rules_of: Array
    """By hand: index into ``rules``."""


def plain_buffers() -> Buffers:
    """Return a place to work at without a compiler."""
    return batch.buffers()._replace(
        workspace=plain_workspace(),
        named=[0] * (2 * MAX_ACTIONS),
        other_cards=[0] * MAX_CARDS,
    )


def plain_workspace() -> Workspace:
    """Return what a hand is read into and replayed on, with new records."""
    return Workspace(
        line=ScannedLine(),
        cards=[0] * ((SEATS + 2) * MAX_CARDS),
        bounds=[0] * (SEATS + 3),
        wanted=[0] * (SEATS + 2),
        actions=[ScannedAction() for _ in range(MAX_ACTIONS)],
        faults=[0] * MAX_ACTIONS,
        state=State(),
        history=History(),
        result=Result(),
    )


def read(hands: Sequence[Hand]) -> Hands:
    """Read hands in plain Python. Their figures are laid out as the compiled driver has them."""
    place = plain_buffers()
    line, read_cards = place.workspace.line, place.workspace.cards
    lines = np.zeros(len(hands), dtype_of(line))
    longest = max(len(hand.actions) for hand in hands)
    actions = np.zeros((len(hands), longest), dtype_of(ScannedAction()))
    bounds = np.zeros((len(hands), len(place.workspace.bounds)), np.int64)
    cards = np.zeros((len(hands), len(read_cards)), np.int64)
    counts: list[int] = []
    rules_of: list[int] = []
    rules: dict[int, tuple[int, Rules]] = {}
    for index, hand in enumerate(hands):
        text = encode_hand(hand)
        scan_line(text, 0, len(text), line)
        count = read_record(text, place)
        pack(line, lines[index])
        bounds[index] = place.workspace.bounds
        cards[index] = read_cards
        counts.append(count)
        for at in range(count):
            pack(place.workspace.actions[at], actions[index, at])
        of_table = ruleset_of(hand).rules(line.seats)
        rules_of.append(rules.setdefault(id(of_table), (len(rules), of_table))[0])
    rows = np.zeros(len(rules), batch.RULES)
    for number, each in rules.values():
        pack(each, rows[number])
    return Hands(
        lines,
        bounds,
        cards,
        actions,
        np.array(counts),
        rows,
        np.array(rules_of),
    )


def replay_all(hands: Hands, place: Buffers) -> int:
    """Replay the hands one after the other; return how many are valid."""
    found = 0
    for index in range(len(hands.counts)):
        workspace = Workspace(
            hands.lines[index],
            hands.cards[index],
            hands.bounds[index],
            place.workspace.wanted,
            hands.actions[index],
            place.workspace.faults,
            place.workspace.state,
            place.workspace.history,
            place.workspace.result,
        )
        place.workspace.line.dealer = workspace.line.dealer
        begin(place)
        rules = hands.rules[hands.rules_of[index]]
        if hand_replay.prove_valid(workspace, rules, hands.counts[index], ANY_FAULT):
            found += 1
    return found


def compiled(hands: Hands, place: Buffers) -> Call:
    """Return a call of ``replay_all`` as machine code."""
    return translated(replay_all, hands, place)(hands, place)
