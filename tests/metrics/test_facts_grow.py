"""Facts that grow from load to load say the same as facts derived of all hands at once."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.log_lines import generated, write_hands
from tests.kit.noise import broken
from tests.kit.stored import facts_checksum, facts_file_of
from tricklog import Hand, ingest
from tricklog.ingest.facts import build, files
from tricklog.ingest.facts.files import open_facts


@cache
def hands() -> list[Hand]:
    """Return games of four systems, three hands without a game, and a game with findings.

    The last number of one game comes twice, and of another nobody knows the day.
    """
    chance = random.Random(7)
    return [
        *generated("pedro", 1),
        replace(generated("pedro", 1)[-1], id="twin", scores=UNSET, claimed=UNSET),
        *(
            replace(hand, game="undated", id=f"undated-{hand.id}", started_at=UNSET)
            for hand in generated("eighty-three", 1)
        ),
        *generated("twenty-nine", 1),
        *generated("sancho", 1),
        *(replace(hand, game=UNSET, id=f"alone-{hand.id}") for hand in generated("cinch", 1)[:3]),
        *(
            replace(broken(hand, chance), game="broken", id=f"broken-{hand.id}")
            for hand in generated("pidro", 1)
        ),
    ]


def loaded(folder: Path, parts: list[list[Hand]]) -> Path:
    """A warehouse of several loads."""
    for number, hands in enumerate(parts):
        log = folder / str(number) / "log.jsonl"
        log.parent.mkdir(parents=True)
        ingest.load(write_hands(log, hands), db=folder / "db")
    return folder / "db"


def derived_now(db: Path) -> str:
    with open_facts(db) as facts:
        return facts_checksum(facts)


def grown(db: Path) -> str:
    assert facts_file_of(db).exists()
    with open_facts(db, lambda _: pytest.fail("derived once more")) as facts:
        return facts_checksum(facts)


def derived(db: Path) -> str:
    facts_file_of(db).unlink()
    return derived_now(db)


@pytest.fixture(scope="module", autouse=True)
def always_made() -> Iterator[None]:
    """Loads of a few hands make facts, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "WORTH_MAKING", 1)
        yield


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    numbers = iter(range(1_000))
    base = tmp_path_factory.mktemp("grow")
    return (base / str(number) for number in numbers)


@pytest.fixture
def only_grown(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The snapshots whose facts were derived of all hands."""
    found: list[Path] = []
    derive = build.derive

    def noted(snapshot: Path, *rest: object) -> None:
        found.append(snapshot)
        derive(snapshot, *rest)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(build, "derive", noted)
    return found


@pytest.mark.thorough("three loads, and hands that come late, grow in the first tier")
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    order=st.deferred(lambda: st.permutations(range(len(hands())))),
    cuts=st.deferred(
        lambda: st.lists(st.integers(1, len(hands()) - 1), min_size=1, max_size=3, unique=True)
    ),
)
def test_any_split_of_loads_in_any_order_gives_the_same_facts(
    folders: Iterator[Path], order: list[int], cuts: list[int]
) -> None:
    ends = [0, *sorted(cuts), len(hands())]
    parts = [[hands()[place] for place in order[first:last]] for first, last in pairwise(ends)]
    db = loaded(next(folders), parts)
    assert grown(db) == derived(db)


def test_a_later_load_derives_only_its_own_games(tmp_path: Path, only_grown: list[Path]) -> None:
    first, rest = hands()[:4], hands()[4:]
    db = loaded(tmp_path, [first, rest])
    assert len(only_grown) == 1
    assert grown(db) == derived(db)


def test_a_hand_that_comes_late_changes_what_is_said_of_its_game(tmp_path: Path) -> None:
    game = list(generated("pedro", 1))
    db = loaded(tmp_path, [game[:-1], game[-1:]])
    # Of tallies there is one for each log.
    counts = [("game_facts", len(game[0].players)), ("tallies", 2 * len(game[0].players))]
    with open_facts(db) as facts:
        for table, count in counts:
            assert facts.execute(f"SELECT count(*) FROM {table}").fetchall() == [(count,)]  # noqa: S608 - our own
    assert grown(db) == derived(db)


def test_who_is_renamed_is_so_on_earlier_days(tmp_path: Path, only_grown: list[Path]) -> None:
    def game(table: str, name: str, day: str) -> list[Hand]:
        return [
            replace(
                hand,
                id=f"{table}-{day}-{hand.id}",
                game=f"{table}-{day}",
                started_at=f"{day}T20:00:00Z",
                players=[
                    replace(each, id=f"{table}-{each.id}", name=f"{name} {seat}")
                    for seat, each in enumerate(hand.players)
                ],
            )
            for hand in generated("pedro", 1)[:2]
        ]

    def names_on(day: str) -> set[str]:
        query = "SELECT name FROM session_names WHERE day = $1::DATE"
        with open_facts(tmp_path / "db") as facts:
            found = facts.execute(query, [day]).fetchall()
        return {name.partition(" · ")[2] for (name,) in found}

    alike = [*game("one", "Ann", "2026-03-01"), *game("two", "Ann", "2026-03-01")]
    loaded(tmp_path, [alike])
    # Two tables with the same names go by ids, as long as they have the same names.
    ids = [each.id for each in generated("pedro", 1)[0].players]
    companies = [sorted(f"{table}-{each}" for each in ids) for table in ("one", "two")]
    assert sorted(sorted(each.split(", ")) for each in names_on("2026-03-01")) == companies
    later = write_hands(tmp_path / "later.jsonl", game("two", "Bo", "2026-03-08"))
    ingest.load(later, db=tmp_path / "db")
    assert {each[:3] for each in names_on("2026-03-01")} == {"Ann", "Bo "}
    assert len(only_grown) == 1
    assert grown(tmp_path / "db") == derived(tmp_path / "db")


@pytest.mark.thorough("figures of tallies are compared in test_tallies")
def test_when_games_get_long_tallies_begin(tmp_path: Path, only_grown: list[Path]) -> None:
    alone = [
        replace(hand, game=UNSET, id=f"{n}-{hand.id}")
        for n in range(2)
        for hand in generated("cinch", 1)[:4]
    ]
    db = loaded(tmp_path, [alone, list(generated("pedro", 8))])
    assert len(only_grown) == 2
    with open_facts(db) as facts:
        assert facts.execute("SELECT tallied FROM facts").fetchall() == [(True,)]
    assert grown(db) == derived(db)


def test_damage_is_not_copied_into_the_next_facts(tmp_path: Path, only_grown: list[Path]) -> None:
    db = loaded(tmp_path, [hands()[:5]])
    content = bytearray((path := facts_file_of(db)).read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    ingest.load(write_hands(tmp_path / "more.jsonl", hands()[10:12]), db=db)
    assert len(only_grown) == 2


def test_a_few_hands_get_facts_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "WORTH_MAKING", len(hands()))
    for first, last in ((0, 10), (10, len(hands()))):
        db = tmp_path / "db"
        ingest.load(write_hands(tmp_path / f"{first}.jsonl", hands()[first:last]), db=db)
        assert facts_file_of(db).exists() == (last == len(hands()))
    assert grown(db) == derived(db)


def test_a_full_disk_does_not_stop_a_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build, "derive", full)
    report = ingest.load(write_hands(tmp_path / "log.jsonl", hands()[:5]), db=tmp_path / "db")
    assert report.published
    names = {path.name for path in (tmp_path / "db").iterdir()}
    assert names == {"CURRENT", "LOCK", "games-000001.duckdb", "games-000001.seal"}
