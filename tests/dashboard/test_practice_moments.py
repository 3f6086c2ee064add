"""Questions for practice: what their player knew, and nothing that came later or lay hidden."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import msgspec
import pytest
from msgspec import UNSET

from tests.kit.dashboard_logs import sample_hands
from tests.kit.played_once import played
from tests.kit.tiers import is_thorough, some
from tricklog import core
from tricklog.core import Replay
from tricklog.core.rulesets.variant_names import variants
from tricklog.core.study import Refused
from tricklog.core.study.knowledge import known_to
from tricklog.core.study.questions.known import known_at
from tricklog.core.study.questions.moments import ASK, Kind, Moment, answer_of, moment_at
from tricklog.dashboard.pages.practice.asking import seen_rows
from tricklog.dashboard.pages.practice.at_table import asked_data
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import card_name, cards_in, mask_of
from tricklog.schemas.hand import Hand

HANDS = 2
WITHOUT_GRADES: tuple[str, ...] = ()
FULL_OF_SECRETS = {"1": "thinks long", "5": "a slip"}


@cache
def some_hands(variant: str) -> list[Hand]:
    return sample_hands(variant, HANDS)


def moments(replayed: Replay) -> Iterator[Moment]:
    for index in range(len(replayed)):
        moment = moment_at(replayed, index)
        if moment is not None:
            yield moment


def shown(moment: Moment) -> str:
    """All that a question puts on the page."""
    known = known_at(moment)
    return "\n".join(
        [
            json.dumps(asked_data(moment, known)),
            *map(str, seen_rows(known)),
            str([option.words for option in moment.options]),
            str(known),
        ]
    )


@pytest.mark.parametrize("variant", some(variants(), 4))
def test_a_question_is_the_same_whatever_comes_after_it_and_the_others_hold(variant: str) -> None:
    for hand in some_hands(variant)[:1]:
        whole = core.replay(hand)
        for place, moment in enumerate(moments(whole)):
            assert shown(_shuffled(moment)) == shown(moment)
            if place % (1 if is_thorough() else 4):
                continue
            ended = msgspec.structs.replace(
                hand,
                actions=hand.actions[: moment.index + 1],
                claimed=UNSET,
                status=UNSET,
                notes=FULL_OF_SECRETS,
            )
            other = moment_at(core.replay(ended), moment.index)
            assert other is not None
            assert shown(other) == shown(moment)


@pytest.mark.parametrize("variant", some(variants(), 4))
def test_practice_and_grades_take_the_same_cards_as_seen(variant: str) -> None:
    """Trumps not seen yet are those that deals with hidden cards are thought of for."""
    compared = 0
    for hand in islice(played(variant, 1, 31), HANDS):
        replayed = core.replay(hand)
        for moment in moments(replayed):
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
            cannot_place = sum(1 << card for card in grade_knows.loose)
            trumps = replayed.rules.trump_cards[known.trump]
            unseen = grade_knows.unseen & ~cannot_place & trumps
            assert set(known.unseen_trumps) == set(cards_in(unseen))
    assert compared or variant in WITHOUT_GRADES


def test_c03_buried_cards_lie_open_to_everybody() -> None:
    """Grades, Practice and the replay page say the same of them (8.surplus, C03)."""
    hand, at = next(
        (hand, at)
        for hand in core.generate("king-pedro", 4, seed=31)
        for at, action in enumerate(hand.actions)
        if " bury " in action
    )
    replayed = core.replay(hand)
    buried = replayed.actions[at].cards
    other = next(
        each
        for each in moments(replayed)
        if each.index > at and each.seat != replayed.actions[at].seat and each.kind == Kind.CARD
    )
    known = known_at(other)
    assert (replayed.actions[at].seat, set(cards_in(buried))) in [
        (seat, set(cards)) for seat, cards in known.buried
    ]
    assert not buried & mask_of(list(known.unseen_trumps))
    on_table = asked_data(other, known)["frames"][0]["buried"]
    assert {card_name(card) for card in cards_in(buried)} <= set(on_table.split())
    assert not known_to(replayed, other.index, other.seat).unseen & buried


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


@pytest.mark.parametrize("variant", some(variants(), 4))
def test_a_call_is_asked_alike_whatever_was_dealt_to_the_others(variant: str) -> None:
    (hand,) = some_hands(variant)[:1]
    asked = 0
    for moment in moments(core.replay(hand)):
        if moment.kind != Kind.CALL:
            continue
        first, second = [seat for seat in range(len(hand.players)) if seat != moment.seat][:2]
        assert hand.deal is not UNSET
        deal = list(hand.deal)
        deal[first], deal[second] = deal[second], deal[first]
        swapped = msgspec.structs.replace(
            hand, deal=deal, actions=hand.actions[: moment.index + 1], claimed=UNSET
        )
        other = moment_at(core.replay(swapped), moment.index)
        if other is not None:
            asked += 1
            assert shown(other) == shown(moment)
    assert asked


def test_a_secret_trump_is_known_to_its_maker_alone() -> None:
    kinds = set()
    for hand in some_hands("twenty-nine"):
        replayed = core.replay(hand)
        for moment in moments(replayed):
            view, known = moment.view, known_at(moment)
            if moment.kind != Kind.CARD or view.trump_public:
                continue
            kinds.add(moment.seat == view.maker)
            assert (known.trump is not None) == (moment.seat == view.maker)
            assert known.trump_is_hidden
            assert bool(known.unseen_trumps) <= (moment.seat == view.maker)
    assert kinds == {True, False}


@pytest.mark.parametrize("variant", some(variants(), 4))
def test_what_was_done_at_the_table_is_one_of_the_answers(variant: str) -> None:
    asked = 0
    for hand in some_hands(variant):
        replayed = core.replay(hand)
        for moment in moments(replayed):
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
    last = len(replayed) - 1
    assert moment_at(replayed, last) is None
    assert moment_at(replayed, last + 1) is None
    assert moment_at(replayed, -1) is None


def test_sets_of_cards_are_all_those_the_rules_allow() -> None:
    found = [
        moment
        for hand in some_hands("king-pedro")
        for moment in moments(core.replay(hand))
        if moment.kind == Kind.CARDS
    ]
    assert found
    for moment in found:
        sets = moment.sets(10_000)
        assert sets is not None
        assert len(sets) == len(set(sets)) > 1
        assert all(moment.allows(each) for each in sets)
        assert moment.sets(1) is None


def test_an_optional_ask_is_an_answer_beside_the_cards() -> None:
    hands = core.generate("twenty-nine", 4, seed=5, options={"ask": "optional"})
    asked = [
        moment
        for hand in islice(hands, 5)
        for moment in moments(core.replay(hand))
        if any(option.text == ASK for option in moment.options)
    ]
    assert asked
    assert all(moment.kind == Kind.CARD for moment in asked)


def test_what_the_player_saw_is_counted_and_nothing_else() -> None:
    for hand in some_hands("pedro"):
        replayed = core.replay(hand)
        for moment in moments(replayed):
            known = known_at(moment)
            played = mask_of(
                [each.card for each in moment.replayed.actions if each.verb == Verb.PLAY]
            )
            unseen = mask_of([*known.unseen_trumps])
            assert not unseen & (played | moment.view.holdings[moment.seat])
            own = [
                each.cards
                for each in moment.replayed.actions
                if each.seat == moment.seat and each.verb == Verb.DISCARD
            ]
            assert mask_of([*known.laid_off]) == (own[0] if own else 0)
            assert known.cards[moment.seat] == moment.view.holdings[moment.seat].bit_count()
