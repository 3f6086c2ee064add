"""Everything a program needs of Tricklog, under one name.

Each name is imported from its own module when it is first used: replaying a hand loads no database,
and ``import tricklog`` next to nothing. ``docs/python-api.md`` shows them at work.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""As in ``typing``, which takes longer to import than all that is here."""

if TYPE_CHECKING:
    from ingest.adapters import ADAPTERS, Converted, convert
    from ingest.asking import measure, ratings, sql, win_chances
    from ingest.exporting import Exported, ExportError, checksum_of_export, export
    from ingest.frames import Frames, iter_frames, to_frames
    from ingest.loading.auditing import Audit, AuditedLine, Counts, audit
    from ingest.loading.report import LoadReport
    from ingest.metrics import (
        DIMENSIONS,
        METRICS,
        Better,
        Dimension,
        FigureError,
        Grain,
        Kind,
        Level,
        Metric,
        OwnMetricError,
        dimensions_of,
        known_metrics,
    )
    from ingest.metrics.filters import Filters
    from ingest.metrics.listings import finding_list, hand_list
    from ingest.metrics.own import metrics_of_file
    from ingest.ratings import Ratings
    from ingest.reading.reader import LineKind, LogLine, read
    from ingest.reading.rejects import Reject, RejectCode
    from ingest.store.exports import as_csv
    from ingest.store.publishing import BusyError
    from ingest.store.warehouse import (
        NoSnapshotError,
        WarehouseError,
        checksum,
    )
    from ingest.store.warehouse import hands as stored_hands
    from ingest.text_form.writer import write_text
    from ingest.warehouses import follow, load, open_facts, open_snapshot, stored_hand
    from replay.bots.generate import generate
    from replay.judging.games import check_game, match_scores
    from replay.judging.replayer import Replay, replay
    from replay.model import (
        BadRecord,
        Call,
        Capture,
        Choice,
        Finding,
        Mode,
        Outcome,
        Trick,
        Verdict,
        View,
    )
    from replay.position import (
        LegalPlays,
        PlayRuling,
        Position,
        PositionError,
        ScoringCard,
        TrickPoints,
        TrickWinner,
        position,
    )
    from replay.rulesets.house_rules import HouseRule
    from replay.rulesets.rules_file import RulesetError
    from replay.rulesets.rules_text import differences, rules_in_words
    from replay.rulesets.ruleset import Ruleset, load_rules_file, load_variant, ruleset_of
    from replay.rulesets.variant_names import variants
    from schemas.actions import Action, Verb, bid_name, trump_name
    from schemas.cards import card_name, cards_in, pretty_card, pretty_cards
    from schemas.citations import text_of
    from schemas.hand import (
        Claimed,
        Gap,
        Hand,
        Known,
        Player,
        RulesRef,
        Then,
        decode_hand,
        encode_hand,
    )

_HOMES = {
    # The hand log
    "schemas.hand": (
        *("Claimed", "Gap", "Hand", "Known", "Player", "RulesRef", "Then"),
        *("decode_hand", "encode_hand"),
    ),
    "schemas.actions": ("Action", "Verb", "bid_name", "trump_name"),
    "schemas.cards": ("card_name", "cards_in", "pretty_card", "pretty_cards"),
    "schemas.citations": ("text_of",),
    # Rules
    "replay.rulesets.house_rules": ("HouseRule",),
    "replay.rulesets.rules_file": ("RulesetError",),
    "replay.rulesets.ruleset": ("Ruleset", "load_rules_file", "load_variant", "ruleset_of"),
    "replay.rulesets.variant_names": ("variants",),
    "replay.rulesets.rules_text": ("differences", "rules_in_words"),
    # Replay
    "replay.model": (
        *("BadRecord", "Call", "Capture", "Choice", "Finding", "Mode", "Outcome", "Trick"),
        *("Verdict", "View"),
    ),
    "replay.judging.replayer": ("Replay", "replay"),
    "replay.judging.games": ("check_game", "match_scores"),
    "replay.bots.generate": ("generate",),
    "replay.position": (
        *("LegalPlays", "PlayRuling", "Position", "PositionError", "ScoringCard", "TrickPoints"),
        *("TrickWinner", "position"),
    ),
    # Logs
    "ingest.reading.reader": ("LineKind", "LogLine", "read"),
    "ingest.reading.rejects": ("Reject", "RejectCode"),
    "ingest.loading.auditing": ("Audit", "AuditedLine", "Counts", "audit"),
    "ingest.adapters": ("ADAPTERS", "Converted", "convert"),
    "ingest.text_form.writer": ("write_text",),
    # The warehouse
    "ingest.loading.report": ("LoadReport",),
    "ingest.store.publishing": ("BusyError",),
    "ingest.store.warehouse": ("NoSnapshotError", "WarehouseError", "checksum"),
    "ingest.warehouses": ("follow", "load", "open_facts", "open_snapshot", "stored_hand"),
    "ingest.metrics.listings": ("finding_list", "hand_list"),
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
"""The public names by the module each is at home in."""
_OTHERWISE = {
    "stored_hands": ("ingest.store.warehouse", "hands"),
}
"""Names that say more here than in their own module."""
_PLACES = {name: (module, name) for module, names in _HOMES.items() for name in names} | _OTHERWISE

__all__ = [
    "ADAPTERS",
    "DIMENSIONS",
    "METRICS",
    "Action",
    "Audit",
    "AuditedLine",
    "BadRecord",
    "Better",
    "BusyError",
    "Call",
    "Capture",
    "Choice",
    "Claimed",
    "Converted",
    "Counts",
    "Dimension",
    "ExportError",
    "Exported",
    "FigureError",
    "Filters",
    "Finding",
    "Frames",
    "Gap",
    "Grain",
    "Hand",
    "HouseRule",
    "Kind",
    "Known",
    "LegalPlays",
    "Level",
    "LineKind",
    "LoadReport",
    "LogLine",
    "Metric",
    "Mode",
    "NoSnapshotError",
    "Outcome",
    "OwnMetricError",
    "PlayRuling",
    "Player",
    "Position",
    "PositionError",
    "Ratings",
    "Reject",
    "RejectCode",
    "Replay",
    "RulesRef",
    "Ruleset",
    "RulesetError",
    "ScoringCard",
    "Then",
    "Trick",
    "TrickPoints",
    "TrickWinner",
    "Verb",
    "Verdict",
    "View",
    "WarehouseError",
    "as_csv",
    "audit",
    "bid_name",
    "card_name",
    "cards_in",
    "check_game",
    "checksum",
    "checksum_of_export",
    "convert",
    "decode_hand",
    "differences",
    "dimensions_of",
    "encode_hand",
    "export",
    "finding_list",
    "follow",
    "generate",
    "hand_list",
    "iter_frames",
    "known_metrics",
    "load",
    "load_rules_file",
    "load_variant",
    "match_scores",
    "measure",
    "metrics_of_file",
    "open_facts",
    "open_snapshot",
    "position",
    "pretty_card",
    "pretty_cards",
    "ratings",
    "read",
    "replay",
    "rules_in_words",
    "ruleset_of",
    "sql",
    "stored_hand",
    "stored_hands",
    "text_of",
    "to_frames",
    "trump_name",
    "variants",
    "win_chances",
    "write_text",
]


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
    return sorted({*globals(), *__all__, "__version__"})
