"""Fuzzing: arbitrary bytes through everything that reads what others wrote.

``targets`` says what must hold for any input, ``seeds`` where the inputs start from, ``mutation``
how JSON is changed so that it stays JSON. The suite runs them for a moment; a long run, guided by
coverage, is ``python -m tests.fuzz``.
"""
