"""What is said of mistakes: all of a hand at once, where they are, and what to write instead."""

from collections.abc import Iterable

import pytest

from tests.kit.texts import HEAD, errors, hands, read
from tricklog import Hand, replay
from tricklog.ingest.reading.text_documents import hand_of
from tricklog.ingest.text_form.problems import MOST, Problem, Severity, nearest


def told(problems: Iterable[Problem], above: int = 0) -> str:
    """Problems, one a line, with places in the text below ``above`` lines; warnings have a ~."""
    return "\n".join(
        f"{'~' if each.severity is Severity.WARNING else ''}"
        f"{each.line - above}:{each.column} {each.message}"
        for each in problems
    )


WRITTEN = {
    "dealer Eve": "1:8 'Eve' is no player here; the players are Ann, Bo, Cy, Dee",
    "dealer Dae": "1:8 'Dae' is no player here; did you mean Dee?",
    "Bo 7, Cy pas": "1:10 'pas' is nothing a player does; did you mean pass?",
    "Bo p, Cy 10 hearts": "1:10 is this the card 10h, or a bid of 10? Write Cy 10h, or Cy 10 and "
    "then a line Cy trump hearts",
    "Cy 8 in hearts, Dee p": "1:6 trumps are named after the auction, on a line of their own: "
    "Cy trump hearts",
    "Bo trump haerts": "1:10 'haerts' is no trump; did you mean hearts?",
    "Bo trump": "1:9 what was trumps? Write spades, hearts, diamonds, clubs, NT, hearts reversed, "
    "seventh, or ? if nobody knows",
    "Bo 8s 1Oh 2h 7x": "1:7 '1Oh' is no card; did you mean 10h?\n"
    "1:14 '7x' is no card: write 7s, 7h, 7d or 7c",
    "Bo 8s 4 2h 11s": "1:7 '4' has no suit: write 4s, 4h, 4d or 4c\n"
    "1:12 '11s' is no card; did you mean Js?",
    "Bo 8s 4s 2h 9s\n10s Jd Qd Kd": "2:1 who leads this trick? Begin with the name, or say who "
    "took the one before: > Ann",
    "7h 8h 9h 10h": "1:1 who leads? Begin with the player's name: Ann 7h …",
    "discard 7h 8h": "1:1 who? discard needs the player's name before it: Ann discard …",
    "Bo Cy 7h": "1:1 Bo does nothing here: a card, a bid or a word such as pass belongs after "
    "the name",
    "Ann 10h9h8h": "1:5 several cards after Ann: to give the hand write Ann has 10h 9h 8h; in a "
    "trick leave a space between cards",
    "Cy discard 7h 7h": "1:4 7h is named twice",
    "Cy discard": "1:4 which cards? Cy discard …; write 3? for three unknown ones",
    "Ann claim 7h 8h 9h": "1:5 a claim names the card taken and the card given: claim 7h for Qs",
    "points 9": "1:8 points has one whole number for each side, the side of the first player "
    "first: points 6 8",
    "points Ann 6": "",
    "status finished": "1:8 'finished' is no status: write abandoned, claimed, complete, decided, "
    "in progress, thrown in",
    "status complet": "1:8 'complet' is no status; did you mean complete?",
    "hend 2": "1:1 'hend' is neither a player nor a word of the form; did you mean hand?",
    "Ann 8h (never closed": "1:8 this ( is never closed by )",
    'Ann 8h "never closed': '1:8 this " is never closed',
    "Dee 83 double": "1:8 write 83-double for the call above the highest number, or name who "
    "doubles",
    "time quarter past": "1:6 'quarter past' is no time: write 19:03, or 2026-11-20T19:03:00+02:00",
    "time 19:03": "1:6 which day? Write a line above: date 2026-11-20",
    "ext table 4": "1:5 ext has a key and a JSON value: ext example.org/table = 4",
    "empty deal": "1:7 'deal' cannot be empty; what can is times, notes, claimed, known, ext",
    "@5 7h": "1:1 nobody sits at @5; the seats are @0 to @3",
    "@Eve 7h": "1:1 'Eve' is no player here; the players are Ann, Bo, Cy, Dee",
    "Ann plays": "1:10 which card does Ann play? Write ? if nobody knows",
    "Bo p > Ann": "1:6 who took which trick? > stands after the cards of a trick",
    "Bo 8s 4s 2h 9s > Eve": "1:16 after > stands who took the trick",
    "+2s": "1:1 a time stands after what was done at that time",
    "made it up": "1:1 'made it up' is no result: write made, set, or set by 1",
    "trick": "1:1 which trick? Write its number: trick 3 Ann 7h 6h 8h Jh",
    "... spades": "1:5 'spades' is nothing that can be left out: write ... auction, ... trumps, "
    "... exchange, ... tricks, ... rest, or only ...",
    "contract Ann 8 reindeer": "1:16 'reindeer' is no part of a contract: contract Ann 8 hearts "
    "double",
    "... tricks\nBo 8s 4s 2h 9s > Dee": "2:13 which trick is this? Number it, such as trick 5: …, "
    "or leave out who took it",
    "Bo 7h/xx": "1:4 '7h/xx' is no card; did you mean 7h?",
    "10h9h": "1:1 '10h9h' are several cards: leave a space between them, 10h 9h",
    "8, p": "1:1 8: who bids? Write the name before it, Ann 8; a card has a suit, such as 7h\n"
    "1:4 who? p needs the player's name before it: Ann p …",
    # What may not be meant is warned about, and read.
    "Ann has 7h 8h\nBo has 7h 9h": "~2:1 7h is also in the hand of Ann",
    "Ann has 7h 8h\nBo has 9h": "~2:1 Bo has 1 cards, another player 2",
    "Ann 7h 8h 9h 10h\nDee Jh 7h": "~2:8 7h was played already in line 5",
    "Ann 7h 8h 9h 10h\n1. Dee Jh": "~2:1 this is written as trick 1, but would be trick 2",
    "points 1 2 3": "~1:8 3 numbers for 2 sides",
    "points 1 2 3 4": "~1:8 4 numbers for 2 sides",
}  # fmt: skip
"""What is written below a sound head, and the problems that are told of it."""


