"""Facts: what figures are counted from, derived once from each snapshot of the warehouse.

The warehouse keeps hands as they were recorded, in codes that are small and quick to write. Figures
ask of every hand the same things again and again: who called how often, who took which card. Those
answers are kept in a file of their own beside the snapshot, ``facts-000042.duckdb`` beside
``games-000042.duckdb``. It says nothing that the snapshot does not say and can be removed at any
time. Its tables are ``ingest/facts/tables.sql``.
"""
