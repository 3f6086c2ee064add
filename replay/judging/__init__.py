"""Judging a record: replay, findings, claimed results, games."""
