"""The picture of the architecture: ten parts of the code, and which uses which.

A part is some rooms, which are the folders of a package, or its own modules under the name of the
package. An arrow is an import, drawn where no longer way leads to the same part.
"""

from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

import grimp

PACKAGES: Final = ("dashboard", "ingest", "core", "schemas")
_ROOT: Final = Path(__file__).parents[2]
PICTURE: Final = _ROOT / "docs" / "images" / "architecture.svg"


class Part(NamedTuple):
    title: str
    folders: str
    rooms: str
    """As package.room, with a space between two; ``*`` stands for all of a package."""
    column: float
    row: float


_LOADING: Final = (
    "ingest.ingest ingest.loading ingest.lake ingest.following ingest.upkeep ingest.forgetting "
    "ingest.study ingest.exporting ingest.frames"
)
_FIGURES: Final = (
    "ingest.facts ingest.metrics ingest.sessions ingest.sheets ingest.chances ingest.ratings "
    "ingest.reports"
)
_READING: Final = (
    "ingest.reading ingest.adapters ingest.score_sheets ingest.text_form ingest.recording"
)
_JUDGING: Final = "core.core core.judging core.position core.recording core.render"
_RULES: Final = "core.engine core.rulesets core.solver core.card_sense core.native core.compiled"
PARTS: Final = (
    Part("Pages", "dashboard/", "dashboard.*", 0, 0),
    Part("Commands", "ingest/cli", "ingest.cli ingest.completing", 1, 0),
    Part("Load, keep, study", "ingest/loading, lake, upkeep, forgetting, study", _LOADING, 0.5, 1),
    Part("Figures", "ingest/facts, metrics, sessions, sheets, reports", _FIGURES, 0.5, 2),
    Part("Store", "ingest/store, sql", "ingest.store ingest.sql", 0, 3),
    Part("Read", "ingest/reading, adapters, score_sheets, text_form", _READING, 0, 4),
    Part("Study a hand", "replay/study, bots", "core.study core.bots", 1, 3.5),
    Part("Judge", "replay/judging, position, render", _JUDGING, 0.5, 5),
    Part("Rules", "replay/engine, rulesets, solver, native", _RULES, 0.5, 6),
    Part("Written forms", "schemas/", "schemas.*", 0.5, 7),
)
_WIDE, _HIGH, _ACROSS, _DOWN, _MARGIN = 340, 46, 380, 84, 16
"""Of a box, from one column and from one row to the next, and around all, in pixels."""
_STYLE: Final = (
    "text{font:13px sans-serif;fill:#1f2328;text-anchor:middle}.t{font-weight:bold}"
    ".b{fill:#f6f8fa;stroke:#656d76}path{fill:none;stroke:#0969da}#tip{fill:#0969da}"
)


def room_of(module: str) -> tuple[str, str]:
    """Return the package of a module and its room: the folder, or the package where it has none."""
    _, package, name, *_ = module.split(".")
    in_folder = (_ROOT / "tricklog" / package / name).is_dir()
    return package, name if in_folder else package


def part_of(module: str) -> Part:
    """Return the part a module belongs to.

    Raises:
        KeyError: no part has its room: name it in ``PARTS``.
    """
    package, room = room_of(module)
    for part in PARTS:
        if {f"{package}.*", f"{package}.{room}"} & {*part.rooms.split()}:
            return part
    raise KeyError(f"{package}.{room} is in no part of the picture: name it in PARTS")


def uses() -> set[tuple[Part, Part]]:
    """Return which part imports which."""
    graph = grimp.build_graph("tricklog")
    # The packages themselves, and tricklog, only offer names of their modules.
    shown = {each for package in PACKAGES for each in graph.find_descendants(f"tricklog.{package}")}
    pairs = {
        (part_of(module), part_of(imported))
        for module in shown
        for imported in graph.find_modules_directly_imported_by(module) & shown
    }
    return {(user, used) for user, used in pairs if user != used}


def drawn(pairs: set[tuple[Part, Part]]) -> list[tuple[Part, Part]]:
    """Return the pairs to which no longer way leads."""
    beyond = {part: _reached(part, pairs) for part in PARTS}
    return [
        (user, used)
        for user, used in sorted(pairs)
        if not any(used in beyond[between] for start, between in pairs if start == user)
    ]


def _reached(part: Part, pairs: set[tuple[Part, Part]]) -> set[Part]:
    next_ones = {used for user, used in pairs if user == part}
    return next_ones.union(*(_reached(each, pairs) for each in next_ones))


def picture() -> str:
    """Return the parts and their arrows as SVG."""
    width = 2 * _MARGIN + _ACROSS + _WIDE
    height = 2 * _MARGIN + 7 * _DOWN + _HIGH
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" role="img">'
        ),
        f"<style>{_STYLE}</style>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        (
            '<marker id="arrow" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
            '<path id="tip" d="M0 0L8 4L0 8Z"/></marker>'
        ),
    ]
    for user, used in drawn(uses()):
        (left, top), (to_left, to_top) = _place(user), _place(used)
        start, end = (left + _WIDE / 2, top + _HIGH), (to_left + _WIDE / 2, to_top)
        lines.append(
            f'<path marker-end="url(#arrow)" d="M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}"/>'
        )
    for part in PARTS:
        left, top = _place(part)
        middle = left + _WIDE / 2
        lines += [
            f'<rect class="b" x="{left:g}" y="{top:g}" width="{_WIDE}" height="{_HIGH}" rx="4"/>',
            f'<text class="t" x="{middle:g}" y="{top + 19:g}">{escape(part.title)}</text>',
            f'<text x="{middle:g}" y="{top + 37:g}">{escape(part.folders)}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def _place(part: Part) -> tuple[float, float]:
    return _MARGIN + part.column * _ACROSS, _MARGIN + part.row * _DOWN


def write() -> None:
    PICTURE.write_text(picture(), "utf-8")
