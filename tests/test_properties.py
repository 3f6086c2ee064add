"""Properties of the engine over random deals, random legal play, random faults and random noise."""

import random
import re

from hypothesis import given, note
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from replay import Mode, Replay, Verdict, check_game, engine, generate, replay, variants
from replay.policies import Phase
from replay.records import Rules, State, copy_state
from replay.rules.table import Legal
from schemas.actions import Verb, format_action, parse_action
from schemas.cards import card_name, cards_in
from schemas.hand import Claimed, Hand
from tests.noise import broken, noise, with_noisy_cards
from tests.support import (
    codes,
    hidden_record,
    places,
    random_hand,
    rules_of,
    some_options,
    walk,
)

SYSTEMS = st.sampled_from(variants())
SEEDS = st.integers(0, 2**32)
MODES: tuple[Mode, ...] = ("audit", "strict", "salvage")


def played_at_random(system: str, seed: int, *, house_rules: bool = True) -> Hand:
    chance = random.Random(seed)
    options = some_options(system, chance) if house_rules else None
    hand = random_hand(system, chance, options)
    note(f"{hand.rules} {hand.deal} {hand.stock} {hand.kitty} {hand.actions}")
    return hand


def states_of(system: str, seed: int) -> list[tuple[State, Rules, str]]:
    chance = random.Random(seed)
    hand = random_hand(system, chance, some_options(system, chance))
    note(f"{hand.rules} {hand.deal} {hand.stock} {hand.kitty} {hand.actions}")
    dealt = replace(hand, actions=[])
    return [(copy_state(state), rules, text) for state, rules, text in walk(dealt, chance)]


def steps_of(hand: Hand) -> list[tuple[State, Rules, str]]:
    """Return the state before each action of a hand, with the action."""
    replayed = replay(hand)
    return [
        (replayed.state_at(index), replayed.rules, text) for index, text in enumerate(hand.actions)
    ]


# --- What is always so


@given(SYSTEMS, SEEDS)
def test_every_card_exists_once_at_every_step(system: str, seed: int) -> None:
    for state, rules, _ in states_of(system, seed):
        piles = [state.seen, state.kitty, state.seventh]
        for seat in range(rules.seats):
            piles += [state.holding[seat], state.reserve[seat], state.discarded[seat]]
        rest = state.stock[state.stock_next : state.stock_size]
        piles += [1 << card for card in rest]
        together = 0
        for pile in piles:
            assert together & pile == 0
            together |= pile
        assert together == rules.pack
        assert sum(state.unknown) + sum(state.discarded_unknown) + state.kitty_unknown == 0


@given(SYSTEMS, SEEDS)
def test_random_legal_play_is_valid_and_counts_all_points(system: str, seed: int) -> None:
    replayed = replay(played_at_random(system, seed))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    outcome = replayed.outcome
    assert outcome is not None
    if outcome.result == "thrown_in":
        assert outcome.points == (0, 0)
        return
    total = replayed.ruleset.total_points
    if replayed.state_at(len(replayed)).decided or replayed.state_at(len(replayed)).tenny:
        assert sum(outcome.points) <= total
        return
    assert sum(outcome.points) == total
    captured = [0, 0]
    for capture in replayed.captures:
        captured[capture.side] += capture.points
    last_trick = replayed.rules.last_trick_points
    captured[replayed.ruleset.side_of(replayed.tricks[-1].winner)] += last_trick
    assert tuple(captured) == outcome.points
    for index in range(len(replayed) + 1):
        assert sum(replayed.at(index).points) <= total


@given(SYSTEMS, SEEDS)
def test_generated_games_are_valid_under_house_rules_too(system: str, seed: int) -> None:
    options = some_options(system, random.Random(seed))
    replays = [replay(hand) for hand in generate(system, 1, seed, options=options)]
    assert {each.verdict for each in replays} == {Verdict.VALID}
    assert check_game(replays) == [[] for _ in replays]


@given(SYSTEMS, SEEDS)
def test_a_replay_is_the_same_each_time(system: str, seed: int) -> None:
    hand = broken(played_at_random(system, seed), random.Random(seed))
    first, second = replay(hand), replay(hand)
    assert summary(first) == summary(second)
    steps = range(len(first) + 1)
    views = [first.at(index) for index in steps]
    assert [second.at(index) for index in reversed(steps)] == views[::-1]


