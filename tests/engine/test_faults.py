"""Faults in one integer, the findings they become, and who acts in the place of the maker."""

import json
import random
import re
import sys
from enum import IntEnum
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.noise import broken, with_noisy_cards
from tests.kit.random_play import hidden_record, random_hand, some_options
from tests.kit.sound_hands import (
    Provoked,
    instead,
    on_actions,
    on_claims,
    on_games,
    on_the_deal,
    pedro,
    place_of,
    provoked,
    swapped,
)
from tests.kit.support import ALL_CODES, codes, plays, verb_of
from tests.kit.tiers import check_each, scaled
from tricklog import Finding, Mode, Verdict, check_game, load_variant, replay, ruleset_of, variants
from tricklog.core.engine import engine, faults
from tricklog.core.engine.faults import FATAL, Fault, faults_in
from tricklog.core.engine.records import copy_state
from tricklog.core.engine.rules import play
from tricklog.core.judging import setup
from tricklog.core.judging.findings import DEAL_ROWS, code_of
from tricklog.core.rulesets.policy_table import POLICIES
from tricklog.schemas.hand import Claimed, Hand

FATAL_FAULTS = [fault for fault in Fault if fault & FATAL]
OTHERS = [fault for fault in Fault if not fault & FATAL]
LAST_BIT = 62
"""The highest bit of a signed integer of 64 bits that is free for a fault."""


def test_fatal_faults_are_numbers_and_the_others_bits_of_their_own() -> None:
    assert [*FATAL_FAULTS, *OTHERS] == list(Fault)
    assert all(0 < fault <= FATAL for fault in FATAL_FAULTS)
    assert all(fault.bit_count() == 1 for fault in OTHERS)
    assert len({*FATAL_FAULTS, *OTHERS}) == len(Fault.__members__)
    # Bits of a signed integer are free for faults to come.
    used = sum(OTHERS) | FATAL
    assert used < 1 << LAST_BIT + 1 == 1 << 63
    free = LAST_BIT + 1 - used.bit_count()
    assert free >= 4, f"{free} bits are free: give Workspace.faults a second word now, not later"


def test_faults_are_reported_in_the_order_of_the_enum() -> None:
    bits = Fault.REVOKE | Fault.NOT_BURIED
    assert faults_in(bits) == [Fault.NOT_BURIED, Fault.REVOKE]
    # Numbers of fatal faults share bits; only the one that holds is reported.
    for fatal in FATAL_FAULTS:
        assert faults_in(bits | fatal) == [fatal, Fault.NOT_BURIED, Fault.REVOKE]
    assert faults_in(0) == []


def faulty_hands(variant: str) -> list[Hand]:
    chance = random.Random(f"faults/{variant}")
    hands = []
    for _ in range(scaled(2, most=4)):
        hand = random_hand(variant, chance, some_options(variant, chance))
        hidden = hidden_record(hand, chance, hidden_plays=True)
        hands += [broken(each, chance) for each in (hand, with_noisy_cards(hand, chance), hidden)]
        hands.append(without_trumps(hand))
    return hands


def without_trumps(hand: Hand) -> Hand:
    """Return the hand as somebody wrote it down who never learnt what was trumps."""
    actions = [re.sub(r"(trump|reveal) \S+", r"\1 ?", text) for text in hand.actions]
    return replace(hand, actions=actions)


def test_an_action_has_one_fatal_fault_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bit for each fatal fault two at once would show; every hand is made to go wrong."""
    wide = IntEnum("wide", {fault.name: 1 << place for place, fault in enumerate(Fault)})  # type: ignore[misc]  # its members are made here
    fatal = sum(wide[fault.name] for fault in FATAL_FAULTS)
    provoked = [case.hand for case in on_actions()]
    hands = {name: faulty_hands(name) for name in variants()} | {"each code": provoked}
    for name, module in list(sys.modules.items()):
        if name.startswith("tricklog.core.") and getattr(module, "Fault", None) is Fault:
            monkeypatch.setattr(module, "Fault", wide)
            if getattr(module, "FATAL", None) == FATAL:
                monkeypatch.setattr(module, "FATAL", fatal)
    monkeypatch.setattr(play, "NOT_PUT", fatal | wide["PLAYED_WHEN_OUT"])
    assert vars(faults)["Fault"] is wide
    seen = 0
    judged = 0
    for name, records in hands.items():
        others = [action for hand in records for action in setup.read_actions(hand)]
        chance = random.Random(f"faults/others/{name}")
        for hand in records:
            actions = setup.read_actions(hand)
            state, rules, _ = setup.first_state(hand, ruleset_of(hand), actions)
            engine.start(state, rules)
            for action in actions:
                for tried in (*chance.sample(others, 2), action):
                    before = copy_state(state)
                    found = engine.apply(before, rules, tried) & fatal
                    assert found.bit_count() <= 1, (hand, action, tried)
                    seen |= found
                    judged += 1
                state = before
                if found:
                    break
    assert seen == fatal
    assert judged > 5_000


# --- Findings
REPOSITORY = Path(__file__).resolve().parents[2]
CITATIONS = json.loads((REPOSITORY / "docs/rules/index.json").read_text("utf-8"))
LED_BY_3 = "3 8D 0 TS 1 KC 2 9H"


def led_by(hand: Hand, trick: str) -> Hand:
    """Return the Pedro hand with another trick 4, which is seat 1's to lead."""
    hand = swapped(hand, "3 play KH", "3 play 8D") if "8D" in trick else hand
    lead = place_of(hand, "1 play KC")
    return replace(hand, actions=[*hand.actions[:lead], *plays(trick), *hand.actions[lead + 4 :]])


