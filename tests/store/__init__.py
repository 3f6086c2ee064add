"""Tests of the warehouse: tables, queries, damage and failures."""
