"""What is said of mistakes: all of a hand at once, where they are, and what to write instead."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.kit.rule_cases import blocks_in, rows_in
from tests.kit.texts import HEAD, errors, hands, read
from tricklog import Hand, replay
from tricklog.ingest.reading.text_documents import hand_of
from tricklog.ingest.text_form.problems import MOST, Problem, Severity, nearest


def told_in(name: str) -> list[tuple[str, list[str]]]:
    """The texts of a file beside this one, and what is told of each."""
    return [each[1:] for each in blocks_in(Path(__file__).with_name(f"{name}.txt"))]


MISTAKES = told_in("mistakes")
SETTINGS = rows_in(Path(__file__).with_name("settings.txt"))


def told(problems: Iterable[Problem], above: int = 0) -> str:
    """Problems, one a line, with places in the text below ``above`` lines; warnings have a ~."""
    return "\n".join(
        f"{'~' if each.severity is Severity.WARNING else ''}"
        f"{each.line - above}:{each.column} {each.message}"
        for each in problems
    )


@pytest.mark.parametrize(("written", "due"), MISTAKES)
def test_a_mistake_is_told_with_its_place_and_what_to_write(written: str, due: list[str]) -> None:
    (hand,) = read(HEAD + written.removesuffix("\n"))
    assert told(hand.problems, HEAD.count("\n")) == "\n".join(due)
    assert (hand.record is None) == bool(errors(hand))


@pytest.mark.parametrize(("written", "due"), SETTINGS)
def test_a_faulty_setting_is_told_of_every_hand_under_it(written: str, due: str) -> None:
    others = {"game": "game Pedro", "players": "players Ann, Bo, Cy, Dee"}
    others.pop(written.split(maxsplit=1)[0], None)
    head = "\n".join([*others.values(), written])
    first, second = read(f"{head}\nhand 1; Ann 8, made\nhand 2; Bo 7, made\n")
    for hand in (first, second):
        assert hand.record is None
        assert f"{len(others) + 1}:{due}" in told(errors(hand)).split("\n")


@pytest.mark.parametrize(("text", "due"), told_in("texts"))
def test_a_text_that_begins_in_other_words_is_told_how_to_write_it(
    text: str, due: list[str]
) -> None:
    (hand,) = read(text)
    assert hand.record is None
    assert told(errors(hand)) == "\n".join(due)


def test_a_setting_that_is_corrected_is_past() -> None:
    first, second = read(
        "game Pdero!\nplayers Ann, Bo, Cy, Dee\nhand 1; Ann 8, made\ngame Pedro\nhand 2; Bo 7, made"
    )
    assert first.record is None
    assert second.record is not None
    # Rules stand below their game.
    mine = 'definition {"id": "mine", "extends": "pedro", "title": "Mine"}'
    below = "players Ann, Bo, Cy, Dee\nhand 1; Ann 8, made\n"
    (hand,) = read(f"game mine\n{mine}\n{below}")
    assert hand.record is not None
    assert not hand.problems
    for early in (mine, "option min_bid = 6", "house O01"):
        for between in ("", "game pedro\n"):
            (hand,) = read(f"{early}\n{between}{below}")
            assert hand.record is None
            said = f"{early.split()[0]} belongs to a game, and no game is named above it"
            assert said in str(next(iter(errors(hand))))
    (hand,) = read(f"game mine\n{below}")
    assert "its definition has to follow" in str(hand.problems[0])


def test_all_problems_of_a_hand_come_at_once_and_cost_no_other_hand() -> None:
    after = "hand 2; Cy 7, set by 1\n"
    first, second = read(f"{HEAD}Bo 7, Cy pas, Dee pass\nBo trump haerts\nBo 8s 1Oh 2h 7x\n{after}")
    places = [(each.line, each.column) for each in errors(first)]
    assert places == [(5, 10), (6, 10), (7, 7), (7, 14)]
    assert second.record is not None
    # After very many the rest of the hand is passed over.
    first, second = read(HEAD + "Bo xyzzy plugh\n" * 500 + after)
    assert len(first.problems) == MOST
    assert second.record is not None


def test_a_name_that_is_a_card_is_warned_about_once() -> None:
    text = "game sancho\nplayers Jo, As, H, Ann\nhand 1\ndealer Ann\nJo 4, As p, H p, Ann p\nJo p"
    (hand,) = read(text)
    assert [each for each in told(hand.problems).split("\n") if each.startswith("~")] == [
        "~5:1 Jo is read as the player; for the card write joker, for the player @Jo",
        "~5:7 As is read as the player; for the card write sA, for the player @As",
    ]


def test_the_nearest_word_is_one_slip_away() -> None:
    known = ["hearts", "spades", "clubs"]
    found = [nearest(each, known) for each in ("haerts", "sapdes", "zzz", "x" * 10_000)]
    assert found == ["hearts", "spades", "", ""]


def test_another_version_of_the_form_is_refused() -> None:
    (hand,) = read("tricklog text 2\n")
    assert "this file says 'tricklog text 2'" in str(hand.problems[0])
    assert hands("tricklog text 1\n") == []


def test_scores_for_more_sides_than_there_are_stay_in_their_hand() -> None:
    first, second = read(HEAD + "Bo 7, set by 1\nafter 1 1 1\nhand 2; Cy 8, made\n")
    assert [(each.line, each.message) for each in first.problems] == [(6, "3 numbers for 2 sides")]
    assert first.record is not None
    assert second.record is not None
    assert first.record["claimed"]["scores"] == [1, 1, 1]
    assert "scores" not in second.record
    hand = hand_of(first.record)
    assert isinstance(hand, Hand)
    replayed = replay(hand)
    assert [finding.pointer for finding in replayed.findings] == ["/claimed/scores"]
    assert replayed.known_outcome is not None
    assert replayed.known_outcome.scores is None


@pytest.mark.parametrize(
    ("text", "dealer"),
    [
        ("Pedro\nplayers Pedro, Bo, Cy, Dee\nPedro 8, set by 1\n", ...),
        ("Pedro\nPlayer One, Player Two, Player Three, Player Four\n@0 7, made\n", ...),
        ("Pedro\nGabe, Dale, Cy, Player\nGabe 7\nDale 8\nCy p\nPlayer p\nDale trump hearts\n", ...),
        ('game Pedro\nplayers Ann, Bo, Cy, "?"\nhand 1; dealer "?"\nBo 7, made\n', 3),
    ],
)
def test_names_that_are_near_a_keyword_or_a_sign_are_names(text: str, dealer: object) -> None:
    (hand,) = read(text)
    assert hand.record is not None
    assert not errors(hand)
    assert dealer is ... or hand.record["dealer"] == dealer


def test_one_player_twice_is_told_where_no_hand_follows() -> None:
    (found,) = read("Ann & Cy vs Ann & Dee\n")
    assert found.record is None
    (problem,) = errors(found)
    assert str(problem).startswith("1:1 two players are called 'Ann': give one of them an id")
    assert problem.message.endswith("; and no hand follows")
