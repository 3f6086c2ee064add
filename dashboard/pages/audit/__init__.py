"""Findings, and lines that could not be read."""
