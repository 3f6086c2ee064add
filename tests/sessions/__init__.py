"""Tests of evenings and seasons."""
