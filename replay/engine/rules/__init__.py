"""The rules, one short function per question a card player would ask.

These modules use integers, ``IntEnum`` members, bit masks, tuples and attribute access on the two
records of ``tricklog.core.engine.records``, and nothing else, so that one text runs in plain Python
and compiled.
"""
