"""Tests of loading and auditing."""
