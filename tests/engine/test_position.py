"""A trick without its hand: the answers are those of whole hands, and questions are checked."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.log_lines import one_game
from tests.kit.tiers import scaled
from tricklog import Replay, Trick, View, core, trump_name
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.table import side_of
from tricklog.core.position import Position, PositionError, TrickPoints, position
from tricklog.schemas.cards import card_name, names_in
from tricklog.schemas.citations import citations

VARIANTS = core.variants()
NAMES = ("bo", "cy", "dee")
WHOLE = "ann 9S, bo 8S, cy 7S, dee 6S"


def replays(variant: str) -> list[Replay]:
    played = [hand for hand in one_game(variant) if " play " in hand.actions[-1]]
    return [core.replay(hand) for hand in played[: scaled(1, most=12)]]


def asked_of(replayed: Replay, view: View, *, last: bool = False) -> Position:
    names = [f"p{seat}" for seat in range(len(view.holdings))]
    on_table = view.trick if view.turn is not None else ()
    assert view.trump is not None
    return position(
        replayed.ruleset,
        trump=trump_name(view.trump),
        hands={name: names_in(view.holdings[seat]) for seat, name in enumerate(names)},
        trick=[f"p{seat} {card_name(card)}" for seat, card in on_table],
        players=names,
        maker=None if view.maker is None else f"p{view.maker}",
        number=view.trick_number,
        hidden=not view.trump_public,
        last=last,
    )


def moments(replayed: Replay) -> Iterator[View]:
    """The moments of the play in which somebody is to play a card, with no trump just shown."""
    for index, action in enumerate(replayed.actions):
        view = replayed.at(index)
        latest = " ".join(replayed.hand.actions[max(0, index - 3) : index])
        asked_now = " ask" in latest or " reveal" in latest
        is_play = " play " in replayed.hand.actions[index]
        if is_play and view.alone is None and action.seat == view.turn and not asked_now:
            yield view


def before_lead(view: View) -> View:
    """A moment with the last trick, which lies there until the next lead, out of the way."""
    is_new = view.turn in {seat for seat, _ in view.trick}
    return replace(view, trick=(), trick_number=view.trick_number + 1) if is_new else view


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_legal_is_what_it_was_in_the_whole_hand(variant: str) -> None:
    compared = 0
    for replayed in replays(variant):
        for view in moments(replayed):
            if "play" not in view.choice.verbs or view.turn is None:
                continue
            asked = asked_of(replayed, before_lead(view))
            found = asked.legal(f"p{view.turn}")
            assert " ".join(found.cards) == names_in(view.choice.cards)
            assert found.sure
            assert found.rule.split()[0] in citations()
            assert found.sentence.startswith(f"p{view.turn} may play ")
            compared += 1
    assert compared > 5


def given_in(replayed: Replay, trick: Trick, *, last: bool) -> Counter[int]:
    """What a trick of a whole hand gave to each side, whoever's side its two counted for."""
    given: Counter[int] = Counter()
    played = {card for _, card in trick.plays}
    for each in replayed.captures:
        if each.card in played:
            given[each.side] += each.points
    assert trick.winner is not None
    given[side_of(replayed.rules, trick.winner)] += last * replayed.rules.last_trick_points
    return +given


def given_by(points: TrickPoints, rules: Rules) -> Counter[int]:
    assert points.winner is not None
    side = {f"p{seat}": side_of(rules, seat) for seat in range(rules.seats)}
    given = Counter({side[points.winner]: points.points})
    listed: Counter[int] = Counter()
    for each in points.cards:
        listed[side[each.player]] += each.points
    if not rules.last_trick_points:
        assert listed[side[points.winner]] == points.points, points.sentence
    del listed[side[points.winner]]
    return +(given + listed)


