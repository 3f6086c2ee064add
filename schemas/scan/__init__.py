"""The fast scanner: a canonical hand log line read byte by byte, in plain Python and compiled."""
