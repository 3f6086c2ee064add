"""Evenings that are being recorded: kept between two taps, and written to a log in the end."""
