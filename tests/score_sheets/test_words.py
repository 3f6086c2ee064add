"""What card players of four languages write over and into the columns of a sheet."""

from pathlib import Path

import pytest
from msgspec import UNSET

from tricklog import Hand, Known, LogLine
from tricklog.core.judging.standing import RESULTS_SAID
from tricklog.ingest.score_sheets.reader import read_sheets
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.ingest.score_sheets.values import Result, marks_of, result, suits_of, trump, was_set
from tricklog.ingest.score_sheets.words import HEADERS, OPEN, Means, key
from tricklog.schemas.languages.current import LANGUAGES, in_language

PEOPLE = ("Ann", "Bo", "Cy", "Dee")
ROWS = (
    ("2024-01-05", "Ann", "Bo", 8, "S", True, 5, 9),
    ("2024-01-05", "Bo", "Cy", 9, "H", False, 6, 8),
    ("2024-01-05", "Cy", "Dee", 7, "D", True, 4, 10),
    ("2024-01-05", "Dee", "Ann", 10, "C", True, 11, 3),
)
SHEETS = {
    "English": (
        "Date,Dealer,Bidder,Winning bid,Trump suit,Made it?,Us,Them",
        ("spades", "hearts", "diamonds", "clubs"),
        ("yes", "no"),
    ),
    "English, in short": (
        "When,Dealt by,Won the bid,Bid,Suit,W/L,Our points,Their points",
        ("S", "H", "D", "C"),
        ("W", "L"),
    ),
    "English, went set": (
        "Date,Dlr,Who,Bid,Trumps,Set?,We,They",
        ("Spade", "Heart", "Diamond", "Club"),
        ("", "x"),
    ),
    "Swedish": (
        "Datum,Giv,Spelare,Bud,Trumf,Gick hem,Vi,De",
        ("spader", "hjärter", "ruter", "klöver"),
        ("ja", "nej"),
    ),
    "Swedish, in short": (
        "Speldag,Gav,Vem bjöd,Högsta bud,Färg,Resultat,Vårt lag poäng,Motståndarna poäng",
        ("S", "H", "R", "K"),
        ("hem", "bet"),
    ),
    "Swedish, went bet": (
        "Dag,Kortgivare,Budvinnare,Budet,Trumffärg,Bet?,Vi,Dom",
        ("sp", "hj", "ru", "kl"),
        ("nej", "ja"),
    ),
    "Finnish": (
        "Pvm,Jakaja,Tarjoaja,Tarjous,Valtti,Onnistuiko,Me,He",
        ("pata", "hertta", "ruutu", "risti"),
        ("kyllä", "ei"),
    ),
    "Finnish, in short": (
        "Pelipäivä,Jako,Pelaaja,Huuto,Maa,Tulos,Me,Vastustajat",
        ("P", "H", "R", "X"),
        ("läpi", "pieti"),
    ),
    "Spanish": (
        "Fecha,Reparte,Jugador,Apuesta,Triunfo,¿Cumplió?,Nosotros,Ellos",
        ("picas", "corazones", "diamantes", "tréboles"),
        ("sí", "no"),
    ),
    "Swedish, as reports say it": (
        "Datum,Giv,Spelare,Bud,Trumf,Hem/bet,Vi,De",
        ("spader", "hjärter", "ruter", "klöver"),
        ("hemgånget", "bet"),
    ),
    "Finnish, as reports say it": (
        "Pvm,Jakaja,Tarjoaja,Tarjous,Valtti,Täytetty/pietissä,Me,He",
        ("pata", "hertta", "ruutu", "risti"),
        ("täytetty", "pietissä"),
    ),
    "Spanish, as reports say it": (
        "Fecha,Reparte,Jugador,Apuesta,Triunfo,Cumplido/fallido,Nosotros,Ellos",
        ("picas", "corazones", "diamantes", "tréboles"),
        ("cumplido", "fallido"),
    ),
    "Spanish, in short": (
        "Día,Quién reparte,Quién puja,Puja,Palo,Resultado,Nosotros,Rivales",
        ("P", "C", "D", "T"),
        ("s", "n"),
    ),
}


