"""Tests of the pages and of their server, most without a browser."""
