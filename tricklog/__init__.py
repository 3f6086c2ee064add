"""Everything a program needs of Tricklog, under one name.

Each name is imported from its own module when it is first used: replaying a hand loads no database,
and ``import tricklog`` next to nothing. ``docs/python-api.md`` shows them at work.
"""

TYPE_CHECKING = False
"""As in ``typing``, which takes longer to import than all that is here."""

if TYPE_CHECKING:
    from tricklog.core.bots.generate import generate as generate
    from tricklog.core.judging.games import check_game as check_game
    from tricklog.core.judging.games import match_scores as match_scores
    from tricklog.core.judging.replayer import Replay as Replay
    from tricklog.core.judging.replayer import replay as replay
    from tricklog.core.model import BadRecord as BadRecord
    from tricklog.core.model import Call as Call
    from tricklog.core.model import Capture as Capture
    from tricklog.core.model import Choice as Choice
    from tricklog.core.model import Finding as Finding
    from tricklog.core.model import Mode as Mode
    from tricklog.core.model import Outcome as Outcome
    from tricklog.core.model import Trick as Trick
    from tricklog.core.model import Verdict as Verdict
    from tricklog.core.model import View as View
    from tricklog.core.position import LegalPlays as LegalPlays
    from tricklog.core.position import PlayRuling as PlayRuling
    from tricklog.core.position import Position as Position
    from tricklog.core.position import PositionError as PositionError
    from tricklog.core.position import ScoringCard as ScoringCard
    from tricklog.core.position import TrickPoints as TrickPoints
    from tricklog.core.position import TrickWinner as TrickWinner
    from tricklog.core.position import position as position
    from tricklog.core.rulesets.rules_file import HouseRule as HouseRule
    from tricklog.core.rulesets.rules_file import RulesetError as RulesetError
    from tricklog.core.rulesets.rules_text import differences as differences
    from tricklog.core.rulesets.rules_text import rules_in_words as rules_in_words
    from tricklog.core.rulesets.ruleset import Ruleset as Ruleset
    from tricklog.core.rulesets.ruleset import load_rules_file as load_rules_file
    from tricklog.core.rulesets.ruleset import load_variant as load_variant
    from tricklog.core.rulesets.ruleset import ruleset_of as ruleset_of
    from tricklog.core.rulesets.variant_names import variants as variants
    from tricklog.ingest.adapters import ADAPTERS as ADAPTERS
    from tricklog.ingest.adapters import Converted as Converted
    from tricklog.ingest.adapters import convert as convert
    from tricklog.ingest.asking import measure as measure
    from tricklog.ingest.asking import ratings as ratings
    from tricklog.ingest.asking import sql as sql
    from tricklog.ingest.asking import win_chances as win_chances
    from tricklog.ingest.exporting import Exported as Exported
    from tricklog.ingest.exporting import ExportError as ExportError
    from tricklog.ingest.exporting import checksum_of_export as checksum_of_export
    from tricklog.ingest.exporting import export as export
    from tricklog.ingest.frames import Frames as Frames
    from tricklog.ingest.frames import iter_frames as iter_frames
    from tricklog.ingest.frames import to_frames as to_frames
    from tricklog.ingest.loading.auditing import Audit as Audit
    from tricklog.ingest.loading.auditing import AuditedLine as AuditedLine
    from tricklog.ingest.loading.auditing import Counts as Counts
    from tricklog.ingest.loading.auditing import audit as audit
    from tricklog.ingest.loading.report import LoadReport as LoadReport
    from tricklog.ingest.metrics import DIMENSIONS as DIMENSIONS
    from tricklog.ingest.metrics import METRICS as METRICS
    from tricklog.ingest.metrics import Better as Better
    from tricklog.ingest.metrics import Dimension as Dimension
    from tricklog.ingest.metrics import FigureError as FigureError
    from tricklog.ingest.metrics import Grain as Grain
    from tricklog.ingest.metrics import Kind as Kind
    from tricklog.ingest.metrics import Level as Level
    from tricklog.ingest.metrics import Metric as Metric
    from tricklog.ingest.metrics import OwnMetricError as OwnMetricError
    from tricklog.ingest.metrics import dimensions_of as dimensions_of
    from tricklog.ingest.metrics import known_metrics as known_metrics
    from tricklog.ingest.metrics.filters import Filters as Filters
    from tricklog.ingest.metrics.listings import finding_list as finding_list
    from tricklog.ingest.metrics.listings import hand_list as hand_list
    from tricklog.ingest.metrics.own import metrics_of_file as metrics_of_file
    from tricklog.ingest.ratings import Ratings as Ratings
    from tricklog.ingest.reading.reader import LineKind as LineKind
    from tricklog.ingest.reading.reader import LogLine as LogLine
    from tricklog.ingest.reading.reader import read as read
    from tricklog.ingest.reading.rejects import Reject as Reject
    from tricklog.ingest.reading.rejects import RejectCode as RejectCode
    from tricklog.ingest.store.exports import as_csv as as_csv
    from tricklog.ingest.store.publishing import BusyError as BusyError
    from tricklog.ingest.store.warehouse import NoSnapshotError as NoSnapshotError
    from tricklog.ingest.store.warehouse import WarehouseError as WarehouseError
    from tricklog.ingest.store.warehouse import checksum as checksum
    from tricklog.ingest.store.warehouse import hands
    from tricklog.ingest.text_form.writer import write_text as write_text
    from tricklog.ingest.warehouses import follow as follow
    from tricklog.ingest.warehouses import load as load
    from tricklog.ingest.warehouses import open_facts as open_facts
    from tricklog.ingest.warehouses import open_snapshot as open_snapshot
    from tricklog.ingest.warehouses import stored_hand as stored_hand
    from tricklog.schemas.actions import Action as Action
    from tricklog.schemas.actions import Verb as Verb
    from tricklog.schemas.actions import bid_name as bid_name
    from tricklog.schemas.actions import trump_name as trump_name
    from tricklog.schemas.cards import card_name as card_name
    from tricklog.schemas.cards import cards_in as cards_in
    from tricklog.schemas.cards import pretty_card as pretty_card
    from tricklog.schemas.cards import pretty_cards as pretty_cards
    from tricklog.schemas.citations import text_of as text_of
    from tricklog.schemas.hand import Claimed as Claimed
    from tricklog.schemas.hand import Gap as Gap
    from tricklog.schemas.hand import Hand as Hand
    from tricklog.schemas.hand import Known as Known
    from tricklog.schemas.hand import Player as Player
    from tricklog.schemas.hand import RulesRef as RulesRef
    from tricklog.schemas.hand import Then as Then
    from tricklog.schemas.hand import decode_hand as decode_hand
    from tricklog.schemas.hand import encode_hand as encode_hand

    stored_hands = hands

