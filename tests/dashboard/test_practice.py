"""Practice: what its questions tell, which are worth asking, and what an answer was worth."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from duckdb import DuckDBPyConnection
from msgspec import UNSET

from tests.kit import made_once
from tests.kit.dashboard_logs import sample_hands
from tests.kit.facts import facts_in
from tests.kit.solved import grade_some
from tests.kit.tiers import is_thorough, scaled, some
from tricklog import Filters, Hand, Replay, Verb, core, open_facts, replay, variants
from tricklog.core.engine.rules.table import side_of
from tricklog.core.native import library
from tricklog.core.study import LossKind, Refused, Solver, open_hand
from tricklog.core.study.branches import branch_of
from tricklog.core.study.knowledge import known_to
from tricklog.core.study.questions import judging
from tricklog.core.study.questions.judging import Worth, judge
from tricklog.core.study.questions.known import known_at
from tricklog.core.study.questions.moments import (
    ASK,
    Kind,
    Moment,
    answer_of,
    first_action,
    moment_at,
)
from tricklog.dashboard.data import snapshot as page_snapshot
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice import finding, telling
from tricklog.dashboard.pages.practice.answering import branch_text
from tricklog.dashboard.pages.practice.asking import asked_data, seen_rows
from tricklog.dashboard.pages.practice.finding import (
    LENGTH,
    TOPICS,
    Asked,
    Questions,
    Search,
    Topic,
    Wanted,
)
from tricklog.ingest.metrics import measure, practice
from tricklog.ingest.metrics.practice import EVERY_DECISION, Within
from tricklog.ingest.metrics.themes import TITLES
from tricklog.ingest.store.userdata import Answer
from tricklog.ingest.store.warehouse import hand as stored_hand
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.cards import card_name, cards_in, mask_of

HANDS = 2
FULL_OF_SECRETS = {"1": "thinks long", "5": "a slip"}

of_some_games = pytest.mark.parametrize("variant", some(variants(), 4))


@cache
def some_hands(variant: str) -> list[Hand]:
    return sample_hands(variant, HANDS)


def questions(hands: Iterable[Hand]) -> Iterator[tuple[Replay, Moment]]:
    for hand in hands:
        replayed = core.replay(hand)
        for index in range(len(replayed)):
            moment = moment_at(replayed, index)
            if moment is not None:
                yield replayed, moment


def moments(variant: str, hands: int = HANDS) -> Iterator[tuple[Replay, Moment]]:
    return questions(some_hands(variant)[:hands])


def shown(moment: Moment | None) -> str:
    assert moment is not None
    known = known_at(moment)
    return "\n".join(
        [
            json.dumps(asked_data(moment, known)),
            *map(str, seen_rows(known)),
            str([option.words for option in moment.options]),
            str(known),
        ]
    )


@of_some_games
def test_a_question_is_the_same_whatever_comes_after_it_and_the_others_hold(variant: str) -> None:
    for place, (replayed, moment) in enumerate(moments(variant, 1)):
        assert shown(_shuffled(moment)) == shown(moment)
        if place % (1 if is_thorough() else 4):
            continue
        hand = replayed.hand
        ended = msgspec.structs.replace(
            hand,
            actions=hand.actions[: moment.index + 1],
            claimed=UNSET,
            status=UNSET,
            notes=FULL_OF_SECRETS,
        )
        assert shown(moment_at(core.replay(ended), moment.index)) == shown(moment)


def _shuffled(moment: Moment) -> Moment:
    """The moment with the hidden cards of all others elsewhere, as far as a view shows them."""
    view, own = moment.view, moment.seat
    others = [seat for seat in range(len(view.holdings)) if seat != own]
    hidden = [card for seat in others for card in cards_in(view.holdings[seat])][::-1]
    holdings, discarded = list(view.holdings), list(view.discarded)
    for seat in others:
        count = view.holdings[seat].bit_count()
        holdings[seat], hidden = mask_of(hidden[:count]), hidden[count:]
        discarded[seat] = 0
    return replace(
        moment,
        view=replace(view, holdings=tuple(holdings), discarded=tuple(discarded), kitty=0, buried=0),
    )


@of_some_games
def test_a_call_is_asked_alike_whatever_was_dealt_to_the_others(variant: str) -> None:
    asked = 0
    for replayed, moment in moments(variant, 1):
        if moment.kind != Kind.CALL:
            continue
        hand = replayed.hand
        first, second = [seat for seat in range(len(hand.players)) if seat != moment.seat][:2]
        assert hand.deal is not UNSET
        deal = list(hand.deal)
        deal[first], deal[second] = deal[second], deal[first]
        actions = hand.actions[: moment.index + 1]
        swapped = msgspec.structs.replace(hand, deal=deal, actions=actions, claimed=UNSET)
        other = moment_at(core.replay(swapped), moment.index)
        if other is not None:
            asked += 1
            assert shown(other) == shown(moment)
    assert asked


@of_some_games
def test_practice_and_grades_take_the_same_cards_as_seen(variant: str) -> None:
    """Trumps not seen yet are those that deals with hidden cards are thought of for."""
    compared = 0
    hands = islice(made_once.played(variant, 1, 31), HANDS)
    for replayed, moment in questions(hands):
        if moment.kind != Kind.CARD:
            continue
        try:
            grade_knows = known_to(replayed, moment.index, moment.seat)
        except Refused:
            continue
        known = known_at(moment)
        if known.trump is None or known.trump_is_hidden:
            continue
        compared += 1
        trumps = replayed.rules.trump_cards[known.trump]
        unseen = grade_knows.unseen & ~mask_of([*grade_knows.loose]) & trumps
        assert set(known.unseen_trumps) == set(cards_in(unseen))
    assert compared


def test_c03_buried_cards_lie_open_to_everybody() -> None:
    """Grades, Practice and the replay page say the same of them (8.surplus, C03)."""
    hand, at = next(
        (hand, at)
        for hand in core.generate("king-pedro", 4, seed=31)
        for at, action in enumerate(hand.actions)
        if " bury " in action
    )
    replayed = core.replay(hand)
    burying = replayed.actions[at]
    other = next(
        each
        for _, each in questions([hand])
        if each.index > at and each.seat != burying.seat and each.kind == Kind.CARD
    )
    known = known_at(other)
    assert (burying.seat, set(cards_in(burying.cards))) in [
        (seat, set(cards)) for seat, cards in known.buried
    ]
    assert not burying.cards & mask_of(list(known.unseen_trumps))
    on_table = asked_data(other, known)["frames"][0]["buried"]
    assert {card_name(card) for card in cards_in(burying.cards)} <= set(on_table.split())
    assert not known_to(replayed, other.index, other.seat).unseen & burying.cards


def test_a_secret_trump_is_known_to_its_maker_alone() -> None:
    kinds = set()
    for _, moment in moments("twenty-nine"):
        view, known = moment.view, known_at(moment)
        if moment.kind != Kind.CARD or view.trump_public:
            continue
        kinds.add(moment.seat == view.maker)
        assert (known.trump is not None) == (moment.seat == view.maker)
        assert known.trump_is_hidden
        assert bool(known.unseen_trumps) <= (moment.seat == view.maker)
    assert kinds == {True, False}


@of_some_games
def test_what_was_done_at_the_table_is_one_of_the_answers(variant: str) -> None:
    asked = 0
    for replayed, moment in moments(variant):
        asked += 1
        action = replayed.actions[moment.index]
        if moment.kind == Kind.CARDS:
            assert moment.allows(action.cards)
            assert moment.text_of(action.cards) == answer_of(action)
        else:
            texts = [option.text for option in moment.options]
            assert answer_of(action) in texts
            assert len(texts) == len(set(texts)) > 1
    assert asked


def test_a_card_without_a_choice_and_a_step_past_the_end_are_no_questions() -> None:
    replayed = core.replay(some_hands("pedro")[0])
    for index in (len(replayed) - 1, len(replayed), -1):
        assert moment_at(replayed, index) is None


def test_sets_of_cards_are_all_those_the_rules_allow() -> None:
    found = [moment for _, moment in moments("king-pedro") if moment.kind == Kind.CARDS]
    assert found
    for moment in found:
        sets = moment.sets(10_000)
        assert sets is not None
        assert len(sets) == len(set(sets)) > 1
        assert all(moment.allows(each) for each in sets)
        assert moment.sets(1) is None


def test_an_optional_ask_is_an_answer_beside_the_cards() -> None:
    hands = islice(core.generate("twenty-nine", 4, seed=5, options={"ask": "optional"}), 5)
    found = questions(hands)
    asked = [each.kind for _, each in found if any(option.text == ASK for option in each.options)]
    assert asked
    assert {*asked} == {Kind.CARD}


def test_what_the_player_saw_is_counted_and_nothing_else() -> None:
    for _, moment in moments("pedro"):
        known, actions = known_at(moment), moment.replayed.actions
        played = mask_of([each.card for each in actions if each.verb == Verb.PLAY])
        own = moment.view.holdings[moment.seat]
        assert not mask_of([*known.unseen_trumps]) & (played | own)
        laid_off = [
            each.cards for each in actions if each.seat == moment.seat and each.verb == Verb.DISCARD
        ]
        assert mask_of([*known.laid_off]) == (laid_off[0] if laid_off else 0)
        assert known.cards[moment.seat] == own.bit_count()


# --- Questions worth asking
PLAYER = "bot-bold-1"
TOPICS_WITH_COST = [topic for topic in Topic if topic.value not in ("bids", "trumps", "exchange")]


facts = facts_in("solved")


@contextmanager
def hands_of_page(solved: Path) -> Iterator[None]:
    with (
        open_snapshot(solved) as snapshot,
        patch.object(page_snapshot, "hand", lambda hand_id: stored_hand(snapshot, hand_id)),
    ):
        yield


@pytest.fixture(scope="module")
def searched(solved: Path, facts: DuckDBPyConnection) -> Search:
    search = Search(PLAYER, "")
    with hands_of_page(solved):
        while not search.is_done:
            search.go_on(facts, 60)
    return search


def dearest(
    facts: DuckDBPyConnection,
    variant: str = "",
    within: Within = EVERY_DECISION,
    limit: int = 1_000,
) -> list[practice.Dear]:
    return practice.dearest_decisions(facts, PLAYER, variant, within, limit=limit)


def test_all_hands_of_a_player_are_read_once(facts: DuckDBPyConnection, searched: Search) -> None:
    hands = practice.hands_of_player(facts, PLAYER, limit=1_000)
    assert searched.looked == len(hands) == practice.count_of_player(facts, PLAYER)
    assert len({(each.hand_id, each.action) for each in searched.found}) == len(searched.found)
    assert all(each.loss > 0 for each in searched.found)


def test_stored_and_found_losses_ask_the_same(facts: DuckDBPyConnection, searched: Search) -> None:
    early, late = Within(last_turn=0), Within(first_turn=1)
    for within in (EVERY_DECISION, early, late, Within(last_trick=2), Within(first_trick=3)):
        stored = dearest(facts, within=within, limit=LENGTH)
        assert stored == searched.dearest(within)
        assert stored, within
        assert [each.loss for each in stored] == sorted(each.loss for each in stored)[::-1]
    # Kinds of losses come by their cost.
    kinds = practice.dearest_kinds(facts, PLAYER)
    assert kinds == searched.kinds()
    for kind in kinds:
        within = Within(loss_kind=kind)
        stored = dearest(facts, within=within, limit=LENGTH)
        assert stored == searched.dearest(within)
        assert {each.loss_kind for each in stored} == {kind}


def test_a_theme_and_the_last_evening_narrow_stored_losses_down(facts: DuckDBPyConnection) -> None:
    every = dearest(facts)
    found = [dearest(facts, within=Within(theme=theme)) for theme in TITLES]
    assert sum(map(bool, found)) > 3
    # A theme each, and together they are all.
    assert sorted(chain(*found)) == sorted(every)
    theirs = {"player": PLAYER, "decision": "card", "choices": "2.."}
    for theme, listed in zip(TITLES, found, strict=True):
        filters = Filters.of({**theirs, "theme": theme})
        rows = measure(facts, "cost-per-decision", ("variant",), filters, 1)
        assert rows["n"].sum() == len(listed)
    ((last,),) = facts.execute(
        "SELECT session FROM decision_facts WHERE player = $1 AND loss > 0 AND choices > 1 "
        "AND deed = 'card' ORDER BY day DESC, game_no DESC LIMIT 1",
        [PLAYER],
    ).fetchall()
    query = "SELECT hand_id FROM seat_facts JOIN games.hands USING (hand_no) WHERE session = $1"
    of_last = {name for (name,) in facts.execute(query, [last]).fetchall()}
    evening = dearest(facts, within=Within(last_evening=True))
    assert evening == [each for each in every if each.hand_id in of_last]


def test_the_last_evening_begins_with_what_could_be_known(solved: Path, tmp_path: Path) -> None:
    db = shutil.copytree(solved, tmp_path / "db")
    grade_some(db, hands=4)
    query = 'SELECT hand_id, "action", judged FROM hidden_rows JOIN games.hands USING (hand_no)'
    with open_facts(db) as graded:
        rows = graded.execute(query).fetchall()
        found = dearest(graded, within=Within(last_evening=True))
    judged = {(name, action): float(cost) for name, action, cost in rows}
    costs = [judged.get((each.hand_id, each.action), each.loss) for each in found]
    assert costs == sorted(costs, reverse=True)
    assert any((each.hand_id, each.action) in judged for each in found)


def test_a_game_leaves_out_the_hands_of_others(facts: DuckDBPyConnection) -> None:
    pedro, pidro = dearest(facts, "pedro"), dearest(facts, "pidro")
    assert len(pedro) + len(pidro) == len(dearest(facts))
    assert {each.hand_id.split("-")[0] for each in pedro} == {"pedro"}
    solved, count = (
        of(facts, PLAYER, "pedro") for of in (practice.solved_of_player, practice.count_of_player)
    )
    assert solved == count
    # Who played nothing is asked nothing.
    found = finding.questions(facts, Wanted("nobody", "", Topic.CALLS))
    assert (found.listed, found.hands) == ((), 0)
    assert practice.dearest_decisions(facts, "nobody", limit=3) == []
    assert practice.table_of(facts, "no such hand") is None


@pytest.mark.parametrize("topic", some([*TOPICS], 4))
def test_every_question_listed_can_be_asked(
    solved: Path, facts: DuckDBPyConnection, topic: Topic
) -> None:
    with hands_of_page(solved):
        found = finding.questions(facts, Wanted(PLAYER, "", topic))
        moments = [
            moment_at(replay(page_snapshot.hand(each.hand_id)), each.action)
            for each in found.listed
        ]
    assert 0 < len(found.listed) <= LENGTH
    assert found.is_stored == (topic in TOPICS_WITH_COST)
    assert None not in moments


def test_a_list_keeps_its_order_while_it_grows() -> None:
    asked = [Asked("a", number) for number in range(LENGTH + 2)]
    first = Questions(tuple(asked[:3]), 1, 9, is_stored=False, can_look_on=True)
    later = Questions(tuple(reversed(asked)), 5, 9, is_stored=False, can_look_on=True)
    assert first.may_grow
    grown = first.with_more(later)
    assert grown.listed[:3] == first.listed
    assert len(grown.listed) == len(set(grown.listed)) == LENGTH
    assert grown.looked == 5
    assert not grown.may_grow


# --- What an answer was worth
GAMES = ("pedro", "pidro", "king-pedro", "sancho", "twenty-nine", "ukrainian")


@pytest.fixture(autouse=True)
def _in_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Value sets of cards to the last, however busy the machine is."""
    monkeypatch.setattr(judging, "_SECONDS", 600)


