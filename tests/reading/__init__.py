"""Tests of reading: the hand log, its scanner, bad lines and files, adapters."""
