"""Tests of chances to win."""
