"""Log to text to log gives the same canonical bytes; text to log to text the canonical text.

Lines that are taken without questions say what the reader of all forms says.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.any_hand import HANDS, HANDS_WITH_GAPS
from tests.kit.sound_hands import alone_with_trumps
from tests.kit.texts import hands, read, same_again
from tests.kit.tiers import check_each, is_thorough, scaled
from tricklog import (
    Claimed,
    Gap,
    Hand,
    Known,
    Player,
    encode_hand,
    generate,
    ingest,
    variants,
    write_text,
)
from tricklog.ingest.reading.log_line import parse_line
from tricklog.ingest.text_form import plain_lines
from tricklog.ingest.text_form.languages import LANGUAGES
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.reader import TextHand, TextReader

SAMPLES = Path(__file__).parents[2] / "sample_logs"
FROZEN = Path(__file__).parents[1] / "frozen"


def is_sound(hand: Hand) -> bool:
    return isinstance(parse_line(encode_hand(hand)), Hand)


@given(
    log=st.lists((HANDS | HANDS_WITH_GAPS).filter(is_sound), min_size=1, max_size=2),
    language=st.sampled_from(LANGUAGES),
    names=st.booleans(),
)
@settings(max_examples=scaled(2), suppress_health_check=list(HealthCheck))
def test_any_hand_comes_back(log: list[Hand], language: str, *, names: bool) -> None:
    same_again(log, language, names=names)


def test_samples_come_back_in_every_language() -> None:
    logs = [*sorted(SAMPLES.glob("*valid/**/*.jsonl")), *sorted(FROZEN.glob("*.jsonl"))]

    def check(case: tuple[int, Path]) -> None:
        number, log = case
        # One of each kind is enough: the first hands differ, those of one game are alike.
        sample = [line.hand for line in ingest.read(log) if line.hand][:3]
        names = bool(number // len(LANGUAGES) % 2)
        # In the first tier each log is in one language, and each language has logs of all kinds.
        languages = LANGUAGES if is_thorough() else [LANGUAGES[number % len(LANGUAGES)]]
        for language in languages:
            text = same_again(sample, language, names=names)
            assert len(text) < sum(len(encode_hand(hand)) for hand in sample) or not sample

    check_each(enumerate(logs), check, lambda case: case[1])


def test_trumps_without_a_name_are_those_of_who_plays_alone() -> None:
    """O87: the same record with names and without, in calls and after a gap."""
    text = same_again([alone_with_trumps()], "en", names=False)
    assert "ann solo\nann trump spades\n" in text
    (hand,) = hands(text.replace("ann trump spades", "trump spades"))
    assert hand.actions == alone_with_trumps().actions
    (without,) = hands(text.replace("ann solo\n", "...\n"))
    assert without.gaps == [Gap(before=6, missing="exchange")]


ODD_NAMES = [
    "Jo", "As", "H", "hand", "p", "10h", "7", "@", "-", "?", "*", "…", "->", "Ann Lisa",
    "Ann  Lisa", " Ann", "O'Hara", 'Ann "Ace"', "a;b", "a#b", "a # b", "a(b", "a,b", "李", "Ö",
    "ö", "e\u0301", "Ann.", "Mr. T", "double", "x" * 200, "1", "🂡", "\u2028", "\u202e", "\x07",
    "+1s", "spades", "vs", "has", "no", "set by", "NONE", "St. John de la Cruz y Borbon Smith",
    "ANN", "ann",
]  # fmt: skip


@given(st.lists(st.sampled_from(ODD_NAMES), min_size=4, max_size=4), st.sampled_from(LANGUAGES))
@settings(max_examples=scaled(12))
def test_no_name_is_taken_for_anything_else(names: Sequence[str], language: str) -> None:
    (hand, *_) = generate("pedro", 1, 3)
    ids = [f"{name}{seat}" if names.count(name) > 1 else name for seat, name in enumerate(names)]
    ids = [each[-200:] for each in ids]
    called = [Player(player_id, name) for player_id, name in zip(ids, names, strict=True)]
    same_again([replace(hand, players=called)], language)


def test_what_all_hands_have_alike_is_said_once() -> None:
    log = list(generate("twenty-nine", 1, 5))[:3]
    text = write_text(log)
    assert text.count("all kitty none") == 1
    assert "\nkitty" not in text
    odd = replace(log[1], kitty="AS")
    assert "all kitty" not in same_again([log[0], odd])


def test_there_is_no_other_language() -> None:
    with pytest.raises(ValueError, match="there is no language 'de': en, sv, fi, es"):
        write_text([], language="de")


def test_a_text_by_hand_becomes_canonical_in_one_step() -> None:
    text = (
        "Pedro 20.11.2026\nAnn & Cy vs Bo & Dee\nhand 4\ndealer Ann\nBo p, Cy 8, p, p\n"
        "trump hearts\ntrick 3: Bo 8s 4s 2h 9s > Dee (Dee had the 7 of spades!)\n"
    )
    canonical = write_text(hands(text))
    assert canonical.splitlines()[6:] == [
        *("hand 4", "dealer Ann", "Bo pass, Cy 8, Dee pass, Ann pass", "Cy trump hearts"),
        *("... tricks 1-2", "Bo 8s 4s 2h 9s (Dee had the 7 of spades!)", "... rest"),
        "winners ?, ?, Dee",
    ]
    assert write_text(hands(canonical)) == canonical


def test_a_player_called_like_no_cards_is_told_from_none() -> None:
    (hand, *_) = generate("pedro", 1, 3)
    players = [*hand.players[:3], replace(hand.players[3], name="NONE")]
    none = replace(hand, players=players, actions=[], claimed=Claimed(winners=[]), deal=UNSET)
    contract = replace(none, claimed=Claimed(winners=[3]), known=Known(bid="none", trump="H"))
    text = same_again([none, contract])
    assert "winners none" in text
    assert "winners @NONE" in text
    assert "contract none hearts" in text


def test_a_trick_alone_belongs_to_no_match_unless_one_is_named() -> None:
    trick = "hand ?\ntrump hearts\ntrick 3: Bo 8s 4s 2h 9s\n"
    head = "game Pedro\nplayers Ann, Bo, Cy, Dee\ndate 2026-11-20\n"
    (alone,) = hands(head + trick, "dispute")
    assert alone.game is UNSET
    assert alone.id == "dispute-2026-11-20-ann-bo-cy-dee-x1"
    (named,) = hands(f"{head}match thursday\n{trick}", "dispute")
    assert (named.game, named.id) == ("thursday", "thursday-x1")


# --- Lines without questions
WORDS = (
    "Ann", "Bo", "Cy", "Dee", "ann", "Jo", "10h", "Ah", "Kd", "?", "2s", "5d", "5h", "TH", "7", "8",
    "28-56", "pass", "p", "trump", "hearts", "has", "discard", "draw", "takes", "bury", "claim",
    "give", "out", "-", "plays", "stock", "kitty", "none", "points", "before", "6", "+8", "dealer",
    "hand", "time", "trick", "3.", "Ah/2s", "ace", "of", "Ah,", "Bo,", "7,", "pass,", "no", "cards",
    "spades", "result", "made", "status", "(late)", "...", ">", "bids", "h", "# x", ";", "one:",
)  # fmt: skip
TABLES = ("Ann, Bo, Cy, Dee", "Ann Lee, Bo, Cy, Dee", "As, Bo, Jo, Dee", "Hand, Bo, Cy, Pass")


def slowly(text: str) -> list[TextHand]:
    """Read a text by the questions alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TextReader, "_take_plainly", lambda *_: False)
        return read(text)


