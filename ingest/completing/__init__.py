"""What a shell can complete besides commands and options: games, figures, dimensions, players.

``python -m tricklog.ingest.completing WORD...`` takes what has been typed after ``tricklog`` and
prints the words that can stand in the place of the last one. A shell waits for it at every press of
a key, so it imports as little as can be, and it says nothing at all where anything is wrong.
"""
