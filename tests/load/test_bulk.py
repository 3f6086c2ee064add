"""The compiled lane of loading against careful reading: the same warehouse, whatever comes in."""

import random
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.cli.command_line import revoked
from tests.kit.bad_lines import BAD_LINES
from tests.kit.filling_logs import first_hands
from tests.kit.log_lines import generated, write_hands, write_lines
from tests.kit.noise import broken
from tests.kit.random_play import random_hand, some_options
from tests.kit.stored import content, rows
from tests.kit.tiers import is_thorough, some
from tricklog import LoadReport, ingest, variants, write_text
from tricklog.core.native import library
from tricklog.ingest.loading import bulk, spool, workers
from tricklog.ingest.reading import sources
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import Block, LineKind, LogLine, read, read_blocks
from tricklog.schemas.hand import Claimed, Hand, Player, RulesRef, decode_hand, encode_hand

SAMPLES = Path(__file__).parents[2] / "sample_logs"


class BothWays:
    """Loads logs, one load after the other, compiled and not, which must come to the same."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self._patch = folder, patch
        # Careful reading on all cores is what test_cores.py is about.
        patch.setattr(workers, "cores", lambda: 1)

    def __call__(self, *loads: list[Path], name: str = "") -> list[LoadReport]:
        """Return the reports of the loads; the warehouse is below ``name`` in the folder."""
        results = []
        for is_compiled in (True, False):
            db = self.folder / name / f"compiled-{is_compiled}"
            with self._patch.context() as patched:
                patched.setattr(library, "is_there", lambda lane=is_compiled: lane)
                reports = [replace_snapshot(ingest.load(*paths, db=db)) for paths in loads]
            results.append((reports, content(db)))
        assert results[0] == results[1]
        return results[0][0]

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What a query finds in the warehouse that was loaded compiled."""
        return rows(self.folder / "compiled-True", query)


@pytest.fixture
def both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BothWays:
    return BothWays(tmp_path, monkeypatch)


def read_bulk(*logs: Path | sources.Source, lanes: int = bulk.LANES) -> list[object]:
    return list(bulk.read_bulk(*logs, byte_counter=ByteCounter(), lanes=lanes))


def replace_snapshot(report: LoadReport) -> LoadReport:
    values = {name: getattr(report, name) for name in LoadReport.__slots__}
    return LoadReport(**(values | {"snapshot": None}))


def hands_of_all_kinds(chance: random.Random) -> Iterator[Hand]:
    """Return games of bots, random hands under house rules, and faulty ones, of every system."""
    for variant in variants():
        yield from generated(variant, 1)[:6]
        for number in range(3):
            hand = random_hand(variant, chance, some_options(variant, chance))
            yield replace(hand, id=f"{variant}-random-{number}")
            yield replace(broken(hand, chance), id=f"{variant}-broken-{number}")