def summary(replayed: Replay) -> tuple[object, ...]:
    return (
        *(replayed.verdict, replayed.findings, replayed.doubts, replayed.outcome),
        *(replayed.calls, replayed.tricks, replayed.captures, replayed.played),
    )


# --- Legality is one answer: what is offered is judged legal, and nothing else is


@given(SYSTEMS, SEEDS)
def test_just_the_cards_offered_are_judged_legal(system: str, seed: int) -> None:
    for state, rules, _ in states_of(system, seed):
        seat = engine.to_act(state)
        options = engine.legal(state, rules, seat)
        offered = options.may if options.verbs >> Verb.PLAY & 1 else 0
        for card in cards_in(rules.pack):
            text = format_action(seat, Verb.PLAY, cards=[card])
            faults = engine.apply(copy_state(state), rules, parse_action(text))
            # Where nobody need rob or double, the one who leads may also begin.
            optional = state.phase == Phase.DOUBLE or (
                state.phase == Phase.ROB and options.least == 0
            )
            if not optional:
                assert (faults == 0) == bool(offered >> card & 1), text


@given(SYSTEMS, SEEDS)
def test_just_the_calls_offered_are_judged_legal(system: str, seed: int) -> None:
    calls = [f"bid {number}" for number in (*range(1, 50), 999)]
    calls += ["bid 28-56", "bid 83-double", "pass", "ditto", "tenny"]
    for state, rules, _ in states_of(system, seed):
        if state.phase != Phase.AUCTION:
            break
        seat = engine.to_act(state)
        options = engine.legal(state, rules, seat)
        for call in calls:
            action = parse_action(f"{seat} {call}")
            legal = options.verbs >> action.verb & 1 == 1
            if action.verb == Verb.BID:
                in_range = options.low <= action.amount <= options.high
                legal &= in_range or action.amount in (options.top, options.special)
            faults = engine.apply(copy_state(state), rules, action)
            assert (faults == 0) == legal, call


@given(SYSTEMS, SEEDS)
def test_just_the_choices_of_cards_offered_are_judged_legal(system: str, seed: int) -> None:
    chance = random.Random(seed)
    verbs = {Verb.DISCARD, Verb.DRAW, Verb.ROB, Verb.KITTY, Verb.BURY}
    for state, rules, _ in states_of(system, seed):
        seat = engine.to_act(state)
        options = engine.legal(state, rules, seat)
        for verb in verbs:
            if not options.verbs >> verb & 1:
                continue
            for _ in range(12):
                cards = near(options, rules, chance)
                text = format_action(seat, verb, cards=cards)
                faults = engine.apply(copy_state(state), rules, parse_action(text))
                assert (faults == 0) == within(options, cards), text


def near(options: Legal, rules: Rules, chance: random.Random) -> list[int]:
    """Return a choice that is legal or nearly so."""
    chosen = set(cards_in(options.must))
    spare = cards_in(options.may & ~options.must)
    chance.shuffle(spare)
    chosen.update(spare[: max(0, options.least - len(chosen)) + chance.choice((0, 0, 0, 1))])
    for _ in range(chance.choice((0, 0, 1))):
        chosen.discard(chance.choice(sorted(chosen or {0})))
    for _ in range(chance.choice((0, 0, 0, 1))):
        chosen.add(chance.choice(cards_in(rules.pack)))
    return sorted(chosen) or [chance.choice(cards_in(rules.pack))]


def within(options: Legal, cards: list[int]) -> bool:
    mask = sum(1 << card for card in cards)
    if options.must & ~mask or mask & ~options.may:
        return False
    limited = (mask & options.limited).bit_count()
    return options.least <= len(cards) <= options.most and (
        not options.limited or limited <= options.limit
    )


@given(SYSTEMS, SEEDS)
def test_nobody_else_may_play_or_call(system: str, seed: int) -> None:
    for state, rules, text in states_of(system, seed):
        turn = engine.to_act(state)
        verb = text.split(" ")[1]
        # Which of two partners speaks about the stake is free.
        if verb not in ("bid", "pass", "play") or state.phase == Phase.DOUBLE:
            continue
        for seat in range(rules.seats):
            if seat != turn:
                action = parse_action(f"{seat}{text[1:]}")
                assert engine.apply(copy_state(state), rules, action) != 0


# --- One fault, one finding, at its place


