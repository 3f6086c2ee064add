"""The samples written as text, one hand of each game, and annotated hands, as the site shows them.

``./dev regenerate texts`` writes them. What is odd, and written by hand, stays as it is.
"""

import re
import tomllib
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from tests.regenerate.samples import OF_SAMPLES
from tricklog import Hand, Player, Verdict, generate, load_variant, replay, variants, write_text
from tricklog.ingest.text_form import languages

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "sample_logs" / "text"
WORDS = REPOSITORY / "schemas" / "languages" / "po" / "words.tsv"
PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eve")
SEATS = {"sancho": 5}
_SEEDS = range(1, 5)
_HANDS = 12
"""Hands of a game among which one is chosen."""

_TABLES = (
    languages.KEYWORDS, languages.VERBS, languages.MISSING, languages.THEN, languages.RESULTS,
    languages.STATUSES, languages.SUITS, languages.TRUMPS, {"none": languages.NONE},
)  # fmt: skip


def texts() -> dict[Path, str]:
    """Return what each sample holds, by its path."""
    return {FOLDER / f"{variant}.trick": write_text([example(variant)]) for variant in variants()}


def example(variant: str) -> Hand:
    """Return the valid hand with the most kinds of acts; of two, the shorter one."""
    found = (
        hand
        for seed in _SEEDS
        for hand in islice(generate(variant, 1, seed, players=SEATS.get(variant)), _HANDS)
        if replay(hand).verdict is Verdict.VALID and hand.status == "complete"
    )

    def kinds(hand: Hand) -> int:
        return len({action.split(" ", 2)[1] for action in hand.actions})

    hand = max(found, key=lambda each: (kinds(each), -len(each.actions)))
    # The hand gets the names of people, and ids that only samples have.
    game = f"{OF_SAMPLES}text-{variant}"
    people = [
        Player(OF_SAMPLES + name.lower(), name)
        for name, _ in zip(PEOPLE, hand.players, strict=False)
    ]
    return replace(hand, id=f"{game}-{hand.hand}", game=game, players=people)


def part() -> str:
    """Return the samples below the title of each game, in Markdown."""
    parts = []
    for path in sorted(FOLDER.glob("*.trick")):
        title = load_variant(path.stem).title
        shown = path.read_text("utf-8").replace(f"{OF_SAMPLES}text-", "club-")
        shown = re.sub(f" <{OF_SAMPLES}[a-z]+>", "", shown)
        parts.append(folded(title, f"```trick\n{shown}```", path.stem))
    return "\n".join(parts)


def word_rows() -> list[str]:
    """Return the rows of the table of words, each once."""
    words = [written for table in _TABLES for written, _ in table.values()]
    return [" | ".join(f"`{word}`" for word in row) for row in dict.fromkeys(words)]


def words() -> str:
    """Return the table of words that are written in each language, in Markdown."""
    rows = "\n".join(f"| {row} |" for row in word_rows())
    return f"| English | Swedish | Finnish | Spanish |\n|---|---|---|---|\n{rows}\n"


def translated_words() -> str:
    """Return the words of the game in each language, for translators, in Markdown."""
    rows = WORDS.read_text("utf-8").splitlines()
    head, *others = (f"| {' | '.join(row.split(chr(9)))} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0].split("\t")) + "|", *others]) + "\n"


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts().items():
        path.write_text(text, "utf-8")


# --- Annotated hands
EXAMPLES: Final = REPOSITORY / "docs" / "examples" / "hands.toml"


class Example(NamedTuple):
    """A recorded hand with what its actions mean."""

    title: str
    rules: str
    """The page in ``docs/rules``."""
    about: str
    log: str
    after: str
    acts: dict[str, str]
    """Words by the actions they are about, such as ``0 to 3``."""


def examples() -> list[Example]:
    read = tomllib.loads(EXAMPLES.read_text("utf-8"))["hand"]
    return [Example(**{"after": "", "acts": {}, **each}) for each in read]


def hands_part() -> str:
    return "\n".join(map(_fold, examples()))


def _fold(shown: Example) -> str:
    rows = "".join(f"| {at} | {words} |\n" for at, words in shown.acts.items())
    table = f"\n| actions | |\n|---|---|\n{rows}" if rows else ""
    content = (
        f"{shown.about} [Its rules](rules/{shown.rules}).\n\n"
        f"```json\n{shown.log}```\n{table}\n{shown.after}\n"
    )
    return folded(shown.title, content, re.sub("[ ,]+", "-", shown.title.lower()))


def folded(summary: str, content: str, anchor: str) -> str:
    """Return ``content``, which is Markdown, below ``summary``, which is HTML.

    It opens at a click, or when a link leads into it.
    """
    return (
        f'<details><summary>{summary}</summary><a id="{anchor}"></a>\n\n'
        f"{content.rstrip()}\n\n</details>\n"
    )
