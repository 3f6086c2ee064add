"""Properties of the engine over random deals, random legal play, random faults and random noise."""

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given, note, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from benchmarks.compiled_proof import differences
from tests.kit import random_play
from tests.kit.at_table import begun
from tests.kit.coded import call_facts
from tests.kit.noise import broken, noise, with_noisy_cards
from tests.kit.support import (
    Options,
    codes,
    do,
    hand_of,
    judged,
    places,
    rules_of,
    ruleset_for,
    verb_of,
)
from tests.kit.tiers import scaled
from tests.reference_engine.auction import legal_calls, next_caller
from tests.reference_engine.count import count, running_scores
from tests.reference_engine.moves import moves
from tests.reference_engine.table import tables_of
from tricklog import (
    Claimed,
    Hand,
    Mode,
    Replay,
    Verdict,
    check_game,
    encode_hand,
    generate,
    replay,
    ruleset_of,
    variants,
)
from tricklog.core.engine import engine
from tricklog.core.engine.facts import (
    NOT_KNOWN,
    SeatFacts,
    note_facts,
    rank_of_trump,
    trump_ranks_among,
)
from tricklog.core.engine.policies import DiscardedPoints, Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.discard import legal_give
from tricklog.core.engine.rules.table import Legal, within_limits
from tricklog.core.rulesets.policy_table import POLICIES, Choice, Switch
from tricklog.schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    TAKES_CARDS,
    Verb,
    bid_name,
    format_action,
    parse_action,
)
from tricklog.schemas.cards import TRUMP_RANKS, cards_in, mask_of, parse_card, parse_cards

SYSTEMS = st.sampled_from(variants())
LAYING_OFF = st.sampled_from(
    [name for name in variants() if ruleset_for(name).values["discard"] != "nothing"]
)
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=scaled(14))
"""Each example looks at every step of a hand."""
MANY = settings(max_examples=scaled(80))
MODES: tuple[Mode, ...] = ("audit", "strict", "salvage")
SINGLE: list[Options] = [
    {policy.key: value}
    for policy in POLICIES.values()
    if policy.section in ("auction", "exchange", "play") and isinstance(policy, Choice | Switch)
    for value in (policy.names() if isinstance(policy, Choice) else (False, True))
]
"""Each answer to each question about what is done."""


def some_rules(system: str, seed: int, chance: random.Random) -> Options:
    """Return a random mix of options: as they are known by number, or mostly of any answers."""
    if seed % 4 == 0:
        return random_play.some_options(system, chance)
    overlays = [*random_play.HOUSE_RULES[system], *SINGLE]
    return random_play.together(system, chance.sample(overlays, chance.choice((0, 1, 2, 4, 8))))


def played_at_random(system: str, seed: int) -> Hand:
    chance = random.Random(seed)
    hand = random_play.random_hand(system, chance, some_rules(system, seed, chance))
    note(f"{hand.rules} {hand.deal} {hand.stock} {hand.kitty} {hand.actions}")
    return hand


def states_of(system: str, seed: int) -> list[tuple[State, Rules, str]]:
    """Return each state of a hand as it is played, with the action that follows."""
    chance = random.Random(seed)
    dealt = random_play.dealt_hand(system, chance, some_rules(system, seed, chance))
    walked = random_play.walk(dealt, chance)
    found = [(copy_state(state), rules, text) for state, rules, text in walked]
    note(f"{dealt.rules} {dealt.deal} {dealt.stock} {dealt.kitty} {[text for *_, text in found]}")
    return found


# --- What is always so
@MANY
@given(SYSTEMS, SEEDS)
def test_0_conservation_every_card_lies_in_one_place_at_every_step(system: str, seed: int) -> None:
    for state, rules, _ in states_of(system, seed):
        piles = [state.seen, state.kitty, state.seventh]
        for seat in range(rules.seats):
            piles += [state.holding[seat], state.reserve[seat], state.discarded[seat]]
        piles += [1 << card for card in state.stock[state.stock_next : state.stock_size]]
        assert sum(piles) == rules.pack
        assert sum(pile.bit_count() for pile in piles) == rules.pack_size
        assert sum(state.unknown) + sum(state.discarded_unknown) + state.kitty_unknown == 0