def test_lines_of_all_kinds_in_any_order_give_the_same_warehouse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, both_ways: BothWays
) -> None:
    chance = random.Random(3)
    lines = [encode_hand(hand) for hand in hands_of_all_kinds(chance)]
    lines = [*(lines if is_thorough() else lines[::4]), *(bad.text for bad in some(BAD_LINES, 60))]
    chance.shuffle(lines)
    first = write_lines(tmp_path / "first.jsonl", lines[: len(lines) // 2])
    second = write_lines(tmp_path / "second.jsonl", lines[len(lines) // 3 :])
    monkeypatch.setattr(bulk, "BLOCK", 1 << 15)
    _, report = both_ways([first], [second, first])
    assert report.duplicate > report.accepted > 0


def rules_in_other_words(hands: list[Hand]) -> list[bytes]:
    """Lines of hands under one ruleset, clean and not, each of which puts the rules differently."""
    own = {"extends": "pedro", "min_bid": 6}
    words: list[dict[str, object]] = [
        {"id": "club", "title": "Club", "family": "ours", **own},
        {"title": "Club", "family": "ours", **own},
        {"title": "Ålesund", "family": "<b>", "summary": "Long words", **own},
        {"title": "A\u0301", "house_rules": [], **own},
        {"cite": {"min_bid": "here"}, **own},
        {"title": "", "auction": {"min_bid": 6}, "extends": "pedro"},
        {"title": "x" * 20_000, **own},
        {"title": "Club", "family": "", "version": 1, **own},
    ]
    references = [RulesRef("club", definition=each) for each in words]
    references += [
        RulesRef("club", definition={"extends": "pedro"}, options={"min_bid": 6}),
        RulesRef("club", options={"min_bid": 6}, definition={"extends": "pedro", "title": "Z"}),
    ]
    lines = []
    for number, (hand, rules) in enumerate(zip(hands, references, strict=False)):
        sound = replace(hand, id=f"hand {number}", game=f"game {number}", rules=rules)
        faulty = replace(sound, id=f"faulty {number}", claimed=Claimed(winners=[0] * 6))
        lines += [encode_hand(sound), encode_hand(faulty)]
    lines[2] = lines[2].replace(b'"title":"Club"', b'"title":"Cl\\u0075b"')
    bare = lines[4].replace(b'"extends":"pedro",', b"")
    lines[4] = bare.replace(b'"min_bid":6', b'"min_bid":6,"extends":"pedro"')
    lines.append(lines[0].replace(b'"min_bid":6', b'"min_bid":6.0').replace(b"hand 0", b"float"))
    lines.append(lines[0].replace(b'"min_bid":6', b'"min_bid":6e0').replace(b"hand 0", b"power"))
    return lines


def test_rules_keep_their_words_whichever_lane_is_first(
    tmp_path: Path, both_ways: BothWays
) -> None:
    hands = first_hands()[:10]
    lines = rules_in_other_words(hands)
    clean = [line for number, line in enumerate(lines) if number % 2 == 0]
    orders = [lines, lines[::-1], [*lines[1::2], *clean], [*clean, *lines[1::2]]]
    # Refused for its id, whatever is read before; its words would be the least.
    clash = lines[0].replace(b'"Club"', b'"!"').replace(b'"dealer":', b'"dealer": ')
    last = write_lines(tmp_path / "last.jsonl", [clash])
    seen = []
    counted = "SELECT code, count(*) FROM rejects GROUP BY ALL ORDER BY ALL"
    asked = ("FROM rulesets ORDER BY ALL", counted)
    for number, order in enumerate(orders if is_thorough() else orders[2:3]):
        log = write_lines(tmp_path / f"{number}.jsonl", order)
        halves = [[write_lines(tmp_path / f"{number}{n}.jsonl", order[n::2])] for n in range(2)]
        in_turn = [[*halves, [last]]] if number % 3 == 0 else []
        for loads in ([[log, last]], *in_turn):
            name = f"{number} {len(loads)}"
            both_ways(*loads, name=name)
            seen += [[rows(db, query) for query in asked] for db in (tmp_path / name).iterdir()]
    assert all(each == seen[0] for each in seen)
    rulesets, rejects = seen[0]
    assert rejects == [("bad-option", 2), ("id-conflict", 1)]
    assert len(rulesets) == 1


def test_unclean_lines_go_the_careful_way(tmp_path: Path, both_ways: BothWays) -> None:
    hands = generated("pidro", 1)[:6]
    lines = [encode_hand(hand) for hand in hands]
    spaced = msgspec.json.format(lines[1], indent=1).replace(b"\n", b"")
    noted = encode_hand(replace(hands[2], notes={"0": "why?"}, ext={"x": 1}))
    foreign = encode_hand(replace(hands[3], players=[*hands[3].players[:3], Player("dée")]))
    text = [
        *(b"\xef\xbb\xbf" + lines[0], spaced, b"", noted, foreign, b'{"format":"tricklog/1"}'),
        *(b"x" * (3 << 20), lines[4] + b"\r", b"\xff", lines[5]),
    ]
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(text))
    (report,) = both_ways([log])
    assert (report.lines, report.accepted, report.quarantined, report.blank) == (10, 6, 3, 1)


def test_hands_in_other_forms_are_judged_once_more(tmp_path: Path, both_ways: BothWays) -> None:
    chance = random.Random(5)
    hands = generated("king-pedro")[:24]
    again = [replace(broken(hand, chance), id=hand.id) for hand in hands[:6]]
    lines = [msgspec.json.format(encode_hand(hand), indent=0) for hand in [*hands, *again]]
    log = write_lines(tmp_path / "log.jsonl", lines)
    parts = read_bulk(log)
    assert sum(len(part.hands) for part in parts if isinstance(part, bulk.ValidHands)) >= len(hands)
    assert both_ways([log])[0].quarantined > 3


@pytest.mark.parametrize("form", some([".trick", ".json"], 1))
def test_hands_over_several_lines_are_judged_by_compiled_rules(
    tmp_path: Path, both_ways: BothWays, form: str
) -> None:
    hands = [*generated("pedro", 1), revoked()[0], *generated("twenty-nine", 1)]
    path = tmp_path / f"log{form}"
    pretty = [msgspec.json.format(encode_hand(hand), indent=2).decode() for hand in hands]
    path.write_text(write_text(hands) if form == ".trick" else f"[{','.join(pretty)}]\n", "utf-8")
    lanes = list(bulk.judge_read(read(path)))
    assert sum(len(each.hands) for each in lanes if isinstance(each, bulk.ValidHands)) == (
        len(hands) - 1
    )
    both_ways([path])


def test_seatings_are_numbered_again_when_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, both_ways: BothWays
) -> None:
    hands = islice(cycle(generated("sancho")), 40)
    seated = [
        replace(hand, id=f"h{n}", game=f"g{n}", players=[Player(f"p{n}"), *hand.players[1:]])
        for n, hand in enumerate(hands)
    ]
    log = write_hands(tmp_path / "log.jsonl", seated)
    monkeypatch.setattr(bulk, "SEATINGS_KEPT", 3_000)
    monkeypatch.setattr(bulk, "BLOCK", 1 << 12)
    both_ways([log])
    assert both_ways.rows("SELECT count(*), count(DISTINCT seating_id) FROM seatings") == [(40, 40)]


def test_hands_under_more_rules_than_are_kept_go_the_careful_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, both_ways: BothWays
) -> None:
    hands = first_hands()
    rules = (RulesRef(f"own-{n}", definition={"extends": "pedro"}) for n in range(len(hands)))
    own = [replace(hand, rules=each) for hand, each in zip(hands, rules, strict=True)]
    log = write_hands(tmp_path / "log.jsonl", own)
    monkeypatch.setattr(bulk, "RULES_KEPT", 10)
    assert both_ways([log])[0].accepted == 30
    parts = read_bulk(log)
    assert sum(len(part.hands) for part in parts if isinstance(part, bulk.ValidHands)) == 10
    assert sum(isinstance(part, LogLine) for part in parts) == 20


def test_many_new_seatings_are_all_learnt_at_once(tmp_path: Path, both_ways: BothWays) -> None:
    hands = [*generated("sancho"), *generated("pidro")]
    lines = []
    for number in range(450):
        hand = hands[number % len(hands)]
        # Each table comes twice, not one after the other, and some know rules nobody else knows.
        players = [Player(f"p{number // 3 * 2 + number % 2}", 'A] "x'), *hand.players[1:]]
        hand = replace(hand, id=f"h{number}", game=f"g{number}", players=players)
        line = encode_hand(hand)
        if number % 7 == 0:
            line = line.replace(b'"version":1', b'"version":99')
        if number % 11 == 0:
            line = line[: number % len(line)]
        lines.append(line)
    log = write_lines(tmp_path / "log.jsonl", lines)
    assert both_ways([log])[0].accepted > 300
    query = "SELECT count(*) > 256, count(*) = count(DISTINCT (rules, players)) FROM seatings"
    assert both_ways.rows(query) == [(True, True)]


def test_hands_of_many_row_groups_and_portions_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, both_ways: BothWays
) -> None:
    hands = [hand for game in ("pidro", "pedro", "cinch", "sancho") for hand in generated(game)]
    assert len(hands) > 50
    first = write_lines(tmp_path / "1.jsonl", [encode_hand(hand) for hand in hands[:45]])
    rivals = [replace(hands[number], id=hands[number + 1].id) for number in (30, 40)]
    second = write_lines(tmp_path / "2.jsonl", [encode_hand(each) for each in hands[30:] + rivals])
    monkeypatch.setattr(spool, "ROW_GROUP", 8)
    monkeypatch.setattr(spool, "PORTION", 1 << 12)
    monkeypatch.setattr(bulk, "BLOCK", 1 << 13)
    one, other = both_ways([first], [second])
    assert (one.accepted, other.accepted) == (45, len(hands) - 45)
    assert (other.duplicate, other.quarantined) == (15, 2)


