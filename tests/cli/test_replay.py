"""Replaying single hands on the command line, and rules of one's own."""

from pathlib import Path

import pytest

from tests.cli.command_line import NOT_JSON, CommandLine, revoked, write_log
from tests.kit.log_lines import one_game
from tests.kit.tiers import some
from tricklog import core
from tricklog.ingest.cli.commands import replay as replay_command
from tricklog.schemas.cards import names_in
from tricklog.schemas.hand import encode_hand


def test_into_a_pipe_every_step_is_printed(tricklog: CommandLine, clean_log: Path) -> None:
    hand = one_game("pedro")[0]
    ran = tricklog("replay", clean_log)
    assert ran.status == 0
    starts = [f"{index:>3}  " for index in range(len(hand.actions) + 1)]
    lines = ran.text.splitlines()
    positions = [next(i for i, line in enumerate(lines) if line.startswith(s)) for s in starts]
    assert positions == sorted(positions)
    assert f"Hand {hand.id} · Pedro · valid" in lines[0]


def test_one_step_of_a_named_hand(tricklog: CommandLine, tmp_path: Path) -> None:
    hand, index = revoked()
    log = write_log(tmp_path / "log.jsonl", *one_game("pidro"), hand)
    ran = tricklog("replay", log, "--hand", hand.id, "--at", str(index))
    assert ran.status == 1
    assert ran.text.startswith(f"{index:>3}  trick ")
    assert "✗ revoke" in ran.text


@pytest.mark.parametrize("variant", some(core.variants(), 5))
def test_the_steps_as_json_are_those_of_the_replay(
    tricklog: CommandLine, tmp_path: Path, variant: str
) -> None:
    hand = one_game(variant)[0]
    ran = tricklog("replay", write_log(tmp_path / "log.jsonl", hand), "--json")
    (told,) = ran.objects
    replayed = core.replay(hand)
    assert [step["action"] for step in told["steps"]] == [*hand.actions, None]
    for index, step in enumerate(told["steps"]):
        view = replayed.at(index)
        assert step["step"] == index
        assert step["holdings"] == [names_in(cards) for cards in view.holdings]
        assert step["legal"]["cards"] == names_in(view.choice.cards)
        assert step["turn"] == view.turn


@pytest.mark.parametrize("at", ["-1", "99"])
def test_a_step_that_does_not_exist_is_answered_with_the_range(
    tricklog: CommandLine, clean_log: Path, at: str
) -> None:
    ran = tricklog("replay", clean_log, "--at", at)
    assert ran.status == 2
    assert "--at takes 0 to " in ran.stderr


def test_a_hand_that_does_not_exist_is_answered_with_one_that_does(
    tricklog: CommandLine, clean_log: Path
) -> None:
    wanted = one_game("pedro")[1].id
    ran = tricklog("replay", clean_log, "--hand", wanted[:-1] + "X")
    assert ran.status == 2
    assert "for example pedro-7-1-" in ran.stderr


def test_a_log_without_hands_is_refused(tricklog: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert tricklog("replay", "empty.jsonl").status == 2
    unreadable = tricklog("replay", write_log(tmp_path / "bad.jsonl", NOT_JSON))
    assert unreadable.status == 3
    assert "not-json" in unreadable.stderr


def test_a_hand_of_an_unknown_game_cannot_be_replayed(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    line = encode_hand(one_game("pedro")[0]).replace(b'"variant":"pedro"', b'"variant":"whist"')
    ran = tricklog("replay", write_log(tmp_path / "log.jsonl", line))
    assert ran.status == 3
    assert "unknown-variant" in ran.stderr


def test_a_hand_can_be_replayed_under_rules_of_ones_own(
    tricklog: CommandLine, clean_log: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text('extends = "pedro"\nmin_bid = 14\nforced_bid = 14\n')
    assert tricklog("replay", clean_log).status == 0
    ran = tricklog("replay", clean_log, "--variant", "own.toml")
    assert ran.status == 1
    assert "✗ " in ran.text


def test_hands_can_be_audited_by_rules_of_ones_own(
    tricklog: CommandLine, clean_log: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text('extends = "pedro"\nmin_bid = 14\nforced_bid = 14\n')
    ran = tricklog("audit", clean_log, "--variant", "own.toml")
    assert ran.status == 1
    assert "bid" in ran.text.split("Findings: ")[1]


def test_hands_can_be_audited_by_the_rules_of_another_game(
    tricklog: CommandLine, clean_log: Path
) -> None:
    ran = tricklog("audit", clean_log, "--variant", "pidro")
    assert ran.status == 1
    assert "rob-left-trumps" in ran.text or "plain-lead" in ran.text


def test_a_log_of_rules_that_only_the_file_knows_is_audited_by_the_file(
    tricklog: CommandLine, clean_log: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text('extends = "pedro"\nid = "ours"\n')
    named = clean_log.read_bytes().replace(b'"variant":"pedro"', b'"variant":"ours"')
    assert tricklog("audit", "-", stdin=named).status == 3
    assert tricklog("audit", "-", "--variant", "own.toml", stdin=named).status == 0


def test_rules_for_another_number_of_players_cannot_be_used(
    tricklog: CommandLine, clean_log: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text(
        'extends = "pedro"\nplayers = [5]\nsides = "singles"\nboth_over = "makers"\n'
    )
    for command in ("audit", "replay"):
        ran = tricklog(command, clean_log, "--variant", "own.toml")
        assert ran.status == 3
        assert "holds 4 players; Pedro with house rules takes 5" in ran.text + ran.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("min_bid = 7", "extends"),
        ("extends = [", "TOML"),
        ('extends="pedro"\nminbid = 7', "minbid"),
    ],
)
def test_bad_rules_of_ones_own_are_answered_with_the_place(
    tricklog: CommandLine, clean_log: Path, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "own.toml").write_text(text)
    for arguments in (("replay", clean_log, "--variant"), ("generate", "--variant")):
        ran = tricklog(*arguments, "own.toml")
        assert ran.status == 2
        assert "own.toml" in ran.stderr
        if said != "extends":
            assert said in ran.stderr


def test_keys_turn_the_pages() -> None:
    hand, index = revoked()
    replayed = core.replay(hand)
    end = len(replayed)
    walk = [("n", 0), ("right", 1), ("up", 0), ("x", 0), ("f", index), ("f", index)]
    step = -1
    for key, wanted in [*walk, ("G", end), (" ", end), ("p", end - 1), ("g", 0)]:
        step = replay_command._next_step(key, step, replayed)
        assert step == wanted, key


def test_a_stored_hand_that_is_not_there_is_told_with_those_like_it(
    tricklog: CommandLine, clean_log: Path
) -> None:
    tricklog("load", clean_log, "--db", "club")
    (first, *_) = one_game("pedro")
    ran = tricklog("replay", "--db", "club", "--hand", f"{first.id}x")
    assert ran.status == 2
    assert f"Did you mean {first.id!r}" in ran.stderr
