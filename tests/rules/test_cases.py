"""The rule cases of `cases/VARIANT/*.txt`: what is legal as a value, what is judged by code.

Each case cites the rules pages. Those of one kind are checked by the test of the same name;
`options` are house rules on top of the variant. `test_hands` has whole hands and scripts.
`tests/kit/rule_cases.py` says how cases are written.
"""

import ast
import json
import re
from pathlib import Path

import pytest

from tests.kit import support
from tests.kit.rule_cases import Case, all_cases
from tricklog.core import variants
from tricklog.core.engine import engine
from tricklog.core.engine.policies import DiscardsShown, DropOut, Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import game_end, play, scoring, stock
from tricklog.core.engine.rules.table import Legal, hand_count, side_of
from tricklog.schemas.actions import TRUMP_CODES, VERB_NAMES, Verb, bid_name, parse_action
from tricklog.schemas.cards import cards_in, names_in, parse_cards

HERE = Path(__file__).parent
CITATIONS = json.loads((HERE.parents[1] / "docs/rules/index.json").read_text("utf-8"))

KINDS = (
    *("order", "call", "discard", "come_down", "rob", "surplus"),
    *("follow", "lead", "trick", "pair", "score"),
    *("naming", "moment"),
    *("hand", "table", "play", "auction"),
)
RESULTS = {scoring.MADE: "made", scoring.SET: "set", scoring.VOID: "void"}

EXAMPLES = frozenset(
    f"T{number:02}"
    for number in (
        *(1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 43),
        *(40, 41, 46, 47, 49, 50, 52, 53, 56, 59, 64, 65),
        *(83, 85, 86, 92, 94, 95),
        *(67, 68, 70, 71, 73, 74, 76, 77, 79, 80, 82),
        *(101, 103, 104, 106, 107, 109, 110, 112, 113, 115, 116),
        *(118, 119, 121, 122, 124, 128, 131, 133, 139, 140, 142),
    )
)
"""The worked examples of the rules that these systems and their options have."""

CASES = all_cases()
EVERY_CASE = [case for tables in CASES.values() for rows in tables.values() for case in rows]


def cases(kind: str) -> pytest.MarkDecorator:
    """Parametrize a test by all cases of a kind."""
    rows = []
    for variant, tables in CASES.items():
        for number, case in enumerate(tables.get(kind, ())):
            name = f"{variant}-{case['rule'].replace(' ', '-')}-{number}"
            rows.append(pytest.param(variant, case, id=name))
    return pytest.mark.parametrize(("variant", "case"), rows)


def rules_for(variant: str, case: Case) -> Rules:
    return support.rules_of(variant, case.get("options"), seats=case.get("seats", 4))


def check_judgements(state: State, rules: Rules, prefix: str, case: Case) -> None:
    """What the case allows has no fault, and what it calls illegal has just that code."""
    for text in case.get("allowed", ()):
        assert support.judged(state, rules, prefix + text) == [], text
    for text, expected in case.get("illegal", {}).items():
        assert support.judged(state, rules, prefix + text) == [expected], text


def check_choice(options: Legal, case: Case) -> None:
    assert names_in(options.must) == names_in(support.card_set(case["must"]))
    assert names_in(options.may) == names_in(support.card_set(case["may"]))
    assert [options.least, options.most] == case["count"]


# --- The files themselves
def test_every_variant_has_a_file_and_every_file_a_variant() -> None:
    assert set(variants()) == {path.parent.name for path in HERE.glob("cases/*/*.txt")}


def test_only_kinds_that_are_checked_are_used() -> None:
    used = {kind for tables in CASES.values() for kind in tables}
    assert used == set(KINDS)


def test_only_fields_that_are_read_are_used() -> None:
    pages = [HERE / f"test_{name}.py" for name in ("cases", "hands")]
    read = set(re.findall(r'"(\w+)"', "".join(page.read_text("utf-8") for page in pages)))
    assert {name for case in EVERY_CASE for name in case} - read == set()


def cited() -> set[str]:
    return {number for case in EVERY_CASE for number in case.get("rule", "").split()}


