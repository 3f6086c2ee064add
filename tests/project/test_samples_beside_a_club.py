"""Samples in a warehouse beside the logs of a club whose players have the same ids."""

from pathlib import Path

from tests.kit.figures import seated
from tests.kit.log_lines import generated, write_hands
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.store.queries import players
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.rebuilding import rebuild
from tricklog.schemas.hand import Player

CLUB = ("ann", "bo", "bot-bold-1", "sixty-three:seat-0")
"""What players of the samples are called in logs of other makers."""


def figures_of_players(db: Path) -> dict[tuple[str, str], object]:
    """Figures of each player of the club, by the metric and the player."""
    with open_facts(db) as facts:
        return {
            (name, row["player"]): (row["n"], row["value"])
            for name in ("points-share", "made-rate", "fault-rate")
            for row in measure(facts, name, ("player",), Filters.of({"player": CLUB}), 1).iter_rows(
                named=True
            )
        }


def test_figures_of_the_club_are_the_same_with_the_samples(tmp_path: Path) -> None:
    hands = list(seated(generated("pedro", 1), CLUB))
    log = write_hands(tmp_path / "club.jsonl", hands)
    ingest.load(log, db=tmp_path / "club")
    alone = figures_of_players(tmp_path / "club")
    both = tmp_path / "both"
    ingest.load(log, db=both)
    parts = ("invalid/play", "foreign/sixty-three.jsonl", "valid/pidro/five-games.jsonl")
    assert ingest.load(*(samples_folder() / part for part in parts), db=both).accepted > 50
    rebuild(db=both)
    assert figures_of_players(both) == alone
    with open_snapshot(both) as connection:
        listed = {row["player"]: row for row in players(connection).iter_rows(named=True)}
    assert {each: listed[each]["hands"] for each in CLUB} == dict.fromkeys(CLUB, len(hands))
    assert listed["sample:ann"]["name"] == "ann"
    assert listed["ann"]["aliases"] == []


def test_a_sample_player_is_called_as_before() -> None:
    line = next(iter(ingest.read(samples_folder() / "invalid/play/revoke.jsonl")))
    assert line.hand
    assert line.hand.players[0] == Player("sample:ann", "ann")