@MANY
@given(SYSTEMS, SEEDS)
def test_random_legal_play_is_valid_and_counts_what_is_in_play(system: str, seed: int) -> None:
    replayed = replay(played_at_random(system, seed))
    assert (replayed.verdict, replayed.findings) == (Verdict.VALID, ())
    outcome = replayed.outcome
    assert outcome is not None
    total = replayed.ruleset.total_points
    for index in range(len(replayed) + 1):
        assert sum(replayed.at(index).points) <= total
    if outcome.result == "thrown_in":
        assert set(outcome.points) == {0}
    elif all_points_are_in_play(replayed):
        assert sum(outcome.points) == total
    captured = [0] * len(outcome.points)
    for capture in replayed.captures:
        captured[capture.side] += capture.points
    if replayed.ruleset.values["game_point"] == "card" and replayed.tricks:
        end = replayed.state_at(len(replayed))
        if not end.decided:
            winner = replayed.tricks[-1].winner
            assert winner is not None
            captured[replayed.ruleset.side_of(winner)] += replayed.rules.last_trick_points
        assert tuple(captured) == outcome.points


def all_points_are_in_play(replayed: Replay) -> bool:
    """Whether by rule every point card is played to its trick, or scores in the discards."""
    values, rules = replayed.ruleset.values, replayed.rules
    end = replayed.state_at(len(replayed))
    if end.decided or end.tenny or values["high_low"] == "in-play":
        return False
    # A dealer who has folded takes the stock, and plays none of it.
    if end.folded >> end.dealer & 1 and end.stock_size:
        return False
    seats = len(replayed.hand.players)
    dealt = rules.dealt * seats == rules.pack_size or values["odd_card"] == "dealer"
    if values["discard"] == "nothing":
        return dealt
    bound = values["discard"] in ("all-plain", "to-size", "points-kept")
    bound = bound and not values["discards_claimed"] and not values["search_discards"]
    found = values["rob"] in ("all-trumps", "whole-stock", "whole-stock-first")
    return bound and (found or (values["refill"] == "nobody" and end.stock_size == 0))


@FEW
@given(SYSTEMS, SEEDS)
def test_a_hand_comes_to_what_the_rules_written_twice_say(system: str, seed: int) -> None:
    hand = replace(played_at_random(system, seed), scores=UNSET)
    tables = tables_of(hand)
    before = [1] * tables[0].game.sides
    outcome, replayed = count(tables[-1]), replay(replace(hand, scores=before))
    assert replayed.outcome is not None
    added = [new - old for old, new in zip(before, replayed.outcome.scores or (), strict=True)]
    assert list(replayed.outcome.change) == added
    alone = replay(hand).outcome
    assert alone is not None
    assert list(alone.change) == outcome.change
    assert replayed.outcome.result == outcome.result
    assert list(replayed.outcome.points) == outcome.points
    assert [trick.winner for trick in replayed.tricks] == outcome.winners
    assert list(replayed.outcome.scores or ()) == running_scores(tables[-1], before, outcome)


# For every set of rules the bots practise again, which takes longest of all.
@settings(max_examples=scaled(2))
@given(SYSTEMS, SEEDS)
def test_generated_games_are_valid_under_house_rules_too(system: str, seed: int) -> None:
    options = random_play.some_options(system, random.Random(seed))
    replays = [replay(hand) for hand in generate(system, 1, seed, options=options)]
    assert {each.verdict for each in replays} == {Verdict.VALID}
    assert check_game(replays) == [[] for _ in replays]


