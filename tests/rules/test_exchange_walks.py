"""Random hands of the Pedro family under any rules: what holds of every exchange."""

import random
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from benchmarks.compiled_proof import differences
from tests.kit import random_play
from tests.kit.noise import broken
from tests.kit.support import Options, ruleset_for
from tests.kit.tiers import some
from tricklog import Hand, Verdict, cards_in, encode_hand, replay, variants
from tricklog.core.engine import engine
from tricklog.core.engine.policies import DiscardedPoints, Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.discard import legal_give
from tricklog.core.engine.rules.table import Legal, within_limits
from tricklog.core.rulesets.policy_table import POLICIES, Choice, Switch
from tricklog.schemas.actions import TAKES_CARDS, VERB_NAMES, Verb, format_action, parse_action

SEEDS = some(range(12), 6)
EACH = 8
FAMILY = [name for name in variants() if ruleset_for(name).values["trump_call"] == "open"]
SINGLE: list[Options] = [
    {policy.key: value}
    for policy in POLICIES.values()
    if policy.section in ("exchange", "play") and isinstance(policy, Choice | Switch)
    for value in (policy.names() if isinstance(policy, Choice) else (False, True))
]
"""Each answer to each question that comes after the auction."""


def some_rules(variant: str, chance: random.Random) -> Options:
    """Return a random mix of named options and of single policies for exchange and play."""
    overlays = [*random_play.HOUSE_RULES[variant], *SINGLE]
    return random_play.together(variant, chance.sample(overlays, chance.choice((0, 1, 2, 4, 8))))


def hands(seed: int) -> list[tuple[Hand, random.Random]]:
    """Return dealt hands under rules of all kinds, with the chance to play them by."""
    chances = [random.Random(f"{seed}/{number}") for number in range(EACH)]
    found = []
    for chance in chances:
        variant = chance.choice(FAMILY)
        found.append((random_play.dealt_hand(variant, chance, some_rules(variant, chance)), chance))
    return found


def played(hand: Hand, chance: random.Random) -> Hand:
    return replace(hand, actions=[text for _, _, text in random_play.walk(hand, chance)])


def piles(state: State, rules: Rules) -> list[int]:
    """Return every place where cards lie."""
    stock = 0
    for index in range(state.stock_next, state.stock_size):
        stock |= 1 << state.stock[index]
    seats = range(rules.seats)
    return [
        *(state.holding[seat] for seat in seats),
        *(state.reserve[seat] for seat in seats),
        *(state.discarded[seat] for seat in seats),
        *(state.kitty, state.seen, stock),
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_0_conservation_every_card_lies_in_one_place_at_every_step(seed: int) -> None:
    for hand, chance in hands(seed):
        actions = []
        for state, rules, text in random_play.walk(hand, chance):
            lying = piles(state, rules)
            assert sum(lying) == rules.pack
            assert sum(pile.bit_count() for pile in lying) == rules.pack_size
            actions.append(text)
        replayed = replay(replace(hand, actions=actions))
        assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())


@pytest.mark.parametrize("seed", SEEDS)
def test_just_what_is_offered_is_judged_legal(seed: int) -> None:
    for hand, chance in hands(seed):
        for state, rules, _ in random_play.walk(hand, chance):
            if not Phase.FOLD <= state.phase <= Phase.PLAY:
                continue
            for seat in range(rules.seats):
                options = engine.legal(state, rules, seat)
                for verb in sorted(TAKES_CARDS):
                    if options.verbs >> verb & 1:
                        check_choices(state, rules, seat, verb, options, chance)


def check_choices(
    state: State, rules: Rules, seat: int, verb: Verb, options: Legal, chance: random.Random
) -> None:
    for _ in range(3):
        cards = nearly(options, rules, chance)
        text = format_action(seat, verb, cards=cards)
        faults = engine.apply(copy_state(state), rules, parse_action(text))
        assert (faults == 0) == allows(options, cards), (text, options)


def nearly(options: Legal, rules: Rules, chance: random.Random) -> list[int]:
    """Return a choice that is legal, or not quite."""
    chosen = cards_in(options.must)
    spare = cards_in(options.may & ~options.must)
    chance.shuffle(spare)
    wanted = chance.choice((options.least, options.least, options.most, options.most + 1))
    chosen += spare[: max(0, wanted - len(chosen))]
    if chance.random() < 0.3 and chosen:
        chosen.pop(chance.randrange(len(chosen)))
    if chance.random() < 0.2 or not chosen:
        chosen.append(chance.choice(cards_in(rules.pack & ~sum(1 << card for card in chosen))))
    return chosen


