"""Tests of the engine, plain and compiled, and of judging a record."""
