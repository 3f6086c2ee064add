"""The engine: the rules as functions of integers, which run in plain Python and compiled."""