def read(text: str, folder: Path, players: tuple[str, ...] = PEOPLE) -> list[LogLine]:
    path = folder / "club.csv"
    path.write_text(text, "utf-8")
    return list(read_sheets(SheetSettings("pedro", players=players), path))


def hands(text: str, folder: Path) -> list[Hand]:
    lines = read(text, folder)
    assert [line.reject.message for line in lines if line.reject] == []
    return [line.hand for line in lines if line.hand]


def said(hand: Hand) -> tuple[object, ...]:
    known, claimed = hand.known, hand.claimed
    assert known
    assert claimed
    return (hand.started_at, hand.dealer, known.maker, known.bid, known.trump, claimed.points)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_says_the_same_in_each_language(sheet: str, tmp_path: Path) -> None:
    heading, suits, (made, lost) = SHEETS[sheet]
    suit = dict(zip("SHDC", suits, strict=True))
    lines = [heading]
    for day, dealer, maker, bid, named, is_made, we, they in ROWS:
        result = made if is_made else lost
        lines.append(f"{day},{dealer},{maker},{bid},{suit[named]},{result},{we},{they}")
    found = hands("\n".join(lines), tmp_path)
    seats = {name: seat for seat, name in enumerate(PEOPLE)}
    assert [said(hand) for hand in found] == [
        (day, seats[dealer], seats[maker], bid, named, [we, they])
        for day, dealer, maker, bid, named, _, we, they in ROWS
    ]
    results = [hand.claimed.result for hand in found if hand.claimed]
    # Where only what was set is marked, nothing is said of the others.
    unsaid = "made" if made else UNSET
    assert results == [unsaid, "set", unsaid, unsaid]


def test_each_word_means_one_thing_or_is_a_question() -> None:
    assert all(Means(meaning) for meaning in HEADERS.values())
    assert all(key(word) == word for word in OPEN)


@pytest.mark.parametrize(
    ("heading", "letters", "suits"),
    [
        ("Trump", "SHDC", "SHDC"),
        ("Trumf", "SHRK", "SHDC"),
        ("Valtti", "PHRX", "SHDC"),
        ("Triunfo", "PCDT", "SHDC"),
        ("Triunfo", "SHDC", "SHDC"),
        ("Suit", "C", "C"),
    ],
)
def test_letters_of_suits_are_those_of_the_language(heading: str, letters: str, suits: str) -> None:
    found = suits_of(heading, list(letters))
    assert [trump(letter, found) for letter in letters] == list(suits)


def test_a_letter_of_two_suits_is_a_question() -> None:
    with pytest.raises(ValueError, match="'R' may be ruter, ruutu or risti; write the suit out"):
        trump("R", suits_of("Valtti", ["P", "R"]))


@pytest.mark.parametrize(
    ("heading", "cells", "mark", "means"),
    [
        ("Made", ["x", ""], "x", "made"),
        ("Result", ["x", "made"], "x", "set"),
        ("Result", ["x", ""], "x", ""),
        ("Cumplido", ["s", "n"], "s", "made"),
        ("Result", ["m", "s"], "s", "set"),
        ("Result", ["s"], "s", ""),
        ("Made", ["1", "0"], "0", "set"),
        ("Result", ["1", "0"], "1", ""),
    ],
)
def test_a_mark_says_what_columns_do(heading: str, cells: list[str], mark: str, means: str) -> None:
    assert marks_of(heading, cells)[mark] == means


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_reports_are_read_in_each_language(language: str) -> None:
    with in_language(language):
        made, lost = str(RESULTS_SAID["made"]), str(RESULTS_SAID["set"])
    assert result(made) == Result("made")
    assert result(lost) == Result("set")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("hemgången", Result("made")),
        ("Täytetty", Result("made")),
        ("fallido por 2", Result("set", 2)),
        ("bet med 3", Result("set", 3)),
    ],
)
def test_a_result_may_say_by_how_many(cell: str, said: Result) -> None:
    assert result(cell) == said