# --- The hand with five faults
def test_five_faults_in_one_hand_are_five_findings() -> None:
    """A bid out of turn, a card in two hands, a revoke, a wrong leader, a wrong claimed score."""
    hand = pedro()
    assert hand.deal is not UNSET
    deal = [*hand.deal[:3], hand.deal[3].replace("QC", "2C")]
    hand = instead(hand, "3 discard 6C 7C 8C 9C TC JC QC", "3 discard 6C 7C 8C 9C TC JC 2C")
    hand = swapped(swapped(hand, "0 bid 9", "1 pass"), "2 play 7S", "2 play TH")
    hand = replace(
        led_by(hand, LED_BY_3),
        deal=deal,
        scores=[12, 20],
        claimed=Claimed(points=[9, 5], change=[9, 5], scores=[22, 25]),
    )
    replayed = replay(hand)
    assert replayed.verdict == Verdict.IRREGULAR
    assert [(item.code, item.pointer, item.seat, item.action) for item in replayed.findings] == [
        ("card-twice", "/deal/3", 3, None),
        ("bid-out-of-turn", "/actions/0", 1, 0),
        ("revoke", "/actions/18", 2, 18),
        ("wrong-leader", "/actions/24", 3, 24),
        ("claimed-score", "/claimed/scores", None, None),
    ]
    assert [item.rule for item in replayed.findings] == [
        *("0.conservation", "1.auction S05", "1.follow", "1.lead 1.trick", "0.record")
    ]
    assert [item.legal for item in replayed.findings] == ["", "", "7S 5C", "", "21 25"]
    assert [item.message for item in replayed.findings] == [
        "dee holds 2♣, which is already recorded in ann's hand.",
        "bo called out of turn: it was ann's turn to speak.",
        "cy played 10♥ to a lead of spades while holding 7♠ 5♣.",
        "dee led 8♦, but the lead was bo's.",
        "The record claims 22 : 25 as the score; by the rules it is 21 : 25.",
    ]
    assert replayed.outcome is not None
    assert (replayed.outcome.points, replayed.outcome.scores) == ((9, 5), (21, 25))


# --- One hand for every code
def test_one_fault_gives_one_finding() -> None:
    def check(case: Provoked) -> None:
        *before, found = check_game([*map(replay, case.hands)])
        assert not any(before)
        (finding,) = (*replay(case.hand).findings, *found)
        assert (finding.code, finding.pointer) == (case.code, case.pointer)
        assert finding.seat == case.seat
        assert finding.legal == case.legal
        check_finding(finding)

    check_each(provoked(), check, lambda case: case.code)


def check_finding(finding: Finding) -> None:
    """It cites paragraphs that exist, and its sentence is whole."""
    assert finding.rule.split()
    assert set(finding.rule.split()) <= set(CITATIONS)
    assert re.fullmatch(r"[^{}]*[^{} ]\.", finding.message), finding.message
    assert "None" not in finding.message
    assert finding.facts


def test_a_hand_is_rejected_just_where_no_state_is_defined() -> None:
    def check(case: Provoked) -> None:
        fault = Fault[case.code.upper().replace("-", "_")]
        replayed = replay(case.hand)
        assert (replayed.verdict == Verdict.REJECTED) == bool(fault & FATAL)
        if fault & FATAL:
            assert replayed.outcome is None
            assert replayed.played == replayed.findings[0].action
        else:
            assert replayed.verdict in (Verdict.IRREGULAR, Verdict.INCOMPLETE)
            assert replayed.played == len(replayed)

    check_each(on_actions(), check, lambda case: case.code)


