"""Sections that several pages show."""
