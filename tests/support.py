"""Builders for tests of the rules engine: hands, tables in mid-play, random legal play."""

import contextlib
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from replay import Finding, Replay, Ruleset, RulesetError, engine, variants
from replay.faults import Fault, faults_in
from replay.findings import code_of, legal_text
from replay.policies import Phase
from replay.records import Rules, State, copy_state
from replay.rules import naming, play
from replay.rules.table import Legal, trump_code
from replay.ruleset import resolve
from replay.setup import first_state
from schemas.actions import TRUMP_CODES, VERB_NAMES, Verb, format_action, parse_action
from schemas.cards import CARD_NAMES, cards_in, mask_of, names_in, parse_cards
from schemas.hand import Hand, OptionValue, Player, RulesRef

Options = Mapping[str, OptionValue]

NAMES = ("ann", "bo", "cy", "dee")
DEALER = 3

# --- Hands


def hand_of(
    variant: str,
    actions: Sequence[str],
    *,
    options: Options | None = None,
    dealer: int = DEALER,
    **fields: Any,  # noqa: ANN401 - any field
) -> Hand:
    """Return a hand of four players; `fields` are further fields of `Hand`."""
    return Hand(
        format="tricklog/1",
        id=fields.pop("id", "hand"),
        rules=RulesRef(variant, options=dict(options) if options else UNSET),
        players=[Player(id=name) for name in NAMES],
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


def with_action(hand: Hand, index: int, text: str) -> Hand:
    actions = list(hand.actions)
    actions[index] = text
    return replace(hand, actions=actions)


def codes(replayed: Replay) -> list[str]:
    return [finding.code for finding in replayed.findings]


def places(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in findings]


def verb_of(text: str) -> str:
    return text.split(" ")[1]


# --- Tables in the middle of a hand


def rules_of(variant: str, options: Options | None = None, *, seats: int = 4) -> Rules:
    return ruleset_for(variant, options).rules(seats)


def ruleset_for(variant: str, options: Options | None = None) -> Ruleset:
    return resolve(RulesRef(variant, options=dict(options) if options else UNSET))


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
    naming.do_name(state, TRUMP_CODES[trumps])
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
    """Return what the seat to act may do, in log notation."""
    seat = engine.to_act(state)
    return legal_text(engine.legal(state, rules, seat)) if seat >= 0 else ""


def card_set(text: str) -> int:
    return mask_of(parse_cards(text))


def card_names(mask: int) -> frozenset[str]:
    return frozenset(names_in(mask).split())


# --- Random legal play

HOUSE_RULES: dict[str, list[dict[str, OptionValue]]] = {}
"""By variant: each named option as an overlay; a choice of values gives one overlay each."""


def _fill_house_rules() -> None:
    for variant in variants():
        overlays: list[dict[str, Any]] = []
        for rule in ruleset_for(variant).house_rules:
            choices = [rule.choices(key) for key in rule.values]
            overlays += [
                dict(zip(rule.values, chosen, strict=True))
                for chosen in itertools.product(*choices)
            ]
        HOUSE_RULES[variant] = overlays


_fill_house_rules()


def some_options(variant: str, chance: random.Random) -> dict[str, OptionValue]:
    """Return a random mix of the variant's named options."""
    return together(variant, [each for each in HOUSE_RULES[variant] if chance.random() < 0.25])


def together(variant: str, overlays: Sequence[Options]) -> dict[str, OptionValue]:
    """Return one overlay of several, without those that contradict the ones before."""
    options: dict[str, OptionValue] = {}
    for overlay in overlays:
        more = {**options, **overlay}
        with contextlib.suppress(RulesetError):
            ruleset_for(variant, more)
            options = more
    return options


def dealt_hand(variant: str, chance: random.Random, options: Options | None = None) -> Hand:
    """Return a hand with a random deal of the whole pack and no actions."""
    ruleset = ruleset_for(variant, options)
    rules = ruleset.rules(4)
    cards = cards_in(rules.pack)
    chance.shuffle(cards)
    names = [CARD_NAMES[card] for card in cards]
    deal = [" ".join(names[seat * rules.dealt : (seat + 1) * rules.dealt]) for seat in range(4)]
    rest = names[4 * rules.dealt :]
    return hand_of(
        variant,
        [],
        options=options,
        dealer=chance.randrange(4),
        deal=deal,
        kitty=" ".join(rest[: rules.kitty_size]),
        stock=" ".join(rest[rules.kitty_size :]),
    )


def random_hand(variant: str, chance: random.Random, options: Options | None = None) -> Hand:
    """Return a complete hand in which everybody does something legal at random."""
    hand = dealt_hand(variant, chance, options)
    actions = [text for _, _, text in walk(hand, chance)]
    return replace(hand, actions=actions)


def walk(hand: Hand, chance: random.Random) -> Iterator[tuple[State, Rules, str]]:
    """Yield each state of random legal play with the action chosen, before it is applied."""
    ruleset = resolve(hand.rules)
    state, rules, _ = first_state(hand, ruleset, [])
    engine.start(state, rules)
    while state.phase != Phase.OVER:
        text = random_action(state, rules, chance)
        yield state, rules, text
        faults = engine.apply(state, rules, parse_action(text))
        assert not faults, f"{text!r} was legal and is judged {faults_in(faults)}"


ASIDES = {
    Verb.PAIR: 0.5,
    Verb.DOUBLE: 0.3,
    Verb.REDOUBLE: 0.5,
    Verb.SUPER: 0.5,
    Verb.SOLO: 0.03,
    Verb.TENNY: 0.03,
    Verb.DECIDED: 0.1,
    Verb.CONCEDE: 0.1,
    Verb.THROW_IN: 1.0,
}
"""What may be said out of turn, and how often it is."""


def random_aside(state: State, rules: Rules, chance: random.Random) -> str | None:
    """Return something that any seat may say now, or nothing."""
    for seat in range(rules.seats):
        verbs = engine.legal(state, rules, seat).verbs
        for verb, share in ASIDES.items():
            if verbs >> verb & 1 and chance.random() < share:
                return format_action(seat, verb)
    return None


def random_action(state: State, rules: Rules, chance: random.Random) -> str:
    """Return something legal for the seat to act, or something that anybody may say."""
    seat = engine.to_act(state)
    options = engine.legal(state, rules, seat)
    if state.show_due:
        # It could be left out, but not by a record that hides what was dealt.
        return format_action(seat, Verb.REVEAL, trump_code(state))
    aside = random_aside(state, rules, chance)
    if aside:
        return aside
    verbs = [
        verb
        for verb in Verb
        if options.verbs >> verb & 1 and verb not in ASIDES and verb != Verb.PASS
    ]
    passes = options.verbs >> Verb.PASS & 1
    if passes and (not verbs or chance.random() < 0.6):
        return format_action(seat, Verb.PASS)
    verb = chance.choice(verbs)
    if verb == Verb.BID:
        numbers = range(options.low, options.high + 1) if options.high else ()
        others = [bid for bid in (options.top, options.special) if bid]
        return format_action(seat, verb, chance.choice([*numbers, *others]))
    if verb == Verb.TRUMP:
        codes = [code for code in range(11) if options.trumps >> code & 1]
        return format_action(seat, verb, chance.choice([*codes, *codes[:4]]))
    if verb == Verb.REVEAL:
        return format_action(seat, verb, trump_code(state))
    if options.most == 0 or verb == Verb.ASK:
        return format_action(seat, verb)
    return format_action(seat, verb, cards=random_choice(options, chance))


def random_choice(options: Legal, chance: random.Random) -> list[int]:
    """Return a random choice of cards within `options`, limits included."""
    chosen = cards_in(options.must)
    count = chance.randint(max(options.least, len(chosen), 1), max(options.most, 1))
    spare = cards_in(options.may & ~options.must)
    chance.shuffle(spare)
    limited = sum(options.limited >> card & 1 for card in chosen)
    for card in spare:
        if len(chosen) == count:
            break
        if options.limited >> card & 1:
            if limited == options.limit:
                continue
            limited += 1
        chosen.append(card)
    chance.shuffle(chosen)
    return chosen


# --- Hiding what a record says


def hide_words(text: str, hide: Callable[[], bool]) -> str:
    return " ".join("?" if hide() else word for word in text.split(" ")) if text else text


def hidden_record(hand: Hand, chance: random.Random, *, hidden_plays: bool) -> Hand:
    """Return the hand with cards not recorded here and there, the actions otherwise the same."""
    shares = {
        Verb.DISCARD: chance.choice((0.0, 0.2, 1.0)),
        Verb.DRAW: chance.choice((0.0, 0.3, 1.0)),
        Verb.ROB: chance.choice((0.0, 0.3, 1.0)),
        Verb.KITTY: chance.choice((0.0, 0.3, 1.0)),
        Verb.PLAY: chance.choice((0.05, 0.3, 1.0)) if hidden_plays else 0.0,
        Verb.BURY: 0.3 if hidden_plays else 0.0,
    }
    by_name = {VERB_NAMES[verb]: share for verb, share in shares.items()}
    actions = []
    for text in hand.actions:
        seat, verb, *rest = text.split(" ", 2)
        share = by_name.get(verb, 0.0)
        words = [hide_words(each, lambda share=share: chance.random() < share) for each in rest]  # type: ignore[misc]
        actions.append(" ".join([seat, verb, *words]))
    return replace(
        hand,
        actions=actions,
        deal=_hide_deal(hand, chance),
        stock=_hide_pile(hand.stock, chance),
        kitty=_hide_pile(hand.kitty, chance),
    )


def _hide_deal(hand: Hand, chance: random.Random) -> list[str] | UnsetType:
    share = chance.choice((0.0, 0.3, 1.0, None))
    if share is None or hand.deal is UNSET:
        return UNSET
    return [hide_words(text, lambda: chance.random() < share) for text in hand.deal]


def _hide_pile(text: str | UnsetType, chance: random.Random) -> str | UnsetType:
    share = chance.choice((0.0, 0.5, None))
    if share is None or text is UNSET:
        return UNSET
    return hide_words(text, lambda: chance.random() < share)


ALL_CODES = frozenset(code_of(fault) for fault in Fault) - {code_of(Fault.TRUMP_NOT_RECORDED)}
"""Codes of all findings that can hang on an action."""
