"""Practice, Record and Import in Swedish: nothing of them stays English."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.score_sheets import as_csv, one_row_a_hand, scored
from tests.kit.spoken_pages import english_in, spoken, texts_of
from tricklog.core import load_variant
from tricklog.core.recording.evening import begin
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.record import spoken as recorder_texts
from tricklog.dashboard.pages.record.screen import screen_of
from tricklog.dashboard.pages.record.taps import question_about
from tricklog.ingest.recording.keeping import Kept
from tricklog.schemas.hand import Player, RulesRef
from tricklog.schemas.languages.current import in_language
from tricklog.schemas.languages.messages import translated

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "bot-bold-1", "bot-weak-1", "bot-steady-1")


def in_both(
    db: Path,
    monkeypatch: pytest.MonkeyPatch,
    screen: str,
    act: Callable[[AppTest], None],
    /,
    **parameters: str,
) -> list[str]:
    """What stays English of a page that somebody has acted on."""
    shown = []
    for language in ("en", "sv"):
        with in_language(language):
            said = {name: translated(value) for name, value in parameters.items()}
            app = spoken(db, monkeypatch, screen, language, **said)
            act(app)
        assert not app.exception, app.exception
        shown.append(app)
    english, swedish = shown
    return english_in(swedish, texts_of(english), allowed=NAMES)


def answer(app: AppTest) -> None:
    """Answer a question with the first of its choices."""
    found = [each for each in app.button if (each.key or "").startswith("practice-option")]
    assert found, [each.key for each in app.button]
    found[0].click().run()
    app.button(key="practice-play").click().run()


def test_an_answer_is_in_swedish(
    club_warehouse: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    db = shutil.copytree(club_warehouse, tmp_path / "db")
    topic = {"practice-topic": "latest bids and passes"}
    assert in_both(db, monkeypatch, urls.PRACTICE, answer, **topic) == []


def test_a_sheet_is_read_in_swedish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = one_row_a_hand(scored("pedro", 2, 3), leave_out=["Trump"])
    rows[1][4] = "many"

    def drop(app: AppTest) -> None:
        app.file_uploader(key="import-files").upload("club.csv", as_csv(rows)).run()

    found = in_both(tmp_path, monkeypatch, urls.IMPORT, drop)
    # What is wrong with a cell is said in English alone, as it is kept.
    assert [text for text in found if "is no player of this game" not in text] == []


def words_in(shown: object) -> Iterator[str]:
    """Every text of what the recorder is given."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            if name not in ("tap", "prefix", "kind", "word"):
                yield from words_in(value)
    elif isinstance(shown, list | tuple):
        for value in shown:
            yield from words_in(value)
    elif isinstance(shown, str):
        yield shown


@pytest.mark.parametrize("variant", ["pedro", "pidro", "twenty-nine"])
@pytest.mark.parametrize("is_quick", [False, True])
def test_the_recorder_is_in_swedish(variant: str, *, is_quick: bool) -> None:
    four = [Player(id=name.casefold(), name=name) for name in NAMES[:4]]
    evening = begin("sunday", RulesRef(variant), four, dealer=3, quick=is_quick)
    kept = Kept(revision=0, evening=evening, log="evenings", asked="1 bid 99")
    said = {}
    for language in ("en", "sv"):
        with in_language(language):
            shown = [screen_of(evening), recorder_texts(), question_about(kept)]
            said[language] = set(words_in(shown))
    same = said["en"] & said["sv"] - {load_variant(variant).title}
    assert [text for text in sorted(same) if " " in text and not set(text) <= set(" ♠♥♦♣&")] == [
        "Ann & Cy",
        "Bo & Dee",
    ]
