"""What tests share: logs, tables, records and helpers."""