def asked(
    variant: str, hands: int = 2, kind: Kind | None = None, **options: str
) -> Iterator[tuple[Replay, Moment, str]]:
    # In the samples of Twenty-Nine asking is optional.
    if variant == "twenty-nine":
        found = list(islice(core.generate(variant, 1, seed=4, options=options or None), hands))
    else:
        found = sample_hands(variant, hands)
    for replayed, moment in questions(found):
        if replayed.tricks and kind in (None, moment.kind):
            yield replayed, moment, answer_of(replayed.actions[moment.index])


def row_of(replayed: Replay, moment: Moment, answer: str) -> Worth:
    row = judge(replayed, moment, answer, solver_for).row(answer)
    assert row is not None
    return row


@pytest.mark.parametrize("variant", some(GAMES, 2))
def test_a_card_costs_what_the_solver_says_of_the_recorded_hand(variant: str) -> None:
    seen = 0
    for replayed, moment, played in asked(variant, kind=Kind.CARD):
        found = open_hand(replayed).decisions
        (decision,) = [each for each in found if each.action == moment.index]
        judged = judge(replayed, moment, played, solver_for)
        row = judged.row(played)
        assert row is not None
        assert (row.value, row.cost) == (decision.after, decision.loss)
        assert (judged.best, judged.by_makers) == (decision.before, decision.by_makers)
        assert judged.costs_nothing
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("variant", some(("king-pedro", "cinch", "ukrainian"), 1))
def test_cards_laid_off_as_recorded_are_worth_what_the_hand_was(variant: str) -> None:
    costs = []
    for replayed, moment, played in asked(variant, kind=Kind.CARDS):
        row = row_of(replayed, moment, played)
        if row.value is not None and replayed.actions[moment.index].verb != Verb.BURY:
            assert row.value == open_hand(replayed).par
            costs.append(row.cost)
    assert any(cost is not None for cost in costs)


