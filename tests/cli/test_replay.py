"""Single hands on the command line: replayed, under other rules, solved, and their ledgers."""

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from rich.console import Console

from tests.cli.command_line import NOT_JSON, CommandLine, revoked, write_log
from tests.kit.log_lines import one_game
from tests.kit.tiers import scaled, some
from tricklog import core
from tricklog.core.study import contracts, open_hand
from tricklog.core.study.elsewhere import Elsewhere, Rescored, elsewhere
from tricklog.ingest.cli import study_text
from tricklog.ingest.cli.commands import replay as replay_command
from tricklog.ingest.study.telling import Judged
from tricklog.schemas.cards import names_in
from tricklog.schemas.hand import encode_hand


@pytest.fixture
def own() -> Path:
    return Path("own.toml")


# --- Steps
def test_into_a_pipe_every_step_is_printed(tricklog: CommandLine, clean_log: Path) -> None:
    hand = one_game("pedro")[0]
    lines = tricklog("replay", clean_log, status=0).text.splitlines()
    starts = [f"{index:>3}  " for index in range(len(hand.actions) + 1)]
    positions = [next(i for i, line in enumerate(lines) if line.startswith(s)) for s in starts]
    assert positions == sorted(positions)
    assert f"Hand {hand.id} · Pedro · valid" in lines[0]
    # Or one step of a hand that is named.
    hand, index = revoked()
    log = write_log("log.jsonl", *one_game("pidro"), hand)
    ran = tricklog("replay", log, "--hand", hand.id, "--at", str(index), status=1)
    assert ran.text.startswith(f"{index:>3}  trick ")
    assert "✗ revoke" in ran.text


@pytest.mark.parametrize("variant", some(core.variants(), 5))
def test_the_steps_as_json_are_those_of_the_replay(tricklog: CommandLine, variant: str) -> None:
    hand = one_game(variant)[0]
    (told,) = tricklog("replay --json", write_log("log.jsonl", hand)).objects
    replayed = core.replay(hand)
    assert [step["action"] for step in told["steps"]] == [*hand.actions, None]
    for index, step in enumerate(told["steps"]):
        view = replayed.at(index)
        assert step["step"] == index
        assert step["holdings"] == [names_in(cards) for cards in view.holdings]
        assert step["legal"]["cards"] == names_in(view.choice.cards)
        assert step["turn"] == view.turn


def test_keys_turn_the_pages() -> None:
    hand, index = revoked()
    replayed = core.replay(hand)
    end = len(replayed)
    walk = [("n", 0), ("right", 1), ("up", 0), ("x", 0), ("f", index), ("f", index)]
    step = -1
    for key, wanted in [*walk, ("G", end), (" ", end), ("p", end - 1), ("g", 0)]:
        step = replay_command._next_step(key, step, replayed)
        assert step == wanted, key


def test_what_is_not_there_is_answered_with_what_is(tricklog: CommandLine, clean_log: Path) -> None:
    for at in ("-1", "99"):
        assert "--at takes 0 to " in tricklog("replay --at", at, clean_log, status=2).stderr
    first, second, *_ = one_game("pedro")
    ran = tricklog("replay --hand", second.id[:-1] + "X", clean_log, status=2)
    assert "for example pedro-7-1-" in ran.stderr
    tricklog("load --db club", clean_log)
    ran = tricklog("replay --db club --hand", f"{first.id}x", status=2)
    assert f"Did you mean {first.id!r}" in ran.stderr
    Path("empty.jsonl").touch()
    tricklog("replay empty.jsonl", status=2)
    whist = encode_hand(one_game("pedro")[0]).replace(b'"variant":"pedro"', b'"variant":"whist"')
    for line, code in ((NOT_JSON, "not-json"), (whist, "unknown-variant")):
        assert code in tricklog("replay", write_log("log.jsonl", line), status=3).stderr


# --- Rules of one's own
def test_rules_of_ones_own_and_another(tricklog: CommandLine, clean_log: Path, own: Path) -> None:
    # Some that only the file knows, and some for other tables.
    own.write_text('extends = "pedro"\nid = "ours"\n')
    named = clean_log.read_bytes().replace(b'"variant":"pedro"', b'"variant":"ours"')
    tricklog("audit -", stdin=named, status=3)
    tricklog("audit - --variant own.toml", stdin=named, status=0)
    own.write_text('extends = "pedro"\nplayers = [5]\nsides = "singles"\nboth_over = "makers"\n')
    for command in ("audit", "replay"):
        ran = tricklog(f"{command} --variant own.toml", clean_log, status=3)
        assert "holds 4 players; Pedro with house rules takes 5" in ran.text + ran.stderr