@FEW
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
@FEW
@given(SYSTEMS, SEEDS)
def test_just_what_the_rules_written_twice_allow_is_offered(system: str, seed: int) -> None:
    hand = played_at_random(system, seed)
    replayed = replay(hand)
    rules = replayed.rules
    for index, table in enumerate(tables_of(hand)[:-1]):
        state = replayed.state_at(index)
        offered = random_play.offered(state, rules)
        if state.due_thrown_in:
            assert offered == {f"{seat} throw-in" for seat in table.seats}
        elif state.phase == Phase.AUCTION:
            seat = next_caller(table)
            calls = {text for text in offered if not text.endswith("tenny")}
            assert calls == {f"{seat} {call}" for call in legal_calls(table)}
        elif state.phase == Phase.PLAY and table.alone < 0:
            stops = ("decided", "concede")
            assert {text for text in offered if not text.endswith(stops)} == moves(table)


@FEW
@given(SYSTEMS, SEEDS)
def test_just_the_cards_offered_are_judged_legal(system: str, seed: int) -> None:
    for state, rules, _ in states_of(system, seed):
        if state.phase not in (Phase.AUCTION, Phase.TRUMP, Phase.PLAY):
            continue
        seat = engine.to_act(state)
        options = engine.legal(state, rules, seat)
        playable = options.may if options.verbs >> Verb.PLAY & 1 else 0
        for card in cards_in(rules.pack):
            text = format_action(seat, Verb.PLAY, cards=[card])
            assert (judged(state, rules, text) == []) == bool(playable >> card & 1), text


@MANY
@given(SYSTEMS, SEEDS)
def test_just_the_calls_offered_are_judged_legal(system: str, seed: int) -> None:
    """Calls of any kind, higher or lower than what stands, till the auction has come to its end."""
    chance = random.Random(seed)
    hand = random_play.dealt_hand(system, chance, some_rules(system, seed, chance))
    note(f"{hand.rules} {hand.deal}")
    ruleset = ruleset_of(hand)
    state, rules = begun(hand, ruleset), ruleset.rules(len(hand.players))
    special = {BID_28_56, BID_DOUBLE + rules.max_bid, BID_DOUBLE + rules.max_bid - 1}
    kinds: list[set[str]] = []
    while state.phase == Phase.AUCTION:
        assert len(kinds) < 60, "even an auction of many rounds comes to its end"
        seat = engine.to_act(state)
        legal = random_play.offered(state, rules)
        limits = (rules.min_bid, rules.max_bid, rules.forced_bid, state.high_bid)
        around = {limit + step for limit in limits for step in (-1, 0, 1)}
        numbers = {*range(1, 50), *around, 999} & {*range(1, 1000)} | special
        for call in (*(f"bid {bid_name(number)}" for number in numbers), "pass", "ditto"):
            text = f"{seat} {call}"
            assert (judged(state, rules, text) == []) == (text in legal), text
        kinds.append({*map(verb_of, legal)})
        assert do(state, rules, chance.choice(sorted(legal))) == []
    # Who opens may have to bid, and weak cards may be thrown in instead.
    wanted = {"bid"} if len(kinds) == 1 else {"bid", "pass"}
    assert wanted <= set().union(*kinds) or kinds == [{"throw-in"}]
    if state.thrown_in and not state.due_thrown_in:
        assert (state.maker, state.high_bid, state.turn) == (-1, 0, -1)
    elif state.no_contract:
        assert (state.maker, state.high_bid, state.turn) == (state.dealer, 0, state.dealer)
    elif state.phase == Phase.TRUMP and not state.tenny:
        assert state.turn == state.maker
        assert state.holders >> state.maker & 1
        assert state.high_bid >= min(rules.min_bid, rules.forced_bid)


@MANY
@given(SYSTEMS, SEEDS)
def test_just_the_choices_of_cards_offered_are_judged_legal(system: str, seed: int) -> None:
    chance = random.Random(seed)
    for state, rules, _ in states_of(system, seed):
        for seat in range(rules.seats):
            options = engine.legal(state, rules, seat)
            for verb in TAKES_CARDS:
                if options.verbs >> verb & 1 and options.may:
                    check_choices(state, rules, seat, verb, options, chance)