def test_sets_that_are_too_many_to_value_have_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MOST_SETS", 1)
    rows = [row_of(*each) for each in asked("king-pedro", 1, Kind.CARDS)]
    assert rows
    assert all(row.cost is None for row in rows)


@pytest.mark.parametrize("variant", some(("sancho", "sixty-three"), 1))
def test_best_play_ends_with_the_value_of_the_answer(variant: str) -> None:
    seen = 0
    for replayed, moment, played in asked(variant, kind=Kind.CARD):
        known, rules = known_at(moment), replayed.rules
        text = branch_text(moment, played)
        found = branch_of(replayed, text, best=Solver(rules), seconds=600).replayed
        assert found.at(len(found)).phase == "over"
        side = side_of(rules, replayed.state_at(len(replayed)).maker)
        tricks = found.tricks[len(known.tricks) :]
        makers = known.points[side] + sum(
            trick.points
            for trick in tricks
            if trick.winner is not None and side_of(rules, trick.winner) == side
        )
        value = row_of(replayed, moment, played).value
        assert value is not None
        assert makers == value.low
        assert [len(each.plays) for each in tricks] == [rules.seats] * len(tricks)
        seen += 1
    assert seen > 10


def test_having_the_trump_shown_is_worth_the_card_after_it() -> None:
    seen = 0
    for replayed, moment, _ in asked("twenty-nine", scaled(2, most=5), ask="optional"):
        if not any(each.text == ASK for each in moment.options):
            continue
        assert row_of(replayed, moment, ASK).value is not None
        text = branch_text(moment, ASK)
        found = branch_of(replayed, text, best=Solver(replayed.rules), seconds=600).replayed
        assert found.at(len(found)).phase == "over"
        seen += 1
        actions = replayed.hand.actions
        steps = range(moment.index, len(replayed))
        following = next((at for at in steps if actions[at].split()[1] == "play"), None)
        if actions[moment.index].endswith(ASK) and following is not None:
            assert first_action(replayed, following, showed=True) == moment.index
    assert seen