@pytest.mark.parametrize("piece", [1 << 8, 1 << 18])
def test_bulk_reading_gives_each_line_a_place(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [SAMPLES / "invalid", SAMPLES / "valid" / "pedro"]
    monkeypatch.setattr(sources, "PIECE", piece)
    monkeypatch.setattr(bulk, "BLOCK", 1 << 14)
    parts = read_bulk(*paths)
    careful = {(part.file, part.line): part for part in parts if isinstance(part, LogLine)}
    clean = {
        (part.file, row["line"]): (row["byte"], row["hand_id"])
        for part in parts
        if isinstance(part, bulk.ValidHands)
        for row in part.hands.to_pylist()
    }
    assert clean
    for line in read(*paths):
        place = (line.file, line.line)
        if place in careful:
            assert careful[place] == line
        else:
            assert line.kind == LineKind.HAND
            assert clean[place] == (line.byte, decode_hand(line.text).id)
            del clean[place]
    assert not clean


def hands_in(parts: Iterable[object]) -> list[tuple[str, dict[str, object], dict[str, object]]]:
    """The hands of the tables in order, each with its seating in place of the seating's number."""
    tables = [part for part in parts if isinstance(part, bulk.ValidHands)]
    rows = (row for table in tables for row in table.seatings.to_pylist())
    seatings = {row.pop("seating_id"): row for row in rows}
    return [
        (table.file, seatings[row.pop("seating_id")], row)
        for table in tables
        for row in table.hands.to_pylist()
    ]


def test_any_number_of_lanes_gives_the_same_hands_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write_hands(tmp_path / "log.jsonl", hands_of_all_kinds(random.Random(7)))
    monkeypatch.setattr(sources, "PIECE", 1 << 12)
    monkeypatch.setattr(bulk, "BLOCK", 1 << 14)
    found = []
    for lanes in (1, 2, 3):
        parts = read_bulk(log, lanes=lanes)
        assert sum(isinstance(part, bulk.ValidHands) for part in parts) > 5
        found.append((hands_in(parts), [part for part in parts if isinstance(part, LogLine)]))
    assert len(found[0][0]) > 100
    assert found[0] == found[1] == found[2]


def test_no_block_is_read_far_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PIECE", 1 << 12)
    log = write_lines(tmp_path / "log.jsonl", [encode_hand(hand) for hand in generated("sancho")])
    (source,) = sources.find_sources([log])
    blocks = list(read_blocks(source, ByteCounter(), 1 << 12))
    assert len(blocks) > 8
    given = []

    def noted() -> Iterator[Block | LogLine]:
        for block in blocks:
            given.append(block)
            yield block

    assert next(bulk.judge_read(noted(), lanes=2), None) is not None
    assert len(given) <= 4


def test_ranges_of_a_log_give_its_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = write_hands(tmp_path / "log.jsonl", hands_of_all_kinds(random.Random(9)))
    (source,) = sources.find_sources([log])
    monkeypatch.setattr(bulk, "BLOCK", 1 << 14)

    def counted(*logs: Path | sources.Source) -> tuple[int, set[tuple[object, ...]]]:
        parts = read_bulk(*logs, lanes=1)
        careful = [part for part in parts if isinstance(part, LogLine)]
        hands = [(row["byte"], row["hand_id"]) for _, _, row in hands_in(parts)]
        places = {*hands, *((line.byte, line.kind, line.text) for line in careful)}
        assert len(places) == len(hands) + len(careful)
        return len(hands), places

    whole = counted(log)
    assert whole[0] > 100
    assert counted(*sources.split(source, 70_000)) == whole