def check_choices(
    state: State, rules: Rules, seat: int, verb: Verb, options: Legal, chance: random.Random
) -> None:
    """All choices where they are few, some where they are many, and some that miss narrowly."""
    few = (options.may & ~options.must).bit_count() <= 6
    choices = [list(cards) for cards in random_play.choices_of(options)] if few else []
    choices += [near(options, rules, chance) for _ in range(12)]
    for cards in choices:
        text = format_action(seat, verb, cards=cards)
        assert (judged(state, rules, text) == []) == within(options, cards), text


def near(options: Legal, rules: Rules, chance: random.Random) -> list[int]:
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
    return options.least <= len(cards) <= options.most and within_limits(options, mask)


@FEW
@given(SYSTEMS, SEEDS)
def test_nobody_else_may_play_or_call(system: str, seed: int) -> None:
    for state, rules, text in states_of(system, seed):
        verb = text.split(" ")[1]
        if verb not in ("bid", "pass", "play") or state.phase == Phase.DOUBLE:
            continue
        for seat in range(rules.seats):
            if seat != engine.to_act(state):
                action = parse_action(f"{seat}{text[1:]}")
                assert engine.apply(copy_state(state), rules, action) != 0


# --- One fault, one finding, at its place
@settings(max_examples=scaled(8))
@given(SYSTEMS, SEEDS)
def test_a_wrong_number_claimed_is_found_where_it_stands(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = next(generate(system, 1, seed))
    assert hand.claimed is not UNSET
    key = chance.choice(["points", "change", "scores"])
    numbers = list(getattr(hand.claimed, key))
    side = chance.randrange(len(numbers))
    numbers[side] += chance.choice([-3, -1, 1, 2, 10])
    replayed = replay(replace(hand, claimed=replace(hand.claimed, **{key: numbers})))
    code = {"points": "claimed-points", "change": "claimed-change", "scores": "claimed-score"}[key]
    assert places(replayed.findings) == [(code, f"/claimed/{key}")]
    assert replayed.findings[0].facts["claimed"] == numbers
    assert replayed.outcome == replay(hand).outcome


@FEW
@given(SYSTEMS, SEEDS)
def test_a_trick_given_to_another_side_is_one_finding(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = played_at_random(system, seed)
    replayed = replay(hand)
    if not replayed.tricks:
        return
    winners = [trick.winner for trick in replayed.tricks if trick.winner is not None]
    assert len(winners) == len(replayed.tricks)
    assert replay(replace(hand, claimed=Claimed(winners=winners))).findings == ()
    number = chance.randrange(len(winners))
    other = chance.choice([seat for seat in range(len(hand.players)) if seat != winners[number]])
    winners[number] = other
    wrong = replay(replace(hand, claimed=Claimed(winners=winners)))
    assert places(wrong.findings) == [("claimed-winner", f"/claimed/winners/{number}")]
    assert wrong.findings[0].facts["winner"] == replayed.tricks[number].winner


# --- Less recorded is not more wrong
@pytest.mark.parametrize("hidden_plays", [False, True])
@MANY
@given(system=SYSTEMS, seed=SEEDS)
# The pair is declared where the seventh card is due to be shown, and recorded before it (O41, O49).
@example(system="twenty-nine", seed=206)
# What the dealer robbed may have lain among the discards, so that surplus is left to show (O21).
@example(system="cinch", seed=2097151)
def test_hiding_cards_gives_doubt_no_finding(system: str, seed: int, *, hidden_plays: bool) -> None:
    hand = played_at_random(system, seed)
    whole = replay(hand)
    values = whole.ruleset.values
    for any_card in (False, True) if values["trump_call"] == "open" else (False,):
        chance = random.Random(seed)
        hidden = random_play.hidden_record(
            hand, chance, hidden_plays=hidden_plays, any_card=any_card
        )
        note(f"{hidden.deal} {hidden.stock} {hidden.kitty} {hidden.actions}")
        replayed = replay(hidden)
        assert replayed.findings == ()
        assert replayed.verdict in (Verdict.VALID, Verdict.DOUBTFUL)
        # Where all plays are named, only the points of cards laid off can be in doubt.
        # A two among them may score even where no other does (S61).
        nobodys = replayed.rules.discarded_points == DiscardedPoints.NOBODY
        nobodys &= values["surplus"] != "discard-then-bury"
        stopped = whole.state_at(len(whole)).decided
        named = any_card and nobodys and not hidden_plays and not stopped
        if replayed.verdict == Verdict.VALID or named:
            assert replayed.outcome == whole.outcome


@MANY
@given(system=LAYING_OFF, seed=SEEDS)
# A dealer who took the whole stock may keep fewer cards than a hand has (O66).
@example(system="nicaragua", seed=58)
def test_a_lay_off_or_burial_in_two_actions_is_as_good(system: str, seed: int) -> None:
    hand, chance = played_at_random(system, seed), random.Random(seed)
    actions = []
    for text in hand.actions:
        seat, verb, *cards = text.split(" ")
        if verb in ("discard", "discard-up", "bury") and len(cards) > 1:
            cut = chance.randrange(1, len(cards))
            actions.append(" ".join([seat, verb, *cards[:cut]]))
            cards = cards[cut:]
        actions.append(" ".join([seat, verb, *cards]))
    replayed = replay(replace(hand, actions=actions))
    assert (replayed.findings, replayed.verdict) == ((), Verdict.VALID)


def test_s71_a_blank_is_laid_off_before_a_gift_or_after_it() -> None:
    """Eighty-Three sets no order: same cards, same verdict, in plain Python and compiled."""
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
    for size in range(len(later) + 1 if place >= 0 else 0):
        rest = [text for text in texts[place:] if text not in later[:size]]
        yield replace(hand, actions=[*texts[:place], *later[:size], *rest])


# --- The rules know no favourite seats or suits
@FEW
@given(SYSTEMS, SEEDS)
def test_turning_the_table_turns_the_result(system: str, seed: int) -> None:
    hand = broken(played_at_random(system, seed), random.Random(seed))
    assert hand.deal is not UNSET
    seats = len(hand.players)
    turned = replace(
        hand,
        dealer=(hand.dealt_by + 1) % seats,
        deal=[hand.deal[-1], *hand.deal[:-1]],
        actions=[turned_text(text, seats) for text in hand.actions],
    )
    before, after = replay(hand), replay(turned)
    assert (codes(after), after.verdict) == (codes(before), before.verdict)
    assert [item.action for item in after.findings] == [item.action for item in before.findings]
    if before.outcome and after.outcome:
        for name in ("points", "change"):
            old, new = (getattr(each.outcome, name) for each in (before, after))
            assert new == (old[-1], *old[:-1])


def turned_text(text: str, seats: int) -> str:
    """Return the action of the next seat; a seat that nobody has stays as it is."""
    seat = int(text[0])
    return f"{(seat + 1) % seats if seat < seats else seat}{text[1:]}"


@FEW
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
        old, new = before.outcome, after.outcome
        assert (new.points, new.need) == (old.points, old.need)


def recolour(text: str) -> str:
    """Exchange spades with hearts and clubs with diamonds, so that off fives stay off fives."""
    swap = str.maketrans("SHDC", "HSCD")
    return re.sub(r"(?<=[2-9TJQKA])[SHDC]\b|\b[SHDC]\b", lambda m: m[0].translate(swap), text)


# --- Noise: whatever stands in a log, it ends in a verdict
@MANY
@given(SYSTEMS, SEEDS)
def test_whatever_a_log_says_it_ends_in_a_verdict(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = broken(played_at_random(system, seed), chance)
    if chance.random() < 0.4:
        hand = with_noisy_cards(hand, chance)
    if chance.random() < 0.9:
        any_card = chance.choice((False, True, True))
        hand = random_play.hidden_record(hand, chance, hidden_plays=True, any_card=any_card)
    if chance.random() < 0.1:
        hand = replace(hand, actions=[noise(chance) for _ in range(30)])
    note(f"{hand.deal} {hand.stock} {hand.kitty} {hand.actions}")
    for mode in MODES:
        check_replay(replay(hand, mode=mode))


def check_replay(replayed: Replay) -> None:
    """A verdict that fits its findings, and a state that makes sense at every step."""
    ended = replayed.verdict not in (Verdict.REJECTED, Verdict.INCOMPLETE)
    # Where nothing of an exchange is recorded, only a part of the outcome is known.
    partly = replayed.has_gaps and replayed.outcome is None
    assert (replayed.outcome is not None) == ended or (ended and partly)
    assert 0 <= replayed.played <= len(replayed)
    if replayed.verdict in (Verdict.VALID, Verdict.DOUBTFUL, Verdict.PARTIAL):
        assert replayed.findings == ()
    if replayed.verdict == Verdict.IRREGULAR:
        assert replayed.findings
    if replayed.verdict in (Verdict.DOUBTFUL, Verdict.PARTIAL, Verdict.INCOMPLETE):
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


# --- Facts of calls
@settings(max_examples=scaled(20))
@given(SYSTEMS, SEEDS)
def test_facts_of_calls_are_those_of_the_rules_written_twice(system: str, seed: int) -> None:
    chance = random.Random(seed)
    hand = random_play.random_hand(system, chance, random_play.some_options(system, chance))
    tables, replayed = tables_of(hand), replay(hand)
    history = replayed.workspace.history
    for call, found in enumerate(call_facts(replayed)):
        table = tables[history.call_action[call]]
        seat, standing = found[0], found[3]
        assert standing == (table.maker if table.standing else None)
        legal = legal_calls(table) if seat == next_caller(table) else set()
        numbers = [int(text[4:]) for text in legal if text[4:].isdecimal()]
        assert found[4] == min(numbers, default=0)
        if legal:
            assert found[5] == (len(legal) + bool(table.game.values["tenny"]) > 1)
        else:
            assert found[1] == "tenny"
            assert found[5]


# --- Ranks of trumps
@pytest.mark.parametrize(
    ("cards", "suit", "ranks"),
    [
        ("AH KH 5H 5D 2H AS 5S 5C", 1, ["2", "off five", "5", "K", "A"]),
        ("AH KH 5H 5D 2H AS 5S 5C", 0, ["off five", "5", "A"]),
        ("3H 4H 6H 9H", 1, ["3", "4", "6", "9"]),
        ("AS KS", 1, []),
    ],
)
def test_the_ranks_of_trumps_held(cards: str, suit: int, ranks: list[str]) -> None:
    found = trump_ranks_among(rules_of("pedro"), suit, mask_of(parse_cards(cards)))
    assert [name for place, name in enumerate(TRUMP_RANKS) if found >> place & 1] == ranks


def test_the_joker_is_a_trump_where_the_game_has_it() -> None:
    cards = mask_of(parse_cards("JO AH"))
    for variant, ranks in (("snoozer", 1 | 1 << 14), ("pedro", 1 << 14)):
        assert trump_ranks_among(rules_of(variant), 1, cards) == ranks


def test_every_trump_of_a_suit_has_a_rank_of_its_own() -> None:
    names = [*(rank + "D" for rank in "23456789TJQKA"), "5H", "JH", "JO"]
    found = {TRUMP_RANKS[rank_of_trump(2, parse_card(name))]: name for name in names}
    assert len(found) == len(TRUMP_RANKS) == len(names)
    special = {"off five": "5H", "off jack": "JH", "joker": "JO"}
    assert found == {rank: special.get(rank, rank + "D") for rank in TRUMP_RANKS}


def test_ranks_are_not_known_where_the_packet_is_not() -> None:
    deal = ["AS KS QS 5C 9H 8H 7H 6D 4D", "? KH QH JH TH 2D 3D 5S 6S", "", "KC QC"]
    replayed, facts = replay(hand_of("pedro", ["0 bid 7"], deal=deal)), SeatFacts()
    note_facts(replayed.workspace, replayed.rules, facts, 1, 0)
    ranks = [name for place, name in enumerate(TRUMP_RANKS) if facts.trump_ranks[0] >> place & 1]
    assert ranks == ["off five", "Q", "K", "A"]
    assert facts.trump_ranks[1:4] == [NOT_KNOWN] * 3
