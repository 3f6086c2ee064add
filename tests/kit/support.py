"""Builders for tests of the rules engine: hands, tables in mid-play."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec import UNSET

from tests.regenerate.schemas import ruleset_schema
from tricklog.core import Finding, Replay, Ruleset, RulesetError, load_rules_file
from tricklog.core.engine import engine
from tricklog.core.engine.faults import Fault, faults_in
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import auction, play
from tricklog.core.judging.findings import code_of, legal_text
from tricklog.core.rulesets.ruleset import resolve
from tricklog.schemas.actions import TRUMP_CODES, parse_action
from tricklog.schemas.cards import mask_of, names_in, parse_cards
from tricklog.schemas.hand import FORMAT, Hand, OptionValue, Player, RulesRef

Options = Mapping[str, OptionValue]

PLAYERS = ("ann", "bo", "cy", "dee", "eve", "finn", "gus")
NAMES = PLAYERS[:4]
DEALER = 3
JOKER: Options = {
    "joker": True,
    "odd_card": "dealer",
    "points": {"A": 1, "K": 25, "J": 1, "T": 1, "9": 9, "5": 5, "off_five": 5, "2": 1, "joker": 15},
}
"""A deck with the joker, of which one card is left for the dealer (O27)."""


# --- Hands
def hand_of(
    variant: str,
    actions: Sequence[str] = (),
    *,
    options: Options | None = None,
    dealer: int = DEALER,
    players: Iterable[str] = NAMES,
    **fields: Any,  # noqa: ANN401 - any field
) -> Hand:
    """Return a hand, of four players by default; `fields` are further fields of `Hand`."""
    return Hand(
        format=fields.pop("format", FORMAT),
        id=fields.pop("id", "hand"),
        rules=RulesRef(variant, options=dict(options) if options else UNSET),
        players=[Player(id=name) for name in players],
        dealer=dealer,
        actions=list(actions),
        **fields,
    )


def plays(*tricks: str) -> list[str]:
    """Return actions for tricks written as `0 AS 1 2S 2 3S 3 4S`."""
    actions = []
    for trick in tricks:
        words = trick.split()
        actions += [
            f"{seat} play {card}" for seat, card in zip(words[::2], words[1::2], strict=True)
        ]
    return actions


def actions_in(text: str) -> list[str]:
    """Return the actions of a row; cards of a trick are played one by one."""
    found: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        is_trick = re.fullmatch(r"(?:\d (?:[2-9TJQKA][SHDC]|JO|\?) ?)+", part)
        found += plays(part) if is_trick else [part]
    return found


def codes(replayed: Replay) -> list[str]:
    return [finding.code for finding in replayed.findings]


def places(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in findings]


def verb_of(text: str) -> str:
    return text.split(" ")[1]


# --- Tables in the middle of a hand
def rules_of(variant: str, options: Options | None = None, *, seats: int = 4) -> Rules:
    return ruleset_for(variant, options).rules(seats)


def ruleset_for(
    variant: str, options: Options | None = None, definition: Mapping[str, Any] | None = None
) -> Ruleset:
    reference = RulesRef(
        variant,
        options=UNSET if options is None else dict(options),
        definition=UNSET if definition is None else dict(definition),
    )
    return _ruleset(msgspec.json.encode(reference, order="deterministic"))


@lru_cache(maxsize=1024)
def _ruleset(reference: bytes) -> Ruleset:
    return resolve(msgspec.json.decode(reference, type=RulesRef))


def rules_of_file(folder: Path, text: str, name: str = "club.toml") -> Ruleset:
    (folder / name).write_text(text, "utf-8")
    return load_rules_file(folder / name)


def refused(make: Callable[..., Ruleset], *given: object, **named: object) -> RulesetError:
    """Return what making these rules is refused with."""
    with pytest.raises(RulesetError) as caught:
        make(*given, **named)
    return caught.value


def auction_table(
    rules: Rules, hands: Mapping[int, str] | None = None, *, dealer: int = DEALER
) -> State:
    """Return a table at which the first caller is to speak; of hands not given no card is known."""
    state = State(dealer=dealer)
    for seat in range(rules.seats):
        state.holding[seat] = card_set((hands or {}).get(seat, ""))
        state.unknown[seat] = rules.packet - state.holding[seat].bit_count()
        state.reserve_unknown[seat] = rules.dealt - rules.packet
    state.kitty_unknown = rules.kitty_size
    state.stock_size = rules.pack_size - rules.seats * rules.dealt - rules.kitty_size
    state.stock_set = rules.pack
    engine.start(state, rules)
    return state


def table_in(
    rules: Rules, phase: Phase, trumps: str, hands: Mapping[int, str], *, maker: int = 0
) -> State:
    """Return a table in an exchange phase with the hands of some seats, the others unknown."""
    state = State(dealer=DEALER, maker=maker, high_bid=rules.min_bid)
    auction.do_name(state, TRUMP_CODES[trumps])
    state.phase = int(phase)
    state.step = rules.phases.index(phase)
    for seat in range(rules.seats):
        cards = parse_cards(hands.get(seat, ""))
        state.holding[seat] = mask_of(cards)
        state.unknown[seat] = 0 if seat in hands else rules.hand_size
    return state


def play_table(
    rules: Rules,
    trumps: str,
    hands: Mapping[int, str],
    *,
    leader: int = 0,
    trick: int = 1,
    shown: bool = True,
    size: int = 2,
) -> State:
    """Return a table at which `leader` is to lead; seats without a hand hold `size` unknown."""
    state = table_in(rules, Phase.PLAY, trumps, hands, maker=leader)
    for seat in range(rules.seats):
        if seat not in hands:
            state.unknown[seat] = size
            # Only a seat that plays on with cards not named is taken to hold a trump.
            state.hidden_plays[seat] = size
    state.revealed = int(shown)
    play.start_play(state, rules, leader)
    state.trick = trick
    return state


def do(state: State, rules: Rules, text: str) -> list[str]:
    """Apply an action to `state`; return the codes of its faults."""
    return [code_of(fault) for fault in faults_in(engine.apply(state, rules, parse_action(text)))]


def judged(state: State, rules: Rules, text: str) -> list[str]:
    """Return the codes of an action's faults without touching `state`."""
    return do(copy_state(state), rules, text)


def legal_now(state: State, rules: Rules) -> str:
    seat = engine.to_act(state)
    return legal_text(engine.legal(state, rules, seat)) if seat >= 0 else ""


def card_set(text: str) -> int:
    return mask_of(parse_cards(text))


def card_names(mask: int) -> frozenset[str]:
    return frozenset(names_in(mask).split())


ALL_CODES = frozenset(code_of(fault) for fault in Fault) - {code_of(Fault.TRUMP_NOT_RECORDED)}
"""Codes of all findings that can hang on an action."""


@lru_cache
def ruleset_validator() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(ruleset_schema())
