"""Hands written down in part: a disputed trick, a score sheet, a hand from its middle on."""

from pathlib import Path

DISPUTE = """\
game Pedro
players Ann & Cy vs Bo & Dee
date 2026-11-20

hand 1; dealer Ann
Bo p, Cy 8, p, p
Cy trump hearts
then Dee has 7s
trick 3: Bo 8s 4s Kd 9s > Ann
"""
EVENING = """\
game Twenty-Nine
players Ann & Cy vs Bo & Dee
date 2026-11-21

hand 1; dealer Dee; Ann 17, made; points 18 10
hand 2; Bo 18, set by 2; points 12 16
hand 3; Cy 16, made; points 20 8
"""
MIDDLE = """\
game Cinch
players Ann & Cy vs Bo & Dee
date 2026-11-22

hand 4; dealer Bo
... auction
contract Ann 9 spades
... tricks 1-4
trick 5: Ann As 3s 5s 2s > Ann
... rest
"""
IDS = {
    "dispute": "2026-11-20-ann-bo-cy-dee-1",
    "evening": "2026-11-21-ann-bo-cy-dee-1",
    "middle": "2026-11-22-ann-bo-cy-dee-4",
}
"""By text: the id of its first hand."""


def write_gap_texts(folder: Path) -> Path:
    """Write these texts into a folder, a file each."""
    folder.mkdir(parents=True)
    for name, text in (("dispute", DISPUTE), ("evening", EVENING), ("middle", MIDDLE)):
        (folder / f"{name}.trick").write_text(text, "utf-8")
    return folder