_HOMES = {
    # The hand log
    "schemas.hand": "Claimed Gap Hand Known Player RulesRef Then decode_hand encode_hand",
    "schemas.actions": "Action Verb bid_name trump_name",
    "schemas.cards": "card_name cards_in pretty_card pretty_cards",
    "schemas.citations": "text_of",
    # Rules
    "core.rulesets.rules_file": "HouseRule RulesetError",
    "core.rulesets.ruleset": "Ruleset load_rules_file load_variant ruleset_of",
    "core.rulesets.variant_names": "variants",
    "core.rulesets.rules_text": "differences rules_in_words",
    # Replay
    "core.model": "BadRecord Call Capture Choice Finding Mode Outcome Trick Verdict View",
    "core.judging.replayer": "Replay replay",
    "core.judging.games": "check_game match_scores",
    "core.bots.generate": "generate",
    "core.position": (
        "LegalPlays PlayRuling Position PositionError ScoringCard TrickPoints TrickWinner position"
    ),
    # Logs
    "ingest.reading.reader": "LineKind LogLine read",
    "ingest.reading.rejects": "Reject RejectCode",
    "ingest.loading.auditing": "Audit AuditedLine Counts audit",
    "ingest.adapters": "ADAPTERS Converted convert",
    "ingest.text_form.writer": "write_text",
    # The warehouse
    "ingest.loading.report": "LoadReport",
    "ingest.store.publishing": "BusyError",
    "ingest.store.warehouse": "NoSnapshotError WarehouseError checksum",
    "ingest.warehouses": "follow load open_facts open_snapshot stored_hand",
    "ingest.metrics.listings": "finding_list hand_list",
    # Figures
    "ingest.asking": "measure ratings sql win_chances",
    "ingest.ratings": "Ratings",
    "ingest.metrics": (
        "DIMENSIONS METRICS Better Dimension FigureError Grain Kind Level Metric OwnMetricError "
        "dimensions_of known_metrics"
    ),
    "ingest.metrics.filters": "Filters",
    "ingest.metrics.own": "metrics_of_file",
    "ingest.store.exports": "as_csv",
    "ingest.exporting": "Exported ExportError checksum_of_export export",
    # Frames
    "ingest.frames": "Frames iter_frames to_frames",
}
"""The public names by the module of ``tricklog`` that each is at home in."""
_PLACES = {name: (home, name) for home, names in _HOMES.items() for name in names.split()}
_PLACES["stored_hands"] = "ingest.store.warehouse", "hands"

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
    value: object = getattr(import_module(f"{__name__}.{module}"), there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__, "__version__"})