@pytest.mark.parametrize("variant", variants())
def test_generated_hands_cost_few_questions(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = write_text([*islice(generate(variant, 2, seed=4), 6)])
    assert read(text) == slowly(text)
    asked: list[str] = []
    says = TextReader._say

    def counting(self: TextReader, said: str, column: int) -> None:
        asked.append(said)
        says(self, said, column)

    monkeypatch.setattr(TextReader, "_say", counting)
    read(text)
    assert len(asked) < len(text.splitlines()) / 4


@settings(max_examples=scaled(20))
@given(
    table=st.sampled_from(TABLES),
    lines=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), max_size=6),
    gap=st.sampled_from((" ", " ", "  ")),
)
def test_any_lines_say_the_same_as_questions(table: str, lines: list[list[str]], gap: str) -> None:
    said = "\n".join(gap.join(line) for line in lines)
    text = f"game pedro\nplayers {table}\nhand 1\n{said}\nBo has 9s 8s\n"
    assert read(text) == slowly(text)


@pytest.mark.parametrize(
    "line",
    ["Ann 10h 4h 3h 2h", "Ann 10h 4h, Dee Jh", "Ann 7, Bo pass", "Bo trump hearts", "Cy has Ah ?"],
)
def test_plain_lines_are_taken(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bool] = []
    take = plain_lines.take

    def noting(page: Page, said: str) -> bool:
        taken.append(take(page, said))
        return taken[-1]

    monkeypatch.setattr(plain_lines, "take", noting)
    read(f"game pedro\nplayers {TABLES[0]}\nhand 1\n{line}\n")
    assert taken[0] is True
