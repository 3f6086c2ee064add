"""Tests of facts and figures."""