def test_every_case_cites_the_rules_pages() -> None:
    # Not every worked example of the rules has a paragraph of its own there.
    unknown = {name for name in cited() if name not in CITATIONS and not name.startswith("T")}
    assert unknown == set()


def test_no_worked_example_is_left_out() -> None:
    by_name: set[str] = set()
    for page in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(page.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                by_name |= {word.upper() for word in re.findall(r"(?<=_)t\d+(?=_)", node.name)}
    assert EXAMPLES - cited() - by_name == set()


# --- Cards
@cases("order")
def test_order(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    trump = TRUMP_CODES[case["trumps"]]
    trumps = cards_in(rules.trump_cards[trump])
    order = sorted(trumps, key=lambda card: rules.strength[trump][card], reverse=True)
    assert order == parse_cards(case["high_to_low"])
    assert sum(rules.points[trump][card] for card in trumps) == case["worth"]
    assert sum(rules.points[trump]) == case.get("pack", case["worth"])


# --- Auction
@cases("call")
def test_call(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    dealer = case.get("dealer", support.DEALER)
    state = support.auction_table(rules, case.get("hands"), dealer=dealer)
    for text in filter(None, case.get("calls", "").split(", ")):
        found = " ".join(support.do(state, rules, text))
        assert found == case.get("faults", {}).get(text, ""), text
    if "legal" in case:
        assert state.phase == Phase.AUCTION
        assert state.turn == case.get("turn", state.turn)
        assert support.legal_now(state, rules) == case["legal"]
    if "maker" in case:
        assert state.phase != Phase.AUCTION
        assert (state.maker, bid_name(state.high_bid)) == (case["maker"], str(case["bid"]))
        assert state.no_contract == int(case["bid"] == 0)
    if "trumps" in case:
        assert state.phase == Phase.TRUMP
        assert support.legal_now(state, rules) == case["trumps"]
    if case.get("thrown_in"):
        assert state.thrown_in
        assert state.phase == Phase.OVER
    check_judgements(state, rules, "", case)


# --- Exchange
def exchange_table(rules: Rules, phase: Phase, seat: int, case: Case) -> State:
    """Return a table at which `seat` is to act in `phase`, and the others have nothing to do."""
    state = support.table_in(rules, phase, case["trumps"], {seat: case["hand"]})
    state.turn = seat
    state.pending = 1 << seat
    state.stock_size = 16
    state.laid_off = 1 << seat if phase > Phase.DISCARD else 0
    state.stock_set = rules.pack & ~support.card_set(case["hand"])
    return state


@cases("discard")
def test_discard(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    seat = case.get("seat", 0)
    state = exchange_table(rules, Phase.DISCARD, seat, case)
    options = engine.legal(state, rules, seat)
    check_choice(options, case)
    check_judgements(state, rules, f"{seat} discard-up ", case)
    if rules.discards_shown == DiscardsShown.NONE:
        check_judgements(state, rules, f"{seat} discard ", case)
    check_judgements(state, rules, f"{seat} discard ", {"illegal": case.get("face_down", {})})
    if "draws" in case:
        support.do(state, rules, f"0 discard {case['must']}")
        assert stock.legal_draw(state, rules, 0).least == case["draws"]


@cases("come_down")
def test_come_down(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    state = exchange_table(rules, Phase.COME_DOWN, support.DEALER, case)
    check_choice(engine.legal(state, rules, support.DEALER), case)
    check_judgements(state, rules, f"{support.DEALER} discard ", case)


@cases("rob")
def test_rob(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    state = exchange_table(rules, Phase.ROB, support.DEALER, case)
    stock = parse_cards(case["stock"])
    state.stock[: len(stock)] = stock
    state.stock_size = len(stock)
    state.stock_set = support.card_set(case["stock"])
    state.discarded[support.DEALER] = support.card_set(case.get("discarded", ""))
    state.discarded[1] = support.card_set(case.get("others", ""))
    check_choice(engine.legal(state, rules, support.DEALER), case)
    check_judgements(state, rules, f"{support.DEALER} rob ", case)
    assert support.judged(state, rules, f"0 rob {case['stock']}") == ["rob-by-other"]


# --- Play
@cases("surplus")
def test_surplus(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    table = support.play_table(rules, case["trumps"], {0: case["hand"]}, size=rules.hand_size)
    options = play.legal_bury(table, rules, 0)
    assert [options.least, options.most] == [case["buried"]] * 2
    piles = [(pile, "") for pile in case["allowed"]] + list(case["illegal"].items())
    for pile, expected in piles:
        state = copy_state(table)
        under, top = (part.strip() for part in pile.split(">"))
        if under:
            chosen = support.card_set(under)
            offered = not chosen & ~options.may and chosen.bit_count() == options.least
            offered &= (chosen & options.limited).bit_count() <= options.limit
            found = support.do(state, rules, f"0 bury {under}")
            assert offered == (found == []), pile
            if found:
                assert found == [expected], pile
                continue
        asked = engine.legal(state, rules, 0)
        found = support.do(state, rules, f"0 play {top}")
        top_offered = asked.verbs >> Verb.PLAY & 1 and asked.may & support.card_set(top)
        assert bool(top_offered) == (found == []), pile
        assert " ".join(found) == expected, pile
        if not found:
            assert hand_count(state, 0) == case["left"]


def spare_trumps(rules: Rules, trumps: str, used: str) -> list[str]:
    """Return trumps that nobody holds yet, the low ones first, so that nobody need be out."""
    free = rules.trump_cards[TRUMP_CODES[trumps]] & ~support.card_set(used)
    return names_in(free).split()[::-1]


@cases("follow")
def test_follow(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    led, hand, trumps = case["led"], case["hand"], case["trumps"]
    spare = spare_trumps(rules, trumps, f"{led} {hand}")[0]
    state = support.play_table(rules, trumps, {0: f"{led} {spare}", 1: hand})
    support.do(state, rules, f"0 play {led}")
    check_cards(state, rules, 1, case, "revoke")


@cases("lead")
def test_lead(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    state = support.play_table(rules, case["trumps"], {0: case["hand"]}, trick=case.get("trick", 1))
    check_cards(state, rules, 0, case, "plain-lead")


def check_cards(state: State, rules: Rules, seat: int, case: Case, code: str) -> None:
    """Just the legal cards of the case are offered, and all others are judged a fault."""
    assert state.turn == seat
    assert support.card_names(engine.legal(state, rules, seat).may) == set(case["legal"].split())
    for card in case["hand"].split():
        expected = [] if card in case["legal"].split() else [code]
        assert support.judged(state, rules, f"{seat} play {card}") == expected, card


@cases("trick")
def test_trick(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    words = case["plays"].split()
    seats, cards = [int(seat) for seat in words[::2]], words[1::2]
    hands = dict(zip(seats, cards, strict=True))
    if rules.drop_out == DropOut.WITHOUT_TRUMPS:
        spare = spare_trumps(rules, case["trumps"], " ".join(cards))
        hands = {seat: f"{card} {spare.pop()}" for seat, card in hands.items()}
    state = support.play_table(rules, case["trumps"], hands, leader=seats[0])
    for seat in seats:
        # Whatever else they hold, the trick is not the last one.
        state.unknown[seat] += rules.drop_out != DropOut.WITHOUT_TRUMPS
    for seat, card in zip(seats, cards, strict=True):
        assert support.do(state, rules, f"{seat} play {card}") == [], card
    assert state.winner == case["winner"]
    assert state.turn == case["winner"]
    assert state.points[: len(case["points"])] == case["points"]


# --- Trumps and moments in play
@cases("naming")
def test_naming(variant: str, case: Case) -> None:
    """Just the trumps of the case may be named; all others are trumps this game does not have."""
    rules = rules_for(variant, case)
    state = support.table_in(rules, Phase.TRUMP, "?", {})
    state.turn = 0
    legal = case["legal"].split()
    offered = engine.legal(state, rules, 0)
    named = [name for name, code in TRUMP_CODES.items() if code >= 0 and offered.trumps >> code & 1]
    assert offered.verbs == 1 << Verb.TRUMP
    assert sorted(named) == sorted(legal)
    for name, code in TRUMP_CODES.items():
        expected = [] if name in legal or code < 0 else ["trump-unknown"]
        assert support.judged(state, rules, f"0 trump {name}") == expected, name


@cases("moment")
def test_moment(variant: str, case: Case) -> None:
    """A table after some steps: what a seat is offered, what is judged, who won the last trick."""
    rules = rules_for(variant, case)
    state = moment(rules, case)
    for text in filter(None, case.get("steps", "").split(", ")):
        assert support.do(state, rules, text) == [], text
    if "seat" in case:
        options = engine.legal(state, rules, case["seat"])
        verbs = {name for verb, name in VERB_NAMES.items() if options.verbs >> verb & 1}
        assert verbs == set(case["verbs"].split())
        assert support.card_names(options.may) == set(case.get("cards", "").split())
    check_judgements(state, rules, "", case)
    if "winner" in case:
        assert (state.winner, state.points[:2]) == (case["winner"], case["points"])
    if "revealed" in case:
        assert bool(state.revealed) == case["revealed"]


def moment(rules: Rules, case: Case) -> State:
    """Return the table of a case; a seventh card without a name is one not recorded."""
    leader, shown = case.get("leader", 0), case.get("shown", False)
    state = support.play_table(rules, case["trumps"], case["hands"], shown=shown)
    state.maker = case["maker"]
    if state.seventh_called:
        under = case.get("under", "")
        state.seventh, state.seventh_unknown = support.card_set(under), int(not under)
        state.trump = "SHDC".index(under[1]) if under else state.trump
    state.trick = 0
    play.start_play(state, rules, leader)
    state.trick = case.get("trick", 1)
    return state


# --- Score
def scored(case: Case) -> State:
    """Return the end of a hand that seat 0 played, `state` being what else was so."""
    bid = parse_action(f"0 bid {case['bid']}").amount if case["bid"] else 0
    state = State(maker=0, high_bid=bid, trump=0, revealed=int(case.get("shown", True)))
    for name, value in case.get("state", {}).items():
        if isinstance(value, list):
            getattr(state, name)[: len(value)] = value
        else:
            setattr(state, name, value)
    return state


@cases("pair")
def test_pair(variant: str, case: Case) -> None:
    state = scored(case)
    state.pair_side = 0 if case["by"] == "makers" else 1
    assert scoring.points_needed(state, rules_for(variant, case)) == case["need"]


@cases("score")
def test_score(variant: str, case: Case) -> None:
    rules = rules_for(variant, case)
    state = scored(case)
    sides = range(rules.side_count)
    for side, cards in enumerate(case.get("taken", ())):
        for card in cards_in(support.card_set(cards)):
            scoring.score_card(state, rules, card, side)
    state.points[: len(case.get("points", ()))] = case.get("points", ())
    score = scoring.score_hand(state, rules)
    change = [scoring.change_of(state, rules, score, side) for side in sides]
    if "result" in case:
        assert RESULTS[score.result] == case["result"]
        assert change == case["change"]
    if "before" in case:
        found = game_after(rules, state, score.result, change, case)
        assert found == (case["after"], case["winner"])


def game_after(
    rules: Rules, state: State, result: int, change: list[int], case: Case
) -> tuple[list[int], str]:
    """Return the scores after a hand and who has won: side 0 are the makers."""
    before = case["before"]
    after = [0] * rules.side_count
    game_end.add_up(rules, before, change, after)
    maker = -1 if state.no_contract else side_of(rules, scoring.maker_of(state))
    winner = game_end.GOES_ON
    if game_end.counts_out(rules):
        loser = maker if result == scoring.SET else -1
        winner = game_end.count_out(rules, state.trump, state.taken, loser, after)
    if winner == game_end.GOES_ON:
        winner = game_end.game_winner(rules, before, after, maker, result)
    others = "defenders" if rules.side_count == 2 else f"seat {winner}"
    return after, {game_end.GOES_ON: "nobody", 0: "makers"}.get(winner, others)
