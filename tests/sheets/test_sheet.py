"""The score sheet of games of every kind, against what their logs say in JSON."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from tests.kit import evening_logs
from tests.kit.evening_logs import Record
from tests.regenerate.samples import FOLDER
from tricklog import ingest
from tricklog.ingest.sheets import words
from tricklog.ingest.sheets.model import RowKind, ScoresBy, Sheet, turns_of
from tricklog.ingest.sheets.sheet import sheets_of
from tricklog.ingest.store.warehouse import open_snapshot

OTHER_TABLE = "other table"
FAR = 100_000
UNCERTAIN = FOLDER.parent / "invalid" / "verdict" / "doubtful.jsonl"
"""A hand with cards that nobody recorded, on which its result depends."""


@cache
def games() -> dict[str, list[Record]]:
    return evening_logs.by_game(
        [
            *evening_logs.records_in(evening_logs.shortest_logs()),
            *evening_logs.random_games("sheets", 6),
        ]
    )


def finished() -> list[str]:
    return [game for game in games() if not game.startswith("random")]


def renamed(records: list[Record], game: str, **changes: object) -> list[Record]:
    return [
        record | {"game": game, "id": f"{game} {place}"} | changes
        for place, record in enumerate(records, start=1)
    ]


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("sheets")
    unscored = [evening_logs.without_scores(each) for hands in games().values() for each in hands]
    king = evening_logs.king_pedro()
    moved = renamed(king[:2], OTHER_TABLE)
    moved[1]["players"] = [moved[1]["players"][seat] for seat in (1, 0, 2, 3)]
    far = renamed(king[:2], "far")
    far[1]["hand"] = FAR
    for name, records in {
        "scored": [each for hands in games().values() for each in hands],
        "unscored": [
            each | {"game": f"unscored {each['game']}", "id": f"unscored {each['id']}"}
            for each in unscored
        ],
        "holed": evening_logs.holed_game(),
        "moved": moved,
        "far": far,
        "one": renamed(king[:3], "twice"),
        "two": [each | {"id": f"other {each['id']}"} for each in renamed(king[:2], "twice")],
        "match": renamed(match_game(), "match"),
        "hidden": renamed(evening_logs.records_in([UNCERTAIN]), "hidden", hand=1, scores=[0, 0]),
    }.items():
        evening_logs.write_records(folder / "logs" / f"{name}.jsonl", records)
    ingest.load(folder / "logs", db=folder / "db")
    with open_snapshot(folder / "db") as opened:
        yield opened


def match_game() -> list[Record]:
    played = (games()[name] for name in finished())
    (game,) = (hands for hands in played if hands[0]["rules"]["variant"] == "twenty-nine")
    options = game[0]["rules"].get("options", {}) | {"match_score": "won-two-lost-one"}
    return [each | {"rules": each["rules"] | {"options": options}} for each in game]


def sheet_of(connection: DuckDBPyConnection, game: str) -> Sheet:
    (sheet,) = sheets_of(connection, game)
    return sheet


def label(record: Record, seat: int) -> str:
    player = record["players"][seat]
    return str(player.get("name", player["id"]))


# --- Every variant
def test_points_change_and_scores_are_those_of_the_log(connection: DuckDBPyConnection) -> None:
    for game, hands in games().items():
        sheet = sheet_of(connection, game)
        assert sheet.start == tuple(hands[0]["scores"]), game
        assert len(sheet.rows) == len(hands), game
        for row, record, following in zip(sheet.rows, hands, [*hands[1:], None], strict=True):
            assert (row.number, row.hand) == (record["hand"], record["id"]), game
            assert row.dealer == label(record, record["dealer"]), game
            told = {"points": row.points, "change": row.change, "scores": row.scores}
            for key in told.keys() & record["claimed"].keys():
                assert list(told[key] or ()) == record["claimed"][key], (game, row.number, key)
            if following:
                assert list(row.scores or ()) == following["scores"], (game, row.number)
    # Scores that the log lacks are added up by the engine.
    for game in games():
        one, other = (sheet_of(connection, each) for each in (game, f"unscored {game}"))
        assert [row.scores for row in other.rows] == [row.scores for row in one.rows], game
        assert [row.change for row in other.rows] == [row.change for row in one.rows], game
        assert (other.winner, other.count_out) == (one.winner, one.count_out), game


def test_maker_bid_trumps_and_winner_are_those_of_the_log(connection: DuckDBPyConnection) -> None:
    for game in finished():
        compared = 0
        sheet = sheet_of(connection, game)
        final = games()[game][-1]["claimed"]["scores"]
        assert sheet.winner is not None, game
        assert final[sheet.winner] >= sheet.target or min(final) <= (sheet.lowest or -FAR), game
        assert words.headline(sheet).startswith(sheet.sides[sheet.winner].label), game
        assert "not finished" not in words.state(sheet), game
        assert sheet.match is None
        for row, record in zip(sheet.rows, games()[game], strict=True):
            actions = [action.split() for action in record["actions"]]
            bids = [action for action in actions if action[1] == "bid"]
            if row.kind != RowKind.PLAYED or not bids or row.alone:
                continue
            compared += 1
            held = [int(action[0]) for action in actions if action[1] in {"bid", "ditto"}]
            assert row.maker == label(record, held[-1])
            assert words.bid_text(row).split()[0] == bids[-1][2]
            named = [action[2] for action in actions if action[1] == "trump"]
            if named and named[-1] in "SHDC":
                assert words.trump_text(row) == "♠♥♦♣"["SHDC".index(named[-1])]
        assert compared > len(games()[game]) // 3


# --- Where it turned
def test_turns_are_those_of_the_scores_in_the_log(connection: DuckDBPyConnection) -> None:
    for game in finished():
        sheet = sheet_of(connection, game)
        hands = games()[game]
        course = [hands[0]["scores"], *(record["claimed"]["scores"] for record in hands)]
        side = sheet.winner or 0
        leads = [scores[side] - max(scores[:side] + scores[side + 1 :]) for scores in course]
        swings = [abs(after - before) for before, after in pairwise(leads)]
        turns = turns_of(sheet)
        assert turns is not None
        furthest = [place for place, swing in enumerate(swings) if swing == max(swings)]
        said = " ".join(words.turn_sentences(sheet))
        assert (turns.swing is None) == (len(furthest) > 3)
        if turns.swing:
            assert abs(turns.swing.after - turns.swing.before) == max(swings)
            # Of two sides the swing is told of the one that gained.
            assert len(sheet.sides) != 2 or turns.swing.after > turns.swing.before
            turned = [place for place in furthest if leads[place] <= 0 < leads[place + 1]]
            assert turns.swing.row == (turned or furthest)[-1]
            assert turns.swing.is_alone == (len(furthest) == 1)
            assert re.search(rf"hand {hands[turns.swing.row]['hand']}\b", said)
        worst = min(leads[1:])
        assert turns.furthest_behind == ((leads[1:].index(worst), -worst) if worst < 0 else None)
        ahead = [place for place in range(len(hands)) if all(by > 0 for by in leads[place + 1 :])]
        assert turns.ahead_from == (ahead[0] if ahead else None)
        assert sheet.sides[side].label in said
    # A game that goes on says who is ahead.
    sheet = sheet_of(connection, OTHER_TABLE)
    ours, theirs = evening_logs.king_pedro()[1]["claimed"]["scores"]
    leader = sheet.sides[0 if ours > theirs else 1].label
    assert words.headline(sheet).startswith(f"{leader} lead ")
    assert f"{leader} have been ahead since hand" in words.turn_sentences(sheet)[-1]
    assert "not finished" in words.state(sheet)


# --- Counting out, matches
def test_a_game_of_singles_is_counted_out_card_by_card(connection: DuckDBPyConnection) -> None:
    counted = 0
    for game, hands in games().items():
        sheet = sheet_of(connection, game)
        if sheet.count_out is None:
            continue
        counted += 1
        assert hands[0]["rules"]["variant"] in {"sancho", "snoozer"}
        assert sheet.count_out.row == len(hands) - 1
        scores = list(hands[-1]["scores"])
        cards = sheet.count_out.cards
        assert max(scores) < sheet.target
        for each in cards:
            scores[each.side] += each.points
            assert scores[each.side] == each.score or sheet.rows[-1].result == "set"
        assert [each.score >= sheet.target for each in cards] == [False] * (len(cards) - 1) + [True]
        assert cards[-1].side == sheet.winner
        assert cards[-1].score == hands[-1]["claimed"]["scores"][sheet.winner]
    assert counted
    # What a game counts in a match is on its sheet.
    sheet = sheet_of(connection, "match")
    assert sheet.winner is not None
    assert sheet.match == tuple(2 if side == sheet.winner else -1 for side in (0, 1))
    assert "+2" in words.match_text(sheet)


# --- Games with something missing
def test_hands_without_a_result_have_a_row_that_says_so(connection: DuckDBPyConnection) -> None:
    sheet = sheet_of(connection, "holed")
    scores = {record["hand"]: tuple(record["scores"]) for record in evening_logs.holed_game()}
    kinds = {row.number: row.kind for row in sheet.rows if row.kind != RowKind.PLAYED}
    assert kinds == {2: RowKind.MISSING, 4: RowKind.INCOMPLETE, 6: RowKind.REJECTED}
    for row in sheet.rows:
        if row.number is not None and row.number in kinds:
            assert (row.scores, row.scores_by) == (scores[row.number + 1], ScoresBy.RECORD)
            assert row.change is None
            assert "score by the next hand" in words.remarks(row)
    said = words.state(sheet)
    assert [each for each in ("missing", "rejected", "incomplete") if f"1 {each}" not in said] == []
    assert sheet.hands == len(evening_logs.holed_game())
    found = {(mark.code, mark.scope): mark.step for row in sheet.rows for mark in row.marks}
    assert found[("wrong-dealer", "game")] is None
    assert any(scope == "hand" and step is not None for (_, scope), step in found.items())
    # A hand with an open result is called doubtful.
    (row,) = sheet_of(connection, "hidden").rows
    assert "doubtful" in words.remarks(row)
    assert row.doubts
    # Many that are missing are one row.
    sheet = sheet_of(connection, "far")
    assert [words.number_text(row) for row in sheet.rows] == ["1", f"2 to {FAR - 1}", str(FAR)]
    assert f"{FAR - 2:,} missing" in words.state(sheet)


def test_a_hand_of_other_players_names_them(connection: DuckDBPyConnection) -> None:
    first, second = sheet_of(connection, OTHER_TABLE).rows
    names = [label(evening_logs.king_pedro()[0], seat) for seat in (1, 0, 2, 3)]
    assert first.others == ()
    assert second.others == tuple(names)
    assert "players-changed" in [mark.code for mark in second.marks]


def test_logs_with_one_id_for_two_games_have_a_sheet_each(connection: DuckDBPyConnection) -> None:
    one, two = sheets_of(connection, "twice")
    assert (one.hands, two.hands) == (3, 2)
    assert [Path(sheet.files[0]).stem for sheet in (one, two)] == ["one", "two"]
    assert [row.hand for row in two.rows] == ["other twice 1", "other twice 2"]
    assert sheets_of(connection, "no such game") == []