def allows(options: Legal, cards: Sequence[int]) -> bool:
    mask = sum(1 << card for card in cards)
    if options.must & ~mask or mask & ~options.may:
        return False
    return options.least <= len(cards) <= options.most and within_limits(options, mask)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_that_is_not_recorded_is_never_a_finding(seed: int) -> None:
    for hand, chance in hands(seed):
        whole = played(hand, chance)
        for shows_plays in (True, False):
            hidden = replay(hide(whole, chance, shows_plays=shows_plays))
            assert hidden.findings == ()
            assert hidden.verdict in (Verdict.VALID, Verdict.DOUBTFUL)
            nobodys = hidden.rules.discarded_points == DiscardedPoints.NOBODY
            if hidden.verdict == Verdict.VALID or (shows_plays and nobodys):
                assert hidden.outcome == replay(whole).outcome


HIDEABLE = (*TAKES_CARDS, Verb.CLAIM)


def hide(hand: Hand, chance: random.Random, *, shows_plays: bool) -> Hand:
    """Return the hand with cards left out here and there."""
    shares = {VERB_NAMES[verb]: chance.choice((0.0, 0.3, 1.0)) for verb in HIDEABLE}
    shares["play"] = 0.0 if shows_plays else chance.choice((0.05, 0.3, 1.0))
    shares["bury"] = 0.0 if shows_plays else 0.3
    actions = []
    for text in hand.actions:
        seat, verb, *cards = text.split(" ", 2)
        words = [some_hidden(each, shares.get(verb, 0.0), chance) for each in cards]
        actions.append(" ".join([seat, verb, *words]))
    share = chance.choice((0.0, 0.3, 1.0))
    return replace(
        hand,
        actions=actions,
        deal=[some_hidden(text, share, chance) for text in hand.deal or ()],
        stock=some_hidden(hand.stock or "", share, chance),
        kitty=some_hidden(hand.kitty or "", share, chance),
    )


def some_hidden(text: str, share: float, chance: random.Random) -> str:
    return random_play.hide_words(text, lambda: chance.random() < share)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lay_off_or_burial_in_two_actions_is_as_good(seed: int) -> None:
    for hand, chance in hands(seed):
        actions = []
        for text in played(hand, chance).actions:
            seat, verb, *cards = text.split(" ")
            if verb in ("discard", "discard-up", "bury") and len(cards) > 1:
                cut = chance.randrange(1, len(cards))
                actions.append(" ".join([seat, verb, *cards[:cut]]))
                cards = cards[cut:]
            actions.append(" ".join([seat, verb, *cards]))
        replayed = replay(replace(hand, actions=actions))
        assert (replayed.findings, replayed.verdict) == ((), Verdict.VALID)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_record_says_no_card_is_made_up(seed: int) -> None:
    for hand, chance in hands(seed):
        spoilt = broken(played(hand, chance), chance)
        replayed = replay(hide(spoilt, chance, shows_plays=False))
        for index in range(len(replayed) + 1):
            state = replayed.state_at(index)
            assert min(*state.unknown, *state.discarded_unknown, state.kitty_unknown) >= 0
            assert 0 <= state.stock_next <= state.stock_size
            assert replayed.at(index).index == index
        for finding in replayed.findings:
            assert finding.rule
            assert finding.message.endswith(".")


def test_a_blank_is_laid_off_before_a_gift_or_after_it() -> None:
    """Eighty-Three sets no order (S71): same cards, same verdict, in plain Python and compiled."""
    lines = []
    for seed in range(120):
        chance = random.Random(f"gifts/{seed}")
        for hand in orders_of_gift(random_play.dealt_hand("eighty-three", chance), chance):
            assert replay(hand).findings == (), hand.actions
            lines.append(encode_hand(hand))
    assert len(lines) > 30
    assert differences(lines) == (len(lines), [])


def orders_of_gift(hand: Hand, chance: random.Random) -> Iterator[Hand]:
    """Yield a hand in which a blank was kept back from a gift, the gift at every place."""
    texts: list[str] = []
    place = -1
    for state, rules, text in random_play.walk(hand, chance):
        if state.phase == Phase.PLAY:
            break
        gift = parse_action(text)
        if gift.verb == Verb.GIVE and gift.size < legal_give(state, rules, gift.seat, 0).most:
            place = len(texts)
        texts.append(text)
    giver = f"{texts[place][0]} discard "
    later = [text for text in texts[place:] if text.startswith(giver)]
    for count in range(len(later) + 1 if place >= 0 else 0):
        rest = [text for text in texts[place:] if text not in later[:count]]
        yield replace(hand, actions=[*texts[:place], *later[:count], *rest])
