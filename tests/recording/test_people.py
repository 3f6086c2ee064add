"""Who sits at a table that is recorded: names as typed, and ids that are known for them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricklog.core.recording.draft import RecordingError
from tricklog.ingest.recording.people import calls, known_people, person, players_of, seat_called
from tricklog.schemas.player_ids import id_of_name


def test_an_id_that_is_known_for_a_name_is_kept() -> None:
    known = known_people([("club:7", "Ann"), ("Bo", "Bo"), ("bo", "bo"), ("other", "ann")])
    assert known == {"Ann": "club:7", "Bo": "bo"}
    assert person(" ANN ", known).id == "club:7"
    assert person("Bo", known).id == "bo"
    assert person("Eve", known).id == "eve"


def test_a_seat_is_called_by_name_or_id_in_any_case() -> None:
    players = players_of("Ann Lee, Bo <bo7>, Cy, Robo (bot)")
    assert [seat_called(players, name) for name in ("ann  lee", "BO7", "cy", "eve")] == [
        0, 1, 2, None,
    ]  # fmt: skip
    assert players[3].kind == "bot"
    with pytest.raises(RecordingError, match="'<>' is no player"):
        players_of("Ann, <>, Cy, Dee")


def test_a_name_that_two_have_is_asked_back() -> None:
    players = players_of("Ann, Ann <ann-2>, Åsa, Asa")
    assert [seat_called(players, name) for name in ("ann", "ANN-2", "åsa", "ASA")] == [0, 1, 2, 3]
    assert calls(players) == ["ann", "ann-2", "åsa", "asa"]
    with pytest.raises(RecordingError, match="Ann is ann or ann-2: type the id"):
        seat_called(players, "Ann")


@given(st.text(max_size=30))
def test_the_id_of_a_name_has_no_spaces_and_is_its_own_id(name: str) -> None:
    found = id_of_name(name)
    assert not any(map(str.isspace, found))
    assert id_of_name(f"  {name} ") == found
    assert id_of_name(unicodedata.normalize("NFD", name)) == id_of_name(
        unicodedata.normalize("NFC", name)
    )
