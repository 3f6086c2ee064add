"""The warehouse: snapshots, their tables, and how a record is kept in them."""
