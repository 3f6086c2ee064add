"""Findings: every code has a hand that provokes it, at the right place, with rule and sentence."""

import json
import re
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.each import check_each
from tests.kit.provoked import (
    Provoked,
    on_actions,
    on_claims,
    on_games,
    on_the_deal,
    provoked,
)
from tests.kit.sound_hands import SOUND, instead, pedro, place_of, swapped
from tests.kit.support import ALL_CODES, plays
from tricklog.core import Finding, Verdict, check_game, load_variant, replay, variants
from tricklog.core.engine.faults import FATAL, Fault
from tricklog.core.judging.findings import DEAL_ROWS, code_of
from tricklog.core.rulesets.policy_table import POLICIES
from tricklog.schemas.hand import Claimed, Hand

REPOSITORY = Path(__file__).resolve().parents[2]
CITATIONS = json.loads((REPOSITORY / "docs/rules/index.json").read_text("utf-8"))
LED_BY_3 = "3 8D 0 TS 1 KC 2 9H"


def code_in(case: Provoked) -> str:
    return case.code


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
        "0.conservation",
        "1.auction S05",
        "1.follow",
        "1.lead 1.trick",
        "0.record",
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


@pytest.mark.parametrize("name", sorted(SOUND))
def test_the_hands_that_are_broken_here_are_sound(name: str) -> None:
    replayed = replay(SOUND[name]())
    assert (replayed.findings, replayed.verdict) == ((), Verdict.VALID)


def test_one_fault_gives_one_finding() -> None:
    def check(case: Provoked) -> None:
        *before, found = check_game([*map(replay, case.hands)])
        assert not any(before)
        (finding,) = (*replay(case.hand).findings, *found)
        assert (finding.code, finding.pointer) == (case.code, case.pointer)
        assert finding.seat == case.seat
        assert finding.legal == case.legal
        check_finding(finding)

    check_each(provoked(), check, code_in)


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

    check_each(on_actions(), check, code_in)


def test_every_code_is_provoked() -> None:
    assert {case.code for case in on_actions()} == ALL_CODES
    assert {case.code for case in on_the_deal()} == set(DEAL_ROWS)
    source = "".join(
        (REPOSITORY / "replay" / "judging" / name).read_text("utf-8")
        for name in ("result_claims.py", "games.py")
    )
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
