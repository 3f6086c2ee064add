"""A log that means harm: markup, queries, formulas and marks wherever text may stand.

Every text bears ``MARK``, so that a test can look for an element or a request made from it.
"""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.kit.dashboard_logs import first_hands, with_wrong_claim, write_logs
from tricklog.ingest.loading.loading import load
from tricklog.schemas.hand import Hand, Player, RulesRef, encode_hand

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
    (folder / FILE).write_bytes(b"\n".join(lines) + b"\n")
    return folder


def make_hostile_warehouse(folder: Path) -> Path:
    db = folder / "db"
    load(write_hostile_logs(folder / "logs"), db=db)
    return db
