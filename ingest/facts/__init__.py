"""Facts: what figures are counted from, kept in a file beside each snapshot of the warehouse.

Figures ask of every hand the same things again and again: who called how often, who took which
card. ``tricklog.core.engine.facts`` notes the answers where a hand is replayed, and the warehouse
keeps them with the hand. Here they are put beside game, table and players, a row for each, in
``facts-000042.duckdb`` beside ``games-000042.duckdb``. It says nothing that the snapshot does not
say and can be removed at any time. Its tables are ``ingest/facts/tables.sql``.
"""