@given(SYSTEMS, SEEDS)
def test_an_illegal_card_is_found_where_it_is_played(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = played_at_random(system, seed)
    occasions = []
    for index, (state, rules, text) in enumerate(steps_of(hand)):
        seat = int(text[0])
        options = engine.legal(state, rules, seat)
        illegal = state.holding[seat] & ~options.may
        if illegal and options.verbs >> Verb.PLAY & 1 and " pair" not in text:
            occasions.append((index, seat, illegal, state.played))
    if not occasions:
        return
    index, seat, illegal, played = chance.choice(occasions)
    card = chance.choice(cards_in(illegal))
    actions = [*hand.actions[:index], f"{seat} play {card_name(card)}"]
    replayed = replay(replace(hand, actions=actions))
    assert len(replayed.findings) == 1
    finding = replayed.findings[0]
    assert (finding.pointer, finding.seat) == (f"/actions/{index}", seat)
    assert finding.code in (("revoke" if played else "plain-lead"), "buried-points")
    legal = set(finding.legal.split())
    assert legal
    assert card_name(card) not in legal


@given(SYSTEMS, SEEDS)
def test_a_wrong_number_claimed_is_found_where_it_stands(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = next(generate(system, 1, seed))
    assert hand.claimed is not UNSET
    key = chance.choice(["points", "change", "scores"])
    numbers = list(getattr(hand.claimed, key))
    side = chance.randrange(2)
    numbers[side] += chance.choice([-3, -1, 1, 2, 10])
    replayed = replay(replace(hand, claimed=replace(hand.claimed, **{key: numbers})))
    code = {"points": "claimed-points", "change": "claimed-change", "scores": "claimed-score"}[key]
    assert places(replayed.findings) == [(code, f"/claimed/{key}")]
    assert replayed.findings[0].facts["claimed"] == numbers
    assert replayed.outcome == replay(hand).outcome


@given(SYSTEMS, SEEDS)
def test_a_trick_given_to_another_side_is_one_finding(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = played_at_random(system, seed)
    replayed = replay(hand)
    if not replayed.tricks:
        return
    winners = [trick.winner for trick in replayed.tricks]
    assert replay(replace(hand, claimed=Claimed(winners=winners))).findings == ()
    number = chance.randrange(len(winners))
    other = chance.choice([seat for seat in range(4) if seat != winners[number]])
    winners[number] = other
    wrong = replay(replace(hand, claimed=Claimed(winners=winners)))
    assert places(wrong.findings) == [("claimed-winner", f"/claimed/winners/{number}")]
    assert wrong.findings[0].facts["winner"] == replayed.tricks[number].winner


@given(SYSTEMS, SEEDS)
def test_a_wrong_bid_is_found_where_it_is_made(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = played_at_random(system, seed)
    bids = [index for index, text in enumerate(hand.actions) if " bid " in text]
    if not bids:
        return
    index = chance.choice(bids)
    rules = rules_of(system, hand.rules.options or None)
    state = replay(hand).state_at(index)
    options = engine.legal(state, rules, int(hand.actions[index][0]))
    amount = chance.choice([1, options.low - 1, state.high_bid or 1, options.high + 1, 999])
    if options.low <= amount <= options.high or amount < 1:
        return
    actions = list(hand.actions)
    actions[index] = f"{actions[index][0]} bid {amount}"
    finding = replay(replace(hand, actions=actions)).findings[0]
    if amount <= state.high_bid:
        expected = "bid-not-higher"
    elif not options.verbs >> Verb.PASS & 1:
        expected = "forced-bid-wrong"
    else:
        expected = "bid-too-low" if amount < rules.min_bid else "bid-too-high"
    assert (finding.code, finding.pointer) == (expected, f"/actions/{index}")


# --- Less recorded is not more wrong


@given(SYSTEMS, SEEDS)
def test_hiding_the_deal_changes_nothing_but_certainty(system: str, seed: int) -> None:
    hand = played_at_random(system, seed)
    hidden = hidden_record(hand, random.Random(seed), hidden_plays=False)
    note(f"{hidden.deal} {hidden.stock} {hidden.kitty} {hidden.actions}")
    replayed = replay(hidden)
    assert replayed.findings == ()
    assert replayed.verdict in (Verdict.VALID, Verdict.DOUBTFUL)
    assert replayed.outcome == replay(hand).outcome


@given(SYSTEMS, SEEDS)
def test_hiding_cards_played_gives_doubt_and_never_a_finding(system: str, seed: int) -> None:
    hand = played_at_random(system, seed)
    hidden = hidden_record(hand, random.Random(seed), hidden_plays=True)
    note(f"{hidden.deal} {hidden.stock} {hidden.kitty} {hidden.actions}")
    replayed = replay(hidden)
    assert replayed.findings == ()
    assert replayed.verdict in (Verdict.VALID, Verdict.DOUBTFUL)
    if replayed.verdict == Verdict.VALID:
        assert replayed.outcome == replay(hand).outcome


# --- The rules know no favourite seats or suits


@given(SYSTEMS, SEEDS)
def test_turning_the_table_turns_the_result(system: str, seed: int) -> None:
    hand = broken(played_at_random(system, seed), random.Random(seed))
    assert hand.deal is not UNSET
    turned = replace(
        hand,
        dealer=(hand.dealer + 1) % 4,
        deal=[hand.deal[-1], *hand.deal[:-1]],
        actions=[f"{(int(text[0]) + 1) % 4}{text[1:]}" for text in hand.actions],
    )
    before, after = replay(hand), replay(turned)
    assert (codes(after), after.verdict) == (codes(before), before.verdict)
    assert [item.action for item in after.findings] == [item.action for item in before.findings]
    if before.outcome and after.outcome:
        assert after.outcome.points == before.outcome.points[::-1]
        assert after.outcome.change == before.outcome.change[::-1]


@given(SYSTEMS, SEEDS)
def test_exchanging_the_colours_changes_nothing(system: str, seed: int) -> None:
    hand = broken(played_at_random(system, seed), random.Random(seed))
    assert hand.deal is not UNSET
    recoloured = replace(
        hand,
        deal=[recolour(cards) for cards in hand.deal],
        stock=recolour(hand.stock or ""),
        kitty=recolour(hand.kitty or ""),
        actions=[recolour(text) for text in hand.actions],
    )
    before, after = replay(hand), replay(recoloured)
    assert (places(after.findings), after.verdict) == (places(before.findings), before.verdict)
    if before.outcome and after.outcome:
        assert (after.outcome.points, after.outcome.need) == (
            before.outcome.points,
            before.outcome.need,
        )


def recolour(text: str) -> str:
    """Exchange spades with hearts and clubs with diamonds, so that off fives stay off fives."""
    swap = str.maketrans("SHDC", "HSCD")
    return re.sub(r"(?<=[2-9TJQKA])[SHDC]\b|\b[SHDC]\b", lambda m: m[0].translate(swap), text)


# --- Noise: whatever stands in a log, it ends in a verdict


@given(SYSTEMS, SEEDS)
def test_whatever_a_log_says_it_ends_in_a_verdict(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = broken(played_at_random(system, seed), chance)
    if chance.random() < 0.4:
        hand = with_noisy_cards(hand, chance)
    if chance.random() < 0.3:
        hand = hidden_record(hand, chance, hidden_plays=True)
    if chance.random() < 0.1:
        hand = replace(hand, actions=[noise(chance) for _ in range(30)])
    note(f"{hand.deal} {hand.stock} {hand.kitty} {hand.actions}")
    for mode in MODES:
        check_replay(replay(hand, mode=mode))


def check_replay(replayed: Replay) -> None:
    """A verdict that fits its findings, and a state that makes sense at every step."""
    ended = replayed.verdict not in (Verdict.REJECTED, Verdict.INCOMPLETE)
    assert (replayed.outcome is not None) == ended
    assert 0 <= replayed.played <= len(replayed)
    if replayed.verdict in (Verdict.VALID, Verdict.DOUBTFUL):
        assert replayed.findings == ()
    if replayed.verdict == Verdict.IRREGULAR:
        assert replayed.findings
    if replayed.verdict in (Verdict.DOUBTFUL, Verdict.INCOMPLETE):
        assert replayed.doubts
    for finding in replayed.findings:
        assert finding.rule
        assert finding.message.endswith(".")
        assert "None" not in finding.message
        if finding.action is not None:
            assert finding.action < len(replayed)
    for index in range(len(replayed) + 1):
        state = replayed.state_at(index)
        assert min(*state.unknown, *state.discarded_unknown, state.kitty_unknown) >= 0
        assert 0 <= state.stock_next <= state.stock_size
        assert replayed.at(index).index == index
