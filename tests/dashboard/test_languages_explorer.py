"""The explorer, the comparisons and the definitions show nothing English in another language."""

from pathlib import Path

import pytest

import replay
from dashboard import urls
from ingest.facts.files import open_facts
from ingest.loading.loading import load
from schemas.hand import encode_hand
from tests.kit.same_deals import club, write_club
from tests.kit.spoken_pages import untranslated


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spoken")
    hands = [*replay.generate("pedro", 6, seed=3), *replay.generate("king-pedro", 6, seed=4)]
    (folder / "log.jsonl").write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
    load(folder / "log.jsonl", db=folder / "db")
    load(write_club(folder / "club.jsonl", *club("pidro", 2, 3)), db=folder / "db")
    open_facts(folder / "db").close()
    return folder / "db"


@pytest.mark.parametrize(
    ("screen", "parameters"),
    [
        (urls.EXPLORER, {}),
        (urls.EXPLORER, {"metric": "Points lost", "by": "trick"}),
        (urls.DEFINITIONS, {}),
        (urls.VARIANTS, {"one": "Pedro", "other": "King Pedro"}),
        (urls.VARIANTS, {"one": "Pedro", "other": "King Pedro", "margin-in": "card points"}),
        (urls.VARIANTS, {"view": "All games"}),
        (urls.SAME_DEAL, {}),
    ],
)
def test_nothing_english_is_left(
    screen: str,
    parameters: dict[str, str],
    warehouse: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert untranslated(warehouse, monkeypatch, screen, **parameters) == []