@pytest.mark.parametrize(
    "heading", ["Made/set", "Hem/bet", "Täytetty/pietissä", "Cumplido/fallido"]
)
def test_a_heading_of_both_results_answers_no_mark(heading: str) -> None:
    assert HEADERS[key(heading)] == Means.RESULT
    assert marks_of(heading, ["x", ""])["x"] == ""


@pytest.mark.parametrize(
    ("cell", "result"), [("yes", "set"), ("no", "made"), ("bet", "set"), ("x", "set"), ("", None)]
)
def test_yes_below_a_heading_that_asks_for_sets_is_set(cell: str, result: str | None) -> None:
    found = was_set(cell)
    assert (found.result if found else None) == result


def test_a_mark_that_may_say_either_is_refused_and_not_guessed(tmp_path: Path) -> None:
    lines = read("Bidder,Bid,Result,We,They\nAnn,8,x,9,5\n", tmp_path)
    assert lines[1].reject
    assert "'x' may say made or set" in lines[1].reject.message


def test_made_and_set_may_have_a_column_each_and_must_agree(tmp_path: Path) -> None:
    lines = read("Bidder,Bid,Made,Set\nAnn,8,x,\nBo,9,,x\nCy,7,x,x\n", tmp_path)
    assert [line.hand.claimed.result for line in lines if line.hand and line.hand.claimed] == [
        "made",
        "set",
    ]
    assert lines[3].reject
    assert "another column says made" in lines[3].reject.message


def test_a_bidder_may_be_a_side_and_nobody_is_made_up(tmp_path: Path) -> None:
    first, second = hands("Bidder,Bid,Points,We,They\nUs,8,9,9,5\nThem,9,10,4,10\n", tmp_path)
    assert first.known == Known(bid=8)
    assert second.ext is not UNSET
    assert second.ext["score-sheet"]["side"] == 1


def test_by_how_many_below_set_is_a_question_and_no_game(tmp_path: Path) -> None:
    found = hands("Bidder,Bid,Set,We,They\nAnn,8,1,9,5\nBo,9,2,4,10\n", tmp_path)
    assert len({hand.game for hand in found}) == 1
    assert all(not hand.claimed or not hand.claimed.result for hand in found)


def test_a_player_may_be_called_by_a_word_of_results(tmp_path: Path) -> None:
    text = "Giv,Spelare,Bud,Vi,De\nAnn,Bo,8,9,5\nBo,Win,9,4,10\nWin,Dee,7,7,7\nDee,Ann,8,9,5\n"
    lines = read(text, tmp_path, ("Ann", "Bo", "Win", "Dee"))
    assert [line.hand.dealer for line in lines if line.hand] == [0, 1, 2, 3]


def test_who_plays_first_is_not_who_deals(tmp_path: Path) -> None:
    found = hands("Mano,Jugador,Apuesta,Nosotros,Ellos\nAnn,Bo,8,9,5\nBo,Cy,9,4,10\n", tmp_path)
    assert all(not isinstance(hand.dealer, int) for hand in found)


def test_rounds_that_are_counted_on_are_hands_and_others_are_games(tmp_path: Path) -> None:
    head = "Round,Bidder,Bid,We,They\n"
    on = hands(head + "1,Ann,8,9,5\n2,Bo,9,4,10\n3,Cy,7,8,6\n", tmp_path)
    assert [hand.hand for hand in on] == [1, 2, 3]
    games = hands(
        head + "1,Ann,8,9,5\n1,Bo,9,4,10\n1,Bo,9,4,10\n2,Cy,7,8,6\n2,Cy,7,8,6\n", tmp_path
    )
    assert len({hand.game for hand in games}) == 2