@pytest.mark.parametrize("variant", VARIANTS)
def test_winner_and_points_are_those_of_the_whole_hand(variant: str) -> None:
    compared = 0
    for replayed in replays(variant):
        view = replayed.at(len(replayed))
        if replayed.outcome is None or view.trump is None or view.alone is not None:
            continue
        for trick in replayed.tricks:
            before = before_lead(replayed.at(trick.last_action))
            if trick.buried or not before.trump_public or view.alone is not None:
                continue
            card = card_name(dict(trick.plays)[before.turn if before.turn is not None else 0])
            is_last = trick is replayed.tricks[-1]
            asked = asked_of(replayed, before, last=is_last).play(f"p{before.turn} {card}")
            winner = asked.winner()
            assert winner.player == f"p{trick.winner}"
            assert winner.sure
            assert winner.is_complete
            points = asked.points()
            if replayed.rules.high_low == 0:
                assert given_by(points, replayed.rules) == given_in(replayed, trick, last=is_last)
                assert points.sure
            else:
                assert not points.sure
            compared += 1
    assert compared > 1


def test_the_question_of_the_page_is_answered() -> None:
    asked = position("pedro", trump="H", hands={"bo": "8S 4H"}, trick=["ann 9S"])
    assert asked.turn == "bo"
    assert asked.legal("bo").cards == ("8S", "4H")
    assert asked.legal().rule == "1.follow"
    assert asked.winner().player == "ann"
    assert not asked.winner().sure
    assert asked.points().points == 0


def test_a_revoke_is_judged_with_its_rule_and_what_was_legal() -> None:
    asked = position("pedro", trump="H", hands={"bo": "8S 4H KD"}, trick="ann 9S")
    ruling = asked.judge("bo KD")
    assert not ruling.is_legal
    assert ruling.sure
    (finding,) = ruling.findings
    assert (finding.code, finding.rule, finding.legal) == ("revoke", "1.follow", "8S 4H")
    assert (finding.action, finding.pointer) == (None, "")
    assert asked.judge("bo 4H").is_legal
    # The same, told afterwards: the card is on the table, and what bo still held is named.
    told = position("pedro", trump="H", hands={"bo": "8S 4H"}, trick="ann 9S, bo KD")
    assert [each.code for each in told.findings] == ["revoke"]


def test_a_card_that_is_not_named_makes_an_answer_unsure() -> None:
    asked = position("pedro", trump="H", hands={"bo": "KD ?"}, trick="ann 9S")
    assert not asked.legal("bo").sure
    ruling = asked.judge("bo KD")
    assert ruling.is_legal
    assert not ruling.sure
    assert "could forbid it" in ruling.sentence
    known = position("pedro", trump="H", hands={"bo": "KD"}, trick="ann 9S").judge("bo KD")
    assert known.is_legal
    assert known.sure
    # Of hands that are not named nothing is certain.
    asked = position("pidro", trump="H", trick="ann 2H, bo AH", hands={"cy": "9S"})
    assert asked.legal("cy").verbs == ()
    assert "out of the hand" in asked.legal("cy").sentence
    assert asked.turn == "player 4"
    assert not asked.legal().sure


@pytest.mark.parametrize(
    ("trick", "winner", "points", "sentence"),
    [
        ("bo 8S, cy 4S, dee 2H, ann 9S", "dee", 1, "dee's side scores 1 point (2H 1)."),
        ("ann 2H, bo 4H, cy 5H, dee 9S", "cy", 6, "cy's side scores 6 points (5H 5, 2H 1)."),
        ("ann 2H, bo 4H, cy 5H", "cy", 6, "cy's side would score 6 points (5H 5, 2H 1)."),
    ],
)
def test_a_two_counts_for_who_played_it_with_the_trick_of_their_side(
    trick: str, winner: str, points: int, sentence: str
) -> None:
    for game in ("pedro", "cinch"):
        found = position(game, trump="H", trick=trick).points()
        assert (found.winner, found.points, found.sentence) == (winner, points, sentence)
    other = position("pedro", trump="H", trick="ann 2H, bo AH, cy 5D, dee 5H").points()
    assert (other.points, other.winner) == (11, "bo")
    assert {each.card: each.player for each in other.cards}["2H"] == "ann"
    assert "2H counts 1 for ann's side." in other.sentence


def test_a_hidden_trump_has_to_be_asked_for() -> None:
    asked = position(
        "twenty-nine", trump="?", hidden=True, maker="dee", hands={"bo": "8S"}, trick="ann 9H"
    )
    assert asked.legal().verbs == ("ask",)
    ruling = asked.judge("bo 8S")
    assert ruling.findings[0].code == "not-asked"
    assert "14.ask" in ruling.rule


