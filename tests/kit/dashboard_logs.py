"""Logs for tests of the dashboard: four variants, hands with faults, and a log that means harm.

Every text of the last bears ``MARK``, so that a test can look for an element or a request made
from it: markup, queries, formulas and marks stand wherever text may stand.
"""

from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.kit.log_lines import write_lines
from tests.kit.made_once import played
from tricklog import Claimed, Hand, Player, Verb, core, decode_hand, encode_hand
from tricklog.ingest.loading.loading import load
from tricklog.ingest.reading.samples import samples_folder
from tricklog.schemas.hand import RulesRef

NASTY = "<img src=x onerror=alert(1)> **b** :smile: $x$ \u202e=1+1"
"""A name with HTML, markdown, an emoji by name, a formula and a mark that turns text round."""
REVOKE, CLAIM, NAMES = "revoked", "claimed", "a <b>hand</b> of [names](x)"
VARIANTS = ("king-pedro", "pedro", "pidro", "twenty-nine")


def first_hands(variant: str, count: int) -> list[Hand]:
    return list(played(variant, 3, 11)[:count])


def sample_hands(variant: str, count: int) -> list[Hand]:
    """The first hands of the shortest log among the samples of a variant."""
    logs = (samples_folder() / "valid" / variant).glob("*.jsonl")
    shortest = min(logs, key=lambda path: path.stat().st_size)
    return [decode_hand(line) for line in shortest.read_bytes().splitlines()[:count]]


@cache
def with_revoke() -> tuple[Hand, int]:
    """A hand of Twenty-Nine in which a player who could follow did not, and the action it is."""
    for hand in played("twenty-nine", 1, 5):
        replayed = core.replay(hand)
        for index, action in enumerate(replayed.actions):
            view = replayed.at(index)
            barred = view.holdings[action.seat] & ~view.choice.cards
            if action.verb != Verb.PLAY or not view.choice.cards or not barred:
                continue
            later = next(
                each
                for each in range(index + 1, len(hand.actions))
                if replayed.actions[each].seat == action.seat
                and replayed.actions[each].verb == Verb.PLAY
                and barred >> replayed.actions[each].card & 1
            )
            actions = list(hand.actions)
            actions[index], actions[later] = actions[later], actions[index]
            return alone(hand, REVOKE, actions=actions), index
    raise AssertionError("every player always held nothing but cards of the suit led")


def with_wrong_claim() -> Hand:
    hand = first_hands("pedro", 3)[2]
    return alone(hand, CLAIM, claimed=Claimed(points=[13, 1]))


def with_nasty_names() -> Hand:
    """A hand of Pedro by players with names that a page must not take for markup."""
    hand = first_hands("pedro", 2)[1]
    players = [
        Player(f"nasty-{seat}", f"{NASTY} {seat}", "bot") for seat in range(len(hand.players))
    ]
    return alone(hand, NAMES, players=players, claimed=Claimed(points=[13, 1]))


def alone(hand: Hand, name: str, **changes: object) -> Hand:
    return replace(hand, id=name, game=f"game {name}", hand=1, scores=[0, 0], **changes)


def write_logs(folder: Path) -> Path:
    """Write the logs into ``folder``, one line in them unreadable; return it."""
    hands = [hand for variant in VARIANTS for hand in first_hands(variant, 12)]
    hands += [with_revoke()[0], with_wrong_claim(), with_nasty_names()]
    lines = [*map(encode_hand, hands), b'{"format": "tricklog/1"}']
    return write_lines(folder / "hands.jsonl", lines).parent


# --- A log that means harm
MARK = "zzq"
TEXTS = (
    f"<img src=//{MARK}.invalid/x onerror=window.{MARK}=1>",
    f"<script>window.{MARK}=1</script><style>*{{display:none}}</style>",
    f'"><svg onload=window.{MARK}=1><b id="{MARK}">bold</b>',
    f"</div></style></script><iframe srcdoc='{MARK}'></iframe><h1>{MARK}</h1>",
    f"![{MARK}](https://{MARK}.invalid/a.png) [{MARK}](javascript:alert(1)) <https://{MARK}.invalid>",
    f"**{MARK}** # {MARK} | a | b | ~~x~~ `{MARK}` - [ ] {MARK} \\*",
    f":smile: :material/home: :red[{MARK}] :streamlit: $\\frac{{1}}{{{MARK}}}$ $${MARK}$$",
    f'=HYPERLINK("https://{MARK}.invalid";"{MARK}")',
    f"+1+{MARK}",
    f"-2-{MARK}",
    f"@SUM(1;{MARK})",
    f"'; DROP TABLE hands; ATTACH '/etc/passwd' AS {MARK}; --",
    f"{{{{{MARK}}}}} %s {{0}} ${{{MARK}}} $player \\u0041 \\",
    f"\u202e{MARK}\u202d\u2066right to left\u2069\u200f\u200e",
    f"a\x00b\x07c\x1b[31m\x7f\x85{MARK}\u2028\u2029d",
    f"\tTab and\r\nnew line, {MARK}",
    f"Z\u0351\u0351\u0351a\u0310\u0310lgo \U0001f468\u200d\U0001f469 {MARK}",
    f"{MARK}:{MARK},{MARK};{MARK}&{MARK}=1#{MARK}?{MARK}/../%00%22",
    f"{MARK}{'W' * (200 - len(MARK))}",
    " ",
)
"""As long as a name may be, at most."""
VARIANT = f"{MARK}-rules"
"""Rules of a table's own, whose title is ``TEXTS[0]``."""
FILE = f"=cmd <img src=x onerror=window.{MARK}=1> **{MARK}**.jsonl"
HANDS = tuple(f"{text[:150]} hand" for text in TEXTS)
"""Ids of the hands in the order of ``TEXTS``."""


def hostile_hand(index: int) -> Hand:
    """A hand in which every text is made from ``TEXTS[index]``, in Pedro or rules of its own."""
    base = with_wrong_claim() if index % 4 == 0 else first_hands("pedro", 1)[0]
    texts = [TEXTS[(index + by) % len(TEXTS)] for by in range(4)]
    players = [
        Player(text if seat % 2 else f"{MARK} {index} {seat}", text, "human")
        for seat, text in enumerate(texts)
    ]
    rules: dict[str, Any] = {}
    if index % 3 == 0:
        definition = {"extends": "pedro", "title": TEXTS[0], "family": texts[1], "target": 40}
        rules["rules"] = RulesRef(VARIANT, definition=definition)
    return replace(
        base,
        id=HANDS[index],
        game=f"{texts[0][:150]} game {index}",
        hand=1,
        scores=[0, 0],
        players=players,
        notes={"0": texts[0], "3": texts[1]},
        ext={f"{MARK}/{texts[0]}": texts[1]},
        **rules,
    )


def write_hostile_logs(folder: Path) -> Path:
    """Write harmless and hostile logs, hostile lines in quarantine too; return the folder."""
    write_logs(folder)
    lines = [encode_hand(hostile_hand(index)) for index in range(len(TEXTS))]
    lines += [f'{{"format": "{MARK}<img src=x>", "x": "=1+1"}}'.encode()]
    return write_lines(folder / FILE, lines).parent


def make_hostile_warehouse(folder: Path) -> Path:
    db = folder / "db"
    load(write_hostile_logs(folder / "logs"), db=db)
    return db
