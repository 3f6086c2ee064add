"""The rules, the solver and the reading of lines as a library of machine code, made ahead of time.

``translate`` writes the functions of the compiled subset, ``replay/engine``, ``replay/solver``,
``schemas/scan`` and the loops over lines in ``replay/compiled``, as C++; ``build`` compiles that
when Tricklog is installed or its wheel is built; ``library`` calls it. Where there is no library
the same functions run as they stand, in plain Python.
"""