def test_without_the_library_a_question_has_no_values_and_says_so() -> None:
    replayed, moment, played = next(asked("pidro", kind=Kind.CARD))
    with patch.object(library, "is_there", return_value=False):
        judged = judge(replayed, moment, played, solver_for)
    assert "tricklog demo --check" in judged.no_value
    assert [row.value for row in judged.rows] == [None] * len(moment.options)
    told = telling.verdict(judged, played, replayed)
    assert "tricklog demo --check" in told.lines[0]
    assert told.cost is None


@pytest.mark.parametrize("variant", some(("pedro", "twenty-nine"), 1))
def test_nobody_is_told_what_they_ought_to_have_done(variant: str) -> None:
    tones, kinds = set(), set()
    for replayed, moment, played in asked(variant, 1):
        for answer in [option.text for option in moment.options] or [played]:
            told = telling.verdict(judge(replayed, moment, answer, solver_for), answer, replayed)
            words = " ".join(told.lines).lower()
            tones.add(told.tone)
            kinds |= {kind for kind in LossKind if f"({kind})" in words}
            for word in ("should", "mistake", "blunder", "wrong", "right", "best card"):
                assert word not in words
            if moment.kind == Kind.CARD:
                assert "with all cards open" in words
            elif moment.kind in (Kind.CALL, Kind.TRUMP):
                assert " cost" not in words
                assert told.cost is None
    assert tones == {"free", "costly", "plain"}
    assert kinds


def test_others_are_counted_without_oneself_and_by_question() -> None:
    kept = [
        Answer("f" * 32, action, who, text, "points", 0, 0, hinted=False)
        for who, text, action in (
            *(("Ann", "play 8D", 7), ("Bo", "play 8D", 7)),
            *(("Cy", "play JD", 7), ("Cy", "play 2C", 8)),
        )
    ]
    assert telling.others(kept, "f" * 32, 7, "Ann") == {"play 8D": 1, "play JD": 1}
    assert telling.others(kept, "0" * 32, 7, "Ann") == {}
