"""The tools of the benchmarks and of fuzz: what they make, and what is said of it."""

import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import hands, harness, make_log, replaying, study
from benchmarks.harness import Budget, Measured, Round, Run
from tests.fuzz.mutation import changed_json
from tests.fuzz.seeds import LONGEST, seeds_of, words_of
from tests.fuzz.targets import TARGETS
from tests.kit.solved import hands_of, warehouse
from tests.kit.tiers import scaled
from tricklog.core import variants
from tricklog.schemas.hand import Hand, decode_hand, play_hash

HANDS = scaled(800, most=3_000)
"""Of the big log."""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "mixed.jsonl"
    hands.write_log(path, hands.MIXED, HANDS)
    return path


@pytest.fixture(scope="module")
def log(mixed: Path) -> list[Hand]:
    return [decode_hand(line) for line in mixed.read_bytes().splitlines()]


def test_a_big_log_has_all_systems_in_equal_shares_and_no_hand_twice(log: list[Hand]) -> None:
    assert len(log) == len({hand.id for hand in log}) == len({play_hash(hand) for hand in log})
    assert len(log) == HANDS
    shares = Counter(hand.rules.variant for hand in log)
    assert set(shares) == set(variants())
    longest = max(Counter(hand.game for hand in log).values())
    assert max(shares.values()) - min(shares.values()) <= longest
    played = [len(game[0].players) for game in islice(hands.games("sancho"), 5)]
    assert played == [4, 5, 6, 7, 4]


def test_hands_are_read_beforehand_as_the_driver_reads_them(log: list[Hand]) -> None:
    read = replaying.read(log[:60])
    assert list(read.counts) == [len(hand.actions) for hand in log[:60]]
    assert [int(line["dealer"]) for line in read.lines] == [hand.dealer for hand in log[:60]]


def test_hands_of_a_big_log_have_nothing_to_find(mixed: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample.jsonl"
    sample.write_bytes(b"".join(make_log.sample(mixed, 30)))
    assert make_log.faults_of(sample) == []


def test_a_budget_says_whether_it_is_reached_and_by_how_much() -> None:
    assert str(Budget("storage", 250, 200, "bytes")) == (
        "| storage | 250 bytes | <= 200 bytes | **missed**, 1.25 x off |"
    )
    assert str(Budget("rate", 6000, 5000, at_least=True)) == (
        "| rate | 6,000 | >= 5,000 | reached, 1.20 x |"
    )


def test_runs_take_turns_in_processes_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [Run(name, "tests.kit.counting:counted", {"to": 10}) for name in "ab"]
    found = harness.measure(runs, 2)
    told = [line.split(":")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == ["round 1, a", "round 1, b", "round 2, a", "round 2, b"]
    assert [each.number("counted") for each in found] == [10, 10]
    assert all(each.seconds > 0 and each.peak_mb > 1 for each in found)


def test_medians_are_taken_of_times_and_the_highest_of_memory() -> None:
    rounds = [Round(seconds, peak, {"hands": 10}) for seconds, peak in ((3, 5), (1, 9), (2, 7))]
    measured = Measured(Run("a", ""), rounds)
    assert (measured.seconds, measured.peak_mb, measured.rate("hands")) == (2, 9, 5)
    assert measured.spread == "1 to 3"


def test_a_section_of_the_results_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    page.write_text("# Results\n\n## One\n\nold\n\n## Two\n\nstays\n", "utf-8")
    harness.record("One", ["new"], page)
    harness.record("Three", ["added"], page)
    assert page.read_text("utf-8") == (
        "# Results\n\n## One\n\nnew\n\n## Two\n\nstays\n\n## Three\n\nadded\n"
    )


def test_hands_are_solved_and_opened_as_the_benchmarks_of_the_study_do_it(tmp_path: Path) -> None:
    db = warehouse(tmp_path, hands_of("pidro", 2))
    told = study.solved(str(db), jobs=1)()
    assert (told["hands"], told["refused"]) == (2, 0)
    assert told["block bytes"] > 0 < told["table bytes"]
    assert study.solved(str(db), jobs=1)()["hands"] == 0
    assert len(study.ids_over(str(db), 2)) == 2
    times = study.answers(str(db), 2)()
    parts = ("read", "replayed", "valued", "next")
    assert all(times[name] > 0 for name in parts)
    assert times["longest"] >= times["answer"] >= max(times["read"], times["replayed"])


# --- Fuzzing
JSON_TARGETS = [name for name in TARGETS if name not in {"action", "stream", "text"}]
MOST_SEEDS = scaled(40)


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_holds(name: str) -> None:
    seeds = seeds_of(name)
    assert seeds
    for seed in random.Random(1).sample(seeds, min(len(seeds), MOST_SEEDS)):
        assert len(seed) <= LONGEST
        TARGETS[name](seed)


@pytest.mark.parametrize("name", JSON_TARGETS)
@settings(max_examples=scaled(10))
@given(seed=st.integers(0, 2**32), at=st.integers(0, 10**6))
def test_whatever_becomes_of_the_json_holds(name: str, seed: int, at: int) -> None:
    seeds = seeds_of(name)
    TARGETS[name](changed_json(seeds[at % len(seeds)], seed))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=scaled(8))
@given(data=st.data())
def test_whatever_becomes_of_the_bytes_holds(name: str, data: st.DataObject) -> None:
    made = bytearray(data.draw(st.sampled_from(seeds_of(name))))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(made)))
        part = data.draw(st.binary(max_size=4) | st.sampled_from(words_of(name)))
        made[at : at + data.draw(st.integers(0, 8))] = part
    TARGETS[name](bytes(made))


def test_mutations_of_json_mostly_stay_json_and_are_the_same_each_time() -> None:
    seed = seeds_of("reader")[0]
    made = [changed_json(seed, number) for number in range(100)]
    assert made == [changed_json(seed, number) for number in range(100)]
    assert len(set(made)) > 60
    assert changed_json(b"{oops", 1) == b"{oops"
