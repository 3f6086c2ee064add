"""The search with all cards open: what the maker's side takes with best play of everybody.

Compiled together with the engine, whose rule functions it calls; it runs in plain Python as well.
What people ask of it is in ``tricklog.core.study.open_cards``.
"""