# --- Under other rules
def test_a_hand_is_rescored_and_valued_under_other_rules(tricklog: CommandLine, own: Path) -> None:
    hand = one_game("pedro")[0]
    log = write_log("log.jsonl", hand)
    found = elsewhere(core.replay(hand), core.load_variant("cinch"))
    assert isinstance(found, Elsewhere)
    assert isinstance(found.rescored, Rescored)
    ran = tricklog("replay --rescore --variant cinch", log, status=0)
    for says in ("in Pedro", "in Cinch", "under the rules of Cinch", "With all cards open"):
        assert says in ran.text
    assert "bot-bold-1 : " in ran.text or " : bot-" in ran.text
    (told,) = tricklog("replay --rescore --variant cinch --json", log).objects
    assert told["fits"]
    assert told["rescored"]["there"]["change"] == list(found.rescored.there.change)
    assert told["rescored"]["here"]["change"] == list(found.rescored.here.change)
    assert told["resolved"]["value"]["low"] >= 0
    own.write_text('extends = "pedro"\n[play]\nplain_follow = "follow"\n')
    ran = tricklog("replay --rescore --variant own.toml", log, status=0)
    assert "The deal fits" in ran.text


def test_a_hand_that_does_not_fit_is_refused_with_reason_and_rule(tricklog: CommandLine) -> None:
    log = write_log("log.jsonl", one_game("pedro")[0])
    ran = tricklog("replay --rescore --variant king-pedro", log, status=1)
    assert "deals 12 cards to each player" in ran.text
    assert "[8.deal]" in ran.text
    (told,) = tricklog("replay --rescore --variant king-pedro --json", log).objects
    assert not told["fits"]
    assert told["refused"]["reason"] == "deal"
    tricklog("replay --rescore --variant cinch --at 3", log, status=2)


# --- Solved
@pytest.mark.parametrize("width", [80, 100])
def test_each_decision_has_its_numbers_on_one_line(width: int) -> None:
    replayed = core.replay(one_game("pidro")[0])
    studied = open_hand(replayed)
    judged = {each.action: Judged(20, 1.4, 0.6, 2.4) for each in studied.decisions}
    console = Console(width=width, record=True)
    with console.capture() as taken:
        console.print(study_text.study_text(studied, replayed, judged))
    lines = taken.get().splitlines()
    (head,) = (line for line in lines if line.startswith("action"))
    for name in ("trick", "choices", "value", "cost", "score", "judged", "luck"):
        assert name in head
    rows = [line for line in lines if re.match(r"\d+ ", line)]
    assert len(rows) == len(studied.decisions)
    for line, each in zip(rows, studied.decisions, strict=True):
        assert re.search(r"1\.4 ±1\.3 +\+2\.4 *$", line) or each.kind == "silence"
    assert all(len(line) <= width for line in lines)


# --- Where its result came from
NUMBERS = re.compile(r"(?<![±.\d])[+-]\d+\.\d")


@pytest.fixture
def pidro(tmp_path: Path) -> Iterator[Path]:
    """A log of one hand, with few deals on few stocks to value, kept apart from the user's."""
    with (
        patch.object(contracts, "_HALVINGS", (1, 1, 1)),
        patch.object(study_text, "DEALS", 2),
        patch("tricklog.core.study.averages.users_folder", lambda *_, **__: tmp_path / "cache"),
    ):
        yield write_log(tmp_path / "log.jsonl", one_game("pidro")[0])


def test_the_parts_are_printed_and_sum_to_the_result(tricklog: CommandLine, pidro: Path) -> None:
    lines = tricklog("replay --ledger", pidro, status=0).text.splitlines()
    firsts = [line.split("  ")[0] for line in lines]
    assert "where the result of" in lines[0]
    parts = {"start", "deal", "auction", "exchange", "draw", "play, makers", "result"}
    assert parts <= set(firsts)
    (told,) = tricklog("replay --ledger --json", pidro).objects
    points = sum(each["part_points"] for each in told["parts"])
    assert told["start"]["part_points"] + points == pytest.approx(told["brought"]["part_points"])
    assert [each["name"] for each in told["parts"]][-2:] == ["makers", "defence"]
    assert told["parts"][0]["points_error"] > 0


def test_what_is_printed_adds_up(tricklog: CommandLine, pidro: Path) -> None:
    """Of several hands, as most sums of rounded numbers come out by themselves."""
    for hand in one_game("pidro")[: scaled(2, most=8)]:
        lines = tricklog("replay --ledger", write_log(pidro, hand)).text.splitlines()
        rows = {line.split("  ")[0]: NUMBERS.findall(line) for line in lines}
        of_parts = {name: row for name, row in rows.items() if len(row) == 2 and name}
        for column in (0, 1):
            tenths = {name: round(float(row[column]) * 10) for name, row in of_parts.items()}
            result = tenths.pop("result")
            assert sum(tenths.values()) == result, hand.id


def test_a_hand_without_a_ledger_is_refused(tricklog: CommandLine, pidro: Path) -> None:
    hand = one_game("pidro")[0]
    write_log(pidro, replace(hand, actions=hand.actions[:-9], claimed=UNSET))
    ran = tricklog("replay --ledger", pidro, status=1)
    assert "has no ledger: the record is incomplete" in ran.text
    (told,) = tricklog("replay --ledger --json", pidro).objects
    assert "incomplete" in told["refused"]
    # What shows no steps does not go with --solve.
    tricklog("replay --ledger --all", pidro, status=2)
    for option in ("--ledger", "--rescore --variant cinch"):
        ran = tricklog(f"replay {option} --solve", pidro, status=2)
        assert f"{option.split()[0]} does not go with --solve" in ran.stderr
