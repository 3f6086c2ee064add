"""Everything a program needs of Tricklog, under one name.

Each name is imported from its own module when it is first used: replaying a hand loads no database,
and ``import tricklog`` next to nothing. ``docs/python-api.md`` shows them at work.
"""

TYPE_CHECKING = False
"""As in ``typing``, which takes longer to import than all that is here."""

if TYPE_CHECKING:
    from tricklog.core.bots.generate import generate
    from tricklog.core.judging.games import check_game, match_scores
    from tricklog.core.judging.replayer import Replay, replay
    from tricklog.core.model import (
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
    from tricklog.core.position import (
        LegalPlays,
        PlayRuling,
        Position,
        PositionError,
        ScoringCard,
        TrickPoints,
        TrickWinner,
        position,
    )
    from tricklog.core.rulesets.house_rules import HouseRule
    from tricklog.core.rulesets.rules_file import RulesetError
    from tricklog.core.rulesets.rules_text import differences, rules_in_words
    from tricklog.core.rulesets.ruleset import Ruleset, load_rules_file, load_variant, ruleset_of
    from tricklog.core.rulesets.variant_names import variants
    from tricklog.ingest.adapters import ADAPTERS, Converted, convert
    from tricklog.ingest.asking import measure, ratings, sql, win_chances
    from tricklog.ingest.exporting import Exported, ExportError, checksum_of_export, export
    from tricklog.ingest.frames import Frames, iter_frames, to_frames
    from tricklog.ingest.loading.auditing import Audit, AuditedLine, Counts, audit
    from tricklog.ingest.loading.report import LoadReport
    from tricklog.ingest.metrics import (
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
    from tricklog.ingest.metrics.filters import Filters
    from tricklog.ingest.metrics.listings import finding_list, hand_list
    from tricklog.ingest.metrics.own import metrics_of_file
    from tricklog.ingest.ratings import Ratings
    from tricklog.ingest.reading.reader import LineKind, LogLine, read
    from tricklog.ingest.reading.rejects import Reject, RejectCode
    from tricklog.ingest.store.exports import as_csv
    from tricklog.ingest.store.publishing import BusyError
    from tricklog.ingest.store.warehouse import (
        NoSnapshotError,
        WarehouseError,
        checksum,
    )
    from tricklog.ingest.store.warehouse import hands as stored_hands
    from tricklog.ingest.text_form.writer import write_text
    from tricklog.ingest.warehouses import follow, load, open_facts, open_snapshot, stored_hand
    from tricklog.schemas.actions import Action, Verb, bid_name, trump_name
    from tricklog.schemas.cards import card_name, cards_in, pretty_card, pretty_cards
    from tricklog.schemas.citations import text_of
    from tricklog.schemas.hand import (
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
    "tricklog.schemas.hand": (
        *("Claimed", "Gap", "Hand", "Known", "Player", "RulesRef", "Then"),
        *("decode_hand", "encode_hand"),
    ),
    "tricklog.schemas.actions": ("Action", "Verb", "bid_name", "trump_name"),
    "tricklog.schemas.cards": ("card_name", "cards_in", "pretty_card", "pretty_cards"),
    "tricklog.schemas.citations": ("text_of",),
    # Rules
    "tricklog.core.rulesets.house_rules": ("HouseRule",),
    "tricklog.core.rulesets.rules_file": ("RulesetError",),
    "tricklog.core.rulesets.ruleset": ("Ruleset", "load_rules_file", "load_variant", "ruleset_of"),
    "tricklog.core.rulesets.variant_names": ("variants",),
    "tricklog.core.rulesets.rules_text": ("differences", "rules_in_words"),
    # Replay
    "tricklog.core.model": (
        *("BadRecord", "Call", "Capture", "Choice", "Finding", "Mode", "Outcome", "Trick"),
        *("Verdict", "View"),
    ),
    "tricklog.core.judging.replayer": ("Replay", "replay"),
    "tricklog.core.judging.games": ("check_game", "match_scores"),
    "tricklog.core.bots.generate": ("generate",),
    "tricklog.core.position": (
        *("LegalPlays", "PlayRuling", "Position", "PositionError", "ScoringCard", "TrickPoints"),
        *("TrickWinner", "position"),
    ),
    # Logs
    "tricklog.ingest.reading.reader": ("LineKind", "LogLine", "read"),
    "tricklog.ingest.reading.rejects": ("Reject", "RejectCode"),
    "tricklog.ingest.loading.auditing": ("Audit", "AuditedLine", "Counts", "audit"),
    "tricklog.ingest.adapters": ("ADAPTERS", "Converted", "convert"),
    "tricklog.ingest.text_form.writer": ("write_text",),
    # The warehouse
    "tricklog.ingest.loading.report": ("LoadReport",),
    "tricklog.ingest.store.publishing": ("BusyError",),
    "tricklog.ingest.store.warehouse": ("NoSnapshotError", "WarehouseError", "checksum"),
    "tricklog.ingest.warehouses": ("follow", "load", "open_facts", "open_snapshot", "stored_hand"),
    "tricklog.ingest.metrics.listings": ("finding_list", "hand_list"),
    # Figures
    "tricklog.ingest.asking": ("measure", "ratings", "sql", "win_chances"),
    "tricklog.ingest.ratings": ("Ratings",),
    "tricklog.ingest.metrics": (
        *("DIMENSIONS", "METRICS", "Better", "Dimension", "FigureError", "Grain", "Kind", "Level"),
        *("Metric", "OwnMetricError", "dimensions_of", "known_metrics"),
    ),
    "tricklog.ingest.metrics.filters": ("Filters",),
    "tricklog.ingest.metrics.own": ("metrics_of_file",),
    "tricklog.ingest.store.exports": ("as_csv",),
    "tricklog.ingest.exporting": ("Exported", "ExportError", "checksum_of_export", "export"),
    # Frames
    "tricklog.ingest.frames": ("Frames", "iter_frames", "to_frames"),
}
"""The public names by the module each is at home in."""
_OTHERWISE = {
    "stored_hands": ("tricklog.ingest.store.warehouse", "hands"),
}
"""Names that say more here than in their own module."""

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
    homes = (home for home, names in _HOMES.items() if name in names)
    module, there = _OTHERWISE.get(name) or (next(homes, ""), name)
    if not module:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(module), there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__, "__version__"})
