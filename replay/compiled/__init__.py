"""The rules compiled: the same functions that run in plain Python, for many hands at a time.

The only package that knows of the compiler. ``kernel.py`` keeps what was compiled, one build for
each state of the rules' sources; ``driver.py`` is what is compiled; ``teaching.py`` makes the
compiler understand the functions of the rules.
"""
