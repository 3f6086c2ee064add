"""Everything a program needs of Tricklog, under one name.

Each name is imported from its own module when it is first used: replaying a hand loads no database,
and ``import tricklog`` next to nothing. ``docs/python-api.md`` shows them at work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest import _HOMES as _OF_INGEST
from replay import _PLACES as _OF_REPLAY

if TYPE_CHECKING:
    from ingest import *  # noqa: F403 - all that is offered there
    from ingest.adapters import ADAPTERS as ADAPTERS
    from ingest.adapters import Converted as Converted
    from ingest.adapters import convert as convert
    from ingest.asking import measure as measure
    from ingest.asking import ratings as ratings
    from ingest.asking import sql as sql
    from ingest.asking import win_chances as win_chances
    from ingest.exporting import Exported as Exported
    from ingest.exporting import ExportError as ExportError
    from ingest.exporting import checksum_of_export as checksum_of_export
    from ingest.exporting import export as export
    from ingest.frames import Frames as Frames
    from ingest.frames import iter_frames as iter_frames
    from ingest.frames import to_frames as to_frames
    from ingest.metrics import DIMENSIONS as DIMENSIONS
    from ingest.metrics import METRICS as METRICS
    from ingest.metrics import Better as Better
    from ingest.metrics import Dimension as Dimension
    from ingest.metrics import FigureError as FigureError
    from ingest.metrics import Grain as Grain
    from ingest.metrics import Kind as Kind
    from ingest.metrics import Level as Level
    from ingest.metrics import Metric as Metric
    from ingest.metrics import OwnMetricError as OwnMetricError
    from ingest.metrics import dimensions_of as dimensions_of
    from ingest.metrics import known_metrics as known_metrics
    from ingest.metrics.filters import Filters as Filters
    from ingest.metrics.own import metrics_of_file as metrics_of_file
    from ingest.ratings import Ratings as Ratings
    from ingest.store.exports import as_csv as as_csv
    from ingest.store.queries import finding_list as finding_list
    from ingest.store.queries import hand_list as hand_list
    from ingest.store.warehouse import checksum as checksum
    from ingest.store.warehouse import hands
    from ingest.text_form.writer import write_text as write_text
    from ingest.warehouses import follow as follow
    from ingest.warehouses import open_facts as open_facts
    from ingest.warehouses import open_snapshot as open_snapshot
    from ingest.warehouses import stored_hand as stored_hand
    from replay import *  # noqa: F403 - likewise
    from replay.position import LegalPlays as LegalPlays
    from replay.position import PlayRuling as PlayRuling
    from replay.position import Position as Position
    from replay.position import PositionError as PositionError
    from replay.position import ScoringCard as ScoringCard
    from replay.position import TrickPoints as TrickPoints
    from replay.position import TrickWinner as TrickWinner
    from replay.position import position as position
    from replay.rulesets.rules_text import differences as differences
    from replay.rulesets.rules_text import rules_in_words as rules_in_words
    from schemas.actions import Action as Action
    from schemas.actions import Verb as Verb
    from schemas.actions import bid_name as bid_name
    from schemas.actions import trump_name as trump_name
    from schemas.cards import card_name as card_name
    from schemas.cards import cards_in as cards_in
    from schemas.cards import pretty_card as pretty_card
    from schemas.cards import pretty_cards as pretty_cards
    from schemas.citations import text_of as text_of
    from schemas.hand import Claimed as Claimed
    from schemas.hand import Gap as Gap
    from schemas.hand import Hand as Hand
    from schemas.hand import Known as Known
    from schemas.hand import Player as Player
    from schemas.hand import RulesRef as RulesRef
    from schemas.hand import Then as Then
    from schemas.hand import decode_hand as decode_hand
    from schemas.hand import encode_hand as encode_hand

    stored_hands = hands

_HOMES = {
    # The hand log
    "schemas.hand": (
        *("Claimed", "Gap", "Hand", "Known", "Player", "RulesRef", "Then"),
        *("decode_hand", "encode_hand"),
    ),
    "schemas.actions": ("Action", "Verb", "bid_name", "trump_name"),
    "schemas.cards": ("card_name", "cards_in", "pretty_card", "pretty_cards"),
    "schemas.citations": ("text_of",),
    # Rules and replay
    "replay.rulesets.rules_text": ("differences", "rules_in_words"),
    "replay.position": (
        *("LegalPlays", "PlayRuling", "Position", "PositionError", "ScoringCard", "TrickPoints"),
        *("TrickWinner", "position"),
    ),
    # Logs
    "ingest.adapters": ("ADAPTERS", "Converted", "convert"),
    "ingest.text_form.writer": ("write_text",),
    # The warehouse
    "ingest.store.warehouse": ("checksum",),
    "ingest.warehouses": ("follow", "open_facts", "open_snapshot", "stored_hand"),
    "ingest.store.queries": ("finding_list", "hand_list"),
    # Figures
    "ingest.asking": ("measure", "ratings", "sql", "win_chances"),
    "ingest.ratings": ("Ratings",),
    "ingest.metrics": (
        *("DIMENSIONS", "METRICS", "Better", "Dimension", "FigureError", "Grain", "Kind", "Level"),
        *("Metric", "OwnMetricError", "dimensions_of", "known_metrics"),
    ),
    "ingest.metrics.filters": ("Filters",),
    "ingest.metrics.own": ("metrics_of_file",),
    "ingest.store.exports": ("as_csv",),
    "ingest.exporting": ("Exported", "ExportError", "checksum_of_export", "export"),
    # Frames
    "ingest.frames": ("Frames", "iter_frames", "to_frames"),
}
"""The public names by the module each is at home in, beside those that ingest and replay offer."""
_PLACES = {
    **{name: (f"ingest.{module}", name) for name, module in _OF_INGEST.items()},
    **{name: (f"replay.{module}", name) for name, module in _OF_REPLAY.items()},
    **{name: (module, name) for module, names in _HOMES.items() for name in names},
    # It says more here than in its own module.
    "stored_hands": ("ingest.store.warehouse", "hands"),
}
if not TYPE_CHECKING:
    # Type checkers take the imports above as what is offered.
    __all__ = list(_PLACES)


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name == "__version__":
        from importlib.metadata import version

        return version("tricklog")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, there = _PLACES[name]
    value: object = getattr(import_module(module), there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *_PLACES, "__version__"})
