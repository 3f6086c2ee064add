"""Pages about Twenty-Nine in Hindi and Bengali: whole, marked as unreviewed, and only chosen."""

import re
from pathlib import Path

import pytest

import replay
from dashboard import urls
from ingest.facts.files import open_facts
from ingest.loading.loading import load
from schemas.hand import encode_hand
from schemas.languages.current import LANGUAGES, UNREVIEWED
from tests.kit.spoken_pages import english_in, spoken, texts_of

# Both write the same full stop, which stands among the letters of Hindi.
SCRIPTS = {"hi": re.compile("[\u0900-\u0963\u0966-\u097f]"), "bn": re.compile("[\u0980-\u09ff]")}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("twenty-nine")
    hands = [*replay.generate("twenty-nine", 8, seed=3), *replay.generate("bangladesh", 4, seed=5)]
    (folder / "log.jsonl").write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
    load(folder / "log.jsonl", db=folder / "db")
    open_facts(folder / "db").close()
    return folder / "db"


@pytest.mark.parametrize(
    ("screen", "parameters"),
    [
        (urls.OVERVIEW, {}),
        (urls.BIDS, {"min": "1"}),
        (urls.CAPTURE, {"min": "1"}),
        (urls.PLAYERS, {"min": "1"}),
        (urls.HANDS, {}),
        (urls.STEPS, {}),
        (urls.VARIANTS, {"view": "All games"}),
        (urls.RECORD, {}),
    ],
)
def test_nothing_english_is_left_on_its_pages(
    screen: str,
    parameters: dict[str, str],
    warehouse: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    english = texts_of(spoken(warehouse, monkeypatch, screen, "en", **parameters))
    for language in sorted(UNREVIEWED):
        page = spoken(warehouse, monkeypatch, screen, language, **parameters)
        assert english_in(page, english) == []
        written = [each for each in texts_of(page) if SCRIPTS[language].search(each)]
        assert len(written) > 10
        other = SCRIPTS["bn" if language == "hi" else "hi"]
        of_the_other = {LANGUAGES[each] for each in UNREVIEWED}
        assert [each for each in written if other.search(each) and each not in of_the_other] == []


def test_the_choice_of_languages_says_which_nobody_reviewed(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = spoken(warehouse, monkeypatch, urls.HANDS, "hi")
    choice = next(
        each.proto.body for each in page.get("html") if 'hreflang="bn"' in each.proto.body
    )
    marked = re.findall(r'hreflang="(\w+)"[^>]*>[^<]*</a> <small>([^<]+)</small>', choice)
    assert marked == [("hi", "समीक्षा नहीं हुई"), ("bn", "समीक्षा नहीं हुई")]
