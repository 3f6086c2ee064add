"""What any command writes into a warehouse is known to ``verify``, to ``forget`` and to readers."""

from pathlib import Path

import pytest

from tests.kit.following import followed
from tests.kit.in_process import Ran, run_here
from tests.kit.log_lines import generated, write_hands
from tests.kit.score_sheets import as_csv, one_row_a_hand, scored
from tests.kit.stored import SILENT, uncommented_in
from tests.kit.tiers import is_thorough
from tricklog.ingest.loading import workers

HANDS = generated("pedro")
SHORT = ("--budget", "1s") if is_thorough() else ("--sample", "1")
WHO, OTHER = (player.id for player in HANDS[0].players[:2])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


def ran(folder: Path, *words: str) -> Ran:
    of_warehouse = () if words[0] == "sheet" else ("--db", str(folder / "db"))
    made = run_here([*words, *of_warehouse], folder)
    assert made.status in (0, 1, 3), (words, made.said, made.raised)
    return made


def test_a_warehouse_is_in_order_after_each_command_that_writes_into_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 1)
    log = write_hands(folder / "first.jsonl", HANDS[:6])
    later = write_hands(folder / "followed.jsonl", HANDS[6:8])
    text = folder / "hands.trick"
    text.write_text("game pedro\nplayers Ann, Bo, Cy, Dee\n\nAnn bids 99\nhearts\n\nAnn bids 7\n")
    sheet = folder / "scores.csv"
    sheet.write_bytes(as_csv(one_row_a_hand(scored("pedro", 1, 3), leave_out=["Game", "Hand"])))
    with followed(later, db=folder / "db") as follower:
        follower.await_hands(2)
    seen: set[Path] = set()
    # Verifying costs most. The first tier does it three times, after what several commands wrote.
    for is_looked_at, *words in (
        (False, "load", str(log)),
        (False, "load", str(text)),
        (False, "load", "--inspect", str(sheet), "--variant", "pedro"),
        (False, "load", str(sheet), "--variant", "pedro"),
        (False, "load", str(sheet), "--variant", "pedro", "--correct"),
        (False, "mark", "tag", "add", "lesson", HANDS[0].id),
        (False, "mark", "note", "add", HANDS[0].id, "seen"),
        (False, "mark", "note", "add", "--player", WHO, "passes"),
        (False, "mark", "alias", "add", OTHER, "ann"),
        (False, "solve", *SHORT),
        (False, "show", "ledger", "--budget", "1s"),
        (True, "stats", "made-rate"),
        (False, "db", "reaudit"),
        (True, "forget", WHO, "--yes"),
        (False, "db", "rebuild", str(log)),
        (True, "db", "reaudit"),
    ):
        if words[1] == "ledger" and not is_thorough():
            continue
        ran(folder, *words)
        files = set((folder / "db").rglob("*.duckdb"))
        for file in files - seen:
            assert uncommented_in(str(file)) == [], (words, file.name)
        seen |= files
        if words[0] == "stats":
            # Of merged players and solved hands, over views.
            assert ran(folder, "sql", SILENT, "--json").out == ""
        if is_looked_at or is_thorough():
            verified = ran(folder, "db", "verify")
            assert verified.status == 0, (words, verified.said)
    assert "in quarantine" in ran(folder, "db", "rejects").said
    kinds = {file.name.partition("-")[0] for file in seen}
    assert kinds == {"facts", "games", "solved"}
