"""Many hands at a time: lines of logs read, replayed, written down and studied.

The loops over lines, ``driver`` and ``study_lines``, are of the compiled subset and run in the
library only; the other modules hold the arrays that they work on, and call it.
"""