@pytest.mark.parametrize("written", WRITTEN)
def test_a_mistake_is_told_with_its_place_and_what_to_write(written: str) -> None:
    (hand,) = read(HEAD + written)
    assert told(hand.problems, HEAD.count("\n")) == WRITTEN[written]
    assert (hand.record is None) == bool(errors(hand))


NO_DATE = "is no date this reader is sure of: write 2026-11-20 or 20.11.2026"
FEW = "3 players; a table has 4 to 7, named clockwise and parted by commas"
SETTINGS = {
    "game Pdero!": "6 'Pdero!' is no game known here; did you mean pedro?",
    "players Ann, Bo, Cy": f"9 {FEW}",
    "players Ann, Bo, (Cy), Dee": "18 '(Cy)' is no player: write Ann, or Ann <ann7> with an id, or "
    "Robo (bot)",
    "date 11/20/2026": f"6 '11/20/2026' {NO_DATE}",
    "date 31.2.2026": "6 there is no such day as '31.2.2026'",
    "date 11.20.2026": f"6 '11.20.2026' {NO_DATE}",
    "zone Helsinki": "6 'Helsinki' is no offset from UTC: write zone +02:00",
    "option min bid 6": "8 an option has a name and a value: option min_bid = 6",
    "house 12": "7 '12' is no number of a house rule: house O01 O16",
    "definition {": "12 a definition is one JSON object on this line: Input data was truncated",
    "all passed": "5 of all hands can be said: all status complete, all stock none, all kitty none;"
    " a remark stands in ( ) or after #",
}  # fmt: skip


@pytest.mark.parametrize("written", SETTINGS)
def test_a_faulty_setting_is_told_of_every_hand_under_it(written: str) -> None:
    others = {"game": "game Pedro", "players": "players Ann, Bo, Cy, Dee"}
    others.pop(written.split(maxsplit=1)[0], None)
    head = "\n".join([*others.values(), written])
    first, second = read(f"{head}\nhand 1; Ann 8, made\nhand 2; Bo 7, made\n")
    for hand in (first, second):
        assert hand.record is None
        assert f"{len(others) + 1}:{SETTINGS[written]}" in told(errors(hand)).split("\n")


PARTNERS = "2:1 write & between partners and vs between sides: Ann & Cy vs Bo & Dee"
TEXTS = {
    "game Pdero!\n": f"1:{SETTINGS['game Pdero!']}",
    "Pedro Friday 20 Nov\nAnn, Bo, Cy, Dee\nBo 7, set by 1\n": f"1:7 'Friday 20 Nov' {NO_DATE}",
    "Pedro 20/11/26\nAnn, Bo, Cy, Dee\nBo 7, set by 1\n": f"1:7 '20/11/26' {NO_DATE}",
    "Pedro\nAnn and Cy vs Bo and Dee\nBo 7, set by 1\n": PARTNERS,
    "Pedro\nAnn & Cy v Bo & Dee\nBo 7, set by 1\n": PARTNERS,
    "Pedro\nAnn, Bo, Cy\nBo 7, set by 1\n": f"2:1 {FEW}",
    "Pedro\nplayer Ann, Bo, Cy, Dee\nBo 7, set by 1\n": (
        "2:1 'player' is no word of the form; did you mean players?"
    ),
    "hand 1\nAnn 8, Bo p\nCy p\n": (
        "1:1 which game is this? Write a line above: game Pedro\n"
        "2:1 'Ann': no players are named yet; write a line above: players Ann, Bo, Cy, Dee"
    ),
    "gmae pedro\nplayrs Ann, Bo, Cy, Dee\ndealr Eve\nBo 7\npas\nheats\nBo 1Oh\npionts 8 6\n": (
        "1:1 'gmae' is no word of the form; did you mean game?\n"
        "2:1 'playrs' is no word of the form; did you mean players?\n"
        "3:1 'dealr' is no word of the form; did you mean dealer?\n"
        "3:7 'Eve' is no player here; the players are Ann, Bo, Cy, Dee\n"
        "5:1 'pas' is neither a player nor a word of the form; did you mean pass?\n"
        "6:1 'heats' is neither a player nor a word of the form; did you mean hearts?\n"
        "7:4 '1Oh' is no card; did you mean 10h?\n"
        "8:1 'pionts' is no word of the form; did you mean points?"
    ),
}
"""Whole texts that cannot be read, and the errors that are told, of the head and of the hand."""


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_begins_in_other_words_is_told_how_to_write_it(text: str) -> None:
    (hand,) = read(text)
    assert hand.record is None
    assert told(errors(hand)) == TEXTS[text]


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