def test_the_first_trick_has_rules_of_its_own() -> None:
    hands = {"ann": "2H 4H 6H 7H 8H 9H TH JH"}
    assert position("pedro", trump="H", hands=hands, number=1).legal("ann").verbs == ("bury",)
    assert "bury" not in position("pedro", trump="H", hands=hands).legal("ann").verbs


def test_house_rules_change_the_answer(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('extends = "pedro"\nhouse_rules = ["O16"]\n')
    question = {"hands": {"bo": "4H KD"}, "trick": "ann 9S", "trump": "H"}
    plain, ours = (position(rules, **question) for rules in ("pedro", club))  # type: ignore[arg-type]
    assert plain.judge("bo KD").is_legal
    assert not ours.judge("bo KD").is_legal
    assert "O16" in ours.judge("bo KD").rule


@pytest.mark.parametrize(
    ("word", "card"),
    [("10h", "TH"), ("♥10", "TH"), ("H10", "TH"), ("th", "TH"), ("♠A", "AS"), ("as", "AS")],
)
def test_cards_are_read_as_people_write_them(word: str, card: str) -> None:
    asked = position("pedro", trump="♥", hands={"bo": [word]})
    assert asked.legal("bo").cards == (card,)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"rules": "pedr"}, r"rules: there is no game 'pedr' \(did you mean 'pedro'\?\)"),
        ({"trump": None}, r"trump: say what is trumps: S, H, D, C"),
        ({"trump": "X"}, r"trump: 'X' is no trump"),
        ({"trump": "NT"}, r"trump: Pedro has no 'NT'"),
        ({"trump": "?"}, r"only a hidden trump may be unknown"),
        ({"hands": {"bo": "8X"}}, r"hands\['bo'\]: '8X' is not a card; write rank"),
        ({"hands": {"bo": "9S"}}, r"hands\['bo'\]: 9♠ is already in trick\[0\]"),
        ({"trick": ["9S"]}, r"trick\[0\]: '9S' is no play; write a player and a card"),
        ({"trick": ["ann 9S", "ann 8S"]}, r"trick\[1\]: ann played 8♠ but had nothing more"),
        ({"hands": {"bo": "JO"}}, r"JO is not in the pack"),
        ({"number": 9}, r"number: is 9; a hand of this game has tricks 1 to 6"),
        ({"players": ["ann", "bo"]}, r"players: there are 2 of them, and Pedro takes 4"),
        ({"players": ["ann", "bo", "ann", "cy"]}, r"players: a player is named twice"),
        ({"players": ["a", *NAMES]}, r"there is no player 'ann'.* at the table are a, bo"),
        ({"hands": dict.fromkeys("abcd", "")}, r"players: 5 players are named"),
        ({"hidden": True}, r"hidden: Pedro has no hidden trump"),
        ({"rules": "twenty-nine", "hidden": True}, r"maker: say who chose the hidden trump"),
        ({"trick": f"{WHOLE}, ann 5S"}, r"trick\[4\]: the trick was complete before it"),
    ],
)
def test_a_question_that_cannot_be_answered_says_where_and_what_to_do(
    question: dict[str, object], says: str
) -> None:
    whole = {"rules": "pedro", "trump": "H", "trick": ["ann 9S"], **question}
    rules = whole.pop("rules")
    with pytest.raises(PositionError) as caught:
        position(rules, **whole)  # type: ignore[arg-type]
    assert re.search(says, str(caught.value)), str(caught.value)
    assert caught.value.where
    assert caught.value.message


def test_answers_that_a_complete_or_empty_trick_does_not_have() -> None:
    done = position("pedro", trump="H", trick=WHOLE)
    assert done.turn is None
    for ask, about in ((done.legal, "ann"), (done.judge, "ann 2S")):
        with pytest.raises(PositionError, match="it is complete"):
            ask(about)
    empty = position("pedro", trump="H", hands={"ann": "9S"})
    for answer in (empty.winner, empty.points):
        with pytest.raises(PositionError, match="no card lies on the table"):
            answer()
    with pytest.raises(PositionError, match="has played to this trick"):
        position("pedro", trump="H", trick="ann 9S").legal("ann")