def test_every_code_is_provoked() -> None:
    assert {case.code for case in on_actions()} == ALL_CODES
    assert {case.code for case in on_the_deal()} == set(DEAL_ROWS)
    folder = REPOSITORY / "replay" / "judging"
    pages = [folder / f"{name}.py" for name in ("result_claims", "games")]
    source = "".join(page.read_text("utf-8") for page in pages)
    found = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source)) - {"made-bid"}
    assert {case.code for case in (*on_claims(), *on_games())} == found - {"wrong-leader"}


def test_every_fault_but_a_missing_record_has_a_sentence() -> None:
    said = {fault for fault in Fault if fault.sentence}
    assert said == set(Fault) - {Fault.TRUMP_NOT_RECORDED}
    assert {code_of(fault) for fault in said} == ALL_CODES


# --- Citations
@pytest.mark.parametrize("variant", variants())
def test_every_policy_of_a_variant_cites_the_rules_pages(variant: str) -> None:
    ruleset = load_variant(variant)
    for key in POLICIES:
        words = ruleset.cite(key).split()
        assert set(words) <= set(CITATIONS), (key, words)
        # Only a game with hidden trumps has a rule for asking.
        assert words or key == "ask", key
    for rule in ruleset.house_rules:
        assert rule.cite in CITATIONS


def test_findings_cite_policies_or_paragraphs_that_exist() -> None:
    keys = [key for fault in Fault for key in fault.cites.split()]
    keys += [key for cites, _ in DEAL_ROWS.values() for key in cites]
    for key in keys:
        known = set(CITATIONS) if "." in key else set(POLICIES)
        assert key in known, key


@pytest.mark.parametrize("name", ["result_claims.py", "games.py", "replayer.py"])
def test_citations_in_the_code_exist(name: str) -> None:
    source = (REPOSITORY / "replay" / "judging" / name).read_text("utf-8")
    cited = re.findall(r"\b(\d+\.[a-z-]+|[SCOT]\d\d+)\b", source)
    keys = re.findall(r"cite\(['\"](\w+)['\"]\)", source)
    assert set(cited) <= set(CITATIONS)
    assert set(keys) <= set(POLICIES)


# --- Who acts in the place of the maker
def taken_over(variant: str, *by_the_winner: str) -> Hand:
    """A hand in which one seat won the auction and another acts as the maker.

    It is a sound hand with another auction before it. Of what the maker does, the winner of this
    auction does `by_the_winner`, and the first maker the rest.
    """
    dealt = (random_hand(variant, random.Random(seed)) for seed in range(50))
    hand = next(each for each in dealt if "trump" in map(verb_of, each.actions))
    start = [verb_of(text) for text in hand.actions].index("trump")
    acting = int(hand.actions[start][0])
    seats = [(hand.dealt_by + step) % 4 for step in (1, 2, 3, 4)]
    winner = next(seat for seat in seats if seat != acting)
    calls = [f"{seat} bid 40" if seat == winner else f"{seat} pass" for seat in seats]
    rest = hand.actions[start:]
    rest = [f"{winner}{each[1:]}" if verb_of(each) in by_the_winner else each for each in rest]
    rules = replace(hand.rules, options={"max_bid": 44})
    return replace(hand, rules=rules, actions=[*calls, *rest])


@pytest.mark.parametrize(
    ("variant", "by_the_winner", "code"),
    [
        ("king-pedro", (), "trump-by-other"),
        ("king-pedro", ("trump",), "kitty-by-other"),
        ("pedro", (), "trump-by-other"),
        # Who took nothing over may not lead for the maker.
        ("pedro", ("trump",), "wrong-leader"),
    ],
)
def test_who_takes_something_over_for_the_maker_goes_on_as_the_maker(
    variant: str, by_the_winner: tuple[str, ...], code: str
) -> None:
    result = replay(taken_over(variant, *by_the_winner))
    assert codes(result) == [code]
    assert result.verdict == Verdict.IRREGULAR
    assert result.outcome is not None
    (bid,) = (call for call in result.calls if call.amount)
    assert (result.outcome.maker, result.outcome.bid) == (bid.seat, 40)


@pytest.mark.parametrize("mode", ["strict", "salvage"])
def test_other_modes_stop_at_the_first_fault(mode: Mode) -> None:
    hand = taken_over("king-pedro")
    result = replay(hand, mode=mode)
    assert codes(result) == ["trump-by-other"]
    assert verb_of(hand.actions[result.played]) == "trump"
